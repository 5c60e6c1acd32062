"""kinecast import refuses what is no robot: it names file, line and link or joint, says what to do, and writes nothing."""
# SPDX-License-Identifier: MIT
import os
import subprocess
import time
import unittest

from test_import import ARM, BODY, cube_stl, joint, link, robot
from tool import ToolTest

OLD_HEADER = '// the header of yesterday\n'
BASE = link('base')
TURN = joint('turn', 'continuous', 'base', 'arm')


def two(inside=BODY, turn=TURN):
    """Lines 3, 4 and 5: base, arm, turn."""
    return robot(BASE, link('arm', inside), turn)


def body(mass='1', ixx='0.01', iyy='0.01', izz='0.01', ixy='0'):
    return (f'<inertial><mass value="{mass}"/><inertia ixx="{ixx}" iyy="{iyy}" izz="{izz}" ixy="{ixy}" ixz="0" iyz="0"/>'
            '</inertial>')


class ImportBadInput(ToolTest):
    def refuse(self, urdf, message, *arguments, code=1, output='robot.hpp', file='robot.urdf'):
        """`message`: a regular expression for stderr's one line."""
        if isinstance(urdf, bytes):
            (self.folder / file).write_bytes(urdf)
        elif urdf is not None:
            self.write(file, urdf)
        if output == 'robot.hpp':
            self.write(output, OLD_HEADER)
        before = self.files()
        run = self.run_tool('import', file, '-o', output, *arguments)
        self.assertEqual(run.returncode, code, run.stdout + run.stderr)
        self.assertRegex(run.stderr, message)
        self.assertNotIn('kinecast: unexpected', run.stderr)
        self.assertEqual(run.stdout, '')
        self.assertEqual(self.files(), before, 'a file was left behind')
        if output == 'robot.hpp':
            self.assertEqual((self.folder / output).read_text(encoding='utf-8'), OLD_HEADER)

    def refuse_all(self, cases):
        for name, (urdf, message) in cases.items():
            with self.subTest(name):
                self.refuse(urdf, message)

    def test_the_good_input_is_good(self):
        """Otherwise the tests below prove nothing."""
        for urdf in (ARM, two()):
            self.write('robot.urdf', urdf)
            run = self.run_tool('import', 'robot.urdf', '-o', 'robot.hpp')
            self.assertEqual(run.returncode, 0, run.stderr)

    def test_files(self):
        (self.folder / 'folder').mkdir()
        self.refuse(None, r'^kinecast: nowhere\.urdf: cannot be read$', file='nowhere.urdf')
        self.refuse(None, r'^kinecast: folder: cannot be read: it is a folder', file='folder')
        self.refuse(ARM, r'no/such/robot\.hpp: cannot be written', output='no/such/robot.hpp', code=4)
        self.refuse(ARM, r'folder: cannot be written', output='folder', code=4)
        os.mkfifo(self.folder / 'pipe')
        self.refuse(ARM, r'pipe: cannot be written: is no ordinary file', output='pipe', code=4)
        self.assertTrue((self.folder / 'pipe').is_fifo())
        self.refuse(ARM, r'the result would overwrite an input', output='robot.urdf', code=2)
        self.refuse(ARM, r'nowhere\.json: cannot be read', '--drives', 'nowhere.json')
        self.refuse(ARM, r'nowhere\.json: cannot be read', '--contacts', 'nowhere.json')
        self.refuse(None, r'^kinecast: a{300}: cannot be read$', file='a' * 300)
        if os.geteuid() != 0:  # to root nothing is unwritable
            (self.folder / 'closed').mkdir(mode=0o500)
            self.refuse(ARM, r'cannot be written', output='closed/robot.hpp', code=4)
            (self.folder / 'old.hpp').touch(mode=0o400)
            self.refuse(ARM, r'old\.hpp: cannot be written: is write-protected', output='old.hpp', code=4)

    def test_usage(self):
        for arguments in (('import',), ('import', 'robot.urdf', '--base', 'flying'), ('import', 'robot.urdf', '--scalar', 'half')):
            self.assertEqual(self.run_tool(*arguments).returncode, 2)
        self.assertIn('--base: flying not in {', self.run_tool('import', 'robot.urdf', '--base', 'flying').stderr)
        self.write('robot.urdf', ARM)
        with open('/dev/full', 'w', encoding='utf-8') as full:
            run = subprocess.run([os.environ['KINECAST_TOOL'], 'info', self.folder / 'robot.urdf'], stdout=full, text=True,
                                 stderr=subprocess.PIPE, check=False)
        self.assertEqual((run.returncode, run.stderr), (4, 'kinecast: the output cannot be written: is the disk full?\n'))
        run = self.run_tool('imprt', 'robot.urdf')
        self.assertEqual(run.returncode, 2)
        self.assertIn('no subcommand "imprt"; known are "import", "info"', run.stderr)

    def test_xml(self):
        deep = '<a>' * 5000 + '</a>' * 5000
        self.refuse_all({
            'empty': ('', r'robot\.urdf: is empty'),
            'blank': (' \n\n', r'robot\.urdf: is empty'),
            'not closed': (ARM.replace('</robot>', ''), r'robot\.urdf:\d+: broken XML'),
            'crossed': (ARM.replace('</link>', '</lnk>', 1), r'robot\.urdf:4: broken XML: an element that was opened here'),
            'no quotes': (ARM.replace('"base"', 'base', 1), r'robot\.urdf:\d+: broken XML: error parsing (element|attribute)'),
            'half a file': (ARM[:len(ARM) // 2], r'robot\.urdf:\d+: broken XML'),
            'late declaration': ('<!-- by xacro -->\n<?xml version="1.0"?>\n' + ARM[ARM.index('<robot'):],
                                 r'robot\.urdf:2: broken XML: a <\?xml …\?> .*move it to the top'),
            'text': ('hello', r'robot\.urdf:1: broken XML'),
            'only a comment': ('<!-- a -->', r'robot\.urdf: holds no element'),
            'too deep': (robot(deep), r'robot\.urdf:\d+: elements are nested more than 100 deep'),
            'two robots': (ARM + '<robot name="b"/>', r'robot\.urdf:16: a second outermost element'),
            'attribute twice': (ARM.replace('<link name="base">', '<link name="base" name="b">'),
                                r'robot\.urdf:4: broken XML: error parsing attribute'),
            'UTF-16': (ARM.encode('utf-16'), r'robot\.urdf: is UTF-16; save it as UTF-8'),
            'UTF-16 without a mark': (ARM.encode('utf-16-le'), r'robot\.urdf:1: holds a zero byte'),
            'Latin-1': (ARM.replace('shoulder', 'Größe').encode('latin-1'), r'robot\.urdf:5: a character is not UTF-8'),
        })

    def test_other_formats(self):
        self.refuse_all({
            'SDF': ('<sdf version="1.7"><model/></sdf>', r'robot\.urdf:1: this is an SDF file; convert it'),
            'MJCF': ('<?xml version="1.0"?>\n<mujoco/>', r'robot\.urdf:2: this is an MJCF file'),
            'HTML': ('<html/>', r'robot\.urdf:1: this is <html>, not <robot>: no URDF'),
            'xacro element': (robot('<xacro:include filename="a"/>', BASE), r'robot\.urdf:3: <xacro:include>; .* run xacro on it .* left over, remove it'),
            'xacro value': (two(body(mass='${m}')), r'robot\.urdf:4: "\$\{m\}" is to be computed; this is a xacro file'),
        })

    def test_structure(self):
        arm = link('arm')
        self.refuse_all({
            'no links': (robot(), r'robot\.urdf: the robot has no <link>'),
            'no robot name': (ARM.replace('<robot name="arm">', '<robot>'), r'robot\.urdf:2: the robot has no name'),
            'no link name': (robot('<link/>'), r'robot\.urdf:3: a link has no name'),
            'empty name': (robot(link(' ')), r'robot\.urdf:3: a link has an empty name'),
            'no joint name': (two(turn=TURN.replace('name="turn" ', '')), r'robot\.urdf:5: a joint has no name'),
            'no joint type': (two(turn=TURN.replace('type="continuous"', '')), r'robot\.urdf:5: joint "turn": has no type'),
            'two links of a name': (robot(BASE, arm, arm, TURN), r'robot\.urdf:5: link "arm": the name is taken by the link of line 4'),
            'two joints of a name': (robot(BASE, arm, link('b'), TURN, joint('turn', 'fixed', 'arm', 'b')),
                                     r'robot\.urdf:7: joint "turn": the name is taken by the joint of line 6'),
            'missing parent': (two(turn=joint('turn', 'continuous', 'bse', 'arm')),
                               r'robot\.urdf:5: joint "turn": its parent, link "bse", is not in the file; did you mean "base"\?'),
            'missing child': (two(turn=joint('turn', 'continuous', 'base', 'hand')),
                              r'robot\.urdf:5: joint "turn": its child, link "hand", is not in the file'),
            'no parent': (two(turn=TURN.replace('<parent link="base"/>', '')), r'robot\.urdf:5: joint "turn": has no <parent'),
            'parent of no name': (two(turn=TURN.replace('parent link="base"', 'parent')), r'robot\.urdf:5: .*names no link'),
            'to itself': (two(turn=joint('turn', 'continuous', 'arm', 'arm')), r'robot\.urdf:5: joint "turn": holds link "arm" to itself'),
            'two parents': (robot(BASE, arm, link('b'), TURN, joint('j', 'fixed', 'base', 'b'), joint('k', 'fixed', 'b', 'arm')),
                            r'robot\.urdf:8: joint "k": carries link "arm", which joint "turn" of line 6 carries already'),
            'loop of all': (robot(BASE, arm, TURN, joint('back', 'fixed', 'arm', 'base')),
                            r'robot\.urdf:6: joint "back": is part of a loop'),
            'loop aside': (robot(BASE, link('a'), link('b'), joint('j', 'fixed', 'a', 'b'), joint('k', 'fixed', 'b', 'a')),
                           r'robot\.urdf:7: joint "k": is part of a loop, or hangs on one: from link "a"'),
            'two roots': (robot(BASE, arm), r'robot\.urdf: 2 links hang on no joint: "base" and "arm"; a robot has one root'),
            'only fixed joints': (robot(BASE, arm, joint('j', 'fixed', 'base', 'arm')),
                                  r'robot\.urdf: the robot has no moving joint; .* --base floating'),
            'a link called world': (robot(BASE, link('world'), joint('j', 'continuous', 'base', 'world')),
                                    r'robot\.urdf:4: link "world": this name is the fixed world\'s'),
            'two inertials': (two(BODY + BODY), r'robot\.urdf:4: link "arm": has a second <inertial>'),
            'two axes': (two(turn=joint('turn', 'continuous', 'base', 'arm', '<axis xyz="1 0 0"/><axis xyz="0 1 0"/>')),
                         r'robot\.urdf:5: joint "turn": has a second <axis>'),
        })

    def test_ten_thousand_links(self):
        parts = [link('l0', '')]
        for i in range(1, 10000):
            parts += [link(f'l{i}'), joint(f'j{i}', 'continuous', f'l{i - 1}', f'l{i}')]
        start = time.monotonic()
        self.refuse(robot(*parts), r'robot\.urdf:\d+: the robot has 10000 links, and at most 190 are taken')
        self.assertLess(time.monotonic() - start, 5)
        self.refuse(robot(*parts[:379], *(joint(f'k{i}', 'fixed', 'l0', 'l1') for i in range(10000))),
                    r'joint "k0": carries link "l1", which joint "j1"')

    def test_names(self):
        arm = joint('a-b', 'continuous', 'base', 'arm')
        other = joint('a b', 'continuous', 'base', 'b')
        keyword = joint('class', 'continuous', 'base', 'arm')
        taken = joint('class_', 'continuous', 'base', 'b')
        self.refuse_all({
            'collide': (robot(BASE, link('arm'), link('b'), arm, other),
                        r'robot\.urdf:7: joint "a b": in C\+\+ it would be called a_b, as would joint "a-b" of line 6; rename'),
            'collide with a keyword': (robot(BASE, link('arm'), link('b'), keyword, taken),
                                       r'robot\.urdf:7: joint "class_": .* called class_, as would joint "class" of line 6'),
            'Unicode that collides': (robot(BASE, link('arm'), link('b'), joint('ü', 'continuous', 'base', 'arm'),
                                            joint('ö', 'continuous', 'base', 'b')), r'joint "ö": .* as would joint "ü" of line 6'),
            'a tab': (robot(link('a&#9;b')), r'robot\.urdf:3: a link: the name holds a control character'),
            'right to left': (robot(link('a\u202Eb')), r'robot\.urdf:3: a link: the name holds a character that turns'),
            'a shape': (two(BODY + '<collision name="a\u202Eb"><geometry><sphere radius="1"/></geometry></collision>'),
                        r'robot\.urdf:4: link "arm": a <collision>: the name holds a character that turns'),
            'endless': (robot(link('a' * 121)), r'robot\.urdf:3: a link has a name of 121 bytes; at most 120'),
        })

    def test_joints(self):
        def turn(kind='revolute', inside='<axis xyz="0 0 1"/>'):
            return two(turn=joint('turn', kind, 'base', 'arm', inside))
        no_axis = TURN.replace('<axis xyz="0 0 1"/>', '')
        where = r'robot\.urdf:5: joint "turn": '
        self.refuse_all({
            'no axis': (two(turn=no_axis), where + r'has no axis; write <axis xyz="0 0 1"/>'),
            'no axis of a slide': (two(turn=no_axis.replace('continuous', 'prismatic')), where + 'has no axis'),
            'axis without numbers': (turn(inside='<axis/>'), where + r'<axis> lacks xyz; write <axis xyz="…">'),
            'zero axis': (turn(inside='<axis xyz="0 0 0"/>'), where + 'its axis is zero'),
            'two numbers': (turn(inside='<axis xyz="0 1"/>'), where + r'<axis xyz="0 1"> must hold 3 numbers, not 2'),
            'NaN axis': (turn(inside='<axis xyz="0 nan 1"/>'), where + r'<axis xyz="0 nan 1">: must be finite'),
            'planar': (turn('planar'), where + 'planar joints are not supported; write two prismatic'),
            'unknown type': (turn('ball'), where + r'its type "ball" is not known; supported: revolute, continuous'),
            'floating in the middle': (robot(BASE, link('arm'), TURN, link('b'), joint('free', 'floating', 'arm', 'b')),
                                       r'robot\.urdf:7: joint "free": a floating joint must hang on the root'),
            'decimal comma': (turn(inside='<origin xyz="0,5 0 0"/>'), where + r'.*"0,5" is not a number \(a decimal point'),
            'a word': (turn(inside='<origin rpy="0 x 0"/>'), where + r'<origin rpy="0 x 0">: "x" is not a number'),
            'trailing letters': (turn(inside='<origin xyz="0 0 1m"/>'), where + r'.*"1m" is not a number'),
            'huge': (turn(inside='<origin xyz="0 0 1e7"/>'), where + r'.*is beyond a million; are the units'),
            'too large for a double': (turn(inside='<origin xyz="0 0 1e999"/>'), where + r'.*"1e999" is not a number'),
            'limits turned around': (turn(inside='<limit lower="1" upper="-1"/>'), where + '.*exchange them, or leave'),
            'no upper limit': (turn(inside='<limit lower="1"/>'), where + 'upper is not given and reads as 0: .*; give both, or leave'),
            'negative effort': (turn(inside='<limit effort="-1"/>'), where + r'its limit\'s effort is negative'),
            'negative velocity': (turn(inside='<limit velocity="-1"/>'), where + r'its limit\'s velocity is negative'),
            'negative damping': (turn(inside='<dynamics damping="-1"/>'), where + r'a friction, damping, .* is negative'),
            'NaN damping': (turn(inside='<dynamics damping="nan"/>'), where + r'<dynamics damping="nan">: must be finite'),
            'inf limit': (turn(inside='<limit lower="-inf"/>'), where + r'<limit lower="-inf">: must be finite'),
        })

    def test_inertias(self):
        where = r'robot\.urdf:4: link "arm": '
        point = '<collision><geometry><box size="1 nan 1"/></geometry></collision>'
        self.refuse_all({
            'negative mass': (two(body(mass='-1')), where + r'its mass is -1 kg; a mass must be positive'),
            'zero mass': (two(body(mass='0')), where + 'it has an inertia but no mass; give it a mass, or remove'),
            'NaN mass': (two(body(mass='nan')), where + r'<mass value="nan">: must be finite'),
            'infinite mass': (two(body(mass='inf')), where + r'<mass value="inf">: must be finite'),
            'a word': (two(body(mass='heavy')), where + r'<mass value="heavy">: "heavy" is not a number'),
            'empty': (two(body(mass='')), where + r'<mass value=""> must hold 1 number, not 0'),
            'huge mass': (two(body(mass='1e8')), where + r'.*beyond a million'),
            'NaN inertia': (two(body(ixy='NaN')), where + r'<inertia ixy="NaN">: must be finite'),
            'no mass': (two('<inertial/>'), where + r'its <inertial> has no <mass'),
            'no inertia': (two('<inertial><mass value="1"/></inertial>'), where + r'has a mass but no <inertia'),
            'a moment missing': (two(BODY.replace('izz="0.005"', '')), where + r'<inertia> lacks izz; write <inertia izz="…">'),
            'zero inertia': (two(body(ixx='0', iyy='0', izz='0')), where + r'its inertia is not positive definite: .* 0, 0 and 0'),
            'negative moment': (two(body(izz='-0.01')), where + r'.*principal moments are -0\.01, 0\.01 and 0\.01 kg m²'),
            'indefinite': (two(body(ixy='0.02')), where + r'.*not positive definite'),
            'triangle': (two(body(izz='0.05')), where + r'its inertia breaks the triangle inequality: the principal moments '
                         r'are 0\.01, 0\.01 and 0\.05 kg m², and of no body'),
            'nothing to move': (two(''), r'robot\.urdf:5: joint "turn": moves nothing that has a mass; give link "arm"'),
            'NaN shape': (two(BODY + point), where + r'<box size="1 nan 1">: must be finite'),
        })
        # hidden in the sum with a link whose inertia alone is no body's
        self.refuse(robot(link('base', body(mass='10')), link('tool', body(mass='-0.5')), joint('a', 'fixed', 'base', 'tool'),
                          link('imu', body('0.01', '0', '0', '0')), joint('b', 'fixed', 'base', 'imu')),
                    r'robot\.urdf:4: link "tool": its mass is -0\.5 kg', '--base', 'floating')
        self.refuse(robot(link('base', ''), link('arm'), TURN), r'robot\.urdf:3: link "base": floats, but neither it nor',
                    '--base', 'floating')
        self.refuse(robot(link('world', ''), link('arm'), joint('turn', 'continuous', 'world', 'arm')),
                    r'robot\.urdf:3: link "world": the root is the fixed world, .* use --base fixed', '--base', 'floating')

    def test_drives(self):
        cases = {
            'unknown joint': ({'joints': {'trun': {'drive': 'none'}}}, r'drives\.json: joints\.trun: .* did you mean "turn"\?'),
            'a fixed joint': ({'joints': {'weld': {}}}, r'joints\.weld: this joint does not turn or slide'),
            'unknown key': ({'joints': {'turn': {'moter': {}}}}, r'joints\.turn\.moter: unknown key; did you mean "motor"\?'),
            'unknown drive': ({'joints': {'turn': {'drive': 'steam'}}}, r'joints\.turn\.drive: "steam" is not known; allowed: "voltage"'),
            'no motor': ({'joints': {'turn': {'drive': 'voltage'}}}, r'joints\.turn\.motor: is missing'),
            'ratio 0': ({'joints': {'turn': {'gear': {'ratio': 0}}}}, r'joints\.turn: a gear ratio is zero'),
            'huge': ({'joints': {'turn': {'gear': {'ratio': 1e7}}}}, r'joints\.turn: a value of the robot is NaN, infinite or beyond'),
            'a limit of a motor': ({'joints': {'turn': {'drive': 'none', 'torque_limit_Nm': 1}}},
                                   r'joints\.turn\.torque_limit_Nm: is for "drive": "torque"'),
            'no joints': ({}, r'drives\.json: joints: is missing'),
            'a list': ({'joints': []}, r'joints: must be an object'),
            'broken': ('{"joints": ', r'drives\.json:1: '),
            'too large for a double': ('{"joints": 1e999}', r"drives\.json: a number is too large for a double: .*'1e999'"),
        }
        urdf = robot(BASE, link('arm'), TURN, link('b'), joint('weld', 'fixed', 'arm', 'b'))
        for name, (drives, message) in cases.items():
            with self.subTest(name):
                self.write('drives.json', drives)
                self.refuse(urdf, message, '--drives', 'drives.json')

    def test_contacts(self):
        toe = {'name': 'toe', 'link': 'arm', 'at': [0, 0, 0]}
        cases = {
            'unknown link': ({'points': [{**toe, 'link': 'amr'}]}, r'contacts\.json: points\[0\]\.link: .* did you mean "arm"\?'),
            'twice': ({'points': [toe, toe]}, r'points\[1\]\.name: a contact point is called "toe" already'),
            'two numbers': ({'points': [{**toe, 'at': [0, 0]}]}, r'points\[0\]\.at: must be three numbers'),
            'far away': ({'points': [{**toe, 'at': [0, 0, 1e7]}]}, r'points\[0\]\.at: must be three numbers, none beyond'),
            'kind 8': ({'points': [{**toe, 'kind': 8}]}, r'points\[0\]\.kind: must be a whole number from 0 to 7'),
            'negative radius': ({'points': [{**toe, 'radius': -1}]}, r'points\[0\]\.radius: must not be negative'),
            'no size': ({'boxes': [{'link': 'arm', 'at': [0, 0, 0]}]}, r'boxes\[0\]\.size: is missing'),
            'flat box': ({'boxes': [{'link': 'arm', 'at': [0, 0, 0], 'size': [1, 0, 1]}]}, r'boxes\[0\]\.size: must be positive'),
            'no mesh': ({'hulls': [{'link': 'arm'}]}, r'hulls\[0\]\.link: has 0 collision meshes; say which file with "mesh"'),
            'missing mesh': ({'hulls': [{'link': 'arm', 'mesh': 'gone.stl'}]}, r'hulls\[0\]\.mesh: the mesh gone\.stl was not found'),
            'long name': ({'hulls': [{'link': 'arm', 'mesh': 'a' * 300}]}, r'hulls\[0\]\.mesh: the mesh a+ was not found'),
            'half a point': ({'hulls': [{'link': 'arm', 'mesh': 'cube.stl', 'lowest': 2.7}]},
                             r'hulls\[0\]\.lowest: must be a whole number from 1 to 1000'),
            'no name': ({'points': [{**toe, 'name': '\n'}]}, r'points\[0\]\.name: the name is empty or not printable'),
            'not a mesh': ({'hulls': [{'link': 'arm', 'mesh': 'robot.urdf'}]}, r'robot\.urdf: this mesh cannot be read'),
            'unknown key': ({'point': []}, r'contacts\.json: point: unknown key; did you mean "points"\?'),
            'no list': ({'points': {}}, r'points: must be a list'),
            'too many': ({'points': [{**toe, 'name': str(i)} for i in range(253)]},
                         r'2 links and 253 contact points are more than compilers take in one robot, 254 together'),
        }
        (self.folder / 'cube.stl').write_bytes(cube_stl(1.0))
        for name, (contacts, message) in cases.items():
            with self.subTest(name):
                self.write('contacts.json', contacts)
                self.refuse(two(), message, '--contacts', 'contacts.json')

    def test_meshes(self):
        mesh = '<collision><geometry><mesh filename="cube.stl"/></geometry></collision>'
        self.write('cube.stl', 'this is no mesh')
        self.refuse(two(BODY + mesh), r'robot\.urdf:4: link "arm": .*cube\.stl: this mesh cannot be read: .* with --contacts')
        self.write('cube.stl', 'version https://git-lfs.github.com/spec/v1\noid sha256:12\nsize 684\n')
        self.refuse(two(BODY + mesh), r'robot\.urdf:4: link "arm": .*cube\.stl: .* pointer of Git LFS: run git lfs pull')
        self.refuse(two(BODY + mesh.replace(' filename="cube.stl"', '')), r'robot\.urdf:4: link "arm": a <mesh> names no file')


if __name__ == '__main__':
    unittest.main()
