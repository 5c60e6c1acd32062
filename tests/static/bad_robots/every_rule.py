"""Each rule of an enum has a file in a folder that breaks it.
usage: every_rule.py HEADER ENUM FOLDER
"""
# SPDX-License-Identifier: MIT
import os
import re
import sys


def main():
    header, enum, folder = sys.argv[1:]
    with open(header, encoding='utf-8') as file:
        body = re.search(r'enum class ' + enum + r'\b[^{]*\{(.*?)\}', file.read(), re.S).group(1)
    rules = set(re.findall(r'^\s*(\w+)', re.sub(r'//[^\n]*', '', body), re.M)) - {'none'}
    breaches = {name[:-len('.cpp')] for name in os.listdir(folder) if name.endswith('.cpp')} - {'good'}
    if not rules or rules != breaches:
        sys.exit(f'rules without a breach: {sorted(rules - breaches)}; breaches without a rule: {sorted(breaches - rules)}')
    print(f'{len(rules)} rules, each with a file that breaks it')


if __name__ == '__main__':
    main()
