"""Holds the lines `BITS <run> <hash>` that a program prints against the recorded ones: every recorded run of that program must come
once, with its hash, and no other may come.
usage: compare.py RECORDED --program NAME [--scalar SCALAR] [--at-least N] -- COMMAND...
       compare.py RECORDED --record PROGRAM...
  --scalar    only the runs in this scalar count: the machine has no other in hardware
  --at-least  the machine has some of the runs, N or more
  --record    writes RECORDED from what the programs print now
"""
# SPDX-License-Identifier: MIT
import argparse
import os
import re
import subprocess
import sys

LINE = re.compile(r'BITS (\S+) (0x[0-9a-f]+)')
HEAD = '# Hashes of results (compare.py, CMakeLists.txt): program, run, hash. Written by the target record_bits.\n'


def hashes_of(command):
    """{run: hash} of what a command prints; a failure ends the comparison."""
    try:
        ran = subprocess.run(command, capture_output=True, text=True, check=False, timeout=190)
    except (OSError, subprocess.TimeoutExpired) as error:
        sys.exit(f'compare: {command[0]}: {error}')
    if ran.returncode != 0:
        sys.exit(f'compare: {" ".join(command)} ended with {ran.returncode}: {ran.stdout[-2000:]}{ran.stderr[-2000:]}')
    found = {}
    for line in ran.stdout.splitlines():
        match = LINE.fullmatch(line)
        if not match:
            continue
        if match[1] in found:
            sys.exit(f'compare: {match[1]} came twice')
        found[match[1]] = match[2]
    return found


def read_recorded(path, program):
    recorded = {}
    with open(path, encoding='utf-8') as file:
        for line in file:
            if not line.startswith('#'):
                of, run, value = line.split()
                if of == program:
                    recorded[run] = value
    return recorded


def differences(expected, found, at_least):
    """[sentence]"""
    wrong = [f'{run}: recorded {expected[run]}, here {found[run]}' for run in expected
             if run in found and found[run] != expected[run]]
    wrong += [f'{run}: not recorded' for run in found if run not in expected]
    if at_least is None:
        wrong += [f'{run}: missing here' for run in expected if run not in found]
    elif len(found) < at_least:
        wrong.append(f'{len(found)} runs, at least {at_least} were expected')
    return wrong


def record(path, programs):
    with open(path, 'w', encoding='utf-8') as file:
        file.write(HEAD)
        for program in programs:
            for run, value in hashes_of([program]).items():
                file.write(f'{os.path.basename(program)} {run} {value}\n')


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('recorded')
    parser.add_argument('--program')
    parser.add_argument('--scalar', choices=('float', 'double'))
    parser.add_argument('--at-least', type=int)
    parser.add_argument('--record', action='store_true')
    parser.add_argument('command', nargs='+')
    arguments = parser.parse_args()
    if arguments.record:
        record(arguments.recorded, arguments.command)
        return
    expected = read_recorded(arguments.recorded, arguments.program)
    found = hashes_of(arguments.command)
    if arguments.scalar:
        in_scalar = re.compile(rf'_{arguments.scalar}(_|$)')
        expected = {run: value for run, value in expected.items() if in_scalar.search(run)}
        found = {run: value for run, value in found.items() if in_scalar.search(run)}
    if not expected or not found:
        sys.exit(f'compare: {len(expected)} runs of {arguments.program} are recorded, {len(found)} came: nothing is compared')
    wrong = differences(expected, found, arguments.at_least)
    if wrong:
        sys.exit('compare: the bits differ\n' + '\n'.join(wrong))
    print(f'{len(found)} of {len(expected)} recorded runs, all bits equal')


if __name__ == '__main__':
    main()
