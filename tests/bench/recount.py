"""Runs the firmwares of the README's rows and of their worst steps on the reference board, and fails if what they count
is not as recorded: then recorded.csv is stale, and so are the pages. With another compiler than the record's it is
skipped (exit 77), because counts are the compiler's.
usage: recount.py BOARD PLAN   (as run.py's, of the reference board)
"""
# SPDX-License-Identifier: MIT
import sys

import figures
import record
from results import SEARCHED, BenchError, Results
import run
import table

SKIPPED = 77


def main():
    board, plan = sys.argv[1:]
    recorded = record.read(record.PATH)
    try:
        made_with = run.made_with([plan])
        if made_with != recorded.boards:
            print(f'skipped: recorded.csv was made with {recorded.boards}, these firmwares with {made_with}')
            sys.exit(SKIPPED)
        names = figures.rows_of_readme()
        names |= {(work + SEARCHED, *others) for work, *others in names
                  if recorded.results.get(work + SEARCHED, *others, table.REFERENCE, 'instructions') is not None}
        rows = [row for row in run.read_plan(plan)
                if (row['work'], row['robot'], row['scalar']) in names | {(run.BASE, 'none', 'float')}]
        if len(rows) != len(names) + 1:
            raise BenchError(f'{len(rows)} firmwares for the README\'s {len(names)} rows and the base')
        results, progress = Results(), run.Progress(len(rows))
        run.add_boards(results, progress, [(table.REFERENCE, board, rows)])
    except BenchError as error:
        sys.exit(f'recount: {error}')
    changed = progress.failures or record.differences(recorded, results)
    print('\n'.join(changed + [f'{len(results.values)} counts, {len(changed)} are not as in recorded.csv']))
    if changed:
        print('`cmake --build build/bench --target bench_update` measures anew and writes the pages.')
    sys.exit(1 if changed else 0)


if __name__ == '__main__':
    main()
