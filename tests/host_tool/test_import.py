"""kinecast import: the header holds the robot of the URDF, held against Python's own reading of the file, and the library takes it;
the same files give the same header; drives are those of the file.
"""
# SPDX-License-Identifier: MIT
import os
import struct
import subprocess
import unittest

import robot_header
from tool import ToolTest

BODY = ('<inertial><origin xyz="0.01 0.02 0.1" rpy="0.1 0.2 0.3"/><mass value="1.5"/>'
        '<inertia ixx="0.01" iyy="0.012" izz="0.005" ixy="0.001" ixz="0" iyz="-0.0005"/></inertial>')


def link(name, inside=BODY):
    return f'<link name="{name}">{inside}</link>\n'


def joint(name, kind, parent, child, inside=''):
    axis = '' if kind in ('fixed', 'floating') or '<axis' in inside else '<axis xyz="0 0 1"/>'
    return (f'<joint name="{name}" type="{kind}"><parent link="{parent}"/><child link="{child}"/>{axis}{inside}'
            '</joint>\n')


def robot(*parts, name='arm'):
    return f'<?xml version="1.0"?>\n<robot name="{name}">\n{"".join(parts)}</robot>\n'


ARM = robot(
    '<material name="red"><color rgba="1 0 0 1"/></material>\n',
    link('base'),
    joint('shoulder', 'revolute', 'base', 'upper',
          '<origin xyz="0 0.1 0.2" rpy="0.3 -0.4 0.5"/><axis xyz="0 3 4"/>'
          '<limit lower="-1.5" upper="2" effort="30" velocity="4"/><dynamics damping="0.2" friction="0.1"/>'),
    link('upper'),
    joint('weld', 'fixed', 'upper', 'sensor', '<origin xyz="0.05 0 0" rpy="0 1.57 0"/>'),
    joint('elbow', 'continuous', 'upper', 'fore', '<origin xyz="0 0 0.3"/><limit effort="5" velocity="6"/>'),
    link('fore'), link('sensor'),
    joint('slide', 'prismatic', 'fore', 'finger',
          '<axis xyz="-1 0 0"/><limit lower="0" upper="0.04" effort="7" velocity="0.2"/>'
          '<mimic joint="elbow" multiplier="2"/>'),
    link('finger'), link('frame', ''), joint('tip', 'fixed', 'finger', 'frame'))


def cube_stl(edge):
    """The corners of a cube [0, edge]³ as a binary STL."""
    corners = [(x, y, z) for x in (0, edge) for y in (0, edge) for z in (0, edge)]
    faces = [(0, 1, 3), (0, 3, 2), (4, 6, 7), (4, 7, 5), (0, 4, 5), (0, 5, 1), (2, 3, 7), (2, 7, 6), (0, 2, 6),
             (0, 6, 4), (1, 5, 7), (1, 7, 3)]
    out = b'a cube'.ljust(80) + struct.pack('<I', len(faces))
    for face in faces:
        out += struct.pack('<12fH', 0, 0, 0, *(x for corner in face for x in corners[corner]), 0)
    return out


class ImportTest(ToolTest):
    def import_robot(self, urdf, *arguments, file='robot.urdf', **environment):
        """The header's text and its contents; self.output has what the tool said."""
        if urdf is not None:
            self.write(file, urdf)
        run = self.run_tool('import', file, '-o', 'robot.hpp', *arguments, **environment)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual(run.stderr, '')
        self.output = run.stdout
        header = (self.folder / 'robot.hpp').read_text(encoding='utf-8')
        return header, robot_header.read_header(header)

    def compile(self, checks, header='robot.hpp'):
        """`checks`: static_asserts; the library's rules on the robots are among them."""
        self.write('user.cpp', f'#include "{header}"\n#include <kinecast/model/validate.hpp>\n'
                               'using namespace kinecast;\n'
                               'constexpr bool near(double a, double b) { return a - b < 1e-15 && b - a < 1e-15; }\n'
                               'template <const auto& R> constexpr bool keeps_rules = kRobotIsValid<R>;\n' + checks)
        run = subprocess.run([os.environ['KINECAST_CXX'], '-std=c++17', '-Wall', '-Wextra', '-Wconversion', '-Werror',
                              '-fsyntax-only', '-I', os.environ['KINECAST_INCLUDE'], 'user.cpp'],
                             cwd=self.folder, capture_output=True, text=True, check=False)
        self.assertEqual(run.returncode, 0, run.stderr)

    def assert_near(self, found, expected, what, tolerance=1e-12):
        """Numbers, or lists of them, to rounding of numbers of order one."""
        if isinstance(expected, (int, float)):
            self.assertAlmostEqual(found, expected, delta=tolerance * max(1, abs(expected)), msg=what)
            return
        self.assertEqual(len(found), len(expected), what)
        for a, b in zip(found, expected):
            self.assert_near(a, b, what, tolerance)

    def check_against_urdf(self, path, found, base):
        """Every joint as in the file; every body, with what is fixed to it, has the same mass, centre and inertia."""
        truth = robot_header.read_urdf(path)
        by_child = {j.child: j for j in truth.joints}
        root = next(name for name in truth.links if name not in by_child)
        names = [l.name for l in found.links]
        if root == 'world' and base == 'floating':
            root = truth.joints[[j.parent for j in truth.joints].index('world')].child
            del by_child[root]
        self.assertEqual(sorted(names), sorted(name for name in truth.links if name != 'world'))
        for l in found.links:
            if l.name == root:
                self.assertEqual((l.joint, l.parent), (base, 'world'))
                continue
            j = by_child[l.name]
            kind = {'continuous': 'revolute'}.get(j.type, j.type)
            self.assertEqual((l.joint, l.parent), (kind, j.parent), j.name)
            self.assert_near(l.at, j.at, j.name)
            self.assert_near(l.turned, j.turned, j.name)
            self.assertIn(l.parent, ['world'] + names[:names.index(l.name)], 'parents come first')
            if kind in ('revolute', 'prismatic'):
                self.check_joint(l, j)
        children = [j.child for j in truth.joints]
        self.assertEqual([n for n in names if n != root], self.depth_first(truth, root if root in names else 'world'),
                         children)
        found_by = {l.name: l for l in found.links}
        ours = robot_header.bodies(found.links, lambda n: found_by[n].parent,
                                   lambda n: (found_by[n].turned, found_by[n].at),
                                   lambda n: found_by[n].joint == 'fixed')
        theirs = robot_header.bodies([truth.links[n] for n in names], lambda n: by_child[n].parent if n in by_child else '',
                                     lambda n: (by_child[n].turned, by_child[n].at) if n in by_child
                                     else (robot_header.IDENTITY, [0, 0, 0]),
                                     lambda n: found_by[n].joint == 'fixed')
        self.assertEqual(set(ours), set(theirs))
        for name in ours:
            if name:  # what stands on the world has no inertia that counts
                self.assert_near(ours[name], theirs[name], name)

    @staticmethod
    def depth_first(truth, root):
        order = []

        def walk(name):
            for j in truth.joints:
                if j.parent == name:
                    order.append(j.child)
                    walk(j.child)
        walk(root)
        return order

    def check_joint(self, l, j):
        self.assert_near(l.axis, j.axis, j.name)
        lower, upper = (float(j.limit.get(key, 0)) for key in ('lower', 'upper'))
        has_stops = j.type != 'continuous' and lower < upper
        self.assertEqual(l.words.get('limits'), (lower, upper) if has_stops else None, j.name)
        velocity, effort = (float(j.limit.get(key, 0)) for key in ('velocity', 'effort'))
        self.assertEqual(l.words.get('speed_limit'), (velocity,) if velocity > 0 else None, j.name)
        self.assertEqual(l.words.get('torque_driven'), (('torque_limit', effort),) if effort > 0 else None, j.name)
        losses = {'viscous': float(j.dynamics.get('damping', 0)), 'coulomb': float(j.dynamics.get('friction', 0))}
        self.assertEqual(dict(l.words.get('at_joint', ())), {key: value for key, value in losses.items() if value > 0})


class Import(ImportTest):
    def test_arm(self):
        """Everything that a URDF says of joints and inertias; the compiler finds the same numbers."""
        header, found = self.import_robot(ARM)
        self.assertEqual([l.name for l in found.links], ['base', 'upper', 'sensor', 'fore', 'finger', 'frame'])
        self.check_against_urdf(self.folder / 'robot.urdf', found, 'fixed')
        self.assertRegex(self.output, r'6 links, 3 moving joints, 3 degrees of freedom, 7\.5 kg, 0 contact points, fixed')
        self.assertIn('note: joint "slide": mimic is not taken over: it moves as a joint of its own', self.output)
        self.assertTrue(self.output.endswith('header: robot.hpp\n'))
        lines = header.splitlines()
        self.assertEqual(lines[0], '// Made by `kinecast import robot.urdf -o robot.hpp`; do not edit.')
        self.assertEqual(lines[1], '// kinecast robot: robots::arm, float')
        self.assertRegex(lines[2], r'^// FNV-1a .* [0-9a-f]{16}$')
        self.assertEqual([l for l in lines if l.startswith('#include')], ['#include <kinecast/model/robot.hpp>'])
        self.compile('''
static_assert(keeps_rules<robots::arm>);
static_assert(std::is_same_v<robots::arm_scalar, float>);
static_assert(robots::arm.kLinks == 6 && robots::arm.kPoints == 0 && robots::arm.name == "arm");
static_assert(robots::arm_joint::shoulder == 0 && robots::arm_joint::elbow == 1 && robots::arm_joint::slide == 2);
constexpr const Link& upper = robots::arm.link(1);
static_assert(near(upper.axis.y, 0.6) && near(upper.axis.z, 0.8) && near(upper.position_m.z, 0.2));
static_assert(near(upper.drive.torque_limit_Nm, 30) && near(upper.drive.at_joint.viscous_Nms_per_rad.backward, 0.2));
static_assert(near(upper.drive.at_joint.coulomb_Nm.forward, 0.1) && near(upper.limits.upper, 2));
static_assert(upper.limits.has_speed && near(upper.limits.speed, 4) && !robots::arm.link(3).limits.has_stops);
static_assert(robots::arm.link(4).joint == JointKind::prismatic && near(robots::arm.link(4).mass_kg, 1.5));
''')

    def test_floating(self):
        header, found = self.import_robot(ARM, '--base', 'floating', '--scalar', 'double')
        self.check_against_urdf(self.folder / 'robot.urdf', found, 'floating')
        self.assertIn('// kinecast robot: robots::arm, double\n', header)
        self.assertRegex(header, r'\belbow = 7;')
        self.assertIn('9 degrees of freedom', self.output)
        self.compile('static_assert(keeps_rules<robots::arm>);\n'
                     'static_assert(std::is_same_v<robots::arm_scalar, double>);\n')

    def test_world_and_its_joints(self):
        """A root called "world" is the world; a floating joint on it floats; without them --base says."""
        on_world = robot(link('world', ''), link('body'), joint('stand', 'fixed', 'world', 'body', '<origin xyz="0 0 1"/>'),
                         link('arm'), joint('turn', 'continuous', 'body', 'arm'))
        _, found = self.import_robot(on_world)
        self.assertEqual([(l.name, l.parent, l.joint, l.at) for l in found.links],
                         [('body', 'world', 'fixed', [0, 0, 1]), ('arm', 'body', 'revolute', [0, 0, 0])])
        _, found = self.import_robot(on_world, '--base', 'floating')
        self.assertEqual([(l.name, l.joint, l.at) for l in found.links],
                         [('body', 'floating', [0, 0, 0]), ('arm', 'revolute', [0, 0, 0])])
        self.assertRegex(self.output, 'joint "stand" of line 5 is left out: link "body" floats')
        own = on_world.replace('type="fixed"', 'type="floating"')
        for base in ('fixed', 'floating'):
            header, found = self.import_robot(own, '--base', base)
            self.assertEqual([(l.name, l.parent, l.joint) for l in found.links],
                             [('body', 'world', 'floating'), ('arm', 'body', 'revolute')])
            self.assertRegex(header, r'stand = 0;\ninline constexpr int turn = 6;')
            self.assertRegex(self.output, 'joint "stand": its origin is not taken over')

    def test_limits_that_are_none(self):
        cases = {'': ('no stops: lower and upper are not given', 'no speed limit: velocity is not given',
                      'no torque limit: effort is not given'),
                 '<limit lower="0" upper="0" effort="0" velocity="0"/>': (
                     'no stops: lower equals upper', 'no speed limit: velocity is 0', 'no torque limit: effort is 0'),
                 '<limit lower="-1e9" upper="1e9" effort="1e30" velocity="1e7"/>': (
                     'no stops: lower or upper is beyond a million', 'no speed limit: velocity is beyond a million',
                     'no torque limit: effort is beyond a million')}
        for limit, notes in cases.items():
            with self.subTest(limit):
                _, found = self.import_robot(robot(link('base'), link('arm'), joint('turn', 'revolute', 'base', 'arm', limit)))
                self.assertFalse({'limits', 'speed_limit', 'torque_driven'} & set(found.links[1].words))
                for note in notes:
                    self.assertIn(f'note: joint "turn": {note}\n', self.output)

    def test_zero_beyond_the_stops(self):
        limit = '<limit lower="-3" upper="-0.1" effort="1" velocity="1"/>'
        self.import_robot(robot(link('base'), link('arm'), joint('turn', 'revolute', 'base', 'arm', limit)))
        self.assertIn('note: joint "turn": position zero lies beyond its stops: begin elsewhere\n', self.output)
        self.import_robot(robot(link('base'), link('arm'), joint('turn', 'continuous', 'base', 'arm', '<limit lower="1"/>')))
        self.assertIn('note: joint "turn": it is continuous: lower and upper are not taken over\n', self.output)

    def test_inertias_that_only_sum_makes_a_body(self):
        """A dummy link's impossible inertia counts with what it is fixed to; alone it is refused (test_import_bad_input.py)."""
        dummy = ('<inertial><mass value="1e-6"/><inertia ixx="1e-6" iyy="1e-6" izz="1e-6" ixy="1e-6" ixz="1e-6" iyz="1e-6"/>'
                 '</inertial>')
        urdf = robot(link('base', dummy), link('arm', dummy), joint('turn', 'continuous', 'base', 'arm'),
                     link('real'), joint('weld', 'fixed', 'arm', 'real', '<origin xyz="0.1 0.2 0" rpy="0.1 0 2"/>'))
        _, found = self.import_robot(urdf)
        self.check_against_urdf(self.folder / 'robot.urdf', found, 'fixed')
        self.assertRegex(self.output, 'note: link "base": its inertia is no body\'s and is dropped')
        self.assertRegex(self.output, 'note: link "arm": its own inertia is no body\'s')
        self.assertEqual(found.links[2].mass, 0)
        self.compile('static_assert(keeps_rules<robots::arm>);\n')

    def test_odd_inertias_are_noted(self):
        tiny = '<inertial><mass value="1"/><inertia ixx="1e-9" iyy="1e-9" izz="1e-9" ixy="0" ixz="0" iyz="0"/></inertial>'
        self.import_robot(robot(link('base'), link('cross', ''), joint('a', 'continuous', 'base', 'cross'),
                                link('arm', tiny), joint('b', 'continuous', 'cross', 'arm', '<axis xyz="1 0 0"/>')))
        self.assertRegex(self.output, 'note: link "arm": tiny inertia: .* 0.1 mm')
        self.assertRegex(self.output, 'note: link "cross": it moves but has no mass')

    def test_what_is_left_out(self):
        urdf = ARM.replace('</robot>', '<gazebo/><transmission name="t"><joint name="elbow"/><actuator name="m">'
                           '<mechanicalReduction>50</mechanicalReduction></actuator></transmission>\n<ros2_control/></robot>')
        urdf = urdf.replace('<link name="fore">', '<link name="fore"><collision><geometry><capsule radius="1" length="1"/>'
                            '</geometry></collision><inertail/>')
        self.import_robot(urdf)
        self.assertRegex(self.output, 'joint "elbow": its transmission\'s mechanicalReduction is not taken over')
        self.assertRegex(self.output, '<ros2_control> in <robot>, line 16: not known, left out')
        self.assertRegex(self.output, '<inertail> in <link>, line 9: not known, left out')
        self.assertRegex(self.output, 'link "fore": a <capsule> in <collision> is left out')

    def test_names(self):
        """Names that are no C++ names stay in the robot, and are mapped in the constants."""
        odd = 'Größe &quot;A&quot; \\ ??/'
        urdf = robot(link('base'), link(odd), joint('class', 'continuous', 'base', odd), link('b'),
                     joint('7-ü', 'continuous', 'base', 'b'),
                     link('c'), joint('namespace_', 'continuous', 'base', 'c'), name='2 dof: αβ')
        header, found = self.import_robot(urdf)
        self.assertEqual(found.links[1].name, 'Größe "A" \\ ??/')
        self.assertIn('robots::robot_2_dof____', header)
        for note in ('joint "class": in C++ it is called class_', 'joint "7-ü": in C++ it is called joint_7__',
                     'the robot is called robots::robot_2_dof____ in C++'):
            self.assertIn(note, self.output)
        self.compile('static_assert(keeps_rules<robots::robot_2_dof____>);\n'
                     'static_assert(robots::robot_2_dof_____joint::class_ + robots::robot_2_dof_____joint::joint_7__ == 1);\n'
                     'static_assert(robots::robot_2_dof____.link(1).name == "Größe \\"A\\" \\\\ ?\\?/");\n')

    def test_paths(self):
        """A folder with spaces; the default name of the header; the command line in the header."""
        (self.folder / 'my robots').mkdir()
        self.write('my robots/the arm.urdf', ARM)
        run = self.run_tool('import', 'my robots/the arm.urdf')
        self.assertEqual(run.returncode, 0, run.stderr)
        header = (self.folder / 'the arm.hpp').read_text(encoding='utf-8')
        self.assertTrue(header.startswith("// Made by `kinecast import 'my robots/the arm.urdf'`; do not edit.\n"))
        header, _ = self.import_robot(ARM, file="Ann's {arm}.urdf")
        self.assertTrue(header.startswith("// Made by `kinecast import 'Ann'\\''s {arm}.urdf' -o robot.hpp`; do not edit.\n"))

    def test_c_shim_of_odd_names(self):
        """A joint may be called as the floating base is; a name that #include cannot hold is refused."""
        urdf = robot(link('base'), link('arm'), joint('FLOATING_BASE', 'continuous', 'base', 'arm'))
        self.import_robot(urdf, '--base', 'floating', '--c-shim')
        shim = (self.folder / 'robot_c.h').read_text(encoding='utf-8')
        for words in ('ARM_Q_FLOATING_BASE_ = 0,', 'ARM_Q_FLOATING_BASE = 7 ', 'ARM_DQ_FLOATING_BASE_ = 0,', 'ARM_DQ_FLOATING_BASE = 6 '):
            self.assertIn(words, shim)
        before = self.files()
        for name in ('a"b.hpp', 'a\\b.hpp', 'a\nb.hpp'):
            run = self.run_tool('import', 'robot.urdf', '--c-shim', '-o', name)
            self.assertEqual(run.returncode, 2, run.stderr)
            self.assertIn('the files for C include this name', run.stderr)
        self.assertEqual(self.files(), before)

    def test_same_files_same_header(self):
        """And another file is another hash."""
        first, _ = self.import_robot(ARM)
        second, _ = self.import_robot(ARM)
        self.assertEqual(first, second)
        other, _ = self.import_robot(ARM.replace('</robot>', '\n</robot>'))
        self.assertNotEqual(first.splitlines()[2], other.splitlines()[2])
        self.assertEqual(first.splitlines()[3:], other.splitlines()[3:])
        # A mesh that is only looked at is not in the header; one that is touched is.
        for kind, is_same in (('visual', True), ('collision', False)):
            shape = f'<{kind}><geometry><mesh filename="cube.stl"/></geometry></{kind}>'
            headers = []
            for edge in (1.0, 2.0):
                (self.folder / 'cube.stl').write_bytes(cube_stl(edge))
                headers.append(self.import_robot(ARM.replace('<link name="fore">', '<link name="fore">' + shape))[0])
            self.assertEqual(headers[0].splitlines()[2] == headers[1].splitlines()[2], is_same, kind)

    def test_comma_locale(self):
        made = subprocess.run(['localedef', '-i', 'de_DE', '-f', 'UTF-8', str(self.folder / 'de_DE.UTF-8')],
                              capture_output=True, text=True, check=False)
        self.assertTrue((self.folder / 'de_DE.UTF-8').exists(), f'{made.stderr}(sh toolchains/setup.sh installs locales)')
        first, _ = self.import_robot(ARM)
        second, _ = self.import_robot(ARM, LC_ALL='de_DE.UTF-8', LOCPATH=str(self.folder))
        self.assertEqual(first, second)

    def test_drives(self):
        drives = {'joints': {
            'shoulder': {'drive': 'voltage', 'gear': {'ratio': 120, 'efficiency': 0.8},
                         'motor': {'torque_constant_Nm_per_A': 0.0258, 'resistance_ohm': 2.36, 'voltage_limit_V': 24,
                                   'rotor_inertia_kgm2': 7.03e-6},
                         'friction': {'at_motor': {'stiction_Nm': 0.041, 'coulomb_Nm': 0.036},
                                      'at_joint': {'viscous_Nms_per_rad': 1.53, 'stribeck_s_per_rad': 100}}},
            'elbow': {'drive': 'velocity'},
            'slide': {'drive': 'torque', 'force_limit_N': 3, 'friction': {
                'at_joint': {'coulomb_N': {'forward': 0.2, 'backward': 0.3}}}}}}
        self.write('drives.json', drives)
        first, _ = self.import_robot(ARM)
        header, found = self.import_robot(ARM, '--drives', 'drives.json')
        self.assertNotEqual(first.splitlines()[2], header.splitlines()[2], 'the drives are part of the hash')
        by_name = {l.name: l.words for l in found.links}
        self.assertEqual(by_name['upper']['dc_motor'],
                         (('torque_constant', 0.0258), ('resistance', 2.36), ('voltage_limit', 24)))
        self.assertEqual(by_name['upper']['gear'][0], ('ratio', 120))
        self.assertAlmostEqual(by_name['upper']['gear'][1][1], 0.25, delta=1e-15)
        self.assertEqual(by_name['upper']['at_motor'],
                         (('rotor_inertia', 7.03e-6), ('stiction', 0.041), ('coulomb', 0.036)))
        self.assertEqual(by_name['upper']['at_joint'], (('viscous', 1.53), ('stribeck', 100)))
        self.assertEqual(by_name['fore']['velocity_driven'], ())
        self.assertEqual(by_name['finger']['torque_driven'], (('torque_limit', 3),))
        self.assertEqual(by_name['finger']['at_joint'], (('coulomb', ('forward', 0.2), ('backward', 0.3)),))
        self.assertRegex(self.output, 'joint "shoulder": the URDF\'s effort is not taken over')
        self.assertRegex(self.output, 'joint "shoulder": at_joint of the drives file replaces')
        self.compile('static_assert(keeps_rules<robots::arm>);\n'
                     'static_assert(robots::arm.link(1).drive.actuator == Actuator::dc_motor);\n')

    def test_inertia_of_ones(self):
        ones = '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'
        for inertia, said in ((ones, True), (BODY, False)):
            self.import_robot(robot(link('base', ''), link('arm', inertia), joint('turn', 'continuous', 'base', 'arm')))
            self.assertEqual('link "arm": its inertia is 1, 1, 1 kg m²' in self.output, said, self.output)

    def test_the_largest_robot(self):
        """As many links and contact points as import takes compile with no flag of their own."""
        parts = [link('a_link_of_the_chain_0', '')]
        for i in range(1, 190):
            parts += [link(f'a_link_of_the_chain_{i}'),
                      joint(f'j{i}', 'continuous', f'a_link_of_the_chain_{i - 1}', f'a_link_of_the_chain_{i}')]
        self.write('contacts.json', {'points': [{'name': f'a_point_of_the_chain_{i}', 'link': 'a_link_of_the_chain_9',
                                                 'at': [0, 0, i]} for i in range(64)]})
        self.import_robot(robot(*parts), '--contacts', 'contacts.json')
        self.assertRegex(self.output, r'190 links, 189 moving joints')
        self.compile('static_assert(keeps_rules<robots::arm>);\n')

    def test_help(self):
        run = self.run_tool('import', '--help')
        self.assertEqual(run.returncode, 0)
        self.assertRegex(run.stdout, 'Example: kinecast import panda.urdf')


if __name__ == '__main__':
    unittest.main()
