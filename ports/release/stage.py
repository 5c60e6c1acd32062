"""Stages a release: the library's archives from CPack, one archive per ecosystem, SHA256SUMS. The same sources give the same
bytes: names sorted, owners dropped, times from SOURCE_DATE_EPOCH or else from the last commit.
The folder of an ecosystem, ports/<name>, is the root of its archive; NAME.in there is replaced by the manifest that CMake made
of it, and headers, licence and version header are added where the ecosystem looks for them.
"""
# SPDX-License-Identifier: MIT
import argparse
import gzip
import hashlib
import io
import os
import pathlib
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
import zipfile

# Name of the ecosystem: where it looks for headers, the archive's ending, the folder that holds everything in the archive.
# Arduino's installers refuse an archive with more than one name at the top.
ECOSYSTEMS = {
    'platformio': ('include', '.tar.gz', ''),
    'arduino': ('src', '.zip', 'kinecast/'),
    'zephyr': ('include', '.tar.gz', ''),
    'esp_idf': ('include', '.tar.gz', ''),
}
# Files that several need: the examples forecast the same, and PlatformIO builds Arduino's sketches.
FORECAST = 'ports/release/example/forecast.hpp'
SHARED = {
    'platformio': {'include/kinecast.h': 'ports/arduino/src/kinecast.h',
                   'examples/forecast/src/Forecast.ino': 'ports/arduino/examples/Forecast/Forecast.ino',
                   'examples/forecast/src/forecast.hpp': FORECAST},
    'arduino': {'examples/Forecast/forecast.hpp': FORECAST},
    'zephyr': {'samples/forecast/src/forecast.hpp': FORECAST},
    'esp_idf': {'examples/forecast/main/forecast.hpp': FORECAST},
}
EARLIEST_S = 315532800  # 1980-01-01, the first day that a zip file knows


def fail(sentence):
    sys.exit(f'stage: error: {sentence}')


def time_of_release(source):
    text = os.environ.get('SOURCE_DATE_EPOCH', '')
    if not text:
        # The checkout may belong to somebody else.
        git = subprocess.run(['git', '-c', f'safe.directory={source}', '-C', source, 'log', '-1', '--format=%ct'],
                             capture_output=True, text=True, check=False)
        text = git.stdout.strip()
    if not text.isdigit():
        fail('when was this release made? This is no git checkout: set SOURCE_DATE_EPOCH (seconds since 1970)')
    return max(int(text), EARLIEST_S)


def files_below(folder):
    """{path relative to folder: file}, without what editors and interpreters leave behind."""
    found = {}
    for path in sorted(folder.rglob('*')):
        relative = path.relative_to(folder)
        litter = any(part.startswith('.') or part == '__pycache__' or part.endswith('~') for part in relative.parts)
        if path.is_file() and not litter:
            found[relative.as_posix()] = path
    return found


def contents_of(name, options):
    """{path in the archive: file} of an ecosystem."""
    headers, _, _ = ECOSYSTEMS[name]
    contents = {}
    for path, file in files_below(options.source / 'ports' / name).items():
        if path.endswith('.in'):
            path = path[:-len('.in')]
            file = options.manifests / name / path
        contents[path] = file
    for path, file in files_below(options.source / 'lib' / 'include').items():
        contents[f'{headers}/{path}'] = file
    contents[f'{headers}/kinecast/version.hpp'] = options.version_header
    contents['LICENSE'] = options.source / 'LICENSE'
    for path, file in SHARED[name].items():
        contents[path] = options.source / file
    return contents


def write_tar(path, contents, when_s):
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode='w', format=tarfile.PAX_FORMAT) as archive:
        for name in sorted(contents):
            member = tarfile.TarInfo(name)
            member.size = len(contents[name])
            member.mtime = when_s
            member.mode = 0o644
            archive.addfile(member, io.BytesIO(contents[name]))
    with open(path, 'wb') as file, gzip.GzipFile('', 'wb', 9, file, mtime=when_s) as packed:
        packed.write(data.getvalue())


def write_zip(path, contents, when_s):
    when = time.gmtime(when_s)[:6]
    with zipfile.ZipFile(path, 'w', zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name in sorted(contents):
            member = zipfile.ZipInfo(name, when)
            member.compress_type = zipfile.ZIP_DEFLATED
            member.create_system = 3  # as on Unix, wherever it was made
            member.external_attr = 0o100644 << 16
            archive.writestr(member, contents[name])


def write_archive(path, contents, when_s):
    (write_zip if path.name.endswith('.zip') else write_tar)(path, contents, when_s)


def read_archive(path):
    """{path in the archive: bytes}"""
    if path.name.endswith('.zip'):
        with zipfile.ZipFile(path) as archive:
            return {name: archive.read(name) for name in archive.namelist() if not name.endswith('/')}
    with tarfile.open(path) as archive:
        return {member.name.removeprefix('./'): archive.extractfile(member).read() for member in archive if member.isfile()}


def stage_library(options, out, when_s):
    """CPack's archives, with their members in an order that does not depend on the file system, and nobody's user number."""
    with tempfile.TemporaryDirectory() as folder:
        run = subprocess.run([options.cpack, '--config', options.cpack_config, '-B', folder], text=True, check=False,
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        made = [pathlib.Path(folder) / f'kinecast-{options.version}{ending}' for ending in ('.tar.gz', '.zip')]
        if run.returncode != 0 or not all(path.is_file() for path in made):
            fail(f'CPack did not make {" and ".join(path.name for path in made)}:\n{run.stdout}')
        for path in made:
            write_archive(out / path.name, read_archive(path), when_s)


def stage_ecosystem(name, options, out, when_s):
    _, ending, top = ECOSYSTEMS[name]
    contents = {}
    for path, file in contents_of(name, options).items():
        if not file.is_file():
            fail(f'ports/{name}: {path} is missing: {file}')
        contents[top + path] = file.read_bytes()
    write_archive(out / f'kinecast-{options.version}-{name}{ending}', contents, when_s)


def stage(options, out):
    when_s = time_of_release(options.source)
    stage_library(options, out, when_s)
    for name in ECOSYSTEMS:
        stage_ecosystem(name, options, out, when_s)
    archives = sorted(path for path in out.iterdir())
    sums = [f'{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n' for path in archives]
    (out / 'SHA256SUMS').write_text(''.join(sums), encoding='utf-8')


def main():
    parser = argparse.ArgumentParser(description='Stages the archives of a release; normally called by the target `release`.')
    parser.add_argument('--source', type=pathlib.Path, required=True, help='the checkout')
    parser.add_argument('--version', required=True)
    parser.add_argument('--manifests', type=pathlib.Path, required=True, help='folder of the manifests that CMake filled in')
    parser.add_argument('--version-header', type=pathlib.Path, required=True)
    parser.add_argument('--cpack', required=True)
    parser.add_argument('--cpack-config', required=True)
    parser.add_argument('--out', type=pathlib.Path, required=True, help='replaced as a whole')
    options = parser.parse_args()
    options.out.parent.mkdir(parents=True, exist_ok=True)
    # A release is there as a whole or not at all.
    with tempfile.TemporaryDirectory(dir=options.out.parent) as folder:
        fresh = pathlib.Path(folder) / 'release'
        fresh.mkdir()
        stage(options, fresh)
        shutil.rmtree(options.out, ignore_errors=True)
        fresh.rename(options.out)
    for path in sorted(options.out.iterdir()):
        print(f'{path.stat().st_size:9d} B  {path}')


if __name__ == '__main__':
    main()
