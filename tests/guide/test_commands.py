"""Runs the commands of the guide: each page's blocks in order, in a fresh folder that looks like the checkout and gets what the
commands write, with the built tool first in the PATH. A block fails by its exit code, or by not printing what stands below it.
"""
# SPDX-License-Identifier: MIT
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

import pages

# What a test cannot run, by the word behind `skip`.
NOT_RUN = {
    'setup': 'installs packages as root; .ci/run does it, and static.setup tries the script',
    'workflow': 'takes minutes to an hour; .ci/run runs the test workflow, the others are built from the same targets',
    'build': 'builds into the checkout what this build has already built, or needs a board of the reader\'s',
}
COMMANDS = re.compile(r'^(?: {4}|\t)(?:sudo |\$ )?(?:cmake|kinecast|sh|python3|ctest|apt|git) ')
LONGEST_S = 180  # a page; on an idle machine it takes a tenth of that


def label(block):
    return f'{block.page.name}:{block.line}'


class Marks(unittest.TestCase):
    """No command escapes: all are in blocks that say what is done with them."""

    def test_every_shell_block_is_marked(self):
        used = set()
        for page in pages.pages():
            for block in pages.blocks(page):
                if block.language not in ('sh', 'bash', 'console', 'shell'):
                    continue
                with self.subTest(label(block)):
                    self.assertEqual(block.language, 'sh')
                    self.assertIn(block.words[:1], (['run'], ['skip']))
                    if block.words[0] == 'skip':
                        self.assertIn(block.words[1], NOT_RUN)
                        used.add(block.words[1])
        self.assertEqual(used, set(NOT_RUN), 'reasons that no block needs')

    def test_no_command_outside_of_blocks(self):
        for page in pages.pages():
            for number, line in enumerate(pages.without_blocks(page).splitlines(), 1):
                self.assertNotRegex(line, COMMANDS, f'{page.name}:{number}')


class Commands(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        """Robots that `kinecast simulate` compiled are not compiled again for the next page, and not kept for the next run."""
        made = tempfile.TemporaryDirectory()
        cls.addClassCleanup(made.cleanup)
        cls.cache = made.name

    def folder(self):
        """Everything of the checkout is there to be read; what is written stays here."""
        made = tempfile.TemporaryDirectory()
        self.addCleanup(made.cleanup)
        folder = pathlib.Path(made.name)
        for path in pages.ROOT.iterdir():
            if path.name not in ('build', '.git'):
                (folder / path.name).symlink_to(path)
        return folder

    def run_page(self, page):
        """Runs the page's blocks in one shell; [(block, what it printed)]."""
        blocks = pages.blocks(page)
        runs = [block for block in blocks if block.language == 'sh' and block.words[:1] == ['run']]
        if not runs:
            return blocks, []
        mark = '@@ block '
        script = 'set -eu\n' + ''.join(f"echo '{mark}{i}'\n{block.text}\n" for i, block in enumerate(runs))
        tool = os.path.dirname(os.environ['KINECAST_TOOL'])
        run = subprocess.run(['sh', '-c', script], cwd=self.folder(), text=True, check=False, timeout=LONGEST_S,
                             stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                             env={**os.environ, 'PATH': f'{tool}:{os.environ["PATH"]}', 'KINECAST_CACHE': self.cache})
        printed = re.split(rf'(?m)^{mark}\d+\n', run.stdout)[1:]
        self.assertEqual(run.returncode, 0, f'{label(runs[len(printed) - 1])}:\n{printed[-1] if printed else run.stdout}')
        return blocks, list(zip(runs, printed))

    def assert_prints(self, block, expected, printed):
        """Every line is found, in this order; `…` stands for anything within a line, blanks for one or more."""
        rest = printed
        for line in filter(None, map(str.strip, expected.splitlines())):
            pattern = r'[^\n]*'.join(r'\s+'.join(map(re.escape, part.split())) if part.strip() else r''
                                     for part in line.split('…'))
            match = re.search(pattern, rest)
            self.assertIsNotNone(match, f'{label(block)}: does not print, or not in this order: {line}\n{printed}')
            rest = rest[match.end():]

    def test_the_check_finds_what_is_missing(self):
        block = pages.Block(pages.ROOT / 'README.md', 1, 'text', ['prints'], '')
        self.assert_prints(block, 'a  b\nfrom … to 3', 'x\na b c\nfrom 1 to 3\n')
        for expected in ('c', 'b\na', 'from … to 4', 'from 1 … from 1'):
            with self.subTest(expected), self.assertRaises(AssertionError):
                self.assert_prints(block, expected, 'a b\nfrom 1 to 3\n')

    def check(self, page):
        blocks, runs = self.run_page(page)
        printed = {id(block): text for block, text in runs}
        for before, block in zip(blocks, blocks[1:]):
            if (block.language, block.words) == ('text', ['prints']) and id(before) in printed:
                self.assert_prints(block, block.text, printed[id(before)])
        return len(runs)


def add_page(page):
    def test(self):
        self.check(page)
    setattr(Commands, f'test_{page.stem.lower()}', test)


for a_page in pages.pages():
    if any(block.words[:1] == ['run'] for block in pages.blocks(a_page)):
        add_page(a_page)


if __name__ == '__main__':
    unittest.main()
