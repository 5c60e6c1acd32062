"""Gate: clang-tidy 14 with .clang-tidy finds nothing in the given sources and our headers that they include.
usage: check_tidy.py ROOT compile_commands.json SOURCE...     (a SOURCE may be a folder: the .cpp files in it)
"""
# SPDX-License-Identifier: MIT
import concurrent.futures
import os
import re
import subprocess
import sys

import compile_commands
import gate

TOOL = 'clang-tidy-14'


def sources_of(paths):
    for path in paths:
        if os.path.isdir(path):
            yield from sorted(os.path.join(path, name) for name in os.listdir(path) if name.endswith('.cpp'))
        else:
            yield path


def main():
    root, commands, *paths = sys.argv[1:]
    root = os.path.realpath(root)

    def check(source):
        _, flags = compile_commands.flags_of(source, commands)
        flags = compile_commands.accepted_by_clang(flags)
        # Warnings are the compilers' business; tidy judges the rest.
        flags = [flag for flag in flags if not flag.startswith('-W')] + ['-w']
        run = subprocess.run([TOOL, '--quiet', f'--config-file={root}/.clang-tidy', source, '--', *flags], cwd=root,
                             capture_output=True, text=True, check=False)
        found = re.findall(r'^(\S+?):(\d+):\d+: (?:error|warning): (.*) \[([\w.,-]+)\]$', run.stdout, re.M)
        if run.returncode != 0 and not found:
            return [f'{os.path.relpath(source, root)}:1: [tidy] {(run.stdout + run.stderr).strip()}']
        return [f'{os.path.relpath(file, root)}:{line}: [{rule.split(",")[0]}] {text}'
                for file, line, text, rule in found]

    sources = list(sources_of(paths))
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        violations = sorted({line for lines in pool.map(check, sources) for line in lines})
    gate.finish('tidy', len(sources), violations)


if __name__ == '__main__':
    main()
