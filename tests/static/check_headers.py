"""Gate: each library header compiles alone, twice over, with the severe warning set, by g++ and by clang++.
usage: check_headers.py COMPILER FLAGS_OF compile_commands.json ROOT
  COMPILER  g++-like or clang++-like;  FLAGS_OF  a source of the host build whose flags are taken
Headers that come to include Eigen are given it precompiled, which takes a third of the time. That hides nothing: what a header
includes stands before its own code, and each header that it includes is compiled alone too, without Eigen if it has none.
"""
# SPDX-License-Identifier: MIT
import concurrent.futures
import os
import re
import subprocess
import sys
import tempfile

import compile_commands
import gate


FOLDER = 'lib/include/'


def first_error(text):
    return next((line for line in text.splitlines() if 'error' in line), text.strip().split('\n')[0])


def headers_with_eigen(root, headers):
    """Those that include Eigen themselves or through others of the library."""
    includes = {header[len(FOLDER):]: re.findall(r'^#include [<"]([^>"]+)[>"]', gate.read_text(os.path.join(root, header)), re.M)
                for header in headers}
    found = {'Eigen/Core'}
    while more := {header for header, names in includes.items() if header not in found and found.intersection(names)}:
        found |= more
    return {FOLDER + header for header in found}


def precompile_eigen(compiler, flags, folder):
    """Precompiles Eigen/Core in the folder; the flags that use it."""
    header = os.path.join(folder, 'eigen.hpp')
    with open(header, 'w', encoding='utf-8') as file:
        file.write('#include <Eigen/Core>\n')
    output = header + ('.pch' if 'clang' in compiler else '.gch')
    subprocess.run([compiler, *flags, '-x', 'c++-header', header, '-o', output], check=True)
    return ['-include-pch', output] if 'clang' in compiler else ['-include', header]


def main():
    compiler, flags_of, commands, root = sys.argv[1:]
    _, flags = compile_commands.flags_of(flags_of, commands)
    if 'clang' in compiler:
        flags = compile_commands.accepted_by_clang(flags) + ['-Wno-unknown-warning-option']
    flags = [f'-I{root}/lib/include', *flags]
    headers = [path for path in gate.project_files(root) if path.startswith(FOLDER)]
    with_eigen = headers_with_eigen(root, headers)

    with tempfile.TemporaryDirectory() as folder:
        eigen = precompile_eigen(compiler, flags, folder) if with_eigen.intersection(headers) else []

        def check(header):
            include = f'#include <{header[len(FOLDER):]}>\n'
            return compile_commands.syntax_errors(compiler, flags + (eigen if header in with_eigen else []), include * 2)

        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            errors = dict(zip(headers, pool.map(check, headers)))
    violations = [f'{header}:1: [self-contained] {compiler}: {first_error(text)}'
                  for header, text in errors.items() if text]
    gate.finish('self_contained', len(headers), violations)


if __name__ == '__main__':
    main()
