"""Robots or environments that break a rule must not compile, and the compiler must say the rule's sentence once, with
the offender's index in RobotKeepsItsRules<robot, index, rule> or EnvironmentKeepsItsRules<world, surface, face, rule>,
and nothing else of ours. Those of the table stand in one source, each in a namespace of its rule's name, so that one run
of the compiler judges all of them; the good one, the positive control, stands in a source of its own and must compile.
Every rule of the library's enum has a row that breaks it.
usage: check.py robots|environments COMPILER compile_commands.json FLAGS_OF
  FLAGS_OF  a source of the build whose flags are taken
"""
# SPDX-License-Identifier: MIT
import os
import re
import subprocess
import sys

import table

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..'))
import compile_commands  # noqa: E402

# words, good one, rows, enum, what is instantiated with a constexpr value
KINDS = {
    'robots': (table.ROBOT_WORDS, table.GOOD_ROBOT, table.ROBOTS, 'Rule', 'model<{}::kTrial, float>'),
    'environments': (table.ENVIRONMENT_WORDS, table.GOOD_ENVIRONMENT, table.ENVIRONMENTS, 'EnvironmentRule',
                     'scene<kRobot, {}::kTrial, float>'),
}
# gcc says whose assertion it is before the assertion, clang after it.
INSTANCE = re.compile(r'(?:Robot|Environment)KeepsItsRules<(\w+)::kTrial, (?:[^<>]*?, )??(-?\d+(?:, -?\d+)?), '
                      r'(?:kinecast::)?(?:\w*Rule::)?(\w+)>')
SAID = re.compile(r"error: static assertion failed: kinecast: (.*)|"
                  r"error: static_assert failed.*\"kinecast: (.*)\"|"
                  r"error: static assertion failed due to .*: kinecast: (.*)")


def source(words, trial, cases):
    """A namespace with a constexpr value per case, then what a user would make of each: gcc 12 evaluates no new
    constexpr value once an assertion failed.
    """
    return ''.join([words, *(f'namespace {name} {{ constexpr auto kTrial = {value}; }}\n' for name, value in cases),
                    *(f'[[maybe_unused]] const auto& trial_{name} = {trial.format(name)};\n' for name, _ in cases)])


def complaints(text):
    """(case, index, rule, sentence) of each assertion of the library that failed."""
    found, instance, waiting = [], None, []
    for line in text.splitlines():
        named = INSTANCE.search(line)
        if named:
            instance = named.groups()
            found += [(*instance, sentence) for sentence in waiting]
            waiting = []
        said = SAID.search(line)
        if said and said[1]:
            found.append((*(instance or ('?', '?', '?')), said[1]))
        elif said:
            waiting.append(said[2] or said[3])
    return found + [('?', '?', '?', sentence) for sentence in waiting]


def judge(rows, said):
    """What is wrong: a case that was not refused, or not as its row says; each case is printed."""
    wrong = [f'a complaint about no case of the table: {one}' for one in said if one[0] not in {row[0] for row in rows}]
    for rule, index, sentence, why, _ in rows:
        mine = [one[1:] for one in said if one[0] == rule]
        if not mine:
            wrong.append(f'{rule}: compiles, and must not: {why}')
        elif len(mine) != 1 or mine[0][:2] != (index, rule) or sentence not in mine[0][2]:
            wrong.append(f'{rule}: "{sentence}" at index {index} expected, and nothing else of ours; said was {mine}')
        else:
            print(f'{rule}: refused: {mine[0][2]} (index {index})')
    return wrong


def rules_of(compiler, flags, words, enum):
    """The names in the library's enum, as the preprocessor leaves it."""
    run = subprocess.run([compiler, *flags, '-E', '-P', '-x', 'c++', '-'], input=words, stdout=subprocess.PIPE,
                         text=True, check=True)
    body = re.search(r'enum class ' + enum + r'\b[^{;]*\{(.*?)\}', run.stdout, re.S)
    return {re.match(r'\w+', name.strip())[0] for name in body[1].split(',') if name.strip()} - {'none'}


def main():
    kind, compiler, commands, flags_of = sys.argv[1:]
    words, good, rows, enum, trial = KINDS[kind]
    _, flags = compile_commands.flags_of(flags_of, commands)
    if 'clang' in os.path.basename(compiler):
        flags = compile_commands.accepted_by_clang(flags) + ['-ferror-limit=0']
    wrong = []
    broken = {row[0] for row in rows}
    rules = rules_of(compiler, flags, words, enum)
    if not rules or rules != broken or len(rows) != len(broken):
        wrong.append(f'rules without a row: {sorted(rules - broken)}; rows without a rule: {sorted(broken - rules)}')
    errors = compile_commands.syntax_errors(compiler, flags, source(words, trial, [('good', good)]))
    if errors:
        wrong.append(f'the good one must compile:\n{errors}')
    errors = compile_commands.syntax_errors(compiler, flags, source(words, trial, [(row[0], row[4]) for row in rows]))
    wrong += judge(rows, complaints(errors))
    if wrong:
        sys.exit('\n'.join([errors, *wrong]))
    print(f'{len(rows)} rules of {enum}, each broken by one of the {kind} and refused; the good one compiles')


if __name__ == '__main__':
    main()
