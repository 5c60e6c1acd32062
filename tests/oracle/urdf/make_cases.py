"""Imports URDFs with the tool and writes the translation unit that compiles the headers and lists their robots.
usage: make_cases.py TOOL OUT.cpp FUNCTION --base fixed|floating... (--urdf FILE... | --random COUNT)
Each robot is in the namespace of its base, for both bases of one URDF have the same name in the same namespace.
"""
# SPDX-License-Identifier: MIT
import argparse
import pathlib
import re
import subprocess

from random_urdfs import random_urdf

SMALLEST, LARGEST = 2, 20  # links of a random robot


def random_files(folder, count):
    files = []
    for i in range(count):
        file = folder / f'random{i}.urdf'
        links = SMALLEST + (LARGEST - SMALLEST) * i // max(1, count - 1)
        file.write_text(random_urdf(1000 + i, f'random{i}', links), encoding='utf-8')
        files.append(file)
    return files


def imported(tool, urdf, base, folder):
    """(the header's file, the robot's C++ name, [(joint, index in dq)])"""
    header = folder / f'{urdf.stem}_{base}.hpp'
    subprocess.run([tool, 'import', urdf, '-o', header, '--base', base, '--scalar', 'double'], check=True,
                   stdout=subprocess.DEVNULL)
    text = header.read_text(encoding='utf-8')
    name = re.search(r'^// kinecast robot: robots::(\w+), double$', text, re.M)[1]
    constants = re.search(rf'namespace {name}_joint {{(.*?)\n}}', text, re.S)[1]
    joints = re.findall(r'inline constexpr int (\w+) = (\d+);', constants)
    return header, name, joints


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('tool')
    parser.add_argument('out', type=pathlib.Path)
    parser.add_argument('function')
    parser.add_argument('--base', nargs='+', required=True)
    parser.add_argument('--urdf', nargs='+', type=pathlib.Path, default=[])
    parser.add_argument('--random', type=int, default=0)
    arguments = parser.parse_args()
    folder = arguments.out.parent
    files = arguments.urdf or random_files(folder, arguments.random)
    includes, cases = [], []
    for base in arguments.base:
        for urdf in files:
            header, name, joints = imported(arguments.tool, urdf, base, folder)
            space = f'{base}_{urdf.stem}'
            includes.append(f'namespace {space} {{\n#include "{header.name}"\n}}\n')
            table = ', '.join(f'{{"{joint}", {index}}}' for joint, index in joints)
            floats = 'true' if base == 'floating' else 'false'
            cases.append(f'          robot_case<{space}::robots::{name}>("{urdf.stem}", "{urdf}", {floats}, {{{table}}})')
    arguments.out.write_text(
        '// Made by tests/oracle/urdf/make_cases.py; do not edit.\n#include <kinecast/model/robot.hpp>\n\n'
        '#include "urdf/robot_case.hpp"\n\n' + ''.join(includes) + '\nnamespace oracle {\n\n'
        f'std::vector<RobotCase> {arguments.function}() {{\n  return {{\n' + ',\n'.join(cases) +
        '};\n}\n\n}  // namespace oracle\n', encoding='utf-8')


if __name__ == '__main__':
    main()
