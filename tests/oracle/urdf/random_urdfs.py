"""Random robots as URDF text, odder than those that users draw: any tree, every kind of joint that moves about one axis, chains of
fixed joints, inertials turned against their links, links that only a fixed child gives a mass, axes of any length and sign,
links and joints in any order, elements of other programs in between. The same seed gives the same text.
"""
# SPDX-License-Identifier: MIT
import math
import random


class Writer:
    """Numbers as users and programs write them."""

    def __init__(self, rng):
        self.rng = rng

    def number(self, value):
        return self.rng.choice((repr(value), f'{value:.6f}', f'{value:.9e}', f'{value:+.5g}'))

    def triple(self, values):
        gap = self.rng.choice((' ', '  ', '\t'))
        return gap.join(self.number(value) for value in values)

    def origin(self, size, gap):
        """Sometimes only a half of it, sometimes none: the rest is zero."""
        xyz = self.triple(self.rng.uniform(-size, size) for _ in range(3))
        rpy = self.triple(self.rng.uniform(-math.pi, math.pi) for _ in range(3))
        parts = self.rng.choice(((xyz, rpy), (xyz, rpy), (xyz, rpy), (xyz, None), (None, rpy), (None, None)))
        if parts == (None, None):
            return ''
        words = [f'{name}="{text}"' for name, text in zip(('xyz', 'rpy'), parts) if text]
        self.rng.shuffle(words)
        return f'{gap}<origin {" ".join(words)}/>\n'


def turn(rng):
    """A rotation matrix."""
    w, x, y, z = (rng.gauss(0, 1) for _ in range(4))
    n = math.sqrt(w * w + x * x + y * y + z * z)
    w, x, y, z = w / n, x / n, y / n, z / n
    return ((1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)),
            (2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)),
            (2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)))


def inertial(rng, write):
    """Of a solid box, whose edges point anywhere."""
    mass = rng.uniform(0.2, 4)
    edges = [rng.uniform(0.05, 0.4) for _ in range(3)]
    squares = [edge * edge for edge in edges]
    principal = [mass / 12 * (sum(squares) - square) for square in squares]
    axes = turn(rng) if rng.random() < 0.7 else ((1, 0, 0), (0, 1, 0), (0, 0, 1))

    def entry(i, j):
        return sum(axes[i][k] * principal[k] * axes[j][k] for k in range(3))

    # All digits: a rounded tensor may break the triangle inequality.
    words = ' '.join(f'i{a}{b}="{entry(i, j)!r}"' for i, a in enumerate('xyz') for j, b in enumerate('xyz') if i <= j)
    return (f'    <inertial>\n{write.origin(0.1, "      ")}'
            f'      <mass value="{mass!r}"/>\n      <inertia {words}/>\n    </inertial>\n')


def axis(rng, write):
    if rng.random() < 0.5:
        vector = [0.0, 0.0, 0.0]
        vector[rng.randrange(3)] = rng.choice((-1.0, 1.0, -3.0))
    else:
        vector = [rng.choice((-1, 1)) * rng.uniform(0.2, 2) for _ in range(3)]
    return f'    <axis xyz="{write.triple(vector)}"/>\n'


def joint(rng, write, index, parent, kind, mimicked):
    text = f'  <joint name="j{index}_{kind}" type="{kind}">\n{write.origin(0.4, "    ")}'
    ends = [f'    <parent link="l{parent}"/>\n', f'    <child link="l{index}"/>\n']
    rng.shuffle(ends)
    text += ''.join(ends)
    if kind != 'fixed':
        text += axis(rng, write)
        text += f'    <dynamics damping="{rng.uniform(0, 2):.3f}" friction="{rng.choice((0, 0.1))}"/>\n'
    if kind in ('revolute', 'prismatic'):
        text += (f'    <limit lower="{-rng.uniform(0.5, 3):.4f}" upper="{rng.uniform(0.5, 3):.4f}" '
                 f'effort="{rng.uniform(1, 90):.1f}" velocity="{rng.uniform(1, 9):.2f}"/>\n')
    if kind != 'fixed' and mimicked and rng.random() < 0.1:
        text += f'    <mimic joint="{mimicked}" multiplier="-0.5"/>\n'
    return text + '  </joint>\n'


SHAPES = ('<sphere radius="0.05"/>', '<box size="0.1 0.2 0.05"/>', '<cylinder radius="0.03" length="0.2"/>')


def random_urdf(seed, name, links):
    """`links` beside the root."""
    rng = random.Random(seed)
    write = Writer(rng)
    # A long arm, a bush or something between.
    reach = rng.choice((1, 2, links + 1))
    kinds, parents = ['root'], [None]
    for index in range(1, links + 1):
        parents.append(rng.randrange(max(0, index - reach), index))
        kinds.append(rng.choice(('revolute', 'revolute', 'continuous', 'prismatic', 'fixed')))
    if all(kind in ('root', 'fixed') for kind in kinds):
        kinds[-1] = 'revolute'
    # What is left without a mass hangs on a fixed joint, or has a child on one that has a mass.
    has_mass = [True] * (links + 1)
    for index in range(1, links + 1):
        held = [child for child in range(index + 1, links + 1) if parents[child] == index and kinds[child] == 'fixed']
        if held and has_mass[held[0]] or kinds[index] == 'fixed':
            has_mass[index] = rng.random() < 0.5
        elif held:
            has_mass[held[0]] = True
    for index in range(links, 0, -1):  # the choice above went downwards: a mass must be left on every moving group
        group = welded(index, parents, kinds)
        if kinds[index] != 'fixed' and not any(has_mass[member] for member in group):
            has_mass[index] = True
    parts, mimicked = [], None
    for index in range(links + 1):
        body = inertial(rng, write) if has_mass[index] else ''
        shape = (f'    <collision>\n      <geometry>{rng.choice(SHAPES)}</geometry>\n    </collision>\n'
                 if rng.random() < 0.2 else '')
        parts.append(f'  <link name="l{index}">\n{body}{shape}  </link>\n')
        if index:
            parts.append(joint(rng, write, index, parents[index], kinds[index], mimicked))
            mimicked = f'j{index}_{kinds[index]}' if kinds[index] != 'fixed' else mimicked
    parts.append('  <gazebo reference="l0"><kp>1000</kp></gazebo>\n')
    parts.append('  <transmission name="t"><type>any</type></transmission>\n')
    parts.append('  <!-- a remark -->\n')
    rng.shuffle(parts)
    return f'<?xml version="1.0"?>\n<robot name="{name}">\n{"".join(parts)}</robot>\n'


def welded(index, parents, kinds):
    """The link and all that fixed joints hold to it."""
    group = {index}
    for child in range(index + 1, len(parents)):
        if parents[child] in group and kinds[child] == 'fixed':
            group.add(child)
    return group
