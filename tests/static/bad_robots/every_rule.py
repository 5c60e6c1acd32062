"""Each rule of a list has a file in a folder that breaks it.
usage: every_rule.py HEADER LIST FOLDER
  LIST  the macro of the header that has a row RULE(name, sentence) for each rule
"""
# SPDX-License-Identifier: MIT
import os
import re
import sys


def main():
    header, name_of_list, folder = sys.argv[1:]
    with open(header, encoding='utf-8') as file:
        body = re.search(r'#define ' + name_of_list + r'\(RULE\)((?:.*\\\n)*.*)', file.read()).group(1)
    rules = set(re.findall(r'RULE\((\w+),', body))
    breaches = {name[:-len('.cpp')] for name in os.listdir(folder) if name.endswith('.cpp')} - {'good'}
    if not rules or rules != breaches:
        sys.exit(f'rules without a breach: {sorted(rules - breaches)}; breaches without a rule: {sorted(breaches - rules)}')
    print(f'{len(rules)} rules, each with a file that breaks it')


if __name__ == '__main__':
    main()
