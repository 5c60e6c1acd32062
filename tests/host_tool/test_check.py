"""kinecast import --check: agrees with a URDF's own header, and finds a robot that is not the one of its URDF."""
# SPDX-License-Identifier: MIT
import os
import unittest

from swinging import BOX, LEVER, MASS, pendulum
from tool import ToolTest


class Check(ToolTest):
    def check(self, *arguments):
        return self.run_tool('import', *arguments, KINECAST_CACHE=str(self.folder / 'cache'),
                             CXX=os.environ['KINECAST_CXX'])

    def difference(self, run):
        return float(run.stdout.split('random states is ')[1].split(' in double')[0])

    def test_header_and_its_urdf(self):
        self.write('robot.urdf', pendulum())
        run = self.check('robot.urdf', '-o', 'robot.hpp', '--check')
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertLess(self.difference(run), 1e-9)
        again = self.check('robot.urdf', '--check-header', 'robot.hpp')
        self.assertEqual(again.returncode, 0, again.stderr)
        self.assertEqual(self.difference(again), self.difference(run))
        # a gram more is another robot
        self.write('heavier.urdf', pendulum(mass=MASS + 1e-3))
        run = self.check('heavier.urdf', '--check-header', 'robot.hpp')
        self.assertEqual(run.returncode, 1, run.stdout)
        self.assertIn('robot.hpp: its accelerations differ from those of heavier.urdf by up to', run.stderr)
        self.write('floating.urdf', BOX)
        run = self.check('floating.urdf', '--base', 'floating', '--check-header', 'robot.hpp')
        self.assertEqual(run.returncode, 1, run.stdout)
        self.assertIn('robot.hpp: its robot has 1 degrees of freedom, and floating.urdf has 6', run.stderr)

    def test_what_urdfdom_alone_refuses(self):
        """Limits that lack something, a <capsule>, <dynamics/>: none enters the dynamics, and the import accepts them."""
        urdf = pendulum().replace('continuous', 'revolute').replace('</inertial>', '</inertial><collision><geometry>'
                                                                    '<capsule radius="1" length="1"/></geometry></collision>')
        for inside in ('', '<limit lower="-1" upper="1"/><dynamics/>'):
            self.write('robot.urdf', urdf.replace('</joint>', inside + '</joint>'))
            run = self.check('robot.urdf', '-o', 'robot.hpp', '--check')
            self.assertEqual((run.returncode, run.stderr.count('rror')), (0, 0), run.stderr)
            self.assertLess(self.difference(run), 1e-9)

    def test_root_that_is_the_world(self):
        # What stood on the world by a tilted fixed joint floats without it; the axis has a tab, which urdfdom does not take.
        lines = pendulum().replace('"0 1 0"', '"0\t1 0"').splitlines()
        crate = BOX.split('<link')[1].split('</link>')[0]
        lines[1:2] = ['<link name="world"/><link' + crate.replace('crate', 'stand') + '</link>',
                      '<joint name="bolts" type="fixed"><parent link="world"/><child link="stand"/>'
                      '<origin xyz="1 2 3" rpy="1 0.5 0.2"/></joint>']
        self.write('robot.urdf', '\n'.join(lines))
        run = self.check('robot.urdf', '-o', 'robot.hpp', '--base', 'floating', '--check')
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertLess(self.difference(run), 1e-9)
        # The same by a floating joint of the URDF: the same header, whatever --base says.
        self.write('floating.urdf', '\n'.join(lines).replace('type="fixed"', 'type="floating"'))
        run = self.check('floating.urdf', '--check-header', 'robot.hpp')
        self.assertEqual(run.returncode, 0, run.stderr)

    def test_tampered_header(self):
        self.write('robot.urdf', pendulum())
        self.assertEqual(self.check('robot.urdf', '-o', 'robot.hpp').returncode, 0)
        header = (self.folder / 'robot.hpp').read_text(encoding='utf-8')
        self.assertIn(f'{-LEVER}', header)
        self.write('robot.hpp', header.replace(f'{-LEVER}', f'{-LEVER - 1e-6}'))
        run = self.check('robot.urdf', '--check-header', 'robot.hpp')
        self.assertEqual(run.returncode, 1, run.stdout)
        self.assertIn('it is not this robot', run.stderr)
        self.write('robot.hpp', '#pragma once\n')
        run = self.check('robot.urdf', '--check-header', 'robot.hpp')
        self.assertEqual(run.returncode, 1)
        self.assertIn('is no header of `kinecast import`', run.stderr)
        self.assertEqual(self.check('robot.urdf', '--check', '--check-header', 'robot.hpp').returncode, 2)


if __name__ == '__main__':
    unittest.main()
