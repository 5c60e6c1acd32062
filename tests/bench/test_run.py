"""Trial of the bench's own machinery: broken output is refused, a bench that cannot run fails the run and leaves no table,
a missed limit is shown and fails nothing.
"""
# SPDX-License-Identifier: MIT
import os
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from results import BenchError, Results, add_slopes, parse
import readme
import table

RUN = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'run.py')


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


class Pages(unittest.TestCase):
    PAGE = ('| board | flash B | instructions per step | row |\n|---|---|---|---|\n| M4 | 4 416 | **3 687** | `aba/arm6` |\n'
            '| row | instructions | RAM B |\n|---|---|---|\n| `aba/arm6` m7 | 3 600 | |\n')

    def test_stale(self):
        results = Results()
        results.add('aba', 'arm6', 'float', 'm4', 'instructions', 3687)
        results.add('aba', 'arm6', 'float', 'm4', 'flash_B', 4500)
        stale, compared = readme.stale_cells({'page.md': self.PAGE}, results, 'm4')
        self.assertEqual(compared, 3)
        self.assertEqual(stale, ['page.md: `aba/arm6` flash_B: says 4416, measured 4500',
                                 'page.md: `aba/arm6` m7 instructions: says 3600, measured None'])

    def test_project(self):
        """The pages have figures to compare, and the README's are those of the whole table."""
        pages = readme.read_pages(os.path.join(os.path.dirname(RUN), '..', '..'))
        said = {page: {line.split(': ', 1)[1] for line in readme.stale_cells({page: text}, Results(), 'm4')[0]}
                for page, text in pages.items()}
        self.assertGreater(len(said['README.md']), 20)
        self.assertLessEqual(said['README.md'], said[readme.PAGES[1]])


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
        add_slopes(self.results)
        self.assertAlmostEqual(self.results.get('aba_per_joint', 'chain', 'float', 'm4', 'ratio'), 1.1)
        self.assertAlmostEqual(self.results.get('aba_per_joint', 'chain50_100', 'float', 'm4', 'instructions'), 110)

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
        paths = {name: os.path.join(folder.name, name) for name in ('plan.csv', 'empty.csv', 'rival', 'bench.csv')}
        head = 'work,robot,scalar,program,call_graph\n'
        for name, text in (('plan.csv', head + plan_rows), ('empty.csv', head), ('rival', f'#!/bin/sh\n{rival}\n'),
                           ('bench.csv', 'old')):
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


if __name__ == '__main__':
    unittest.main()
