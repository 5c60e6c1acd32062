"""The robot and the environment of board_examples/predict_arm are those of the README's first example, word by word:
comments and white space do not count.
usage: check_predict_arm.py README.md arm.hpp
"""
# SPDX-License-Identifier: MIT
import re
import sys

DESCRIPTION = re.compile(r'inline constexpr auto arm =.*?;.*?inline constexpr auto world =.*?;', re.S)


def description(path, begin, end):
    """What a file says of arm and world, without comments and white space."""
    with open(path, encoding='utf-8') as file:
        text = file.read().partition(begin)[2].partition(end)[0]
    found = DESCRIPTION.search(re.sub(r'//[^\n]*', '', text))
    if not found:
        sys.exit(f'{path}: no arm and world between {begin!r} and {end!r}')
    return re.sub(r'\s', '', found[0])


def main():
    readme, arm = sys.argv[1:]
    shown, compiled = description(readme, '```cpp', '```'), description(arm, 'namespace example', '}  // namespace')
    if shown != compiled:
        sys.exit(f'the README says\n{shown}\nand {arm} says\n{compiled}')
    print('the same arm and world')


if __name__ == '__main__':
    main()
