"""kinecast compare predicts logs of an independent simulation, far better than without friction, and writes a page that is
complete by itself.
"""
# SPDX-License-Identifier: MIT
import functools
import math
import pathlib
import re
import unittest
import xml.etree.ElementTree

import drive_model
from tool import Balanced, ToolTest


@functools.lru_cache(None)
def rich_rows():
    return drive_model.simulate(drive_model.rich, 8.0)


class Compare(ToolTest):
    def compare(self, drive, log, *arguments):
        self.write('drive.json', drive)
        self.write('log.csv', log)
        return self.run_tool('compare', 'drive.json', 'log.csv', *arguments)

    def check_scores(self, run, largest):
        """The bounds: 1.5 to 3 times what the encoder's grain (0.4 mrad) and the causal start velocity's lag leave."""
        self.assertEqual(run.returncode, 0, run.stderr)
        scores = self.scores(run.stdout)
        for window, bound in largest.items():
            single, twofold, null = scores[window]
            self.assertLess(single, bound, f'{window}: {run.stdout}')
            self.assertLess(abs(single - twofold), 0.02 * bound, 'float against double')
            self.assertGreater(null, 4 * bound, 'the model without friction must fail')
        return scores

    BOUNDS = {'0.05': 0.0045, '0.2': 0.005, '0.5': 0.0015, 'whole': 0.0015}

    def test_voltage_and_counts(self):
        run = self.compare(drive_model.drive(), drive_model.csv(rich_rows(), angle=drive_model.counts))
        self.check_scores(run, self.BOUNDS)
        self.assertEqual(self.files(), ['drive.json', 'log.csv', 'log.html'])

    def test_other_units_give_the_same(self):
        drive = drive_model.drive()
        drive['log'] = {'time': {'column': 't', 'unit': 'ms'},
                        'duty': {'column': 'u', 'full_scale': 885, 'supply_V': 24},
                        'angle': {'column': 'q', 'unit': 'deg', 'scale': -1, 'wraps': True}}
        log = drive_model.csv(rich_rows(), time=lambda t: 1000 * t + 77, volts=lambda u: 885 * u / 24,
                              angle=lambda q: -math.degrees(q) % 360)
        self.check_scores(self.compare(drive, log), self.BOUNDS)

    def test_velocity_column(self):
        drive = drive_model.drive()
        drive['log']['angle'] = {'column': 'q', 'unit': 'turns'}
        drive['log']['velocity'] = {'column': 'w', 'unit': 'rpm'}
        log = drive_model.csv(rich_rows(), angle=lambda q: q / (2 * math.pi),
                              velocity=lambda w: w * 60 / (2 * math.pi))
        # A start velocity that does not lag leaves only the difference of 1 ms steps to 10 us steps.
        self.check_scores(self.compare(drive, log), {'0.05': 0.0003, '0.2': 0.001, '0.5': 0.001, 'whole': 0.0015})

    def test_friction_at_the_motor(self):
        """The same unit with its friction written on the other side of the gear."""
        drive = drive_model.drive()
        ratio = drive_model.TRUE['ratio']
        at_joint = drive['friction']['at_joint']
        drive['friction'] = {'at_motor': {
            'stiction_Nm': at_joint['stiction_Nm'] / ratio,
            'coulomb_Nm': {'forward': at_joint['coulomb_Nm'] / ratio, 'backward': at_joint['coulomb_Nm'] / ratio},
            'viscous_Nms_per_rad': at_joint['viscous_Nms_per_rad'] / ratio ** 2,
            'stribeck_s_per_rad': at_joint['stribeck_s_per_rad'] / ratio}}
        self.check_scores(self.compare(drive, drive_model.csv(rich_rows(), angle=drive_model.counts)), self.BOUNDS)

    def test_external_torque(self):
        def push(time):
            return 8.0 if 0.5 < time % 1.5 < 0.9 else -2.0

        rows = drive_model.simulate(lambda t: 6 * math.sin(4 * t), 3.0, external=push)
        drive = drive_model.drive()
        drive['log']['angle'] = {'column': 'q', 'unit': 'rad'}
        lines = drive_model.csv(rows).splitlines()
        lines = lines[:1] + [lines[1] + ',push'] + [
            f'{line},{1000 * push(row[0])!r}' for line, row in zip(lines[2:], rows)]
        without = self.compare(drive, '\n'.join(lines))
        drive['log']['external_torque'] = {'column': 'push', 'unit': 'mNm'}
        run = self.compare(drive, '\n'.join(lines))
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertLess(self.scores(run.stdout)['0.2'][0], 0.01)
        self.assertGreater(self.scores(without.stdout)['0.2'][0], 0.05)

    def test_slide_driven_by_force(self):
        """A block on dry ground, in closed form: pushed by F for a second, then it slides to a stop."""
        mass, coulomb, force, dt = 2.0, 3.0, 7.0, 1e-3
        push, brake = (force - coulomb) / mass, coulomb / mass
        stop = 1 + push / brake

        def position(t):
            if t <= 0.2:
                return 0.0
            t -= 0.2
            if t < 1:
                return push * t * t / 2
            t = min(t, stop) - 1
            return push / 2 + push * t - brake * t * t / 2

        rows = [(k * dt, force if 0.2 <= k * dt < 1.2 - dt / 2 else 0.0, position(k * dt), 0) for k in range(4000)]
        drive = {'name': 'block', 'joint': 'prismatic', 'drive': 'torque', 'mass_kg': mass,
                 'friction': {'at_joint': {'coulomb_N': coulomb}},
                 'log': {'time': {'column': 't', 'unit': 's'}, 'force': {'column': 'u', 'unit': 'mN'},
                         'position': {'column': 'q', 'unit': 'mm'}}}
        run = self.compare(drive, drive_model.csv(rows, angle=lambda q: 1000 * q, volts=lambda f: 1000 * f))
        self.check_scores(run, {'whole': 0.01})
        self.assertIn('root mean square, m\n', run.stdout)

    def test_start_velocity_is_what_a_robot_could_know(self):
        """Constant acceleration without friction: the slope of the last ten samples lags 4.5 of them, no more, no less."""
        acceleration, dt, window = 3.0, 1e-3, 0.2
        rows = [(k * dt, 2 * acceleration, acceleration * (k * dt) ** 2 / 2, 0) for k in range(2000)]
        drive = {'name': 'free', 'joint': 'prismatic', 'drive': 'torque', 'mass_kg': 2, 'windows_s': [window],
                 'log': {'time': {'column': 't', 'unit': 's'}, 'force': {'column': 'u', 'unit': 'N'},
                         'position': {'column': 'q', 'unit': 'm'}}}
        run = self.compare(drive, drive_model.csv(rows))
        self.assertEqual(run.returncode, 0, run.stderr)
        # Symplectic Euler's own error makes up for half a sample of it.
        self.assertAlmostEqual(self.scores(run.stdout)['0.2'][1], acceleration * 4.0 * dt * window, delta=1e-5)

    def test_page_is_complete_by_itself(self):
        drive = drive_model.drive(coulomb_Nm=4.0)
        drive['name'] = 'a <b> & "c"'
        run = self.compare(drive, drive_model.csv(rich_rows(), angle=drive_model.counts), '-o', 'a page.html')
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn('coulomb_Nm is marked as unknown', run.stdout)
        self.assertIn('steps per sample: 1 ', run.stdout)
        page = (self.folder / 'a page.html').read_text(encoding='utf-8')
        parser = Balanced()
        parser.feed(page)
        parser.close()
        self.assertEqual((parser.problems, parser.open), ([], []))
        self.assertEqual(parser.seen.count('svg'), 1)
        addresses = set(re.findall(r'\w+://[^\s"\'<>]*', page))
        self.assertEqual({address for address in addresses if not address.startswith('http://www.w3.org/')}, set())
        self.assertNotRegex(page, r'url\((?!#)|@import')
        svg = xml.etree.ElementTree.fromstring(re.search(r'<svg.*</svg>', page, re.S).group())
        texts = ' '.join(''.join(element.itertext()) for element in svg.iter() if element.tag.endswith('}text'))
        for word in ('measured', 'predicted, open loop', 'restarted every 0.5 s', 'angle, rad', 'error, rad',
                     'friction, Nm', 'sticks', 'slips', 'time, s'):
            self.assertIn(word, texts)
        for word in ('a &lt;b&gt; &amp; &quot;c&quot;', 'friction.at_joint.coulomb_Nm', 'is marked as unknown',
                     "kinecast compare drive.json log.csv -o 'a page.html'"):
            self.assertIn(word, page)
        for window in self.scores(run.stdout).values():
            self.assertIn(f'<td>{window[0]:.4g}</td>', page)

    def test_same_input_same_page(self):
        log = drive_model.csv(rich_rows()[:3000], angle=drive_model.counts)
        pages = []
        for _ in range(2):
            self.assertEqual(self.compare(drive_model.drive(), log).returncode, 0)
            pages.append((self.folder / 'log.html').read_bytes())
        self.assertEqual(pages[0], pages[1])

    def test_windows_longer_than_the_log_are_left_out(self):
        run = self.compare(drive_model.drive(), drive_model.csv(rich_rows()[:300], angle=drive_model.counts))
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual(set(self.scores(run.stdout)), {'0.05', '0.2', 'whole'})
        self.assertIn('too short for windows of 0.5 s', run.stdout)

    def test_default_page_is_written_here(self):
        (self.folder / 'elsewhere').mkdir()
        self.write('drive.json', drive_model.drive())
        self.write('elsewhere/run 1.csv', drive_model.csv(rich_rows()[:500], angle=drive_model.counts))
        run = self.run_tool('compare', 'drive.json', 'elsewhere/run 1.csv')
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertTrue(pathlib.Path(self.folder / 'run 1.html').exists())


if __name__ == '__main__':
    unittest.main()
