"""Runs every bench, prints the table, writes bench.csv, and says which counts are not the recorded ones (recorded.csv).
A bench that cannot run or does not say what it must is an error; a limit that is missed is not: the table shows it.
usage: run.py --board PRESET BOARD PLAN... --host NAME PLAN --rival PROGRAM... --out CSV [--update]
       run.py --board PRESET BOARD PLAN... --only WORK[/ROBOT]... [--update]
  PLAN      plan.csv that tests/bench/CMakeLists.txt left in a build: the programs and their call graphs
  BOARD     folder under ports/;  NAME  the host's processor, a target in the table
  --update  records what was measured, and writes its figures into the pages (figures.py)
  --only    builds and measures these rows of the boards and takes the others from the record, which must be of the
            same compiler: run.py --board m4 mps2_an386 build/m4/tests/bench/plan.csv --only step_searched step_pushed
"""
# SPDX-License-Identifier: MIT
import argparse
import concurrent.futures
import csv
import os
import re
import shutil
import subprocess
import sys
import threading

import figures
import record
from results import DISTRIBUTED, BenchError, Results, add_derived, parse, text_of, without_derived
import table

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
QEMU_RUN = os.path.join(ROOT, 'ports', 'cortex_m', 'qemu_run.sh')
STACK_BOUND = os.path.join(ROOT, 'tests', 'static', 'stack_bound.py')

BASE = 'base'  # the work that is none, subtracted from the sizes of the others
# The m0 has no square root; newlib's: 16 B, __ieee754_sqrtf 24, __aeabi_fmul 32.
STACK_OPTIONS = {'m0': ['--core', 'v6m', '--known', 'sqrtf=72']}
FLASH_SECTIONS = ('.text', '.ARM.extab', '.ARM.exidx', '.data')
RAM_SECTIONS = ('.data', '.bss')


def output_of(*command):
    try:
        run = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise BenchError(f'{command[0]}: {error}') from error
    if run.returncode != 0:
        raise BenchError(f'{os.path.basename(command[-1])} ended with {run.returncode}: {(run.stdout + run.stderr).strip()}')
    return run.stdout + run.stderr


def read_plan(path):
    try:
        with open(path, encoding='utf-8', newline='') as file:
            return list(csv.DictReader(file))
    except OSError as error:
        raise BenchError(f'no plan: {error}') from error


def made_with(plans):
    """What tests/bench/CMakeLists.txt left beside a plan: compiler and Eigen. The same for all of the plans."""
    found = set()
    for plan in plans:
        try:
            with open(os.path.join(os.path.dirname(plan), 'made_with.txt'), encoding='utf-8') as file:
                found.add(file.read().strip())
        except OSError as error:
            raise BenchError(f'no compiler: {error}') from error
    if len(found) != 1:
        raise BenchError(f'not made with one compiler: {sorted(found)}')
    return found.pop()


def sizes_of(elf):
    """(flash, RAM without the stack) of a linked firmware."""
    sections = dict(re.findall(r'^(\.\S+)\s+(\d+)\s', output_of('arm-none-eabi-size', '-A', elf), re.M))
    if '.text' not in sections:
        raise BenchError(f'no .text section in {elf}')
    return [sum(int(sections.get(name, 0)) for name in names) for names in (FLASH_SECTIONS, RAM_SECTIONS)]


def stack_bound_of(preset, call_graph):
    output = output_of(sys.executable, STACK_BOUND, *STACK_OPTIONS.get(preset, []), r'\bbench_call\b', call_graph)
    found = re.findall(r'^entry=.* bytes=(\d+) path=', output, re.M)
    if len(found) != 1:
        raise BenchError(f'no single stack bound of bench_call: {output.strip()}')
    return int(found[0])


def on_board(preset, board, row):
    """{metric: value}; flash_B and ram_B still contain the base firmware."""
    names = (row['work'], row['robot'], row['scalar'])
    text = output_of('sh', QEMU_RUN, board, '--icount', row['program'])
    metrics = ['instructions', 'instructions_min', 'stack_B']
    if row['work'] in DISTRIBUTED:
        metrics += ['instructions_mean', 'instructions_p999']
    expected = [(*names, metric) for metric in metrics]
    values = {metric: value for *_, metric, value in parse(text, expected)}
    if row['work'] not in DISTRIBUTED:  # whose firmwares keep every count: their memory is not the work's
        values['flash_total_B'], values['ram_B'] = sizes_of(row['program'])
    values['stack_bound_B'] = stack_bound_of(preset, row['call_graph'])
    values['stack_gap_B'] = abs(values['stack_bound_B'] - values['stack_B'])
    return values


def on_host(row):
    """Mean instructions per call, counted by callgrind."""
    text = output_of('valgrind', '--tool=callgrind', '--callgrind-out-file=/dev/null', '--toggle-collect=bench_call',
                     row['program'])
    names = (row['work'], row['robot'], row['scalar'])
    (*_, calls), = parse(text, [(*names, 'calls')])
    collected = re.search(r'Collected : (\d+)', text)
    if not collected or int(collected[1]) == 0:
        raise BenchError('callgrind counted nothing')
    return {'instructions': round(int(collected[1]) / calls)}


class Progress:
    """One line per bench, and the failures."""

    def __init__(self, total):
        self.total, self.done, self.failures = total, 0, []
        self.lock = threading.Lock()

    def say(self, name, text):
        with self.lock:
            self.done += 1
            print(f'[{self.done:3d}/{self.total}] {name}: {text}', flush=True)

    def run(self, name, function, *arguments):
        """The function's values, or None after a failure."""
        try:
            values = function(*arguments)
        except BenchError as error:
            self.failures.append(f'{name}: {error}')
            self.say(name, f'FAILED: {error}')
            return None
        self.say(name, values if isinstance(values, str) else f'{text_of(values["instructions"])} instructions')
        return values


def name_of(target, row):
    return f'{target} {row["work"]}/{row["robot"]} {row["scalar"]}'


def add_boards(results, progress, plans):
    """Two firmwares at a time; instruction counts do not mind."""
    jobs = [(preset, board, row) for preset, board, rows in plans for row in rows]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        measured = list(pool.map(lambda job: progress.run(name_of(job[0], job[2]), on_board, *job), jobs))
    base = {(preset, row['scalar']): values for (preset, _, row), values in zip(jobs, measured) if row['work'] == BASE}
    for (preset, _, row), values in zip(jobs, measured):
        if row['work'] == BASE or values is None:
            continue
        without = base.get((preset, row['scalar']))
        if without is None:
            progress.failures.append(f'{name_of(preset, row)}: no base firmware to subtract')
            continue
        if 'flash_total_B' in values:
            values['flash_B'] = values['flash_total_B'] - without['flash_total_B']
            values['ram_B'] -= without['ram_B']
        for metric, value in values.items():
            results.add(row['work'], row['robot'], row['scalar'], preset, metric, value)


def add_host(results, progress, host, rows):
    if not shutil.which('valgrind'):
        print(f'skipped: instruction counts on {host}, for valgrind is not installed', flush=True)
        return
    for row in rows:
        values = progress.run(name_of(host, row), on_host, row)
        for metric, value in (values or {}).items():
            results.add(row['work'], row['robot'], row['scalar'], host, metric, value)


def run_rival(progress, host, program, versions):
    """What the comparison printed, parsed; adds the rival's name and version to the set `versions`."""
    measured = []

    def run():
        text = output_of(program)
        measured.extend(parse(text))
        versions.update(re.findall(r'^RIVAL (.+)$', text, re.M))
        return f'{len(measured)} figures'

    progress.run(f'{host} {os.path.basename(program)}', run)
    return measured


def tell_what_changed(measured, limits):
    """Prints which counts are not the recorded ones, and which lines of the pages are not what was recorded."""
    recorded = record.read(record.PATH)
    if (recorded.boards, recorded.host_build) == (measured.boards, measured.host_build):
        changed = record.differences(recorded, measured.results)
        print('\n'.join(changed + [f'{len(changed)} counts are not as in recorded.csv']))
    else:
        print(f'recorded.csv is of {recorded.boards} and {recorded.host_build}, this of {measured.boards} and '
              f'{measured.host_build}: not compared')
    stale, count = figures.stale(recorded, limits)
    print('\n'.join(stale + [figures.summary(stale, count)]))


def is_chosen(row, only):
    return row['work'] in only or f'{row["work"]}/{row["robot"]}' in only


def build(plan, rows):
    """Builds the firmwares of a plan's rows, one at a time, in the build that the plan lies in."""
    folder = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(plan))))
    for row in rows:
        name = os.path.splitext(os.path.basename(row['program']))[0]
        print(f'building {name}', flush=True)
        made = subprocess.run(['cmake', '--build', folder, '--parallel', '1', '--target', name], check=False,
                              capture_output=True, text=True)
        if made.returncode != 0:
            raise BenchError(f'{name} cannot be built: {made.stdout}{made.stderr}')


def by_row(results):
    """{(work, robot, scalar, target): {metric: value}}"""
    rows = {}
    for key, value in results.values.items():
        rows.setdefault(key[:4], {})[key.metric] = value
    return rows


def replaced(recorded, measured):
    """A Results: what was recorded, with the measured rows in the place of theirs."""
    merged = Results()
    for row, values in {**by_row(without_derived(recorded)), **by_row(measured)}.items():
        for metric, value in values.items():
            merged.add(*row, metric, value)
    add_derived(merged)
    return merged


def run_only(arguments):
    """Measures some rows of some boards. Nothing is recorded unless all of them could be measured."""
    recorded = record.read(record.PATH)
    boards = made_with([plan for *_, plan in arguments.board])
    if boards != recorded.boards:
        raise BenchError(f'recorded.csv is of {recorded.boards}, these firmwares of {boards}: measure all rows')
    all_rows = [row for *_, plan in arguments.board for row in read_plan(plan)]
    if unknown := [word for word in arguments.only if not any(is_chosen(row, [word]) for row in all_rows)]:
        raise BenchError(f'no such row: {" ".join(unknown)}')
    plans = []
    for preset, board, plan in arguments.board:
        rows = [row for row in read_plan(plan) if is_chosen(row, arguments.only)]
        scalars = {row['scalar'] for row in rows}
        rows += [row for row in read_plan(plan) if row['work'] == BASE and row['scalar'] in scalars]
        build(plan, rows)
        plans.append((preset, board, rows))
    results, progress = Results(), Progress(sum(len(rows) for *_, rows in plans))
    add_boards(results, progress, plans)
    if progress.failures:
        raise BenchError('\n'.join(progress.failures))
    measured = recorded._replace(results=replaced(recorded.results, results))
    limits = table.read_limits(table.LIMITS, recorded.host)
    changed = record.differences(recorded, results)
    print('\n'.join(changed + [f'{len(changed)} of {len(results.values)} counts are not as in recorded.csv']))
    if arguments.update:
        figures.write(measured, limits)
        record.write(record.PATH, measured)
        stale, count = figures.stale(measured, limits)
        print('\n'.join(stale + [figures.summary(stale, count)]))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--board', nargs=3, action='append', default=[], metavar=('PRESET', 'BOARD', 'PLAN'))
    parser.add_argument('--host', nargs=2, metavar=('NAME', 'PLAN'))
    parser.add_argument('--rival', nargs='+', metavar='PROGRAM')
    parser.add_argument('--out')
    parser.add_argument('--only', nargs='+', metavar='WORK[/ROBOT]')
    parser.add_argument('--update', action='store_true')
    arguments = parser.parse_args()
    whole = (arguments.host, arguments.rival, arguments.out)
    if arguments.only and any(whole) or not arguments.only and not all(whole):
        parser.error('--host, --rival and --out belong to the whole bench, and are not for --only')
    if arguments.only:
        try:
            return run_only(arguments)
        except BenchError as error:
            sys.exit(f'bench: {error}')
    return run_whole(arguments)


def run_whole(arguments):
    if os.path.exists(arguments.out):
        os.remove(arguments.out)  # after a failure there must be no old one to mistake for this run's

    host, host_plan = arguments.host
    results = Results()
    try:
        plans = [(preset, board, read_plan(plan)) for preset, board, plan in arguments.board]
        host_rows = read_plan(host_plan)
        boards_made_with = made_with([plan for *_, plan in arguments.board])
        host_build = f'{host}, {made_with([host_plan])}'
        limits = table.read_limits(table.LIMITS, host)
        progress = Progress(sum(len(rows) for *_, rows in plans) + len(host_rows) + len(arguments.rival))
        # First, while nothing else runs.
        versions = set()
        timed = [line for program in arguments.rival for line in run_rival(progress, host, program, versions)]
        add_boards(results, progress, plans)
        add_host(results, progress, host, host_rows)
        for work, robot, scalar, metric, value in timed:
            results.add(work, robot, scalar, host, metric, value)
        add_derived(results)
        failures = progress.failures or [f'limit without a measurement: {name}'
                                         for name in table.unmeasured(results, limits)]
    except BenchError as error:
        failures = [str(error)]
    if failures:
        print('\nbench: failed, and so there is no table\n' + '\n'.join(failures))
        sys.exit(1)

    print('\n'.join(table.lines(results, limits, host)))
    with open(arguments.out, 'w', encoding='utf-8', newline='') as file:
        results.write_csv(file)
    print(f'\n{len(results.values)} values in {os.path.relpath(arguments.out, ROOT)}')
    measured = record.Record(boards_made_with, host_build, ', '.join(sorted(versions)), results)
    try:
        if arguments.update:
            figures.write(measured, limits)
            record.write(record.PATH, measured)
        tell_what_changed(measured, limits)
    except BenchError as error:
        sys.exit(f'bench: {error}')


if __name__ == '__main__':
    main()
