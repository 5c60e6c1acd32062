"""Reads what `kinecast import` wrote, and a URDF by Python's own means, both as bodies that can be compared."""
# SPDX-License-Identifier: MIT
import math
import re
import types
import xml.etree.ElementTree


def matrix_of_rpy(roll, pitch, yaw):
    """Rz(yaw) Ry(pitch) Rx(roll), as the URDF format defines it."""
    cr, sr, cp, sp, cy, sy = (f(x) for x in (roll, pitch, yaw) for f in (math.cos, math.sin))
    return [[cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr],
            [sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr],
            [-sp, cp * sr, cp * cr]]


def times(a, b):
    if isinstance(b[0], (int, float)):
        return [sum(a[i][k] * b[k] for k in range(3)) for i in range(3)]
    return [[sum(a[i][k] * b[k][j] for k in range(3)) for j in range(3)] for i in range(3)]


def transposed(a):
    return [list(row) for row in zip(*a)]


IDENTITY = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]


class Link(types.SimpleNamespace):
    """name, parent, joint, axis, at, turned, mass, com, inertia (3 x 3 about the centre of mass, link axes), words."""


def words_of(header):
    """The emitted call robot(…) as Python values: C++ braces are lists, and every word becomes (word, arguments)."""
    text = re.search(r'return robot\((.*?)\);\n}', header, re.S).group(1)
    text = re.sub(r'^\s*//.*$', '', text, flags=re.M)
    parts = re.split(r'("(?:[^"\\]|\\.)*")', text)
    parts[1::2] = [part.replace('\\?', '?') for part in parts[1::2]]
    parts[::2] = [part.replace('{', '[').replace('}', ']') for part in parts[::2]]
    text = ''.join(parts)
    names = set(re.findall(r'\b([a-z_]+)\(', ''.join(parts[::2])))
    known = {name: (lambda *arguments, _name=name: (_name, *arguments)) for name in names}
    return eval('[' + text + ']', {'__builtins__': {}}, known)  # pylint: disable=eval-used


def read_header(header):
    """name, links, points."""
    name, *parts = words_of(header)
    links, points = [], []
    for kind, *words in parts:
        if kind in ('contact_point', 'contact_sphere'):
            said = {word[0]: word[1:] for word in words[1:]}
            points.append(types.SimpleNamespace(name=words[0], link=said['on'][0], at=list(said['at']),
                                                radius=said.get('radius', (0,))[0],
                                                kind=said.get('of_kind', (0,))[0]))
        if kind != 'link':
            continue
        said = {word[0]: word[1:] for word in words[1:]}
        link = Link(name=words[0], parent=said['on'][0], joint=words[2][0], axis=(words[2][1:] or [None])[0],
                    at=list(said.get('at', (0, 0, 0))), turned=said.get('turned', (IDENTITY,))[0], mass=0,
                    com=[0, 0, 0], inertia=[[0] * 3 for _ in range(3)], words=said)
        if 'body' in said:
            mass, com, inertia = said['body']
            xx, yy, zz, xy, xz, yz = inertia[1:]
            link.mass, link.com = mass, list(com[1:])
            link.inertia = [[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]
        links.append(link)
    return types.SimpleNamespace(name=name, links=links, points=points)


def numbers(element, attribute, default):
    if element is None or element.get(attribute) is None:
        return default
    return [float(word) for word in element.get(attribute).split()]


def read_urdf(path):
    """Links by name, joints in the document's order."""
    root = xml.etree.ElementTree.parse(path).getroot()
    links = {}
    for element in root.findall('link'):
        link = Link(name=element.get('name'), mass=0, com=[0, 0, 0], inertia=[[0] * 3 for _ in range(3)])
        inertial = element.find('inertial')
        if inertial is not None:
            turn = matrix_of_rpy(*numbers(inertial.find('origin'), 'rpy', [0, 0, 0]))
            i = {key: float(value) for key, value in inertial.find('inertia').attrib.items()}
            own = [[i['ixx'], i['ixy'], i['ixz']], [i['ixy'], i['iyy'], i['iyz']], [i['ixz'], i['iyz'], i['izz']]]
            link.mass = float(inertial.find('mass').get('value'))
            link.com = numbers(inertial.find('origin'), 'xyz', [0, 0, 0])
            link.inertia = times(times(turn, own), transposed(turn))
        links[link.name] = link
    joints = []
    for element in root.findall('joint'):
        axis = numbers(element.find('axis'), 'xyz', [1, 0, 0])
        size = math.sqrt(sum(x * x for x in axis))
        joints.append(types.SimpleNamespace(
            name=element.get('name'), type=element.get('type'), parent=element.find('parent').get('link'),
            child=element.find('child').get('link'), axis=[x / size for x in axis],
            at=numbers(element.find('origin'), 'xyz', [0, 0, 0]),
            turned=matrix_of_rpy(*numbers(element.find('origin'), 'rpy', [0, 0, 0])),
            limit=dict(element.find('limit').attrib) if element.find('limit') is not None else {},
            dynamics=dict(element.find('dynamics').attrib) if element.find('dynamics') is not None else {}))
    return types.SimpleNamespace(name=root.get('name'), links=links, joints=joints)


def about(link, rotation, position):
    """(mass, mass times place, inertia about the origin) of a link that lies so in a frame."""
    com = [p + x for p, x in zip(position, times(rotation, link.com))]
    square = sum(x * x for x in com)
    turned = times(times(rotation, link.inertia), transposed(rotation))
    return (link.mass, [link.mass * x for x in com],
            [[turned[i][j] + link.mass * ((square if i == j else 0) - com[i] * com[j]) for j in range(3)]
             for i in range(3)])


def bodies(links, parent_of, placement_of, is_fixed):
    """{moving link: flat list of its mass, first moments and inertia, with everything fixed to it}; '' is the world.
    links: in an order that has parents first.
    """
    body, place, sums = {}, {}, {}
    for link in links:
        if not is_fixed(link.name):
            body[link.name], place[link.name] = link.name, (IDENTITY, [0, 0, 0])
        else:
            rotation, position = placement_of(link.name)
            parent = parent_of(link.name)
            body[link.name] = body.get(parent, '')
            outer, shift = place.get(parent, (IDENTITY, [0, 0, 0]))
            place[link.name] = (times(outer, rotation), [s + x for s, x in zip(shift, times(outer, position))])
        mass, moment, inertia = about(link, *place[link.name])
        flat = [mass, *moment, *sum(inertia, [])]
        sums[body[link.name]] = [a + b for a, b in zip(sums.get(body[link.name], [0] * 13), flat)]
    return sums
