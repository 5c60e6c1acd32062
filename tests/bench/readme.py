"""Compares the README's table with what was just measured: rows that open with `work/robot`, then instructions, and flash,
RAM and stack in bytes, in float on the reference board, or on the one behind the name: `work/robot` m7. Says which cells are out of date; the figures are the README's to keep.
"""
# SPDX-License-Identifier: MIT
import re

METRICS = {2: 'instructions', 4: 'flash_B', 5: 'ram_B', 6: 'stack_B'}


def stale_cells(readme, results, reference):
    """[sentence] for every figure that differs, and how many were compared."""
    stale, compared = [], 0
    for line in readme.splitlines():
        cells = [cell.strip() for cell in line.strip('|').split('|')]
        name = re.fullmatch(r'`(\w+)/(\w+)`(?: (\w+))?', cells[0])
        if not name:
            continue
        for column, metric in METRICS.items():
            written = re.sub(r'[\s*]', '', cells[column]) if column < len(cells) else ''
            if not written.isdigit():
                continue
            compared += 1
            measured = results.values.get((name[1], name[2], 'float', name[3] or reference, metric))
            if measured is None or round(measured) != int(written):
                stale.append(f'README.md: {cells[0]} {metric}: says {written}, measured {measured}')
    return stale, compared
