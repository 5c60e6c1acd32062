"""Whatever is wrong with its input, the tool says what and where, ends with the code that --help promises, writes no page
and leaves an old one alone.
"""
# SPDX-License-Identifier: MIT
import copy
import functools
import json
import math
import os
import unittest

import drive_model
from tool import ToolTest

OLD_PAGE = 'the page of yesterday'
FIRST_ROW = 3  # line of the first row of numbers in drive_model.csv()


@functools.lru_cache(None)
def rows():
    return tuple(drive_model.simulate(drive_model.rich, 1.5))


def good_lines(**units):
    return drive_model.csv(rows(), **(units or {'angle': drive_model.counts})).splitlines()


class BadInput(ToolTest):
    def refuse(self, drive, log, code, *messages, environment=None, arguments=()):
        """messages: regular expressions that stderr must match."""
        self.write('drive.json', drive)
        self.write('log.csv', log)
        self.write('page.html', OLD_PAGE)
        before = self.files()
        run = self.run_tool('compare', 'drive.json', 'log.csv', *(arguments or ('-o', 'page.html')),
                            **(environment or {}))
        self.assertEqual(run.returncode, code, run.stdout + run.stderr)
        for message in messages:
            self.assertRegex(run.stderr, message)
        self.assertNotIn('kinecast: unexpected', run.stderr)
        self.assertEqual(self.files(), before, 'a file was left behind')
        self.assertEqual((self.folder / 'page.html').read_text(encoding='utf-8'), OLD_PAGE)

    def test_the_good_input_is_good(self):
        """Otherwise the tests below prove nothing."""
        self.write('drive.json', drive_model.drive())
        self.write('log.csv', '\n'.join(good_lines()))
        run = self.run_tool('compare', 'drive.json', 'log.csv', '-o', 'page.html')
        self.assertEqual(run.returncode, 0, run.stderr)

    def test_logs(self):
        good = good_lines()
        at = 700  # a line in the middle, as an editor counts

        def with_line(text):
            return good[:at - 1] + [text] + good[at:]

        t, u, q = good[at - 1].split(',')
        cases = {
            'missing column': (2, r'no column "q"; the columns here are "t", "u" and "angle"',
                               ['# made by a test', 't,u,angle'] + good[2:]),
            'double column': (2, 'two columns are called "q"', [good[0], 'q,u,q'] + good[2:]),
            'hole': (at - 20, r'a hole of 0\.021 s before this line, where samples come every 0\.001 s',
                     good[:at - 21] + good[at - 1:]),
            'time runs back': (at, 'time does not increase', with_line(f'0.01,{u},{q}')),
            'time stands still': (at, 'time does not increase', good[:at - 1] + [good[at - 2]] + good[at - 1:]),
            'NaN': (at, 'column "q" is nan', with_line(f'{t},{u},nan')),
            'infinite': (at, 'column "u" is -inf', with_line(f'{t},-inf,{q}')),
            'a word': (at, r'column "u" holds "ERR", which is not a number', with_line(f'{t},ERR,{q}')),
            'an empty field': (at, r'column "q" holds "", which is not a number', with_line(f'{t},{u},')),
            'trailing letters': (at, r'column "u" holds "1\.5V"', with_line(f'{t},1.5V,{q}')),
            'short row': (at, 'this row has 2 fields and the header has 3', with_line(f'{t},{u}')),
            'long row': (at, 'this row has 4 fields and the header has 3', with_line(f'{t},{u},{q},1')),
            'decimal comma': (at, 'this row has 4 fields', with_line(f'{t},{u},1,5')),
            'one row': (3, r'only 1 row\(s\) of numbers', good[:3]),
            'only a header': (2, r'only 0 row\(s\) of numbers', good[:2]),
            'only comments': (1, 'the file is empty', good[:1]),
            'empty': (1, 'the file is empty', []),
        }
        for name, (line, message, lines) in cases.items():
            with self.subTest(name):
                self.refuse(drive_model.drive(), '\n'.join(lines) + '\n' if lines else '', 1,
                            rf'^kinecast: log\.csv:{line}: .*{message}')

    def test_wrong_units(self):
        def column(drive, name, **values):
            drive['log'][name].update(values)

        def with_velocity(drive):
            drive['log']['angle'] = {'column': 'q', 'unit': 'rad'}
            drive['log']['velocity'] = {'column': 'w', 'unit': 'rad/s'}

        cases = {
            'ms as s': (FIRST_ROW + 1, r'samples come every 1 s if column "t" is in s',
                        {'time': lambda t: round(1000 * t, 6), 'angle': drive_model.counts}, lambda d: None),
            's as us': (FIRST_ROW + 1, r'samples come every 1e-09 s',
                        {'angle': drive_model.counts}, lambda d: column(d, 'time', unit='us')),
            'mV as V': (None, r'column "u" reaches -?\d+ V in the unit V, and the motor\'s limit is 24 V',
                        {'volts': lambda u: 1000 * u, 'angle': drive_model.counts}, lambda d: None),
            'counts as rad': (None, r'column "q" in rad jumps by', {'angle': drive_model.counts},
                              lambda d: d['log'].update(angle={'column': 'q', 'unit': 'rad'})),
            'a wrapping encoder': (None, r'column "q" in deg jumps by -?6\.2.*"wraps": true',
                                   {'angle': lambda q: math.degrees(q + 6) % 360},
                                   lambda d: d['log'].update(angle={'column': 'q', 'unit': 'deg'})),
            'deg/s as rad/s': (FIRST_ROW, r'column "w" in rad/s is 57\.\d times the slope of column "q" in rad',
                               {'velocity': math.degrees}, with_velocity),
            'the other sign': (FIRST_ROW, r'column "w" in rad/s is -1(\.0+\d*)? times the slope',
                               {'velocity': lambda w: -w}, with_velocity),
        }
        for name, (line, message, units, change) in cases.items():
            with self.subTest(name):
                drive = drive_model.drive()
                change(drive)
                where = str(line) if line else r'\d+'
                self.refuse(drive, drive_model.csv(rows(), **units), 1, rf'^kinecast: log\.csv:{where}: .*{message}')

    def test_jumps(self):
        """A slow logger's wrap is no impossible speed, and a slide's impossible speed is no wrap."""
        drive = drive_model.drive()
        drive['log']['angle'] = {'column': 'q', 'unit': 'rad'}
        self.refuse(drive, drive_model.csv([(0.01 * k, 0, 0.1 * k % (2 * math.pi), 0) for k in range(200)]), 1,
                    rf'log\.csv:{FIRST_ROW + 63}: column "q" in rad jumps by -6\.18.*"wraps": true')
        slide = {'name': 'slide', 'joint': 'prismatic', 'drive': 'torque', 'mass_kg': 1,
                 'log': {'time': {'column': 't', 'unit': 's'}, 'force': {'column': 'u', 'unit': 'N'},
                         'position': {'column': 'q', 'unit': 'm'}}}
        self.refuse(slide, drive_model.csv([(0.001 * k, 0, k * k * 1e-4, 0) for k in range(1000)]), 1,
                    r'log\.csv:\d+: column "q" in m jumps by 0\.1001 m from the row before \(100\.1 m/s\)')

    def test_duty_beyond_full_scale(self):
        drive = drive_model.drive()
        del drive['log']['voltage']
        drive['log']['duty'] = {'column': 'u', 'full_scale': 1, 'supply_V': 24}
        self.refuse(drive, '\n'.join(good_lines()), 1, r'log\.csv:\d+: column "u" is 14 times its full scale')

    def test_drive_files(self):
        def set_to(path, value):
            def change(drive):
                *tables, key = path.split('.')
                for table in tables:
                    drive = drive[table]
                if value is None:
                    del drive[key]
                else:
                    drive[key] = value
            return change

        joint = 'friction.at_joint.'
        cases = {
            # The library's rules, in its own words.
            'zero resistance': ('motor.resistance_ohm: a motor\'s resistance is not positive',
                                set_to('motor.resistance_ohm', 0)),
            'negative inertia': ('inertia_kgm2: an inertia .* is not positive definite', set_to('inertia_kgm2', -0.1)),
            'static below Coulomb': (joint + 'stiction_Nm: a static friction is below the Coulomb friction',
                                     set_to(joint + 'stiction_Nm', 4)),
            'gear ratio zero': ('gear.ratio: a gear ratio is zero', set_to('gear.ratio', 0)),
            'torque constant': ('motor.torque_constant_Nm_per_A: .* not positive',
                                set_to('motor.torque_constant_Nm_per_A', -1)),
            'voltage limit': ('motor.voltage_limit_V: .* not positive', set_to('motor.voltage_limit_V', 0)),
            'rotor': ('motor.rotor_inertia_kgm2: a rotor inertia is negative', set_to('motor.rotor_inertia_kgm2', -1)),
            'negative friction': (joint + 'viscous_Nms_per_rad: a friction.* is negative',
                                  set_to(joint + 'viscous_Nms_per_rad', -1)),
            'beyond reason': ('inertia_kgm2: a value of the robot is NaN, infinite or beyond a million',
                              set_to('inertia_kgm2', 1e7)),
            'Stribeck twice': ('friction: a Stribeck value is given on both sides',
                               set_to('friction.at_motor', {'stribeck_s_per_rad': 1})),
            'pendulum mass': ('pendulum.mass_kg: a mass is not positive',
                              set_to('pendulum', {'mass_kg': -1, 'length_m': 1})),
            'efficiency': ('gear.efficiency: must be above 0 and at most 1',
                           set_to('gear', {'ratio': 120, 'efficiency': 0})),
            # The file's own.
            'a key with a slip': ('motor.resistence_ohm: unknown key; did you mean "resistance_ohm"',
                                  set_to('motor.resistence_ohm', 1)),
            'a key without its unit': (joint + 'coulomb: unknown key; did you mean "coulomb_Nm"',
                                       set_to(joint + 'coulomb', 1)),
            'a key of another joint': ('mass_kg: unknown key', set_to('mass_kg', 1)),
            'friction without a side': ('friction.coulomb_Nm: unknown key. .*"at_motor" and "at_joint"',
                                        set_to('friction.coulomb_Nm', 1)),
            'missing': ('motor.resistance_ohm: is missing', set_to('motor.resistance_ohm', None)),
            'missing table': ('motor: is missing', set_to('motor', None)),
            'missing name': ('name: is missing', set_to('name', None)),
            'a text for a number': ('gear.ratio: must be a number, not string', set_to('gear.ratio', '120')),
            'a number for a table': ('gear must be an object', set_to('gear', 120)),
            'joint': ('joint: "revolut" is not known; allowed: "revolute" and "prismatic"', set_to('joint', 'revolut')),
            'both losses': ('gear.load_loss: cannot be given together with "efficiency"',
                            set_to('gear', {'ratio': 120, 'efficiency': 0.9, 'load_loss': 0.1})),
            'unit': ('log.angle.unit: "degrees" is not known; allowed: "rad", "deg", "turns" and "counts"',
                     set_to('log.angle.unit', 'degrees')),
            'no unit': ('log.time.unit: is missing', set_to('log.time.unit', None)),
            'counts': ('log.angle.counts_per_turn: is missing', set_to('log.angle.counts_per_turn', None)),
            'counts without counts': ('log.angle.counts_per_turn: is for the unit "counts"',
                                      set_to('log.angle.unit', 'rad')),
            'zero counts': ('log.angle.counts_per_turn: must not be zero', set_to('log.angle.counts_per_turn', 0)),
            'no command': ('log.voltage: is missing', set_to('log.voltage', None)),
            'torque log of a voltage drive': ('log.torque: unknown key',
                                              set_to('log.torque', {'column': 'u', 'unit': 'Nm'})),
            'two commands': ('log.duty: cannot be given together with "voltage"',
                             set_to('log.duty', {'column': 'u', 'full_scale': 1, 'supply_V': 24})),
            'windows': ('windows_s: must hold only positive numbers', set_to('windows_s', [0.1, -1])),
            'unknown in the log': ('log.angle.counts_per_turn: must be a number, not object',
                                   set_to('log.angle.counts_per_turn', {'unknown': True, 'guess': 1})),
        }
        log = '\n'.join(good_lines())
        for name, (message, change) in cases.items():
            with self.subTest(name):
                drive = copy.deepcopy(drive_model.drive())
                change(drive)
                self.refuse(drive, log, 1, r'^kinecast: drive\.json: ' + message)

    def test_text_that_is_not_json(self):
        log = '\n'.join(good_lines())
        good = json.dumps(drive_model.drive(), indent=1)
        line = good.split('"motor"')[0].count('\n') + 2
        broken = good.replace('"torque_constant_Nm_per_A":', '"torque_constant_Nm_per_A"', 1)
        self.refuse(broken, log, 1, rf'drive\.json:{line}: not JSON')
        self.refuse('', log, 1, r'drive\.json:1: not JSON')
        self.refuse('[1]', log, 1, r'drive\.json: the file must be an object')
        self.refuse(good.replace('"ratio": 120', '"ratio": 120, "ratio": 60'), log, 1, 'key "ratio" is given twice')

    def test_a_motion_that_runs_away(self):
        """A float cannot hold it: the tool says at which line, and writes nothing."""
        drive = drive_model.drive()
        drive['motor']['voltage_limit_V'] = 1e6
        drive['inertia_kgm2'] = 1e-6
        drive['motor'].update(rotor_inertia_kgm2=0, resistance_ohm=1e-3, torque_constant_Nm_per_A=1e-6)
        drive['gear'] = {'ratio': 1e5}
        drive['friction'] = {}
        drive['log']['voltage'] = {'column': 'u', 'unit': 'V', 'scale': 1e5}
        self.refuse(drive, '\n'.join(good_lines()), 1, r'log\.csv:\d+: the prediction stops here: ')

    def test_files_that_are_not_there(self):
        self.write('drive.json', drive_model.drive())
        for arguments, message in ((('drive.json', 'nowhere.csv'), 'nowhere.csv: cannot be read'),
                                   (('nowhere.json', 'log.csv'), 'nowhere.json: cannot be read'),
                                   (('drive.json', '.'), r'\.(:\d+)?: ')):
            run = self.run_tool('compare', *arguments)
            self.assertEqual(run.returncode, 1, run.stderr)
            self.assertRegex(run.stderr, message)
        self.assertEqual(self.files(), ['drive.json'])

    def test_page_that_cannot_be_written(self):
        log = '\n'.join(good_lines())
        self.refuse(drive_model.drive(), log, 4, 'nowhere/page.html: cannot be written',
                    arguments=('-o', 'nowhere/page.html'))
        self.refuse(drive_model.drive(), log, 2, 'would overwrite an input', arguments=('-o', 'log.csv'))

    def test_gnuplot_missing_or_failing(self):
        log = '\n'.join(good_lines())
        folder = self.folder / 'bin'
        folder.mkdir()
        self.refuse(drive_model.drive(), log, 4, r'gnuplot cannot be started; install it',
                    environment={'PATH': str(folder)})
        for script in ('echo "<svg></svg>"; echo broken >&2; exit 1', 'echo "<svg>"; exit 0', 'kill -9 $$'):
            with self.subTest(script):
                (folder / 'gnuplot').write_text('#!/bin/sh\n' + script + '\n', encoding='utf-8')
                os.chmod(folder / 'gnuplot', 0o755)
                self.refuse(drive_model.drive(), log, 4, r'gnuplot failed, no page was written',
                            environment={'PATH': f'{folder}:{os.environ["PATH"]}'})

    def test_usage(self):
        for arguments, message in (((), 'subcommand is required'), (('compare',), 'drive is required'),
                                   (('compare', 'drive.json'), 'log is required'), (('guess',), ''),
                                   (('fit', 'a', 'b', '--window', '-1'), 'window'), (('compare', '--page'), '')):
            run = self.run_tool(*arguments)
            self.assertEqual(run.returncode, 2, f'{arguments}: {run.stderr}')
            self.assertIn(message, run.stderr)
        for arguments in (('--help',), ('compare', '--help'), ('fit', '--help')):
            run = self.run_tool(*arguments)
            self.assertEqual(run.returncode, 0, run.stderr)
            self.assertRegex(run.stdout, 'Example: kinecast|Exit codes: 0')
        self.assertRegex(self.run_tool('--version').stdout, r'^\d+\.\d+\.\d+\n$')

    def test_every_help_has_an_example(self):
        listed = self.run_tool('--help').stdout.split('Subcommands:')[1].split('Exit codes:')[0]
        commands = [line.split()[0] for line in listed.splitlines() if line.startswith('  ') and line[2] != ' ']
        self.assertGreaterEqual(set(commands), {'import', 'info', 'simulate', 'new', 'compare', 'fit'})
        for command in commands:
            run = self.run_tool(command, '--help')
            self.assertEqual(run.returncode, 0, run.stderr)
            self.assertIn(f'Example: kinecast {command} ', run.stdout)

    def test_the_example_in_the_help_is_a_good_drive_file(self):
        text = self.run_tool('compare', '--help').stdout
        example = text[text.index('  {"name"'):text.index('Instead of "voltage"')]
        lines = drive_model.csv(rows(), angle=lambda q: round(q * 4096 / (2 * math.pi)) % 4096,
                                velocity=lambda w: w * 60 / (2 * math.pi)).splitlines()
        self.write('drive.json', example)
        self.write('log.csv', '\n'.join(lines))
        run = self.run_tool('compare', 'drive.json', 'log.csv')
        self.assertEqual(run.returncode, 0, run.stderr)


if __name__ == '__main__':
    unittest.main()
