"""Gate: text that must not be committed: paths of somebody's machine, package registries' host names, unfinished work.
usage: check_words.py (words | unfinished) ROOT
"""
# SPDX-License-Identifier: MIT
import os
import re
import sys

import gate

# The brackets keep this file from finding itself.
RULES = {
    'words': [
        ('machine-path', r'(?<![\w.})>-])/(?:work|root|home|Users)/[\w.]|(?<![\w.})>-])/tmp/[A-Za-z]|[A-Z]:\\Users\\'),
        ('registry-host', r'\b(?:debian|npmjs|pypi|ubuntu|pythonhosted)[.](?:org|com)\b'),
        ('registry-host', r'\b(?:crates|docker|ghcr|quay)[.]io\b'),
    ],
    'unfinished': [
        ('unfinished', r'\b(?:TO[D]O|FIX[M]E|X[X]X)\b'),
    ],
}
UNFINISHED_FOLDERS = ('lib/', 'ports/', 'board_examples/', 'tests/', 'toolchains/')
DATA_ENDINGS = ('.csv', '.svg')


def main():
    which, root = sys.argv[1:]
    files = [path for path in gate.project_files(root) if not path.endswith(DATA_ENDINGS)]
    if which == 'unfinished':
        files = [path for path in files if path.startswith(UNFINISHED_FOLDERS)]
    looked_at = 0
    violations = []
    for path in files:
        text = gate.read_text(os.path.join(root, path))
        if text is None:
            continue
        looked_at += 1
        for rule, pattern in RULES[which]:
            for match in re.finditer(pattern, text):
                violations.append(f'{path}:{gate.line_of(text, match.start())}: [{rule}] {match.group()}')
    gate.finish(which, looked_at, violations)


if __name__ == '__main__':
    main()
