"""Compiles one robot, or one environment. It must fail with the library's sentence and the offender's index in
RobotKeepsItsRules<robot, index, rule> or EnvironmentKeepsItsRules<world, surface, face, rule> (INDEX is then "surface, face"),
and with no other assertion of the rules; or, if INDEX is `compiles`, succeed.
usage: check.py COMPILER compile_commands.json FLAGS_OF SOURCE INDEX SENTENCE
  FLAGS_OF  a source of the build whose flags are taken
"""
# SPDX-License-Identifier: MIT
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..'))
import compile_commands  # noqa: E402


def main():
    compiler, commands, flags_of, source, index, sentence = sys.argv[1:]
    _, flags = compile_commands.flags_of(flags_of, commands)
    run = subprocess.run([compiler, *flags, '-fsyntax-only', source], capture_output=True, text=True, check=False)
    name = os.path.basename(source)
    if index == 'compiles':
        if run.returncode != 0:
            sys.exit(f'{name} must compile:\n{run.stderr}')
        print(f'{name} compiles')
        return
    rule = os.path.splitext(name)[0]
    if run.returncode == 0:
        sys.exit(f'{name} compiles, and must not: it breaks {rule}')
    said = re.findall(r'static assertion failed: kinecast: (.*)|static_assert failed.*"kinecast: (.*)"', run.stderr)
    said = [gcc or clang for gcc, clang in said]
    if len(said) != 1 or sentence not in said[0]:
        sys.exit(f'{name}: "{sentence}" expected, and nothing else of ours; the compiler said {said}:\n{run.stderr}')
    named = re.findall(r'(?:Robot|Environment)KeepsItsRules<[^;]*?, (-?\d+(?:, -?\d+)?), (?:kinecast::(?:Environment)?Rule::)?(\w+)>',
                       run.stderr)
    if (index, rule) not in named:
        sys.exit(f'{name}: index {index} and {rule} expected in …KeepsItsRules<…>, found {named}:\n{run.stderr}')
    print(f'{name}: refused: {said[0]} (index {index})')


if __name__ == '__main__':
    main()
