"""The pages of the guide as the tests read them: README.md and lib/docs/*.md, and their fenced blocks.
A fence opens with ```language words...; of language `sh`, the words say what a test does with the block:
  sh run           guide.commands runs it
  sh skip NAME     it does not; NAME is in test_commands.py with the reason
and ```text prints  directly below a run block is what it must print (`prints NAME`: another test's).
"""
# SPDX-License-Identifier: MIT
import collections
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[2]
Block = collections.namedtuple('Block', 'page line language words text')


def pages():
    return [ROOT / 'README.md', *sorted((ROOT / 'lib' / 'docs').glob('*.md'))]


def blocks(page):
    """Every fenced block of a page, in order."""
    found, opened, lines = [], None, []
    for number, line in enumerate(page.read_text(encoding='utf-8').splitlines(), 1):
        if opened is None and line.startswith('```'):
            language, *words = line[3:].split() or ['']
            opened, lines = (number, language, words), []
        elif opened is not None and line == '```':
            found.append(Block(page, *opened, '\n'.join(lines)))
            opened = None
        elif opened is not None:
            lines.append(line)
    if opened is not None:
        raise ValueError(f'{page.name}:{opened[0]}: the block has no end')
    return found


def without_blocks(page):
    """The page's text with the fenced blocks blanked; line numbers stay."""
    return re.sub(r'(?ms)^```.*?^```$', lambda match: '\n' * match[0].count('\n'), page.read_text(encoding='utf-8'))
