"""Gate: the names at the top of the tree are fixed; dot-files are free.
usage: check_top_level.py ROOT
"""
# SPDX-License-Identifier: MIT
import sys

import gate

NAMES = {'lib', 'ports', 'board_examples', 'tests', 'toolchains',
         'CMakeLists.txt', 'CMakePresets.json', 'README.md', 'LICENSE'}


def main():
    top = sorted({path.split('/')[0] for path in gate.project_files(sys.argv[1])})
    violations = [f'{name}:1: [top-level] not one of the fixed names' for name in top
                  if name not in NAMES and not name.startswith('.')]
    gate.finish('top_level', len(top), violations)


if __name__ == '__main__':
    main()
