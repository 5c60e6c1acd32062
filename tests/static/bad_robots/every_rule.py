"""Each rule of model/validate.hpp has a robot here that breaks it.
usage: every_rule.py ROOT
"""
# SPDX-License-Identifier: MIT
import os
import re
import sys


def main():
    root = sys.argv[1]
    with open(os.path.join(root, 'lib/include/kinecast/model/validate.hpp'), encoding='utf-8') as file:
        body = re.search(r'enum class Rule[^{]*\{(.*?)\}', file.read(), re.S).group(1)
    rules = set(re.findall(r'^\s*(\w+)', re.sub(r'//[^\n]*', '', body), re.M)) - {'none'}
    here = os.path.dirname(os.path.abspath(__file__))
    robots = {name[:-len('.cpp')] for name in os.listdir(here) if name.endswith('.cpp')} - {'good'}
    if not rules or rules != robots:
        sys.exit(f'rules without a bad robot: {sorted(rules - robots)}; robots without a rule: {sorted(robots - rules)}')
    print(f'{len(rules)} rules, each with a robot that breaks it')


if __name__ == '__main__':
    main()
