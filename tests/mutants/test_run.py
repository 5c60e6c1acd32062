#!/usr/bin/env python3
"""Tries run.py on lists that are wrong, and on how it finds and replaces a text."""
# SPDX-License-Identifier: MIT
import pathlib
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import run  # noqa: E402

HEAD = 'file solve/rows.hpp\ntests newton\nfault a planted one\n'


def check(text):
    """What --check says of a list, and its exit code."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / 'faults.txt'
        path.write_text(text, encoding='utf-8')
        done = subprocess.run([sys.executable, str(HERE / 'run.py'), '--check', '--faults', str(path)],
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        return done.returncode, done.stdout.decode()


class WrongLists(unittest.TestCase):
    def assert_names(self, text, words):
        code, said = check(text)
        self.assertNotEqual(code, 0)
        self.assertIn(words, said)

    def test_text_that_is_not_there(self):
        self.assert_names(HEAD + '- return y times six;\n+ return 0;\n', 'rows.hpp:1 (a planted one): its text occurs 0 times')

    def test_text_that_is_there_twice(self):
        self.assert_names(HEAD + '- S(0)\n+ S(1)\n', 'rows.hpp:1')

    def test_anchor_that_is_not_there(self):
        self.assert_names(HEAD + 'after no such line\n- S(0)\n+ S(1)\n', 'its anchor occurs 0 times')

    def test_nothing_changes(self):
        self.assert_names(HEAD + '- impulse = last;\n+ impulse  = last;\n', 'it changes nothing')

    def test_no_such_test(self):
        self.assert_names(HEAD.replace('newton', 'nobody') + '- impulse = last;\n+ ;\n', 'test_nobody.cpp')

    def test_half_a_fault(self):
        self.assert_names(HEAD + '- impulse = last;\n', "no lines '-' and '+'")

    def test_good_list(self):
        self.assertEqual(check(HEAD + '- impulse = last;\n+ ;\n')[0], 0)


class Planting(unittest.TestCase):
    def planted(self, find, replace, source, after=None):
        fault = run.Fault('x:1', 'x', 'x', after, find, replace, ['newton'], None)
        return run.planted(fault, source)

    def test_white_space_and_anchor(self):
        self.assertEqual(self.planted('a = b + c;', 'a = b;', 'a =\n    b + c; d'), 'a = b; d')
        self.assertEqual(self.planted('x', 'y', 'x void f() x x', 'void f()'), 'x void f() y x')


if __name__ == '__main__':
    unittest.main()
