"""kinecast simulate against closed solutions and integrations in plain Python, its compile cache, and scenarios that it
must refuse.
"""
# SPDX-License-Identifier: MIT
import contextlib
import copy
import csv
import json
import math
import os
import pathlib
import pty
import re
import shutil
import subprocess
import tempfile
import time
import unittest

from swinging import BOX, BOX_MASS, EDGE, INERTIA, LEVER, MASS, pendulum
from tool import ToolTest

G = 9.80665
TOTAL = INERTIA + MASS * LEVER ** 2
EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / 'lib' / 'docs' / 'examples'
COMPILING = 'compiling '


SHARED = {}  # the cache folder of all tests here, and what the first two runs said


def environment():
    return {'KINECAST_CACHE': SHARED['cache'].name, 'CXX': os.environ['KINECAST_CXX']}


def setUpModule():  # noqa: N802 (unittest's name)
    """Two runs at once that need the same program, which nobody has compiled yet."""
    SHARED['cache'] = tempfile.TemporaryDirectory(prefix='kinecast cache ')
    SHARED['first'] = tempfile.TemporaryDirectory()
    folder = pathlib.Path(SHARED['first'].name)
    (folder / 'robot.urdf').write_text(pendulum(), encoding='utf-8')
    (folder / 'short.json').write_text('{"duration_s": 0.01}', encoding='utf-8')
    start = time.monotonic()
    runs = [subprocess.Popen([os.environ['KINECAST_TOOL'], 'simulate', 'robot.urdf', 'short.json', '--scalar', 'double',
                              '-o', f'{i}.csv'], cwd=folder, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                             env={**os.environ, **environment()}) for i in range(2)]
    SHARED['runs'] = [(run.communicate(), run.returncode) for run in runs]
    SHARED['compiled_s'] = time.monotonic() - start


def tearDownModule():  # noqa: N802
    SHARED['first'].cleanup()
    SHARED['cache'].cleanup()


class SimulateTest(ToolTest):
    def simulate(self, urdf, scenario, *arguments, scalar='double', **others):
        self.write('robot.urdf', urdf)
        self.write('run.json', scenario)
        self.run_result = self.run_tool('simulate', 'robot.urdf', 'run.json', '--scalar', scalar, *arguments,
                                        **{**environment(), **others})
        self.assertEqual(self.run_result.returncode, 0, self.run_result.stderr)
        return self.columns('run.csv')

    def columns(self, name):
        with open(self.folder / name, encoding='utf-8', newline='') as file:
            rows = list(csv.reader(file))
        return {title: [float(row[i]) for row in rows[1:]] for i, title in enumerate(rows[0])}

    def assert_near(self, found, truth, tolerance):
        self.assertEqual(len(found), len(truth))
        worst = max(abs(a - b) for a, b in zip(found, truth))
        self.assertLessEqual(worst, tolerance)


def swing(q, dq, steps, step_s, torque=lambda i, q, dq: 0.0):
    """The step that the library takes, symplectic Euler, on the pendulum's equation."""
    out = [(q, dq)]
    for i in range(steps):
        dq += step_s * (torque(i, q, dq) - MASS * G * LEVER * math.sin(q)) / TOTAL
        q += step_s * dq
        out.append((q, dq))
    return out


def runge_kutta(q, dq, duration_s, steps):
    def rate(y):
        return y[1], -MASS * G * LEVER * math.sin(y[0]) / TOTAL
    y, h = (q, dq), duration_s / steps
    for _ in range(steps):
        k1 = rate(y)
        k2 = rate((y[0] + h / 2 * k1[0], y[1] + h / 2 * k1[1]))
        k3 = rate((y[0] + h / 2 * k2[0], y[1] + h / 2 * k2[1]))
        k4 = rate((y[0] + h * k3[0], y[1] + h * k3[1]))
        y = tuple(y[i] + h / 6 * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]) for i in range(2))
    return y


class Pendulum(SimulateTest):
    START = {'q': {'swing': 2.0}, 'dq': {'swing': -0.5}}

    def test_swings(self):
        """Step by step as symplectic Euler on paper; and its error to the true motion falls with the step."""
        found = self.simulate(pendulum(), {'duration_s': 1, 'start': self.START})
        truth = swing(2.0, -0.5, 1000, 1e-3)
        self.assert_near(found['q.swing_rad'], [q for q, _ in truth], 1e-10)
        self.assert_near(found['dq.swing_rad_s'], [dq for _, dq in truth], 1e-10)
        self.assert_near(found['t_s'], [i / 1000 for i in range(1001)], 1e-12)
        exact = runge_kutta(2.0, -0.5, 1.0, 4000)[0]
        coarse = abs(found['q.swing_rad'][-1] - exact)
        fine = self.simulate(pendulum(), {'duration_s': 1, 'step_s': 2e-4, 'start': self.START})
        self.assertEqual(fine['t_s'][-1], 1)
        ratio = coarse / abs(fine['q.swing_rad'][-1] - exact)
        self.assertTrue(4.5 < ratio < 5.5, ratio)  # first order: a fifth of the step, a fifth of the error

    def test_energy(self):
        """Nothing drives it and nothing brakes it. Symplectic Euler's energy swings by about step x rate / 2,
        and does not drift.
        """
        found = self.simulate(pendulum(), {'duration_s': 20, 'start': self.START})
        start = 0.5 * TOTAL * 0.25 - MASS * G * LEVER * math.cos(2.0)
        self.assertAlmostEqual(found['energy_J'][0], start, delta=1e-12)
        for kinetic, potential, q, dq in zip(found['kinetic_J'], found['potential_J'], found['q.swing_rad'],
                                             found['dq.swing_rad_s']):
            self.assertAlmostEqual(kinetic, 0.5 * TOTAL * dq * dq, delta=1e-10)
            self.assertAlmostEqual(potential, -MASS * G * LEVER * math.cos(q), delta=1e-10)
        size = MASS * G * LEVER
        self.assertLess(max(abs(e - start) for e in found['energy_J']), 0.005 * size)
        means = [sum(found['energy_J'][first:first + 5000]) / 5000 for first in (0, 15000)]
        self.assertLess(abs(means[1] - means[0]), 2e-4 * size)

    def test_controller(self):
        """A PD settles where its torque carries the weight; the target moves along its points."""
        points = [[0, 0], [0.5, 0], [1.0, 0.8]]
        command = {'swing': {'pd': {'kp': 20, 'kd': 3, 'target': points}}}
        found = self.simulate(pendulum(), {'duration_s': 8, 'commands': command})

        def target(t):
            return 0 if t <= 0.5 else 0.8 * min(t - 0.5, 0.5) / 0.5
        truth = swing(0.0, 0.0, 8000, 1e-3, lambda i, q, dq: 20 * (target(i / 1000) - q) - 3 * dq)
        self.assert_near(found['q.swing_rad'], [q for q, _ in truth], 1e-9)
        rest = 0.8
        for _ in range(200):
            rest = 0.8 - MASS * G * LEVER * math.sin(rest) / 20
        self.assertAlmostEqual(found['q.swing_rad'][-1], rest, delta=1e-6)
        self.assertAlmostEqual(found['torque.swing_Nm'][-1], MASS * G * LEVER * math.sin(rest), delta=1e-5)
        self.assertAlmostEqual(found['command.swing_Nm'][-1], 20 * (0.8 - rest), delta=1e-5)

    def test_table_of_commands(self):
        """A row holds until the next, the last one to the end, with a note; the path is relative to the scenario."""
        self.write('log.csv', 'time;u;other\n' + ''.join(f'{i / 50};{math.sin(i)};x\n' for i in range(20)))
        table = {'file': 'log.csv', 'column': 'u', 'time': 'time'}
        found = self.simulate(pendulum(), {'duration_s': 0.6, 'commands': {'swing': {'csv': table}}})
        torque = [math.sin(min(i // 20, 19)) for i in range(601)]
        truth = swing(0.0, 0.0, 600, 1e-3, lambda i, q, dq: torque[i])
        self.assert_near(found['command.swing_Nm'], torque, 1e-15)
        self.assert_near(found['q.swing_rad'], [q for q, _ in truth], 1e-10)
        self.assertIn('log.csv: column "u" ends at 0.38 s and the scenario at 0.6 s', self.run_result.stdout)
        direct = self.simulate(pendulum(), {'duration_s': 0.6, 'commands': {'swing': {'torque_Nm': table}}})
        self.assertEqual(found, direct)

    def test_table_in_odd_steps(self):
        """A row acts at its own step, though 3 * 0.0003 is below 0.0009; until the first one its value is held, with a note.
        A separator in quotes is a part of the column's name.
        """
        self.write('log.csv', 't,"u,v"\n' + ''.join(f'{3 * i / 10000},{i}\n' for i in range(2, 21)))
        table = {'file': 'log.csv', 'column': 'u,v'}
        found = self.simulate(pendulum(), {'duration_s': 0.006, 'step_s': 0.0003, 'contacts_at_once': 4,
                                           'commands': {'swing': {'csv': table}}})
        self.assertEqual(found['command.swing_Nm'], [max(i, 2) for i in range(21)])
        self.assertIn('log.csv: column "u,v" begins at 0.0006 s: until then its first value is held', self.run_result.stdout)
        self.assertIn('note: "contacts_at_once" has no effect: there is no environment', self.run_result.stdout)

    def test_rows(self):
        """output_s; a jump of the command; gravity of the scenario."""
        scenario = {'duration_s': 0.1, 'output_s': 0.02, 'gravity_mps2': [0, 0, -G],
                    'commands': {'swing': {'torque_Nm': [[0, 1], [0.05, 1], [0.05, -1]]}}}
        found = self.simulate(pendulum(), scenario)
        self.assertEqual(found['t_s'], [0, 0.02, 0.04, 0.06, 0.08, 0.1])
        self.assertEqual(found['command.swing_Nm'], [1, 1, 1, -1, -1, -1])

    def test_progress(self):
        """A line that rewrites itself, from the second second on: the longest run that there is outlasts any machine's
        patience, and it is ended when its line was written three times.
        """
        self.write('robot.urdf', pendulum())
        self.write('long.json', {'duration_s': 99999, 'output_s': 999.99})
        terminal, its_end = pty.openpty()
        with subprocess.Popen([os.environ['KINECAST_TOOL'], 'simulate', 'robot.urdf', 'long.json'], cwd=self.folder,
                              stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=its_end,
                              env={**os.environ, **environment()}) as run:
            os.close(its_end)
            seen, shares = b'', []
            with contextlib.suppress(OSError):  # Linux's way to say that the other end is closed
                while len(shares) < 3 and (chunk := os.read(terminal, 4096)):
                    seen += chunk
                    shares = [int(share) for share in re.findall(rb'\rsimulating: (\d+) %', seen)]
            run.kill()
        os.close(terminal)
        self.assertEqual(len(shares), 3, seen)
        self.assertEqual(shares, sorted(shares))

    def test_summary(self):
        self.simulate(pendulum(), {'duration_s': 0.5, 'start': self.START}, '--html', 'page.html')
        out = self.run_result.stdout
        for words in ('pendulum: 1 degrees of freedom, double', '500 of 0.001 s', 'simulated               0.5 s in ',
                      'largest angle           swing, 2', 'energy at the start', 'csv: run.csv, 501 rows',
                      'page: page.html'):
            self.assertIn(words, out)
        self.assertEqual(self.files(), ['page.html', 'robot.urdf', 'run.csv', 'run.json'])


class Drives(SimulateTest):
    def test_voltage(self):
        """A wheel on a DC motor reaches the speed at which back-EMF equals the voltage; a PD gives volts,
        within the limit.
        """
        drives = {'joints': {'swing': {'drive': 'voltage', 'gear': {'ratio': 20}, 'motor': {
            'torque_constant_Nm_per_A': 0.05, 'resistance_ohm': 1.0, 'voltage_limit_V': 12,
            'rotor_inertia_kgm2': 1e-5}}}}
        self.write('drives.json', drives)
        scenario = {'drives': 'drives.json', 'duration_s': 3, 'gravity_mps2': [0, 0, 0], 'step_s': 1e-3,
                    'commands': {'swing': {'voltage_V': 6}}}
        found = self.simulate(pendulum(robot='wheel'), scenario)
        rotor = 400 * 1e-5
        reached = [6 * (1 - math.exp(-t / (TOTAL + rotor))) for t in found['t_s']]  # gamma K = 1 N.m/A, R = 1 ohm
        self.assert_near(found['dq.swing_rad_s'], reached, 6 * 1e-3 / (TOTAL + rotor))  # first order: of a step's size
        self.assertAlmostEqual(found['dq.swing_rad_s'][-1], 6, delta=1e-4)
        self.assertEqual(found['command.swing_V'][1:], [6] * 3000)
        # tau = gamma K (u - gamma K w) / R at the start, less what turns the rotor itself
        self.assertAlmostEqual(found['torque.swing_Nm'][0], 6 * TOTAL / (TOTAL + rotor), delta=0.03)
        scenario['commands'] = {'swing': {'pd': {'kp': 40, 'kd': 5, 'target': 1}}}
        found = self.simulate(pendulum(robot='wheel'), scenario)
        self.assertNotIn(COMPILING, self.run_result.stderr)
        self.assertAlmostEqual(found['q.swing_rad'][-1], 1, delta=1e-6)
        self.assertAlmostEqual(found['command.swing_V'][0], 40, delta=1e-9)
        self.assertIn("joint swing: its command was clipped to the drive's limit in ", self.run_result.stdout)
        scenario['commands'] = {'swing': {'torque_Nm': 1}}
        self.write('run.json', scenario)
        run = self.run_tool('simulate', 'robot.urdf', 'run.json', **environment())
        self.assertEqual(run.returncode, 1)
        self.assertIn('run.json: commands.swing: "torque_Nm" does not fit: the joint is driven by a DC motor. '
                      'Known for it: "voltage_V", "pd" and "csv"', run.stderr)


class Ground(SimulateTest):
    """One program for all: the numbers of the ground are not compiled."""

    def crate(self, height_m, ground, duration_s, **base):
        return self.simulate(BOX, {'base': 'floating', 'duration_s': duration_s, 'environment': [{'ground': ground}],
                                   'start': {'base': {'position_m': [0, 0, height_m], **base}}})

    def normals(self, found):
        names = [name for name in found if name.startswith('contact.')]
        self.assertEqual(len(names), 8)
        return [sum(found[name][i] for name in names) for i in range(len(found['t_s']))]

    def test_falls(self):
        found = self.crate(5, {'height_m': -100}, 1, linear_mps=[1, 0, 2], angular_radps=[0, 0, 3])
        truth = [5 + 2 * i * 1e-3 - G * 1e-6 * i * (i + 1) / 2 for i in range(1001)]  # symplectic Euler, summed up
        self.assert_near(found['q.base.z_m'], truth, 1e-10)
        self.assert_near(found['q.base.x_m'], [i * 1e-3 for i in range(1001)], 1e-10)
        self.assert_near(found['q.base.qz'], [math.sin(1.5e-3 * i) for i in range(1001)], 1e-10)
        self.assertEqual(max(self.normals(found)), 0)
        self.assertIn('none: nothing touched', self.run_result.stdout)

    def test_rests(self):
        """The ground carries the weight, also on a slope that friction can hold; the crate stands on it, not in it."""
        found = self.crate(0.3, {'friction': 0.8}, 1.5)
        weight = BOX_MASS * G
        self.assertAlmostEqual(self.normals(found)[-1], weight, delta=1e-3 * weight)
        self.assertAlmostEqual(found['q.base.z_m'][-1], EDGE / 2, delta=1e-3)
        peak = self.run_result.stdout.split('largest normal force')[1].split(' N')[0]
        self.assertAlmostEqual(float(peak), max(self.normals(found)), delta=1e-3 * float(peak))
        tilt = 0.3
        place = EDGE / 2 / math.cos(tilt) + 1e-4
        found = self.crate(place, {'friction': 0.8, 'rpy': [0, tilt, 0]}, 1.5, rpy=[0, tilt, 0])
        self.assertAlmostEqual(self.normals(found)[-1], weight * math.cos(tilt), delta=2e-3 * weight)
        self.assertLess(abs(found['q.base.x_m'][-1] - found['q.base.x_m'][500]), 1e-4)
        self.assertNotIn(COMPILING, self.run_result.stderr)

    def test_slides(self):
        """Friction brings it to rest within v² / (2 mu g)."""
        found = self.crate(EDGE / 2, {'friction': 0.5}, 1.0, linear_mps=[1.5, 0, 0])
        self.assertAlmostEqual(found['q.base.x_m'][-1], 1.5 ** 2 / (2 * 0.5 * G), delta=0.005)
        self.assertLess(abs(found['dq.base.vx_m_s'][-1]), 1e-4)

    def test_starts_below(self):
        self.crate(0, {'name': 'floor'}, 0.01)
        self.assertIn('m inside of floor and is pushed out', self.run_result.stdout)

    def test_two_bodies_that_float(self):
        """Only the first is the base; the columns of the other have its joint's name."""
        body = BOX.split('<link')[1].split('<collision>')[0]
        urdf = '<robot name="two"><link name="map"/>' + ''.join(
            f'<link{body.replace("crate", name)}</link><joint name="{name}_free" type="floating"><parent link="map"/>'
            f'<child link="{name}"/></joint>' for name in ('left', 'right')) + '</robot>'
        found = self.simulate(urdf, {'duration_s': 0.01, 'start': {'base': {'position_m': [0, 0, 1]}}})
        self.assertAlmostEqual(found['q.base.z_m'][-1] - found['q.right_free.z_m'][-1], 1, delta=1e-12)

    def test_quadruped(self):
        """The guide's example: weight on four feet, two of them on a step, in float, with its page."""
        shutil.copy(EXAMPLES / 'pup.urdf', self.folder)
        shutil.copy(EXAMPLES / 'drop.json', self.folder)
        run = self.run_tool('simulate', 'pup.urdf', 'drop.json', '--html', 'drop.html', **environment())
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual(self.files(), ['drop.csv', 'drop.html', 'drop.json', 'pup.urdf'])
        found = self.columns('drop.csv')
        weight = (3 + 4 * 0.5) * G
        last = sum(found[name][-1] for name in found if name.startswith('contact.'))
        self.assertAlmostEqual(last, weight, delta=2e-3 * weight)
        self.assertLess(found['kinetic_J'][-1], 1e-3)
        # its front feet stand 3 cm higher, 0.3 m before the others: half of that angle, and legs that give way
        self.assertTrue(0.04 < -found['q.base.qy'][-1] < 0.09, found['q.base.qy'][-1])


class Cache(SimulateTest):
    SHORT = {'duration_s': 0.01}

    def programs(self):
        return sorted(path.name for path in pathlib.Path(SHARED['cache'].name).iterdir())

    def test_two_at_once(self):
        for (out, error), code in SHARED['runs']:
            self.assertEqual(code, 0, error)
            self.assertIn('csv: ', out)
        self.assertFalse([name for name in self.programs() if name.endswith('.part')])
        self.assertEqual(len([name for name in self.programs() if name.startswith('pendulum-')]), 1)

    def test_second_run_compiles_nothing(self):
        """Also in a folder with a name that a shell would read otherwise."""
        before = self.programs()
        start = time.monotonic()
        place = self.folder / "a 'b $(touch harm); c"
        place.mkdir()
        (place / 'the robot.urdf').write_text(pendulum(), encoding='utf-8')
        (place / 'log file.csv').write_text('t,u\n0,1\n1,1\n', encoding='utf-8')
        table = {'file': 'log file.csv', 'column': 'u'}
        (place / 'the run.json').write_text(json.dumps({**self.SHORT, 'commands': {'swing': {'csv': table}}}),
                                            encoding='utf-8')
        run = self.run_tool('simulate', str(place / 'the robot.urdf'), str(place / 'the run.json'), '--scalar',
                            'double', '-o', str(place / 'out put.csv'), **environment())
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertNotIn(COMPILING, run.stderr)
        self.assertEqual(self.programs(), before)
        self.assertLess(time.monotonic() - start, SHARED['compiled_s'])
        self.assertEqual(self.files(), [place.name])
        self.assertIn('out put.csv', [path.name for path in place.iterdir()])

    def refused(self, *words, **others):
        self.write('robot.urdf', pendulum(robot='other'))
        self.write('run.json', self.SHORT)
        before = self.files()
        run = self.run_tool('simulate', 'robot.urdf', 'run.json', **{**environment(), **others})
        self.assertEqual(run.returncode, 4, run.stderr)
        for word in words:
            self.assertIn(word, run.stderr)
        self.assertEqual(self.files(), before)
        self.assertFalse([name for name in self.programs() if name.startswith('other')])

    def test_compilers(self):
        self.refused('no-such-compiler: this compiler does not run', 'CXX', CXX='no-such-compiler')
        self.refused('false: this compiler does not run', CXX='false')
        self.write('broken', '#!/bin/sh\n[ "$1" = --version ] && exit 0\necho "x.hpp:3:4: error: boom" >&2\nexit 1\n')
        (self.folder / 'broken').chmod(0o755)
        self.refused('other: ', 'does not compile it (exit code 1)', 'x.hpp:3:4: error: boom',
                     CXX=str(self.folder / 'broken'))

    def test_folders(self):
        self.write('file', '')
        self.refused('cannot be written', 'KINECAST_CACHE', KINECAST_CACHE=str(self.folder / 'file' / 'cache'))


class BadScenarios(SimulateTest):
    GOOD = {'duration_s': 0.01}

    def refuse(self, scenario, *words, urdf=None, code=1, arguments=()):
        self.write('robot.urdf', urdf or pendulum())
        self.write('run.json', scenario)
        before = self.files()
        run = self.run_tool('simulate', 'robot.urdf', 'run.json', '--scalar', 'double', *arguments, **environment())
        self.assertEqual(run.returncode, code, run.stderr)
        for word in words:
            self.assertIn(word, run.stderr)
        self.assertEqual(self.files(), before)

    def test_each_names_its_place(self):
        cases = [
            ({}, 'run.json: duration_s: is missing'),
            ({'duration_s': -1}, 'run.json: duration_s: '),
            ({'duration_s': '1'}, 'run.json: duration_s: must be a number'),
            ({'duration_s': 1, 'step_s': 1}, 'run.json: step_s: is 1 s; it must be within 1e-07 and 0.1'),
            ({'duration_s': 1e9}, 'run.json: duration_s: takes 1e+12 steps'),
            ({'output_s': 0}, 'run.json: output_s: must be above 0'),
            ({'durations': 1}, 'run.json: durations: unknown key; did you mean "duration_s"?'),
            ({'base': 'free'}, 'run.json: base: "free" is not known; allowed: "floating" and "fixed"'),
            ({'start': {'q': {'swin': 1}}}, 'run.json: start.q.swin: unknown key; did you mean "swing"?'),
            ({'start': {'dq': {'swing': 'fast'}}}, 'run.json: start.dq.swing: must be a number'),
            ({'start': {'base': {}}}, 'run.json: start.base: the base is fixed'),
            ({'commands': {'swing': 1}}, 'run.json: commands.swing must be an object'),
            ({'commands': {'swing': {}}}, 'run.json: commands.swing: says no command'),
            ({'commands': {'swng': {'torque_Nm': 1}}}, 'commands.swng: unknown key; did you mean "swing"?'),
            ({'commands': {'swing': {'voltage_V': 1}}},
             'commands.swing: "voltage_V" does not fit: the joint takes a torque'),
            ({'commands': {'swing': {'force_N': 1}}}, 'commands.swing: "force_N" does not fit'),
            ({'commands': {'swing': {'torque_Nm': 1, 'pd': {}}}}, 'commands.swing.pd: cannot be given together with'),
            ({'commands': {'swing': {'torque_Nm': [[0, 1], [1]]}}},
             'commands.swing.torque_Nm[1]: must be a point [t, v]'),
            ({'commands': {'swing': {'torque_Nm': [[1, 1], [0, 1]]}}},
             'commands.swing.torque_Nm[1]: its time 0 s is before'),
            ({'commands': {'swing': {'torque_Nm': []}}}, 'commands.swing.torque_Nm: is an empty list'),
            ({'commands': {'swing': {'pd': {'target': 0}}}}, 'commands.swing.pd.kp: is missing'),
            ({'commands': {'swing': {'csv': {'file': 'no.csv', 'column': 'u'}}}}, 'no.csv: cannot be read'),
            ({'commands': {'swing': {'csv': {'file': 'log.csv', 'column': 'v'}}}}, 'log.csv:1: there is no column "v"'),
            ({'commands': {'swing': {'csv': {'file': 'log.csv', 'column': 'u'}}}},
             'log.csv:3: the time 0 s is not after'),
            ({'commands': {'swing': {'csv': {'file': 'late.csv', 'column': 'u'}}}},
             'late.csv:2: column "u" begins at 12.5 s, and the scenario ends at 0.01 s'),
            ({'environment': {}}, 'run.json: environment: must be a list'),
            ({'environment': [{}]}, 'run.json: environment[0] must hold a "ground" or a "box"'),
            ({'environment': [{'box': {}}]}, 'run.json: environment[0].box.size_m: is missing'),
            ({'environment': [{'ground': {'friction': [0.1, 0.5]}}]}, 'environment[0].ground.friction: must be'),
            ({'environment': [{'ground': {'friction': -1}}]}, 'environment[0].ground.friction: must be'),
            ({'environment': [{'ground': {'restitution': 2}}]}, 'environment[0].ground.restitution: must be within'),
            ({'environment': [{'ground': {'rpy': [0, 180, 0]}}]}, 'environment[0].ground.rpy: must be angles in rad'),
            ({'contacts_at_once': 0}, 'run.json: contacts_at_once: must be a whole number'),
            ({'gravity_mps2': [0, 0, -1e7]}, 'run.json: gravity_mps2: is beyond a million'),
            ({'gravity_mps2': -9.8}, 'run.json: gravity_mps2: must be a list of 3'),
        ]
        self.write('log.csv', 't,u\n0,1\n0,2\n')
        self.write('late.csv', 't,u\n12.5,1\n13,2\n')
        for change, words in cases:
            with self.subTest(words):
                scenario = copy.deepcopy(change)
                if 'durations' not in change and change:
                    scenario.setdefault('duration_s', 0.01)
                self.refuse(scenario, words)

    def test_base(self):
        scenario = {'base': 'floating', 'duration_s': 0.01, 'start': {'base': {'quaternion_wxyz': [1, 1, 0, 0]}}}
        self.refuse(scenario, 'start.base.quaternion_wxyz: has the length 1.41421', urdf=BOX)
        scenario['start'] = {'base': {'quaternion_wxyz': [1, 0, 0, 0], 'rpy': [0, 0, 0]}}
        self.refuse(scenario, 'start.base.quaternion_wxyz: cannot be given together with "rpy"', urdf=BOX)
        self.refuse({'duration_s': 1}, 'the robot has no moving joint; is it meant to float?', urdf=BOX)

    def test_files(self):
        self.refuse('{"duration_s": 1,\n "step_s": }', 'run.json:2: not JSON')
        self.refuse('{"duration_s": 1, "duration_s": 2}', 'the key "duration_s" is given twice')
        self.refuse(self.GOOD, 'the result would overwrite an input', code=2, arguments=('-o', 'run.json'))
        self.refuse(self.GOOD, 'cannot be the same file', code=2, arguments=('-o', 'x', '--html', './x'))
        self.refuse(self.GOOD, 'cannot be written', code=4, arguments=('-o', 'none/x.csv'))
        self.refuse(self.GOOD, 'cannot be written', code=4, arguments=('--html', 'none/x.html'))  # and no CSV
        self.refuse({**self.GOOD, 'drives': 'none.json'}, 'none.json: cannot be read')

    def test_a_step_fails(self):
        """The message has the time, the joint and the library's sentence; nothing is written."""
        scenario = {'duration_s': 1, 'commands': {'swing': {'torque_Nm': [[0, 0], [0.5, 0], [0.5, 1e10]]}}}
        self.refuse(scenario, 'run.json: the simulation stopped at 0.5 s, joint swing: an input is beyond any robot',
                    'Nothing was written')


if __name__ == '__main__':
    unittest.main()
