"""Gate: all our C and C++ is laid out as .clang-format says, by clang-format 14 (another version lays out differently), and no line
of lib/ has more than 120 characters: .clang-format leaves comments to their writers.
usage: check_format.py ROOT     To mend: clang-format-14 -i FILE
"""
# SPDX-License-Identifier: MIT
import os
import re
import subprocess
import sys

import gate

TOOL = 'clang-format-14'
LONGEST_LINE = 120


def long_lines(root, path):
    lines = gate.read_text(os.path.join(root, path)).split('\n')
    return [f'{path}:{number}: [line-length] {len(line)} characters, {LONGEST_LINE} at most'
            for number, line in enumerate(lines, 1) if len(line) > LONGEST_LINE]


def main():
    root = sys.argv[1]
    files = [path for path in gate.project_files(root) if path.endswith(gate.CPP_ENDINGS)]
    if not files:
        gate.finish('format', 0, [])
    run = subprocess.run([TOOL, '--dry-run', '-Werror', '--style=file', *files], cwd=root,
                         capture_output=True, text=True, check=False)
    lines = sorted(set(re.findall(r'^(\S+?:\d+):\d+: error: ', run.stderr, re.M)))
    violations = [f'{line}: [format] mend with: {TOOL} -i {line.rsplit(":", 1)[0]}' for line in lines]
    if run.returncode != 0 and not violations:
        violations = [run.stderr.strip() or f'{TOOL} failed with {run.returncode}']
    for path in files:
        if path.startswith('lib/'):
            violations += long_lines(root, path)
    gate.finish('format', len(files), violations)


if __name__ == '__main__':
    main()
