"""Runs an example on its emulated board and compares what it prints under "What it cost:" with the table of its README:
every printed figure must stand there, and every figure that stands there must be printed.
usage: run_example.py [--write] README QEMU_RUN ARGUMENT...     (the arguments of ports/cortex_m/qemu_run.sh)
  --write  puts the printed figures into the README instead of comparing
"""
# SPDX-License-Identifier: MIT
import re
import subprocess
import sys

PRINTED = re.compile(r'^  (\S.*?) {2,}(\d+)( B)?$', re.M)
TABLE = re.compile(r'(?<=\| what \| figure \|\n\|---\|---\|\n)(?:\|.*\|\n)*')
ROW = re.compile(r'^\| (.*?) \| (.*?) \|$', re.M)


def printed_figures(text):
    """{what: figure}, the figure as the README writes it: 12 345 B."""
    return {what: f'{int(figure):,}'.replace(',', ' ') + unit
            for what, figure, unit in PRINTED.findall(text.partition('What it cost:\n')[2])}


def main():
    arguments = sys.argv[1:]
    write = arguments[0] == '--write'
    readme, qemu_run, *arguments = arguments[1:] if write else arguments
    run = subprocess.run(['sh', qemu_run, *arguments], stdout=subprocess.PIPE, text=True, check=False)
    print(run.stdout)
    if run.returncode != 0:
        sys.exit(f'run_example: exit code {run.returncode}')
    printed = printed_figures(run.stdout)
    if not printed:
        sys.exit('run_example: the firmware printed no cost')
    with open(readme, encoding='utf-8') as file:
        text = file.read()
    table = TABLE.search(text)
    if not table:
        sys.exit('run_example: the README has no table "| what | figure |"')
    if write:
        rows = ''.join(f'| {what} | {figure} |\n' for what, figure in printed.items())
        with open(readme, 'w', encoding='utf-8') as file:
            file.write(TABLE.sub(rows, text, count=1))
        return
    written = dict(ROW.findall(table[0]))
    stale = [f'{what}: printed {printed.get(what, "nowhere")}, in the README {written.get(what, "nowhere")}'
             for what in sorted(printed.keys() | written.keys()) if printed.get(what) != written.get(what)]
    if stale:
        sys.exit('\n'.join(['run_example: the README does not say what the firmware prints:', *stale]))
    print(f'run_example: {len(printed)} figures as in the README')


if __name__ == '__main__':
    main()
