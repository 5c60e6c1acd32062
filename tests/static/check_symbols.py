"""Gate: symbols that no target binary may contain (heap, exceptions, unwinder, printf), and no double arithmetic in
the float-only ones: firmwares below board_examples/ and binaries whose name ends in _float. Unity's tests use double.
usage: check_symbols.py [--float-only] [--except FILE:SYMBOL]... ELF-or-FOLDER...
  a folder stands for every linked ARM binary below it;  --except  one symbol that binaries of this file name may have
"""
# SPDX-License-Identifier: MIT
import argparse
import os
import re
import struct
import subprocess

import gate

NM = 'arm-none-eabi-nm'
OBJDUMP = 'arm-none-eabi-objdump'

FORBIDDEN = [
    ('heap', r'_?(?:malloc|calloc|realloc|free|memalign|aligned_alloc)(?:_r)?|__malloc_\w+|_?sbrk(?:_r)?'),
    ('operator-new-delete', r'_Z(?:nw|na|dl|da)\w*'),
    ('exceptions', r'__cxa_\w+|__gxx_personality\w*|_ZSt\d+__throw_\w+|_ZSt9terminatev'),
    # Not __aeabi_unwind_cpp_pr*: a port's own empty one is harmless, and libgcc's brings the names below with it.
    ('unwinder', r'_Unwind_\w+|__gnu_[uU]nwind\w*'),
    ('printf', r'(?!_Z)\w*printf\w*'),
    # newlib's abort ends in these; a port has its own abort.
    ('signal', r'_?raise(?:_r)?|signal(?:_r)?|_?kill(?:_r)?'),
]
DOUBLE = [
    ('double', r'__aeabi_(?:d\w+|cd\w+|(?:f|i|ui|l|ul)2d)'),
    ('double', r'__\w*df\w*'),  # the same helpers under gcc's names: __adddf3, __floatsidf, __extendsfdf2
]
# A core with a double FPU needs no helper: look for the instructions.
DOUBLE_INSTRUCTION = re.compile(
    r'\t(v(?:add|sub|mul|div|sqrt|fma|fms|fnma|fnms|mla|mls|nmul|nmla|nmls|cmpe?|cvt\w?)\S*\.f64\S*)')

ELF_EXECUTABLE, MACHINE_ARM = 2, 40


def is_arm_executable(path):
    with open(path, 'rb') as file:
        head = file.read(20)
    if len(head) < 20 or head[:4] != b'\x7fELF':
        return False
    return struct.unpack('<HH', head[16:20]) == (ELF_EXECUTABLE, MACHINE_ARM)


def binaries_in(folder):
    for here, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if name != 'CMakeFiles')  # there: the compiler's own trials
        for name in sorted(files):
            path = os.path.join(here, name)
            if not os.path.islink(path) and is_arm_executable(path):
                yield path


def is_float_only(path):
    parts = os.path.abspath(path).split(os.sep)
    return 'board_examples' in parts or os.path.splitext(parts[-1])[0].endswith('_float')


def output_of(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def violations_in(path, float_only, exceptions):
    rules = FORBIDDEN + (DOUBLE if float_only else [])
    for symbol in sorted({line.split()[-1] for line in output_of(NM, path).splitlines() if line.strip()}):
        if f'{os.path.basename(path)}:{symbol}' in exceptions:
            continue
        for rule, pattern in rules:
            if re.fullmatch(pattern, symbol):
                yield f'{path}: [{rule}] {symbol}'
                break
    if float_only:
        for instruction in sorted(set(DOUBLE_INSTRUCTION.findall(output_of(OBJDUMP, '-d', path)))):
            yield f'{path}: [double] instruction {instruction}'


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--float-only', action='store_true', help='treat every binary as float-only')
    parser.add_argument('--except', action='append', default=[], dest='exceptions', metavar='FILE:SYMBOL')
    parser.add_argument('paths', nargs='+')
    arguments = parser.parse_args()
    binaries = []
    violations = []
    for path in arguments.paths:
        found = [path] if os.path.isfile(path) else list(binaries_in(path))
        if not found:
            violations.append(f'{path}: [no-binary] found nothing to check')
        binaries += found
    for binary in binaries:
        violations += violations_in(binary, arguments.float_only or is_float_only(binary), arguments.exceptions)
    print(f'forbidden_symbols: {sum(map(is_float_only, binaries))} of {len(binaries)} binaries are float-only')
    gate.finish('forbidden_symbols', len(binaries), violations)


if __name__ == '__main__':
    main()
