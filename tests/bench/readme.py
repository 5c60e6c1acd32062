"""Compares the tables of README.md and lib/docs/measured.md with what was just measured: rows with a cell `work/robot`, in float on
the reference board, or on the one behind the name: `work/robot` m7. The columns are found by their titles. Says which cells are
out of date; the figures are the pages' to keep.
"""
# SPDX-License-Identifier: MIT
import os
import re

PAGES = ('README.md', os.path.join('lib', 'docs', 'measured.md'))
METRICS = {'instructions': 'instructions', 'instructions per step': 'instructions',
           'flash B': 'flash_B', 'RAM B': 'ram_B', 'stack B': 'stack_B'}


def read_pages(root):
    """{page: text}"""
    pages = {}
    for page in PAGES:
        with open(os.path.join(root, page), encoding='utf-8') as file:
            pages[page] = file.read()
    return pages


def stale_cells(pages, results, reference):
    """[sentence] for every figure that differs, and how many were compared."""
    stale, compared = [], 0
    for page, text in pages.items():
        columns = {}
        for line in text.splitlines():
            cells = [cell.strip() for cell in line.strip().strip('|').split('|')]
            titles = {at: METRICS[cell] for at, cell in enumerate(cells) if cell in METRICS}
            columns = titles or columns
            name = next(filter(None, (re.fullmatch(r'`(\w+)/(\w+)`(?: (\w+))?', cell) for cell in cells)), None)
            for column, metric in columns.items() if name else ():
                written = re.sub(r'[\s*]', '', cells[column]) if column < len(cells) else ''
                if not written.isdigit():
                    continue
                compared += 1
                measured = results.values.get((name[1], name[2], 'float', name[3] or reference, metric))
                if measured is None or round(measured) != int(written):
                    stale.append(f'{page}: {name[0]} {metric}: says {written}, measured {measured}')
    return stale, compared
