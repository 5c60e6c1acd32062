"""compare.py finds what it is for: a changed hash, a missing, a surplus and a doubled run, and a program that fails or prints nothing."""
# SPDX-License-Identifier: MIT
import os
import subprocess
import sys
import tempfile
import unittest

COMPARE = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'compare.py')
GOOD = ('BITS a_float 0x01', 'BITS b_double 0x02')


class Compare(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.recorded = os.path.join(self.folder.name, 'hashes.txt')
        with open(self.recorded, 'w', encoding='utf-8') as file:
            file.write('# head\nbits a_float 0x01\nbits b_double 0x02\nother c_float 0x03\n')

    def compare(self, *lines, options=(), exit_code=0):
        program = f'import sys\nprint({chr(10).join(lines)!r})\nsys.exit({exit_code})'
        ran = subprocess.run([sys.executable, COMPARE, self.recorded, '--program', 'bits', *options, '--',
                              sys.executable, '-c', program], capture_output=True, text=True, check=False)
        return ran.returncode, ran.stdout + ran.stderr

    def assert_refused(self, sentence, *lines, **named):
        code, said = self.compare(*lines, **named)
        self.assertNotEqual(code, 0)
        self.assertIn(sentence, said)

    def test_equal(self):
        self.assertEqual(self.compare(*GOOD), (0, '2 of 2 recorded runs, all bits equal\n'))

    def test_one_scalar(self):
        self.assertEqual(self.compare('BITS a_float 0x01', 'BITS b_double 0x09', options=('--scalar', 'float'))[0], 0)
        self.assert_refused('a_float: recorded 0x01, here 0x07', 'BITS a_float 0x07', options=('--scalar', 'float'))

    def test_some(self):
        self.assertEqual(self.compare(GOOD[0], options=('--at-least', '1'))[0], 0)
        self.assert_refused('at least 2', GOOD[0], options=('--at-least', '2'))

    def test_changed(self):
        self.assert_refused('a_float: recorded 0x01, here 0x05', 'BITS a_float 0x05', GOOD[1])

    def test_missing(self):
        self.assert_refused('b_double: missing here', GOOD[0])

    def test_surplus(self):
        self.assert_refused('c_float: not recorded', *GOOD, 'BITS c_float 0x03')

    def test_twice(self):
        self.assert_refused('a_float came twice', *GOOD, GOOD[0])

    def test_nothing(self):
        self.assert_refused('nothing is compared', 'no line of bits')

    def test_failed(self):
        self.assert_refused('ended with 3', *GOOD, exit_code=3)


if __name__ == '__main__':
    unittest.main()
