"""Runs the scenarios so that each draws its figure, and prints where they are.
usage: draw_figures.py FOLDER PROGRAM...
A program is called as `PROGRAM --figure FOLDER`; it ends with 0, with 77 when its data are absent (and says so), with anything
else when a claim does not hold. All run, whatever the others said.
"""
# SPDX-License-Identifier: MIT
import os
import subprocess
import sys

SKIPPED = 77


def main():
    folder, *programs = sys.argv[1:]
    failed = []
    for program in programs:
        name = os.path.basename(program)
        run = subprocess.run([program, '--figure', folder], stdout=subprocess.PIPE, text=True, check=False)
        lines = run.stdout.splitlines()
        shown = [line for line in lines if line.startswith('figure: ') or 'FAILED' in line]
        print('\n'.join(shown or [f'{name}: {run.stdout.strip()}']))
        if run.returncode not in (0, SKIPPED):
            failed.append(name)
    if failed:
        sys.exit(f'claims that do not hold: {", ".join(failed)}')


if __name__ == '__main__':
    main()
