"""Runs the validation programs, each of which appends its rows to the scores, then prints the scores as a table.
usage: validate.py scores.csv PROGRAM...
A program is called as `PROGRAM --scores scores.csv`; it ends with 0, with 77 when its data are absent (and says so), with
anything else when a figure missed its bound. All run, whatever the others said. What a program says on stderr (its progress)
is shown at once, its lines `remark: ...` below the table.
"""
# SPDX-License-Identifier: MIT
import csv
import os
import subprocess
import sys

COLUMNS = ['set', 'protocol', 'case', 'scalar', 'ours', 'published', 'reference', 'null', 'unit']
SKIPPED = 77


def print_table(rows):
    table = [COLUMNS, *([row[name] for name in COLUMNS] for row in rows)]
    widths = [max(len(line[i]) for line in table) for i in range(len(COLUMNS))]
    for line in table:
        print('  '.join(text.ljust(width) for text, width in zip(line, widths)).rstrip())


def main():
    scores, *programs = sys.argv[1:]
    with open(scores, 'w', encoding='utf-8') as file:
        file.write(','.join(COLUMNS) + '\n')
    failed, skipped, remarks = [], [], []
    for program in programs:
        name = os.path.basename(program)
        print(f'{name} ...', file=sys.stderr, flush=True)
        run = subprocess.run([program, '--scores', scores], stdout=subprocess.PIPE, text=True, check=False)
        if run.returncode == SKIPPED:
            skipped.append(f'{name}: {run.stdout.strip()}')
        elif run.returncode != 0:
            failed.append(name)
            print(f'--- {name} ended with {run.returncode}:\n{run.stdout}')
        remarks += [line for line in run.stdout.splitlines() if line.startswith('remark: ')]
    with open(scores, encoding='utf-8', newline='') as file:
        rows = list(csv.DictReader(file))
    print_table(rows)
    print(f'\n{len(rows)} rows in {os.path.relpath(scores)}')
    for sentence in remarks + skipped:
        print(sentence)
    if failed:
        sys.exit(f'validation failed: {", ".join(failed)}')
    if not rows:
        sys.exit('validation failed: nothing was measured')


if __name__ == '__main__':
    main()
