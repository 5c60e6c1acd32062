"""What the guide says of the repository is so: conventions name tests that exist, links lead somewhere, and tables are
what programs print.
"""
# SPDX-License-Identifier: MIT
import os
import re
import subprocess
import unittest

import pages

CONVENTIONS = pages.ROOT / 'lib' / 'docs' / 'conventions.md'
CONVENTION_TESTS = ('test_conventions.cpp', 'test_contact_conventions.cpp')


def tests_that_run():
    """Functions that the two files hand to KINECAST_SUITE, after the suite's name; any other function does not run."""
    names = set()
    for file in CONVENTION_TESTS:
        text = (pages.ROOT / 'tests' / 'unit' / file).read_text(encoding='utf-8')
        names |= set(re.findall(r'\w+', re.search(r'KINECAST_SUITE\(\w+,([^)]*)\)', text)[1]))
    return names


def unproved(text, tests):
    """[sentence] for each line of a table with a column `test` that names no test, or one that does not exist."""
    wrong, in_table = [], False
    for number, line in enumerate(text.splitlines(), 1):
        cells = [cell.strip() for cell in line.strip('|').split('|')] if line.startswith('|') else []
        if cells and cells[-1] == 'test':
            in_table = True
        elif not cells:
            in_table = False
        elif in_table and not re.fullmatch(r'-+', cells[-1]):
            name = re.fullmatch(r'`(test_\w+)`', cells[-1])
            if not name or name[1] not in tests:
                wrong.append(f'line {number}: no such test: {cells[-1]}')
    return wrong


class Conventions(unittest.TestCase):
    def test_each_names_its_test(self):
        self.assertEqual(unproved(CONVENTIONS.read_text(encoding='utf-8'), tests_that_run()), [])

    def test_each_test_is_named(self):
        named = set(re.findall(r'`(test_\w+)`', CONVENTIONS.read_text(encoding='utf-8')))
        self.assertGreater(len(named), 15)
        self.assertEqual(named, tests_that_run())

    def test_the_check_finds_what_is_wrong(self):
        table = '| what | convention | test |\n|---|---|---|\n| up | z | `test_a` |\n| down | -z | |\n| left | y | `test_b` |\n'
        self.assertEqual(len(unproved(table, {'test_a'})), 2)


class Architecture(unittest.TestCase):
    """The walk through a step names a header and, in the next cell, the functions that it has."""
    HEADERS = pages.ROOT / 'lib' / 'include' / 'kinecast'
    ROW = re.compile(r'^\|[^|]*\| `([\w/]+\.hpp)` \| ([^|]+) \|', re.M)

    def missing(self, page):
        missing = []
        for header, functions in self.ROW.findall(page):
            path = self.HEADERS / header
            text = path.read_text(encoding='utf-8') if path.exists() else ''
            missing += [f'{header}: {name}' for name in re.findall(r'`(\w+)`', functions)
                        if not re.search(rf'\b{name}[(<]', text)]
        return missing

    def test_names_what_there_is(self):
        page = (pages.ROOT / 'lib' / 'docs' / 'architecture.md').read_text(encoding='utf-8')
        self.assertGreater(len(self.ROW.findall(page)), 25)
        self.assertEqual(self.missing(page), [])

    def test_every_header_that_a_page_names_is_there(self):
        for name in ('architecture.md', 'method.md'):
            page = (pages.ROOT / 'lib' / 'docs' / name).read_text(encoding='utf-8')
            for path in re.findall(r'`([a-z_]+(?:/[a-z_0-9]+)+\.[hc]pp)`', page):
                self.assertTrue((pages.ROOT / path).exists() or (self.HEADERS / path).exists(), f'{name}: {path}')

    def test_the_check_finds_what_is_wrong(self):
        page = '| 1 | `core/status.hpp` | `ok` `no_such_function` | x |\n| 2 | `core/none.hpp` | `ok` | x |\n'
        self.assertEqual(self.missing(page), ['core/status.hpp: no_such_function', 'core/none.hpp: ok'])


class Links(unittest.TestCase):
    LINK = re.compile(r'\]\(([^)\s]+)\)')

    def test_lead_somewhere(self):
        found = 0
        for page in pages.pages():
            for target in self.LINK.findall(re.sub(r'`[^`\n]*`', '', pages.without_blocks(page))):
                found += 1
                path = (page.parent / target.split('#')[0]).resolve()
                self.assertTrue(path.exists() and pages.ROOT in (path, *path.parents), f'{page.name}: {target}')
        self.assertGreater(found, 30)

    def test_every_page_is_in_the_index(self):
        index = (pages.ROOT / 'lib' / 'docs' / 'README.md').read_text(encoding='utf-8')
        for page in pages.pages()[1:]:
            if page.name != 'README.md':
                self.assertIn(f'({page.name})', index)


class Figures(unittest.TestCase):
    def test_tables_are_what_the_programs_print(self):
        """A block ```text prints NAME is the output of the program guide_NAME, to the letter."""
        found = set()
        for page in pages.pages():
            for block in pages.blocks(page):
                if block.language == 'text' and len(block.words) == 2:
                    program = os.path.join(os.environ['KINECAST_GUIDE_PROGRAMS'], f'guide_{block.words[1]}')
                    run = subprocess.run([program], stdout=subprocess.PIPE, text=True, check=True)
                    self.assertEqual(block.text, run.stdout.rstrip(), f'{page.name}:{block.line}')
                    found.add(block.words[1])
        self.assertEqual(found, {'k_and_lambda', 'memory'})


class Finished(unittest.TestCase):
    def test_nothing_is_left_to_fill_in(self):
        for page in pages.pages():
            self.assertFalse('@@' in page.read_text(encoding='utf-8'), page.name)


if __name__ == '__main__':
    unittest.main()
