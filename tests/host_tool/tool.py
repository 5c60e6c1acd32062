"""Runs the command line tool in a folder of its own. The tests get the tool's path as KINECAST_TOOL from ctest."""
# SPDX-License-Identifier: MIT
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
