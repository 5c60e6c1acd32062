"""Gate: each library header compiles alone, twice over, with the severe warning set, by g++ and by clang++.
usage: check_headers.py COMPILER FLAGS_OF compile_commands.json ROOT
  COMPILER  g++-like or clang++-like;  FLAGS_OF  a source of the host build whose flags are taken
"""
# SPDX-License-Identifier: MIT
import concurrent.futures
import sys

import compile_commands
import gate


def first_error(text):
    return next((line for line in text.splitlines() if 'error' in line), text.strip().split('\n')[0])


def main():
    compiler, flags_of, commands, root = sys.argv[1:]
    _, flags = compile_commands.flags_of(flags_of, commands)
    if 'clang' in compiler:
        flags = compile_commands.accepted_by_clang(flags) + ['-Wno-unknown-warning-option']
    flags = [f'-I{root}/lib/include', *flags]
    headers = [path for path in gate.project_files(root) if path.startswith('lib/include/')]

    def check(header):
        include = f'#include <{header[len("lib/include/"):]}>\n'
        return compile_commands.syntax_errors(compiler, flags, include * 2)

    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        errors = dict(zip(headers, pool.map(check, headers)))
    violations = [f'{header}:1: [self-contained] {compiler}: {first_error(text)}'
                  for header, text in errors.items() if text]
    gate.finish('self_contained', len(headers), violations)


if __name__ == '__main__':
    main()
