"""Gate: what comments and pages cite is there. `method 2.6` is a heading of lib/docs/method.md, `FIX 19` and `CHOICE 20` are
entries of its appendix, an equation names its paper or section, and nothing cites a page that a reader does not have.
usage: check_citations.py ROOT
"""
# SPDX-License-Identifier: MIT
import os
import re
import sys

import gate

METHOD = 'lib/docs/method.md'
DATA_ENDINGS = ('.csv', '.svg', '.inc')

HEADING = re.compile(r'^#{2,4} (\d+(?:\.\d+)?[a-z]?)\b', re.M)
ENTRY = re.compile(r'^\| ((?:FIX|CHOICE) \d+) \|', re.M)

NUMBER = r'\d+(?:\.\d+)?[a-z]?\b'
SECTIONS = re.compile(rf'\b[Mm]ethod +({NUMBER}(?:(?:,| and| to| or) +{NUMBER})*)')
ENTRIES = re.compile(r'\b(FIX|CHOICE) +(\d+(?:(?:,| and| to| or) +\d+)*)')
ELSEWHERE = re.compile(r'\b[Ss]pec(?: +\d[\d.]*| of the method)')
EQUATION = re.compile(r'^(.*?)\b([Ee]qs?\. ?\(?\d+)', re.M)


def without_line_ends(text):
    """A citation may be broken between two lines of a comment: line ends and comment marks become blanks, one for one."""
    return re.sub(r'\n[ \t]*(?://|#|\*)?', lambda match: ' ' * len(match.group()), text)


def violations_of(path, text, sections, entries):
    def name(match, sentence):
        return f'{path}:{gate.line_of(text, match.start())}: [citation] {sentence}'

    joined = without_line_ends(text)
    found = []
    for match in SECTIONS.finditer(joined):
        found += [name(match, f'{METHOD} has no section {number}')
                  for number in re.findall(NUMBER, match[1]) if number not in sections]
    for match in ENTRIES.finditer(joined):
        found += [name(match, f'{METHOD} has no entry {match[1]} {number}')
                  for number in re.findall(r'\d+', match[2]) if f'{match[1]} {number}' not in entries]
    found += [name(match, f'"{match.group()}": cite {METHOD}, as in "method 2.6"') for match in ELSEWHERE.finditer(joined)]
    if path.endswith(gate.CPP_ENDINGS):
        found += [name(match, f'"{match[2]}" of which paper? As in "S000 eq. 13"')
                  for match in EQUATION.finditer(text) if not re.search(r'S00\d|[Mm]ethod', match[1])]
    return found


def main():
    root = sys.argv[1]
    method = os.path.join(root, METHOD)
    page = gate.read_text(method) if os.path.exists(method) else ''
    sections, entries = set(HEADING.findall(page)), set(ENTRY.findall(page))
    if not sections or not entries:
        gate.finish('citations', 0, [f'{METHOD}: [citation] no sections or no entries to cite'])
    this_folder = os.path.relpath(os.path.dirname(os.path.abspath(__file__)), os.path.abspath(root))
    violations, looked_at = [], 0
    for path in gate.project_files(root):
        text = None if path.endswith(DATA_ENDINGS) else gate.read_text(os.path.join(root, path))
        if text is None or path == os.path.join(this_folder, 'test_gates.py'):  # it plants what this gate finds
            continue
        looked_at += 1
        violations += violations_of(path, text, sections, entries)
    gate.finish('citations', looked_at, violations)


if __name__ == '__main__':
    main()
