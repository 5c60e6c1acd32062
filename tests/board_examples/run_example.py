"""Runs an example on its emulated board and compares what it prints under "What it cost:" with the table of its README:
every printed figure must stand there, and every figure that stands there must be printed.
usage: run_example.py [--write] [--says LINE] README QEMU_RUN ARGUMENT...   (the arguments of ports/cortex_m/qemu_run.sh)
  --write  puts the printed figures into the README instead of comparing
  --says   a line that the example must print
"""
# SPDX-License-Identifier: MIT
import argparse
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
    parser = argparse.ArgumentParser()
    parser.add_argument('--write', action='store_true')
    parser.add_argument('--says')
    parser.add_argument('readme')
    parser.add_argument('qemu_run', nargs=argparse.REMAINDER)
    options = parser.parse_args()
    run = subprocess.run(['sh', *options.qemu_run], stdout=subprocess.PIPE, text=True, check=False)
    print(run.stdout)
    if run.returncode != 0:
        sys.exit(f'run_example: exit code {run.returncode}')
    if options.says and options.says not in run.stdout.splitlines():
        sys.exit(f'run_example: the example does not say: {options.says}')
    printed = printed_figures(run.stdout)
    if not printed:
        sys.exit('run_example: the firmware printed no cost')
    with open(options.readme, encoding='utf-8') as file:
        text = file.read()
    table = TABLE.search(text)
    if not table:
        sys.exit('run_example: the README has no table "| what | figure |"')
    if options.write:
        rows = ''.join(f'| {what} | {figure} |\n' for what, figure in printed.items())
        with open(options.readme, 'w', encoding='utf-8') as file:
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
