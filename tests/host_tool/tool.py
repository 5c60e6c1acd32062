"""Runs the command line tool in a folder of its own. The tests get the tool's path as KINECAST_TOOL from ctest."""
# SPDX-License-Identifier: MIT
import html.parser
import json
import os
import pathlib
import subprocess
import tempfile
import unittest


class ToolTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def write(self, name, contents):
        """Text as it is; anything else as JSON. Returns the name."""
        (self.folder / name).write_text(contents if isinstance(contents, str) else json.dumps(contents, indent=1),
                                        encoding='utf-8')
        return name

    def run_tool(self, *arguments, **environment):
        return subprocess.run([os.environ['KINECAST_TOOL'], *arguments], cwd=self.folder, text=True, check=False,
                              stdin=subprocess.DEVNULL, capture_output=True, env={**os.environ, **environment})

    def files(self):
        return sorted(path.name for path in self.folder.iterdir())

    def scores(self, text):
        """{window: (float, double, null)} from the tool's table, the last one in the text."""
        found = {}
        for line in text.splitlines():
            words = line.replace('whole log', 'whole').replace(' s ', ' ').split()
            if len(words) == 6 and words[1].isdigit():
                found[words[0]] = tuple(float(word) for word in words[2:5])
        return found


class Balanced(html.parser.HTMLParser):
    """Every element is closed in the right order, and nothing is fetched from elsewhere; `allowed`: elements that may be
    there although they could fetch something.
    """
    VOID = {'meta', 'br', 'hr', 'img', 'link', 'input'}

    def __init__(self, allowed=()):
        super().__init__()
        self.allowed = allowed
        self.open = []
        self.seen = []
        self.problems = []

    def handle_startendtag(self, tag, attributes):
        self.look_at(tag, attributes)

    def handle_starttag(self, tag, attributes):
        self.look_at(tag, attributes)
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.problems.append(f'</{tag}> does not match')

    def look_at(self, tag, attributes):
        self.seen.append(tag)
        if tag in {'script', 'link', 'img', 'iframe', 'object'} - set(self.allowed):
            self.problems.append(f'<{tag}>')
        for name, value in attributes:
            if name in ('src', 'href', 'xlink:href') and not value.startswith('#'):
                self.problems.append(f'{tag} {name}={value}')
