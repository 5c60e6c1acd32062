"""One version number, in the project's CMakeLists.txt: no other file has it by hand, and every archive has it."""
# SPDX-License-Identifier: MIT
import json
import pathlib
import re
import sys
import unittest

import yaml

import release

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / 'static'))
import gate  # noqa: E402  (the list of the project's files)

PLACE = 'CMakeLists.txt'
HISTORY = 'changelog.md'  # old numbers are history; the newest one must be the project's
MANIFESTS = ('library.json.in', 'library.properties.in', 'idf_component.yml.in')


def by_hand(root, version):
    """Lines that carry a version of kinecast although they are not the one place: 'file:line: text'."""
    number = re.compile(r'(?<![\d.])' + re.escape(version) + r'(?![\d.])')
    named = re.compile(r'\bkinecast[ _-](?:version )?v?\d+\.\d+\.\d+', re.I)
    field = re.compile(r'^\s*"?version"?\s*[:=]\s*"?\d')
    found = []
    for path in gate.project_files(root):
        text = gate.read_text(f'{root}/{path}')
        if text is None or path.endswith(('.csv', '.svg')):
            continue
        newest = None
        for count, line in enumerate(text.splitlines(), 1):
            if path == PLACE and line.startswith('project(kinecast VERSION '):
                continue
            if path.endswith(HISTORY):
                heading = re.match(r'#+ .*?(\d+\.\d+\.\d+)', line)
                wrong = heading and newest is None and heading.group(1) != version
                newest = newest or heading
            else:
                wrong = number.search(line) or named.search(line) or path.endswith(MANIFESTS) and field.search(line)
            if wrong:
                found.append(f'{path}:{count}: {line.strip()}')
    return found


class Version(release.ReleaseTest):
    def test_no_file_has_it_by_hand(self):
        self.assertEqual(by_hand(str(release.SOURCE), release.VERSION), [])

    def test_planted_numbers_are_found(self):
        name = 'kinecast'  # apart from the numbers, lest this file be found
        planted = {'CMakeLists.txt': f'project({name} VERSION 7.8.9)\nset(V 7.8.9)\n',
                   'lib/version.hpp': '#define V "7.8.9"\n', 'README.md': f'Unpack {name}-1.2.3.tar.gz.\n',
                   'ports/library.properties.in': 'name=kinecast\nversion=1.0\n',
                   'lib/docs/changelog.md': '# Changelog\n## 7.8.8\n## 7.8.7\n', 'tests/x.py': '# cmake 7.8.90, 17.8.9\n'}
        for path, text in planted.items():
            file = self.folder / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding='utf-8')
        found = [line.split(': ')[0] for line in by_hand(str(self.folder), '7.8.9')]
        self.assertEqual(found, ['CMakeLists.txt:2', 'README.md:1', 'lib/docs/changelog.md:2', 'lib/version.hpp:1',
                                 'ports/library.properties.in:2'])

    def test_it_is_the_project_s(self):
        text = (release.SOURCE / PLACE).read_text(encoding='utf-8')
        self.assertEqual(re.findall(r'project\(kinecast VERSION (\S+)', text), [release.VERSION])
        self.assertRegex(release.VERSION, r'^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)$')

    def test_every_archive_has_it(self):
        library = release.contents(release.archive(''))
        self.assertEqual({name.split('/')[0] for name in library}, {f'kinecast-{release.VERSION}'})
        platformio = release.contents(release.archive('platformio'))
        self.assertEqual(json.loads(platformio['library.json'])['version'], release.VERSION)
        arduino = release.contents(release.archive('arduino'))
        self.assertIn(f'\nversion={release.VERSION}\n', arduino['kinecast/library.properties'].decode())
        esp_idf = release.contents(release.archive('esp_idf'))
        self.assertEqual(yaml.safe_load(esp_idf['idf_component.yml'])['version'], release.VERSION)

    def test_every_archive_has_its_header(self):
        major, minor, patch = release.VERSION.split('.')
        for name in release.ENDINGS:
            files = release.contents(release.archive(name))
            header, = [text.decode() for path, text in files.items() if path.endswith('kinecast/version.hpp')]
            for line in (f'#define KINECAST_VERSION_MAJOR {major}\n', f'#define KINECAST_VERSION_MINOR {minor}\n',
                         f'#define KINECAST_VERSION_PATCH {patch}\n', f'kVersion = "{release.VERSION}";'):
                self.assertIn(line, header)


if __name__ == '__main__':
    unittest.main()
