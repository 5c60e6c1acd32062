"""Gate: every source of ours, in the host build and in every target build, is compiled with the severe warning set.
usage: check_warnings.py ROOT BUILD...     (each a build folder with its compile_commands.json)
"""
# SPDX-License-Identifier: MIT
import os
import re
import sys

import compile_commands
import gate

REQUIRED = ['-Wall', '-Wextra', '-Wconversion', '-Wshadow', '-Wdouble-promotion', '-Wfloat-equal', '-Werror']


def sources_of(source):
    """The source, or those that a file of CMake's unity build includes."""
    if not re.fullmatch(r'unity_\d+_cxx\.cxx', os.path.basename(source)):
        return [source]
    return re.findall(r'^#include "(.+\.cpp)"', gate.read_text(source), re.M)


def main():
    root, *builds = (os.path.realpath(path) for path in sys.argv[1:])
    ours = {path for path in gate.project_files(root) if path.endswith(gate.CPP_ENDINGS)}
    looked_at = 0
    violations = []
    for build in builds:
        found = [(os.path.relpath(os.path.realpath(source), root), arguments)
                 for file, _, arguments in compile_commands.load(os.path.join(build, 'compile_commands.json'))
                 for source in sources_of(file)]
        found = [(source, arguments) for source, arguments in found if source in ours]
        if not found:
            violations.append(f'{os.path.relpath(build, root)}: [warnings] compiles no source of ours')
        looked_at += len(found)
        for source, arguments in found:
            missing = [flag for flag in REQUIRED if flag not in arguments]
            switched_off = [flag for flag in arguments if flag == '-w' or flag.startswith('-Wno-')]
            if missing or switched_off:
                violations.append(f'{source}:1: [warnings] in {os.path.relpath(build, root)}: '
                                  f'missing {missing}, switched off {switched_off}')
    gate.finish('warnings', looked_at, violations)


if __name__ == '__main__':
    main()
