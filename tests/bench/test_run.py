"""Trial of the bench's own machinery: broken output is refused, a bench that cannot run fails the run and leaves no table,
a missed limit is shown and fails nothing; figures are written into pages as measured, and risen counts are found.
"""
# SPDX-License-Identifier: MIT
import contextlib
import io
import os
import re
import subprocess
import sys
import tempfile
import unittest
import unittest.mock

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import compare
import figures
import record
from results import BenchError, Key, Results, add_derived, parse, without_derived
import run
import table

RUN = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'run.py')
PROJECT = figures.ROOT


def read(*names):
    with open(os.path.join(*names), encoding='utf-8') as file:
        return file.read()


class Lines(unittest.TestCase):
    def test_good(self):
        text = 'hello\nBENCH aba arm6 float instructions 3525\nBENCH aba arm6 float ns 1.5\n'
        self.assertEqual(parse(text), [('aba', 'arm6', 'float', 'instructions', 3525), ('aba', 'arm6', 'float', 'ns', 1.5)])

    def test_broken(self):
        for line in ('BENCH aba arm6 float instructions', 'BENCH aba arm6 float instructions nan',
                     'BENCH aba arm6 float instructions -4', 'BENCH aba arm6 half instructions 3',
                     'BENCH aba arm6 float instructions 35 25', 'BENCHaba arm6 float instructions 3525'):
            with self.subTest(line), self.assertRaisesRegex(BenchError, 'not a line of a bench'):
                parse(line)

    def test_silent(self):
        with self.assertRaisesRegex(BenchError, 'printed no result'):
            parse('all is well\n')

    def test_twice(self):
        with self.assertRaisesRegex(BenchError, 'said twice'):
            parse('BENCH aba arm6 float ns 1\nBENCH aba arm6 float ns 2\n')

    def test_not_as_planned(self):
        with self.assertRaisesRegex(BenchError, r'missing: .*stack_B.*not expected: .*rnea'):
            parse('BENCH rnea arm6 float stack_B 1\n', [('aba', 'arm6', 'float', 'stack_B')])


def some_results():
    results = Results()
    for target, metric, value in (('m4', 'instructions', 3687), ('m4', 'flash_B', 14500), ('m7', 'instructions', 3600),
                                  ('m7', 'ratio', 1.0141), ('x86_64', 'ratio', 3.44)):
        results.add('aba', 'arm6', 'float', target, metric, value)
    return results


class Pages(unittest.TestCase):
    STALE = """
| board | flash B | instructions per step | row |
|---|---|---|---|
| M4 | 4 416 | 12 | `aba/arm6` |

| row | instructions | limit | RAM B |
|---|---|---|---|
| `aba/arm6` m7 | **1** | gone | |

| row | ratio | limit |
|---|---|---|
| `aba/arm6` host | 3.7 | 1 |

A sweep takes 12<!-- bench aba/arm6 --> or 1 234.5<!-- bench aba/arm6 flash_B -->, which is
3 %<!-- a remark -->, 7 times 999 or 1<!-- bench aba/arm6 m7 ratio percent --> %.
"""
    TRUE = """
| board | flash B | instructions per step | row |
|---|---|---|---|
| M4 | 14 500 | 3 687 | `aba/arm6` |

| row | instructions | limit | RAM B |
|---|---|---|---|
| `aba/arm6` m7 | 3 600 | 3 000: **not met**; ratio 1.05 (1.014) | |

| row | ratio | limit |
|---|---|---|
| `aba/arm6` host | **3.4** | at least 3 |

A sweep takes 3 687<!-- bench aba/arm6 --> or 14 500.0<!-- bench aba/arm6 flash_B -->, which is
3 %<!-- a remark -->, 7 times 999 or 101<!-- bench aba/arm6 m7 ratio percent --> %.
"""
    LIMITS = {Key('aba', 'arm6', 'float', 'm7', 'instructions'): ('<=', 3000.0, ''),
              Key('aba', 'arm6', 'float', 'm7', 'ratio'): ('<=', 1.05, ''),
              Key('aba', 'arm6', 'float', 'x86_64', 'ratio'): ('>=', 3.0, '')}

    def setUp(self):
        self.writer = figures.Writer(record.Record('gcc 1', 'x86_64, gcc 2', 'Rival 3', some_results()), self.LIMITS)

    def test_written(self):
        self.assertEqual(self.writer.page(self.STALE), self.TRUE)
        self.assertEqual(self.writer.page(self.TRUE), self.TRUE)
        found = figures.differences('page.md', self.STALE, self.TRUE)
        self.assertEqual([line.split(':')[1] for line in found], ['4', '8', '12', '14', '15'])

    def test_worst(self):
        """The columns of the worst step show its own limit, and no other."""
        results = Results()
        for work, metric, value in (('step', 'instructions', 100), ('step_searched', 'instructions', 320),
                                    ('step_pushed', 'instructions_mean', 120)):
            results.add(work, 'arm6', 'float', 'm4', metric, value)
        add_derived(results)
        limits = {Key('step', 'arm6', 'float', 'm4', 'instructions'): ('<=', 90.0, ''),
                  Key('step', 'arm6', 'float', 'm4', 'worst_ratio'): ('<=', 4.0, '')}
        writer = figures.Writer(record.Record('gcc 1', 'x86_64, gcc 2', 'Rival 3', results), limits)
        self.assertEqual(writer.page("""
| row | instructions | pushed, mean | worst found | over the usual | limit |
|---|---|---|---|---|---|
| `step/arm6` | 1 | 1 | 1 | 1.0 | |
| row | instructions | limit |
| `step/arm6` | 1 | |
"""), """
| row | instructions | pushed, mean | worst found | over the usual | limit |
|---|---|---|---|---|---|
| `step/arm6` | 100 | 120 | 320 | **3.2** | 4 |
| row | instructions | limit |
| `step/arm6` | 100 | 90: **not met** |
""")

    def test_refused(self):
        for text, said in (('12<!-- bench abba/arm6 -->', 'no such figure was measured'),
                           ('| row | instructions |\n| `aba/arm7` | 12 |', 'no such figure was measured'),
                           ('about <!-- bench aba/arm6 -->', 'not a mark of a figure'),
                           ('12<!-- bench aba -->', 'not a mark of a figure')):
            with self.subTest(text), self.assertRaisesRegex(BenchError, said):
                self.writer.page(text)

    def test_project(self):
        """The rows of the README's table, which are counted again at every test, and which the other pages share."""
        rows = figures.rows_of_readme()
        self.assertGreaterEqual(len(rows), 6)
        measured = figures.read_page(figures.MEASURED)
        self.assertEqual([row for row in rows if f'`{row[0]}/{row[1]}`' not in measured], [])


class Recorded(unittest.TestCase):
    def test_round_trip(self):
        results = some_results()
        results.add('aba', 'arm6', 'double', 'x86_64', 'ns', 374.9)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, 'recorded.csv')
            record.write(path, record.Record('gcc 1', 'x86_64, gcc 2', 'Rival 3', results))
            recorded = record.read(path)
        self.assertEqual((recorded.boards, recorded.host, recorded.rival), ('gcc 1', 'x86_64', 'Rival 3'))
        self.assertEqual(recorded.results.get('aba', 'arm6', 'float', 'm4', 'instructions'), 3687)
        self.assertIsNone(recorded.results.get('aba', 'arm6', 'double', 'x86_64', 'ns'), 'a time was recorded')
        self.assertEqual(record.differences(recorded, results), [])

        other = Results()
        other.add('aba', 'arm6', 'float', 'm4', 'instructions', 3686)
        other.add('aba', 'arm6', 'float', 'x86_64', 'ratio', 1)  # times may differ
        other.add('aba', 'arm6', 'float', 'm4', 'stack_B', 160)
        self.assertEqual(record.differences(recorded, other),
                         ['aba arm6 float m4 instructions: recorded 3687, measured 3686',
                          'aba arm6 float m4 stack_B: recorded nothing, measured 160'])


class Compared(unittest.TestCase):
    def test_risen(self):
        old, new = Results(), Results()
        for robot, after in (('arm6', 1001), ('arm7', 1004), ('arm8', 1006), ('arm9', 900)):
            old.add('aba', robot, 'float', 'm4', 'instructions', 1000)
            new.add('aba', robot, 'float', 'm4', 'instructions', after)
            old.add('aba', robot, 'float', 'm4', 'flash_B', 1000)
        old.add('aba', 'arm6', 'float', 'm7', 'instructions', 1000)
        new.add('aba', 'arm6', 'float', 'm7', 'instructions', 1001)  # the README's figure is the reference board's
        old.add('aba', 'chain', 'float', 'm4', 'instructions', 1)
        found, compared, fell = compare.risen(old, new, {('aba', 'arm6', 'float')})
        self.assertEqual((compared, fell), (6, 1))
        self.assertEqual([line.split(':')[0] for line in found],
                         [f'aba {robot} float m4 instructions' for robot in ('arm6', 'arm8', 'chain')])


class Values(unittest.TestCase):
    def setUp(self):
        self.results = Results()

    def add(self, value, robot='arm6', metric='instructions'):
        self.results.add('aba', robot, 'float', 'm4', metric, value)

    def test_refused(self):
        self.add(1)
        with self.assertRaisesRegex(BenchError, 'twice'):
            self.add(1)
        with self.assertRaisesRegex(BenchError, 'unknown metric'):
            self.add(1, metric='joules')
        with self.assertRaisesRegex(BenchError, 'not a number'):
            self.add(float('nan'), metric='ns')

    def test_slopes(self):
        for joints, count in ((6, 600), (20, 2000), (50, 5000), (100, 10500)):
            self.add(count, f'chain{joints}')
        add_derived(self.results)
        self.assertAlmostEqual(self.results.get('aba_per_joint', 'chain', 'float', 'm4', 'ratio'), 1.1)
        self.assertAlmostEqual(self.results.get('aba_per_joint', 'chain50_100', 'float', 'm4', 'instructions'), 110)

    def test_differences(self):
        self.results.add('step', 'arm6', 'float', 'm4', 'instructions', 4078)
        self.results.add('step_limit', 'arm6', 'float', 'm4', 'instructions', 5007)
        self.results.add('aba_rigidified', 'chain20', 'float', 'm4', 'instructions', 40)
        self.add(100, 'chain20')
        add_derived(self.results)
        self.assertEqual(self.results.get('step_limit_minus_step', 'arm6', 'float', 'm4', 'instructions'), 929)
        self.assertAlmostEqual(self.results.get('aba_rigidified_per_aba', 'chain20', 'float', 'm4', 'ratio'), 0.4)

    def test_worst(self):
        for work, metric, value in (('step', 'instructions', 100), ('step_worst', 'instructions', 150),
                                    ('step_searched', 'instructions', 320), ('step_pushed', 'instructions', 200),
                                    ('step_pushed', 'instructions_mean', 120)):
            self.results.add(work, 'arm6', 'float', 'm4', metric, value)
        self.results.add('step', 'arm6', 'float', 'm7', 'instructions', 100)  # where nothing was searched
        add_derived(self.results)
        self.assertEqual(self.results.get('step', 'arm6', 'float', 'm4', 'instructions_worst'), 320)
        self.assertAlmostEqual(self.results.get('step', 'arm6', 'float', 'm4', 'worst_ratio'), 3.2)
        self.assertIsNone(self.results.get('step', 'arm6', 'float', 'm7', 'instructions_worst'))
        self.assertEqual(len(without_derived(self.results).values), 6)
        text = '\n'.join(table.lines(self.results, self.limits('step,arm6,float,m4,worst_ratio,<=,4,'), 'x86_64'))
        self.assertRegex(text, r'step/arm6 float m4 +100 +120 +200 +320 +3\.2 +<= 4 +met')
        text = '\n'.join(table.lines(self.results, self.limits('step,arm6,float,m4,worst_ratio,<=,3,'), 'x86_64'))
        self.assertRegex(text, r'step/arm6 float m4 +100 +120 +200 +320 +3\.2 +<= 3 +NOT MET')

    def limits(self, line):
        with tempfile.NamedTemporaryFile('w', suffix='.csv') as file:
            file.write('work,robot,scalar,target,metric,relation,limit,elsewhere\n' + line + '\n')
            file.flush()
            return table.read_limits(file.name, 'x86_64')

    def test_limits(self):
        self.add(3525)
        met = self.limits('aba,arm6,float,m4,instructions,<=,3525,')
        missed = self.limits('aba,arm6,float,m4,instructions,<=,3524,')
        self.assertNotIn('NOT MET', '\n'.join(table.lines(self.results, met, 'x86_64')))
        self.assertIn('NOT MET', '\n'.join(table.lines(self.results, missed, 'x86_64')))

    def test_limit_of_nothing(self):
        self.add(3525)
        self.assertEqual(table.unmeasured(self.results, self.limits('abba,arm6,float,m4,instructions,<=,1,')),
                         ['abba arm6 float m4 instructions'])
        with self.assertRaises(BenchError):
            self.limits('aba,arm6,float,m4,instructions,<,1,')


class WholeRun(unittest.TestCase):
    """run.py as a program, with a rival that is a shell script and a plan of one firmware that does not exist."""

    def run_with(self, rival, plan_rows=''):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        names = ('plan.csv', 'empty.csv', 'rival', 'bench.csv', 'made_with.txt')
        paths = {name: os.path.join(folder.name, name) for name in names}
        head = 'work,robot,scalar,program,call_graph\n'
        for name, text in (('plan.csv', head + plan_rows), ('empty.csv', head), ('rival', f'#!/bin/sh\n{rival}\n'),
                           ('bench.csv', 'old'), ('made_with.txt', 'gcc 1\n')):
            with open(paths[name], 'w', encoding='utf-8') as file:
                file.write(text)
        os.chmod(paths['rival'], 0o755)
        run = subprocess.run([sys.executable, RUN, '--board', 'm4', 'mps2_an386', paths['plan.csv'], '--host', 'x86_64',
                              paths['empty.csv'], '--rival', paths['rival'], '--out', paths['bench.csv']],
                             capture_output=True, text=True, check=False)
        self.assertFalse(os.path.exists(paths['bench.csv']), 'a failed run left a table')
        self.assertEqual(run.returncode, 1, run.stdout + run.stderr)
        self.assertNotIn('Traceback', run.stderr)
        return run.stdout

    def test_missing_firmware(self):
        output = self.run_with('echo BENCH aba arm6 double ns 1', 'aba,arm6,float,nowhere.elf,nowhere.ci\n')
        self.assertIn('m4 aba/arm6 float: nowhere.elf ended with 125', output)

    def test_rival_says_nonsense(self):
        self.assertIn('not a line of a bench', self.run_with('echo BENCH nonsense'))

    def test_rival_fails(self):
        self.assertIn('ended with 3', self.run_with('exit 3'))

    def test_measured_nothing(self):
        self.assertIn('limit without a measurement', self.run_with('echo BENCH aba arm6 double ns 1'))


class Update(unittest.TestCase):
    """run.py --update with the recorded values in the place of a measurement: it writes the committed record and pages."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.recorded = record.read(record.PATH)
        self.measured = without_derived(self.recorded.results)
        self.base = {(key.target, key.scalar): value - self.recorded.results.get(*key[:4], 'flash_B')
                     for key, value in self.recorded.results.values.items() if key.metric == 'flash_total_B'}
        for owner, name, value in ((run, 'on_board', self.on_board), (run, 'add_host', self.add_host),
                                   (figures, 'ROOT', self.folder), (record, 'PATH', self.path('recorded.csv'))):
            patch = unittest.mock.patch.object(owner, name, value)
            patch.start()
            self.addCleanup(patch.stop)

    def path(self, *names):
        path = os.path.join(self.folder, *names)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        return path

    def write(self, text, *names):
        with open(self.path(*names), 'w', encoding='utf-8') as file:
            file.write(text)

    def on_board(self, preset, _, row):
        if row['work'] == run.BASE:
            return {'instructions': 5, 'flash_total_B': self.base[preset, row['scalar']], 'ram_B': 0}
        values = {key.metric: value for key, value in self.measured.values.items()
                  if key[:4] == (row['work'], row['robot'], row['scalar'], preset)}
        values.pop('flash_B', None)  # which run.py computes
        return values

    def add_host(self, results, _, host, rows):
        for row in rows:
            key = Key(row['work'], row['robot'], row['scalar'], host, 'instructions')
            results.add(*key, self.recorded.results.values[key])

    def plan(self, target):
        """Path of a plan with all the rows that were measured on the target, and not computed from others."""
        is_host = target == self.recorded.host
        measured = 'instructions' if is_host else 'instructions_min'
        lines = [f'{",".join(key[:3])},none,none' for key in self.recorded.results.values
                 if key.target == target and key.metric == measured]
        lines += [f'{run.BASE},none,{scalar},none,none' for board, scalar in self.base if board == target]
        self.write('\n'.join(['work,robot,scalar,program,call_graph', *lines, '']), target, 'plan.csv')
        made_with = self.recorded.host_build.partition(', ')[2] if is_host else self.recorded.boards
        self.write(made_with, target, 'made_with.txt')
        return self.path(target, 'plan.csv')

    def test_only(self):
        """run.py --only: the named rows are measured and recorded, the others stay, and the derived are new."""
        for page in figures.PAGES:
            self.write(read(PROJECT, page), page)
        self.write(read(PROJECT, 'tests', 'bench', 'recorded.csv'), 'recorded.csv')
        row = ('aba', 'chain20', 'float', 'm4', 'instructions')
        self.measured.values[Key(*row)] += 1000
        built = []
        arguments = ['run.py', '--board', 'm4', 'none', self.plan('m4'), '--only', 'aba/chain20', 'step_limit']
        def run_it(*more):
            with unittest.mock.patch.object(run, 'build', lambda plan, rows: built.extend(rows)), \
                 unittest.mock.patch.object(sys, 'argv', [*arguments, *more]), \
                 contextlib.redirect_stdout(io.StringIO()) as output:
                run.main()
            return output.getvalue()
        before = read(self.folder, 'recorded.csv')
        self.assertIn(f'{" ".join(row)}: recorded ', run_it())
        self.assertEqual(read(self.folder, 'recorded.csv'), before, 'recorded without being asked to')
        self.assertEqual({(row['work'], row['robot']) for row in built},
                         {('aba', 'chain20'), ('step_limit', 'arm6'), ('base', 'none')})
        self.assertIn(', 0 lines are not as in recorded.csv', run_it('--update'))
        written = record.read(self.path('recorded.csv')).results
        old = self.recorded.results
        changed = {key for key, value in written.values.items() if old.values.get(key) != value}
        self.assertIn(Key(*row), changed)
        self.assertIn(Key('aba_rigidified_per_aba', 'chain20', 'float', 'm4', 'ratio'), changed)
        self.assertEqual({key for key in changed if key.target != 'm4' or not key.work.startswith('aba')}, set())
        self.assertEqual(written.values.keys(), old.values.keys())
        for word, said in (('nothing', 'no such row: nothing'), ('aba/arm7', 'no such row: aba/arm7')):
            arguments[-1] = word
            with self.assertRaisesRegex(SystemExit, said):
                run_it()
        self.recorded = self.recorded._replace(boards='another compiler')
        arguments[4] = self.plan('m4')
        arguments[-1] = 'step_limit'
        with self.assertRaisesRegex(SystemExit, 'measure all rows'):
            run_it()

    def test_update(self):
        committed = {page: read(PROJECT, page) for page in figures.PAGES}
        for page, text in committed.items():
            self.write(re.sub(r'\d(<!-- bench| \| `\w+/\w+` \|$)', r'7\1', text, flags=re.M), page)
        self.assertNotEqual(read(self.folder, 'README.md'), committed['README.md'])
        lines = [f'echo BENCH {key.work} {key.robot} {key.scalar} ratio {value}'
                 for key, value in self.recorded.results.values.items() if self.recorded.is_timed(key)]
        self.write('\n'.join(['#!/bin/sh', f'echo RIVAL {self.recorded.rival}', *lines, '']), 'rival')
        os.chmod(self.path('rival'), 0o755)
        host = self.recorded.host
        boards = [word for target in self.recorded.results.targets() if target != host
                  for word in ('--board', target, 'none', self.plan(target))]
        arguments = ['run.py', *boards, '--host', host, self.plan(host), '--rival', self.path('rival'),
                     '--out', self.path('bench.csv'), '--update']
        with unittest.mock.patch.object(sys, 'argv', arguments), contextlib.redirect_stdout(io.StringIO()) as output:
            run.main()
        self.assertIn(', 0 lines are not as in recorded.csv', output.getvalue())
        for page, text in committed.items():
            self.assertEqual(read(self.folder, page), text)
        written, recorded = (sorted(read(*names).splitlines())
                             for names in ((self.folder, 'recorded.csv'), (PROJECT, 'tests', 'bench', 'recorded.csv')))
        self.assertEqual(written, recorded)


if __name__ == '__main__':
    unittest.main()
