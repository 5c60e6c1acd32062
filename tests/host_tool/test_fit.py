"""kinecast fit finds the parameters of an independent simulation, within the confidence that it states, and refuses what the
log cannot show.
"""
# SPDX-License-Identifier: MIT
import functools
import json
import random
import unittest

import drive_model
from tool import ToolTest


@functools.lru_cache(None)
def rows(motion, duration_s=8.0):
    return drive_model.simulate(motion, duration_s)


class Fit(ToolTest):
    def fit(self, drive, *logs, arguments=()):
        self.write('drive.json', drive)
        names = [self.write(f'log{i}.csv', log) for i, log in enumerate(logs)]
        return self.run_tool('fit', 'drive.json', *names, *arguments)

    def found(self, run, output='drive_fitted.json'):
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        return json.loads((self.folder / output).read_text(encoding='utf-8'))

    def check(self, fitted, path, largest_error):
        """Near the truth, and no further from it than the stated standard error allows (4 of them: 1 in 16 000)."""
        value = fitted
        for key in path.split('.'):
            value = value[key]
        true = drive_model.TRUE[path.split('.')[-1]]
        error = abs(value - true)
        stated = fitted['fit']['standard_errors'][path]
        self.assertLess(error, largest_error * true, path)
        self.assertLess(error, 4 * stated, f'{path}: {value} is stated as ± {stated}, the truth is {true}')
        self.assertLess(stated, largest_error * true, f'{path}: the stated error says nothing')

    def test_friction_and_inertia(self):
        drive = drive_model.drive(inertia_kgm2=0.03, coulomb_Nm=3.0, viscous_Nms_per_rad=1.0, stiction_Nm=6.0,
                                  stribeck_s_per_rad=5.0)
        run = self.fit(drive, drive_model.csv(rows(drive_model.rich), angle=drive_model.counts))
        fitted = self.found(run)
        self.check(fitted, 'inertia_kgm2', 0.05)
        self.check(fitted, 'friction.at_joint.coulomb_Nm', 0.01)
        self.check(fitted, 'friction.at_joint.viscous_Nms_per_rad', 0.01)
        self.check(fitted, 'friction.at_joint.stiction_Nm', 0.015)
        self.check(fitted, 'friction.at_joint.stribeck_s_per_rad', 0.3)
        # Before and after, and the result is a drive file that compare takes.
        self.assertIn('with the guesses', run.stdout)
        before, after = run.stdout.split('with the fitted values')
        self.assertLess(self.scores(after)['whole'][0], 0.05 * self.scores(before)['whole'][0])
        again = self.run_tool('compare', 'drive_fitted.json', 'log0.csv')
        self.assertEqual(again.returncode, 0, again.stderr)
        self.assertEqual(self.scores(again.stdout), self.scores(after))
        self.assertEqual(fitted['motor'], drive['motor'], 'what was known must stay')

    def test_static_friction_from_far_off(self):
        """On the way down the search tries it below the Coulomb friction, and must come back."""
        drive = drive_model.drive(coulomb_Nm=3.0, stiction_Nm=15.0, viscous_Nms_per_rad=3.0)
        fitted = self.found(self.fit(drive, drive_model.csv(rows(drive_model.rich), angle=drive_model.counts)))
        self.check(fitted, 'friction.at_joint.stiction_Nm', 0.015)
        self.check(fitted, 'friction.at_joint.coulomb_Nm', 0.01)

    def test_without_static_friction(self):
        """A drive file that says nothing of it has Coulomb friction at rest."""
        drive = drive_model.drive(coulomb_Nm=2.0, viscous_Nms_per_rad=3.0)
        del drive['friction']['at_joint']['stiction_Nm'], drive['friction']['at_joint']['stribeck_s_per_rad']
        truth = {'stiction_Nm': drive_model.TRUE['coulomb_Nm']}
        log = drive_model.csv(drive_model.simulate(drive_model.rich, 8.0, unit=truth), angle=drive_model.counts)
        fitted = self.found(self.fit(drive, log))
        self.check(fitted, 'friction.at_joint.coulomb_Nm', 0.01)
        self.check(fitted, 'friction.at_joint.viscous_Nms_per_rad', 0.02)

    def test_noise_and_two_logs(self):
        """With noise the confidence grows, and still holds; a second log narrows it."""
        noise = random.Random(7)

        def noisy(q):
            return q + noise.gauss(0, 2e-3)

        drive = drive_model.drive(coulomb_Nm=2.0, viscous_Nms_per_rad=3.0)
        drive['log']['angle'] = {'column': 'q', 'unit': 'rad'}
        logs = [drive_model.csv(rows(drive_model.rich), angle=noisy) for _ in range(2)]
        one = self.found(self.fit(drive, logs[0]))
        two = self.found(self.fit(drive, *logs, arguments=('-o', 'two.json')), 'two.json')
        for fitted in (one, two):
            self.check(fitted, 'friction.at_joint.coulomb_Nm', 0.05)
            self.check(fitted, 'friction.at_joint.viscous_Nms_per_rad', 0.05)
        for path, error in two['fit']['standard_errors'].items():
            self.assertLess(error, 0.85 * one['fit']['standard_errors'][path], path)

    def test_offset_and_directions(self):
        truth = {'offset_Nm': 0.6}
        drive = drive_model.drive()
        at_joint = drive['friction']['at_joint']
        at_joint['offset_Nm'] = {'unknown': True, 'guess': 0, 'min': -5, 'max': 5}
        at_joint['coulomb_Nm'] = {'forward': {'unknown': True, 'guess': 3}, 'backward': 4.32}
        log = drive_model.csv(drive_model.simulate(drive_model.rich, 8.0, unit=truth), angle=drive_model.counts)
        fitted = self.found(self.fit(drive, log))['friction']['at_joint']
        self.assertAlmostEqual(fitted['offset_Nm'], 0.6, delta=0.05)
        self.assertAlmostEqual(fitted['coulomb_Nm']['forward'], 4.32, delta=0.08)

    def refuse(self, drive, log, *names, arguments=()):
        run = self.fit(drive, log, arguments=arguments)
        self.assertEqual(run.returncode, 3, run.stdout + run.stderr)
        for name in names:
            self.assertIn(name, run.stderr)
        self.assertEqual(self.files(), ['drive.json', 'log0.csv'])
        return run.stderr

    def test_refuses_stribeck_from_a_log_that_never_stops(self):
        drive = drive_model.drive(coulomb_Nm=4.0, stiction_Nm=6.0, stribeck_s_per_rad=8.0)
        log = drive_model.csv(rows(drive_model.fast, 4.0)[500:], angle=drive_model.counts)
        said = self.refuse(drive, log, 'stribeck_s_per_rad', 'stiction_Nm', 'from rest')
        self.assertNotIn('coulomb_Nm', said)
        # Without the two the same log does identify Coulomb friction.
        self.found(self.fit(drive_model.drive(coulomb_Nm=4.0), log))

    def test_refuses_viscous_from_a_log_without_motion(self):
        log = drive_model.csv(rows(drive_model.still, 4.0), angle=drive_model.counts)
        self.refuse(drive_model.drive(viscous_Nms_per_rad=1.0), log, 'viscous_Nms_per_rad', 'different steady speeds')

    def test_refuses_what_only_shows_as_a_combination(self):
        """Volts to acceleration: with no known friction, inertia and torque constant show only as their ratio; with no
        known viscous friction, back-EMF can be exchanged for it.
        """
        log = drive_model.csv(rows(drive_model.rich), angle=drive_model.counts)
        for unknown in ({'inertia_kgm2': 0.02, 'torque_constant_Nm_per_A': 0.0258, 'viscous_Nms_per_rad': 1.53,
                         'coulomb_Nm': 4.32, 'stiction_Nm': 4.92},
                        {'torque_constant_Nm_per_A': 0.02, 'resistance_ohm': 3.0, 'viscous_Nms_per_rad': 1.0}):
            with self.subTest(unknown):
                self.refuse(drive_model.drive(**unknown), log, 'only a combination', 'Give one of them a value',
                            *unknown)

    def test_refuses_more_unknowns_than_windows(self):
        drive = drive_model.drive(coulomb_Nm=4.0, viscous_Nms_per_rad=1.0)
        self.refuse(drive, drive_model.csv(rows(drive_model.rich)[:300], angle=drive_model.counts), '1 window(s) of 0.2 s for 2 unknown(s)')

    def test_says_what_is_wrong_with_the_unknowns(self):
        log = drive_model.csv(rows(drive_model.rich)[:1000], angle=drive_model.counts)
        for coulomb, message in (
                (4.32, 'drive.json: nothing is marked as unknown'),
                ({'unknown': True}, 'coulomb_Nm.guess: is missing'),
                ({'unknown': False, 'guess': 1}, 'coulomb_Nm.unknown: must be true'),
                ({'unknown': True, 'guess': 0}, 'coulomb_Nm.guess: must be positive'),
                ({'unknown': True, 'guess': 1, 'min': 2}, 'coulomb_Nm.guess: must lie between min and max'),
                ({'unknown': True, 'guess': 1, 'maximum': 2}, 'coulomb_Nm.maximum: unknown key; did you mean "max"?')):
            with self.subTest(message):
                drive = drive_model.drive()
                drive['friction']['at_joint']['coulomb_Nm'] = coulomb
                run = self.fit(drive, log)
                self.assertEqual(run.returncode, 1, run.stderr)
                self.assertIn(message, run.stderr)

    def test_does_not_overwrite_its_inputs(self):
        log = drive_model.csv(rows(drive_model.rich)[:1000], angle=drive_model.counts)
        run = self.fit(drive_model.drive(coulomb_Nm=4.0), log, arguments=('-o', './drive.json'))
        self.assertEqual(run.returncode, 2, run.stderr)
        self.assertIn('unknown', (self.folder / 'drive.json').read_text(encoding='utf-8'))


if __name__ == '__main__':
    unittest.main()
