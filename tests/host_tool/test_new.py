"""kinecast new: the project that it writes builds and runs in the emulator at once, with other people's warnings on; whatever is
wrong with its input, it says what to do and writes nothing.
"""
# SPDX-License-Identifier: MIT
import json
import math
import os
import re
import subprocess
import unittest

import small_robots
from tool import ToolTest

BOARDS = ['stm32f405', 'mps2-an386', 'mps2-an500', 'mps2-an505', 'mps3-an547', 'microbit']
STRICT = '-Werror -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Wdouble-promotion -Wfloat-equal -Wold-style-cast'
PROJECT = ['.gitignore', 'CMakeLists.txt', 'CMakePresets.json', 'README.md', 'main.cpp', 'robot.hpp']
BY_HAND = '#pragma once\n#include <kinecast/model/robot.hpp>\nnamespace mine { inline constexpr auto arm = 0; }\n'


class NewTest(ToolTest):
    def import_robot(self, name, urdf, *options):
        self.write(f'{name}.urdf', urdf)
        run = self.run_tool('import', f'{name}.urdf', '-o', f'{name}.hpp', *options)
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)

    def new(self, folder, robot, board, *options):
        run = self.run_tool('new', folder, '--robot', robot, '--board', board, *options)
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        self.assertEqual(sorted(path.name for path in (self.folder / folder).iterdir()), PROJECT)
        for path in (self.folder / folder).iterdir():
            self.assertNotIn('{{', path.read_text(encoding='utf-8'), path.name)
        return run.stdout

    def cmake(self, folder, *arguments):
        run = subprocess.run(['cmake', *arguments], cwd=self.folder / folder, text=True, capture_output=True, check=False,
                             env={**os.environ, 'CXXFLAGS': STRICT})
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        return run.stdout


class Builds(NewTest):
    def test_an_arm_falls_as_physics_says(self):
        self.import_robot('pendulum', small_robots.PENDULUM)
        said = self.new('my firmware', 'pendulum.hpp', 'stm32f405')
        self.assertIn("cd 'my firmware' && cmake --workflow --preset run", said)
        out = self.cmake('my firmware', '--workflow', '--preset', 'run')
        row = re.search(r'rod +rad +(\S+) +(\S+) +(\S+)\n', out)
        self.assertIsNotNone(row, out)
        at_40_ms, foreseen, came = (float(word) for word in row.groups())
        self.assertEqual(foreseen, came)
        # From rest at 0.3 rad: m g l sin(q) / (I + m l²) = 9.80665 sin(q) rad/s². The steps of 1 ms end half a step further.
        for value, time_s in ((at_40_ms, 0.04), (came, 0.06)):
            fallen = 0.5 * 9.80665 * math.sin(0.3) * time_s * (time_s + 1e-3)
            self.assertAlmostEqual(value, 0.3 + fallen, delta=0.02 * fallen)  # the sine grows by 2 % on the way
        cost = re.search(r'\nkinecast cost: instructions=(\d+) stack_B=(\d+) ram_B=(\d+) flash_B=(\d+) predictor_B=(\d+) '
                         r'snapshot_B=(\d+)\n', out)
        self.assertIsNotNone(cost, out)
        instructions, stack, ram, flash, predictor, snapshot = (int(figure) for figure in cost.groups())
        self.assertTrue(100 < instructions < 5000 and 0 < stack < 4096, cost.group())
        self.assertTrue(0 < snapshot < predictor < ram < 128 * 1024 and ram < flash < 1024 * 1024, cost.group())
        self.assertTrue((self.folder / 'my firmware' / 'build' / 'firmware.bin').stat().st_size >= flash)

    def test_what_floats_falls_on_the_ground(self):
        self.import_robot('hopper', small_robots.HOPPER, '--base', 'floating')
        self.new('hop', 'hopper.hpp', 'mps2-an386')
        out = self.cmake('hop', '--workflow', '--preset', 'run')
        self.assertRegex(out, r'Points that touch the ground at the end: [1-8], they carry [0-9.]+ N')
        self.assertNotIn('Warning', out)

    def test_every_board_configures(self):
        self.import_robot('pendulum', small_robots.PENDULUM)
        for board in BOARDS:
            with self.subTest(board=board):
                self.new(board, 'pendulum.hpp', board, '--scalar', 'double')
                self.assertIn('using Scalar = double;', (self.folder / board / 'main.cpp').read_text(encoding='utf-8'))
                self.cmake(board, '--preset', 'firmware')

    def test_an_installed_tool_stands_on_its_own(self):
        prefix = self.folder / 'a $prefix'
        for component in ('kinecast', 'kinecast_tool'):
            subprocess.run(['cmake', '--install', os.environ['KINECAST_BUILD'], '--component', component, '--prefix', prefix],
                           check=True, capture_output=True)
        self.write('arm.hpp', BY_HAND)
        installed = str(prefix / 'bin' / 'kinecast')
        run = subprocess.run([installed, 'new', 'installed', '--robot', 'arm.hpp', '--robot-name', 'mine::arm',
                              '--board', 'stm32f405'], cwd=self.folder, text=True, capture_output=True, check=False)
        self.assertEqual(run.returncode, 0, run.stderr)
        presets = json.loads((self.folder / 'installed' / 'CMakePresets.json').read_text(encoding='utf-8'))
        configure = presets['configurePresets'][0]
        dollars = str(prefix).replace('$', '${dollar}')
        self.assertEqual(configure['toolchainFile'], f'{dollars}/share/kinecast/toolchains/stm32f405.cmake')
        self.assertEqual(configure['cacheVariables']['kinecast_DIR'], f'{dollars}/share/kinecast/cmake')
        self.assertIn(f'{prefix}/share/kinecast/ports', (self.folder / 'installed' / 'README.md').read_text(encoding='utf-8'))
        self.cmake('installed', '--preset', 'firmware')


class BadInput(NewTest):
    def refuse(self, code, message, *arguments):
        before = sorted(self.folder.rglob('*'))
        run = self.run_tool('new', *arguments)
        self.assertEqual(run.returncode, code, run.stdout + run.stderr)
        self.assertRegex(run.stderr, message)
        self.assertNotIn('unexpected', run.stderr)
        self.assertEqual(sorted(self.folder.rglob('*')), before, 'something was written')

    def setUp(self):
        super().setUp()
        self.write('arm.hpp', BY_HAND)
        self.write('made.hpp', '// Made by `kinecast import`; do not edit.\n// kinecast robot: robots::panda, double\n')
        self.robot = ('--robot', 'arm.hpp', '--robot-name', 'mine::arm')
        self.board = ('--board', 'stm32f405')

    def test_the_good_input_is_good(self):
        """Otherwise the tests below prove nothing. An empty folder is as good as none."""
        (self.folder / 'fw').mkdir()
        self.new('fw/', 'arm.hpp', 'stm32f405', '--robot-name', 'mine::arm')
        self.new('made', 'made.hpp', 'microbit')
        main = (self.folder / 'made' / 'main.cpp').read_text(encoding='utf-8')
        self.assertIn('robot = robots::panda;', main)
        self.assertIn('using Scalar = double;', main)
        self.assertEqual((self.folder / 'fw' / 'robot.hpp').read_text(encoding='utf-8'), BY_HAND)

    def test_folders(self):
        (self.folder / 'full').mkdir()
        self.write('full/thing', 'mine')
        self.refuse(2, 'full: is not empty; name a new folder', 'full', *self.robot, *self.board)
        self.refuse(2, 'made.hpp: is a file; name a new folder', 'made.hpp', *self.robot, *self.board)
        self.refuse(2, 'is the current folder', '.', *self.robot, *self.board)
        self.refuse(4, 'a/b: cannot be made: there is no folder .*/a', 'a/b', *self.robot, *self.board)
        self.refuse(4, 'there is no folder', 'arm.hpp/fw', *self.robot, *self.board)

    def test_boards(self):
        self.refuse(2, 'no board "stm32f407"; did you mean "stm32f405"\\?.*"mps2-an386"', 'fw', *self.robot, '--board', 'stm32f407')
        self.refuse(2, 'no board "esp32"\\. The boards are "stm32f405"', 'fw', *self.robot, '--board', 'esp32')
        self.refuse(2, '--board is required', 'fw', *self.robot)

    def test_robots(self):
        self.write('empty.hpp', '')
        self.refuse(1, 'none.hpp: cannot be read', 'fw', '--robot', 'none.hpp', *self.board)
        self.refuse(1, 'empty.hpp: is empty', 'fw', '--robot', 'empty.hpp', *self.board)
        self.refuse(1, ': cannot be read', 'fw', '--robot', '.', *self.board)
        self.write('arm.urdf', '<robot name="arm"/>')
        self.refuse(2, 'arm.urdf: is a URDF; .*kinecast import arm.urdf', 'fw', '--robot', 'arm.urdf', *self.board)
        self.refuse(2, 'arm.hpp: has no line.*--robot-name', 'fw', '--robot', 'arm.hpp', *self.board)
        for name in ('a b', '1arm', 'mine::', 'arm;', 'arm{}', 'mine:arm'):
            self.refuse(2, 'is no C\\+\\+ name', 'fw', '--robot', 'arm.hpp', '--robot-name', name, *self.board)
        self.refuse(2, '--scalar', 'fw', *self.robot, *self.board, '--scalar', 'half')


if __name__ == '__main__':
    unittest.main()
