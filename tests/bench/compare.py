"""Lists the rows whose instructions rose from one bench to another, and fails if one did.
usage: compare.py OLD NEW   (bench.csv or recorded.csv)
A row may rise by 0.5 %: the compiler orders code anew when something beside it changes. A row of the README's table may
not rise at all. A row that OLD has and NEW has not is an error. Rows that fell are counted, not listed.
"""
# SPDX-License-Identifier: MIT
import sys

import figures
from results import Results, text_of
from table import REFERENCE

TOLERANCE = 0.005


def read(path):
    with open(path, encoding='utf-8', newline='') as file:
        return Results.from_csv(line for line in file if not line.startswith('#'))


def risen(old, new, exact_rows):
    """([sentence] of the rows that rose by too much or are gone, how many were compared, how many fell)"""
    found, compared, fell = [], 0, 0
    for key, before in old.values.items():
        if key.metric not in ('instructions', 'instructions_min', 'instructions_mean', 'instructions_p999'):
            continue
        compared += 1
        after = new.values.get(key)
        tolerance = 0 if key.target == REFERENCE and key[:3] in exact_rows else TOLERANCE
        if after is None:
            found.append(f'{" ".join(key)}: is gone')
        elif after > before * (1 + tolerance):
            rise = f'+{100 * (after / before - 1):.2f} %'
            found.append(f'{" ".join(key)}: {text_of(before)} -> {text_of(after)} ({rise})')
        fell += after is not None and after < before
    return found, compared, fell


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    old, new = map(read, sys.argv[1:])
    found, compared, fell = risen(old, new, figures.rows_of_readme())
    print('\n'.join(found + [f'{compared} counts: {len(found)} rose or are gone, {fell} fell']))
    sys.exit(1 if found else 0)


if __name__ == '__main__':
    main()
