"""Doxygen's view of a header: plain // comments become documentation, word for word, on the same lines. Of a page of the guide:
its links lead to pages of the reference, or nowhere.
usage: doxygen_filter.py FILE
  // at the start of a line, before a declaration     ///
  // behind a member or an enumerator                 ///<
  the comment that opens the file                     documentation of the file
Comments inside of functions explain steps to a reader of the source and stay what they are.
"""
# SPDX-License-Identifier: MIT
import re
import sys

WHOLE_LINE = re.compile(r'^(\s*)// ?(.*)$')
BEHIND = re.compile(r'^(\s+\S.*[;,]|\s+\w+|\s+\w+ = \w+)(\s+)// (.*)$')
RULE = re.compile(r'^-{3,}')


def plain(text):
    """Words that Doxygen would take for its own: commands, tags, links."""
    return re.sub(r'([\\@#<>%&])', r'\\\1', text)


def code_or_words(text):
    """A line that is indented in the comment is an example: it keeps its columns."""
    return f'    {text}' if text.startswith('  ') else plain(text)


def opening(lines):
    """How many lines the comment that opens the file has."""
    count = 0
    while count < len(lines) and lines[count].startswith('//'):
        count += 1
    return count


def is_scope(code):
    """Does the brace that ends this line open a namespace, a class or an enumeration?"""
    return re.search(r'\b(?:namespace|struct|class|enum|union|extern)\b[^;()]*\{$', code) is not None


def depth_changes(line):
    code = re.sub(r'"(?:\\.|[^"\\])*"|//.*', '', line).rstrip()
    return code, code.count('{') - code.count('}')


def explains_directive(lines, at):
    """A comment above #if or #include says nothing of the next declaration."""
    while at < len(lines) and WHOLE_LINE.match(lines[at]):
        at += 1
    return at < len(lines) and lines[at].startswith('#')


def filtered(lines):
    first = opening(lines)
    out = ['/// @file' if 'SPDX' in line else '/// ' + code_or_words(WHOLE_LINE.match(line)[2]) for line in lines[:first]]
    body, depth = 0, 0  # nesting below which everything is a function's body; 0: none
    for at, line in enumerate(lines[first:], first):
        whole, behind = WHOLE_LINE.match(line), BEHIND.match(line)
        if body == 0 and whole and not explains_directive(lines, at):
            out.append('' if RULE.match(whole[2]) else f'{whole[1]}/// {code_or_words(whole[2])}')
            continue
        out.append(f'{behind[1]}{behind[2]}///< {plain(behind[3])}' if body == 0 and behind else line)
        code, change = depth_changes(line)
        if body == 0 and change > 0 and not is_scope(code):
            body = depth + 1
        depth += change
        if body and depth < body:
            body = 0
    return out


def relinked(text):
    """The index is the reference's main page; what is outside of the guide is named, not linked."""
    text = re.sub(r'\]\(README\.md\)', '](@ref index)', text)
    return re.sub(r'(?<!!)\[([^\]]*)\]\(\.\./[^)]*\)', r'\1', text)


def main():
    with open(sys.argv[1], encoding='utf-8') as file:
        text = file.read()
    sys.stdout.reconfigure(encoding='utf-8')
    print(relinked(text) if sys.argv[1].endswith('.md') else '\n'.join(filtered(text.split('\n'))), end='')


if __name__ == '__main__':
    main()
