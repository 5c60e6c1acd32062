"""What the static gates share: the list of the project's files, C++ text without comments and strings, a report.
A gate prints `file:line: [rule] sentence` per violation and exits 1; one that finds nothing to look at fails too.
"""
# SPDX-License-Identifier: MIT
import os
import re
import subprocess
import sys

CPP_ENDINGS = ('.hpp', '.cpp', '.h', '.c')
# Only for a tree outside git, where nothing says what is ignored.
SKIPPED_FOLDERS = {'.git', 'build', '__pycache__'}


def project_files(root):
    """Paths relative to root of all files that are, or would be, committed."""
    git = subprocess.run(['git', '-C', root, 'ls-files', '-z', '--cached', '--others', '--exclude-standard'],
                         capture_output=True, text=True, check=False)
    inside = os.path.exists(os.path.join(root, '.git'))
    if inside and git.returncode == 0:
        listed = [path for path in git.stdout.split('\0') if path]
    else:
        listed = []
        for folder, folders, files in os.walk(root):
            folders[:] = sorted(name for name in folders if name not in SKIPPED_FOLDERS)
            listed += [os.path.relpath(os.path.join(folder, name), root) for name in files]
    return sorted(path for path in set(listed) if os.path.isfile(os.path.join(root, path)))


def read_text(path):
    """The file's text, or None for a binary file."""
    with open(path, 'rb') as file:
        data = file.read()
    if b'\0' in data:
        return None
    return data.decode('utf-8', errors='replace')


def code_only(text):
    """C++ text with comments, string and character literals blanked; line numbers stay."""
    pattern = re.compile(
        r'//[^\n]*|/\*.*?\*/'
        r'|R"(?P<mark>[^()\\\s]{0,16})\(.*?\)(?P=mark)"'
        r'|"(?:\\.|[^"\\\n])*"'
        r"|(?<![0-9A-Fa-f])'(?:\\.|[^'\\\n])+'",  # not the separator of 1'000
        re.S)
    return pattern.sub(lambda match: re.sub(r'[^\n]', ' ', match.group()), text)


def line_of(text, position):
    return text.count('\n', 0, position) + 1


def finish(name, looked_at, violations):
    """Prints the violations and ends the program. looked_at counts what was examined, for the message and against 0."""
    for violation in violations:
        print(violation)
    if violations:
        print(f'{name}: {len(violations)} violation(s)')
        sys.exit(1)
    if looked_at == 0:
        print(f'{name}: found nothing to check, which is a failure')
        sys.exit(1)
    print(f'{name}: {looked_at} checked, no violation')
    sys.exit(0)
