"""kinecast import: where a robot can touch, from the collision shapes, from meshes and from a file."""
# SPDX-License-Identifier: MIT
import math
import unittest

import robot_header
from test_import import ARM, BODY, ImportTest, cube_stl, joint, link, robot


class Contacts(ImportTest):
    def test_contacts_of_primitives(self):
        shapes = ('<collision><origin xyz="1 2 3" rpy="0 0 1.5707963267948966"/><geometry><box size="2 4 6"/></geometry>'
                  '</collision><collision name="ball"><origin xyz="0 0 -1"/><geometry><sphere radius="0.25"/></geometry>'
                  '</collision><collision><origin rpy="1.5707963267948966 0 0"/><geometry><cylinder radius="0.5" '
                  'length="3"/></geometry></collision>')
        urdf = robot(link('base', BODY + shapes), link('arm', BODY + shapes), joint('turn', 'continuous', 'base', 'arm'))
        _, found = self.import_robot(urdf)
        self.assertEqual({p.link for p in found.points}, {'arm'}, 'what stands on the world touches nothing new')
        corners = [p for p in found.points if p.name.startswith('arm.box0.')]
        self.assertEqual(sorted([round(x, 12) for x in p.at] for p in corners),
                         sorted([1.0 + x, 2.0 + y, 3.0 + z] for x in (-2, 2) for y in (-1, 1) for z in (-3, 3)))
        ball = [p for p in found.points if p.name == 'arm.ball']
        self.assertEqual([(p.at, p.radius) for p in ball], [([0, 0, -1], 0.25)])
        rims = [p for p in found.points if p.name.startswith('arm.cylinder2.')]
        self.assertEqual(len(rims), 8)
        for p in rims:
            self.assertAlmostEqual(abs(p.at[1]), 1.5)
            self.assertAlmostEqual(math.hypot(p.at[0], p.at[2]), 0.5)
        self.assertEqual(len(found.points), 17)
        _, found = self.import_robot(urdf, '--contacts', 'none')
        self.assertEqual(found.points, [])
        _, found = self.import_robot(urdf, '--base', 'floating')
        self.assertEqual(len(found.points), 34)
        self.compile('static_assert(keeps_rules<robots::arm>);\nstatic_assert(robots::arm.kPoints == 34);\n')

    def test_wheels(self):
        """Rims of four corners do not roll: who drives on them is told so."""
        wheel = BODY + '<collision><geometry><cylinder radius="0.5" length="3"/></geometry></collision>'
        axle = joint('turn', 'continuous', 'base', 'arm')
        self.import_robot(robot(link('base', ''), link('arm', wheel), axle))
        self.assertRegex(self.output, 'link "arm": its cylinder is a wheel, .* do not roll')
        self.import_robot(robot(link('base', ''), link('arm', wheel), axle.replace('0 0 1', '1 0 0')))
        self.assertNotIn('wheel', self.output)

    def test_many_contacts(self):
        """More than 64: the lowest of each body at joint position zero, far apart."""
        box = '<collision><origin xyz="0 0 {}"/><geometry><box size="1 1 0.5"/></geometry></collision>'
        shapes = ''.join(box.format(z) for z in range(5))
        urdf = robot(link('base', ''), link('a', BODY + shapes), joint('j', 'continuous', 'base', 'a'),
                     link('b', BODY + shapes), joint('k', 'continuous', 'base', 'b', '<origin rpy="3.141592653589793 0 0"/>'))
        _, found = self.import_robot(urdf)
        self.assertRegex(self.output, '80 contact points would be slow .* the 32 lowest .* 64 in all')
        heights = {name: sorted({round(p.at[2], 9) for p in found.points if p.link == name}) for name in 'ab'}
        self.assertEqual(heights, {'a': [-0.25, 0.25, 0.75, 1.25, 1.75, 2.25, 2.75, 3.25],
                                   'b': [0.75, 1.25, 1.75, 2.25, 2.75, 3.25, 3.75, 4.25]})

    def test_contacts_of_meshes(self):
        """The lowest four of a cube's corners, wherever the mesh lies; what is missing is said once."""
        (self.folder / 'my_robot' / 'meshes').mkdir(parents=True)
        (self.folder / 'my_robot' / 'urdf').mkdir()
        (self.folder / 'my_robot' / 'meshes' / 'cube.stl').write_bytes(cube_stl(2.0))
        (self.folder / 'my_robot' / 'urdf' / 'near.obj').write_text(
            ''.join(f'v {x} {y} {z}\n' for x in (0, 1) for y in (0, 1) for z in (0, 1)) +
            'f 1 2 4\nf 1 4 3\nf 5 7 8\nf 5 8 6\nf 1 5 6\nf 1 6 2\nf 3 4 8\nf 3 8 7\n', encoding='utf-8')
        mesh = '<collision><origin xyz="0 0 1" rpy="{}"/><geometry><mesh filename="{}" scale="{}"/></geometry></collision>'
        upside_down = '3.141592653589793 0 0'
        names = {'package://my_robot/meshes/cube.stl': 'a', 'near.obj': 'b', 'package://elsewhere/x.stl': 'c', 'gone.stl': 'd',
                 f'file://{self.folder}/my_robot/meshes/cube.stl': 'e'}
        parts = [link('base', '')]
        for name, where in names.items():
            parts += [link(where, BODY + mesh.format(upside_down if where == 'b' else '0 0 0', name, '0.5 0.5 0.25')),
                      joint('j' + where, 'continuous', 'base', where)]
        _, found = self.import_robot(robot(*parts), file='my_robot/urdf/robot.urdf')
        self.assertRegex(self.output, r'note: 2 mesh files were not found \(the first is gone\.stl;')
        at = {where: sorted([round(x, 6) for x in p.at] for p in found.points if p.link == where) for where in 'abcde'}
        square = [[x, y, 1.0] for x in (0.0, 1.0) for y in (0.0, 1.0)]
        self.assertEqual(at['a'], square)
        self.assertEqual(at['b'], sorted([x, -y, 0.75] for x in (0.0, 0.5) for y in (0.0, 0.5)))
        self.assertEqual((at['c'], at['d']), ([], []))
        # What is only looked at does not stop the import.
        self.write('broken.stl', 'no mesh')
        seen = mesh.format('0 0 0', 'broken.stl', '1 1 1').replace('collision', 'visual')
        self.import_robot(robot(link('base', ''), link('a', BODY + seen), joint('j', 'continuous', 'base', 'a')))
        self.assertRegex(self.output, r'note: .*broken\.stl: this mesh cannot be read: .*; it is not drawn')
        self.assertEqual(at['e'], square)
        (self.folder / 'flat.obj').write_text('v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n', encoding='utf-8')
        flat = mesh.format('0 0 0', 'flat.obj', '1 1 1')
        self.import_robot(robot(link('base', ''), link('a', BODY + flat), joint('j', 'continuous', 'base', 'a')))
        self.assertIn('note: link "a": its collision mesh has no volume: no contact points of it\n', self.output)

    def test_contacts_file(self):
        (self.folder / 'cube.stl').write_bytes(cube_stl(1.0))
        self.write('contacts.json', {
            'points': [{'name': 'toe', 'link': 'finger', 'at': [0.1, 0, -0.02]},
                       {'name': 'ball', 'link': 'fore', 'at': [0, 0, 0], 'radius': 0.03, 'kind': 2}],
            'boxes': [{'link': 'fore', 'at': [0, 0, 1], 'rpy': [0, 0, math.pi / 2], 'size': [0.2, 0.4, 0.6], 'kind': 1}],
            'hulls': [{'link': 'upper', 'mesh': 'cube.stl', 'lowest': 2},
                      {'link': 'upper', 'mesh': 'cube.stl', 'vertices': [0, 7]}]})
        _, found = self.import_robot(ARM, '--contacts', 'contacts.json')
        self.assertEqual([(p.name, p.link, p.at, p.radius, p.kind) for p in found.points[:2]],
                         [('toe', 'finger', [0.1, 0, -0.02], 0, 0), ('ball', 'fore', [0, 0, 0], 0.03, 2)])
        box = found.points[2:10]
        self.assertEqual({(p.link, p.kind) for p in box}, {('fore', 1)})
        self.assertEqual(sorted([round(x, 12) for x in p.at] for p in box),
                         sorted([x, y, z] for x in (-0.2, 0.2) for y in (-0.1, 0.1) for z in (0.7, 1.3)))
        self.assertEqual([p.at for p in found.points[12:]], [[0, 0, 0], [1, 1, 1]])
        # The lowest corner of a cube, and the lowest of its neighbours, in the world.
        upper = found.links[1]
        corners = sorted(([x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)),
                         key=lambda p: robot_header.times(upper.turned, p)[2])
        self.assertEqual(sorted(p.at for p in found.points[10:12]), sorted(corners[:2]))
        self.assertEqual(len({p.name for p in found.points}), 14)
        self.compile('static_assert(keeps_rules<robots::arm>);\nstatic_assert(robots::arm.kPoints == 14);\n')


if __name__ == '__main__':
    unittest.main()
