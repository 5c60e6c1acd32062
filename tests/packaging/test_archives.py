"""The archives of a release: complete, nothing foreign, the same bytes every time; and the library's own is a project."""
# SPDX-License-Identifier: MIT
import hashlib
import os
import re
import subprocess
import tarfile
import unittest
import zipfile

import release

# What an archive may hold besides headers of the library and its licence: patterns of names below the archive's top.
ALLOWED = {
    '': r'CMakeLists\.txt|README\.md|lib/CMakeLists\.txt|lib/cmake/.*\.in|lib/docs/.*',
    'platformio': r'README\.md|library\.json|include/kinecast\.h|examples/.*',
    'arduino': r'README\.md|library\.properties|keywords\.txt|src/kinecast\.h|examples/.*',
    'zephyr': r'README\.md|zephyr/(module\.yml|CMakeLists\.txt|Kconfig)|samples/.*',
    'esp_idf': r'README\.md|CMakeLists\.txt|Kconfig|idf_component\.yml|examples/.*',
}
HEADERS = {'': 'lib/include', 'platformio': 'include', 'arduino': 'src', 'zephyr': 'include', 'esp_idf': 'include'}
TOP = {'': f'kinecast-{release.VERSION}/', 'arduino': 'kinecast/'}


def hashes(folder):
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in folder.iterdir()}


class Archives(release.ReleaseTest):
    def below_top(self, name):
        top = TOP.get(name, '')
        files = release.contents(release.archive(name))
        for path in files:
            self.assertTrue(path.startswith(top), f'{path} is not below {top}')
        return {path[len(top):]: text for path, text in files.items()}

    def test_names_and_sums(self):
        names = {release.archive(name).name for name in release.ENDINGS} | {f'kinecast-{release.VERSION}.zip'}
        found = hashes(release.STAGED)
        self.assertEqual(set(found), names | {'SHA256SUMS'})
        sums = dict(reversed(line.split('  ')) for line in
                    (release.STAGED / 'SHA256SUMS').read_text(encoding='utf-8').splitlines())
        self.assertEqual(sums, {name: found[name] for name in names})

    def test_both_formats_hold_the_same(self):
        zipped = release.contents(release.STAGED / f'kinecast-{release.VERSION}.zip')
        self.assertEqual(zipped, release.contents(release.archive('')))

    def test_headers_are_all_there(self):
        include = release.SOURCE / 'lib' / 'include'
        expected = {path.relative_to(include).as_posix(): path.read_bytes() for path in include.rglob('*.hpp')}
        self.assertGreater(len(expected), 80)
        for name, folder in HEADERS.items():
            files = self.below_top(name)
            found = {path[len(folder) + 1:]: text for path, text in files.items() if path.startswith(f'{folder}/kinecast/')}
            del found['kinecast/version.hpp']
            self.assertEqual(found, expected, name)

    def test_nothing_foreign(self):
        for name, allowed in ALLOWED.items():
            pattern = re.compile(rf'{HEADERS[name]}/kinecast/.*\.hpp|LICENSE|{allowed}')
            files = self.below_top(name)
            foreign = [path for path in files if not pattern.fullmatch(path)]
            self.assertEqual(foreign, [], name)
            self.assertEqual(files['LICENSE'], (release.SOURCE / 'LICENSE').read_bytes())
            self.assertGreater(len(files['README.md']), 1000)

    def test_no_path_of_this_machine(self):
        for name in release.ENDINGS:
            for path, text in release.contents(release.archive(name)).items():
                self.assertFalse(path.startswith('/') or '..' in path.split('/'), path)
                for place in (release.SOURCE, release.STAGED, os.path.expanduser('~') + '/'):
                    self.assertNotIn(str(place).encode(), text, f'{name}: {path}')

    def test_order_owner_and_time(self):
        git = subprocess.run(['git', '-c', f'safe.directory={release.SOURCE}', '-C', release.SOURCE, 'log', '-1',
                              '--format=%ct'], capture_output=True, text=True,
                             check=False)
        when_s = int(os.environ.get('SOURCE_DATE_EPOCH') or git.stdout)
        for name in release.ENDINGS:
            path = release.archive(name)
            if path.name.endswith('.zip'):
                with zipfile.ZipFile(path) as opened:
                    names = opened.namelist()
                    self.assertEqual(len({member.date_time for member in opened.infolist()}), 1)
            else:
                with tarfile.open(path) as opened:
                    members = opened.getmembers()
                names = [member.name for member in members]
                self.assertEqual({(member.uid, member.gid, member.uname, member.mode, member.mtime) for member in members},
                                 {(0, 0, '', 0o644, when_s)})
            self.assertEqual(names, sorted(names))

    def test_same_bytes_again(self):
        again = self.folder / 'again'
        # Elsewhere, for somebody else: another zone, another locale, other permissions for new files.
        self.succeed('sh', '-c', 'umask 077 && exec "$@"', 'sh', *release.STAGE, '--out', again, TZ='Asia/Tokyo', LC_ALL='C')
        self.assertEqual(hashes(again), hashes(release.STAGED))

    def test_time_from_the_environment(self):
        dated = self.folder / 'dated'
        self.succeed(*release.STAGE, '--out', dated, SOURCE_DATE_EPOCH='1000000000')
        with tarfile.open(dated / release.archive('zephyr').name) as opened:
            self.assertEqual({member.mtime for member in opened}, {1000000000})
        self.refuse('set SOURCE_DATE_EPOCH', *release.STAGE, '--out', dated, SOURCE_DATE_EPOCH='yesterday')
        self.assertEqual(len(hashes(dated)), 7, 'a release that failed must leave the former one alone')

    def test_library_archive_installs(self):
        source = self.unpack('', 'unpacked') / f'kinecast-{release.VERSION}'
        self.succeed(release.CMAKE, '-S', source, '-B', 'build', f'-DCMAKE_CXX_COMPILER={release.CXX}')
        self.succeed(release.CMAKE, '--install', 'build', '--prefix', 'prefix')
        prefix = self.folder / 'prefix'
        installed = {path.relative_to(prefix).as_posix() for path in prefix.rglob('*') if path.is_file()}
        self.assertLessEqual({'include/kinecast/kinecast.hpp', 'include/kinecast/version.hpp',
                              'share/kinecast/cmake/kinecast-config.cmake'}, installed)


if __name__ == '__main__':
    unittest.main()
