"""The staged release that the tests look at, and what they do with it: open archives, unpack them, compile their examples with
stand-ins of the ecosystems. ctest tells where everything is.
"""
# SPDX-License-Identifier: MIT
import os
import pathlib
import re
import shutil
import subprocess
import tarfile
import tempfile
import unittest
import zipfile

import arm_truth

VERSION = os.environ['KINECAST_VERSION']
SOURCE = pathlib.Path(os.environ['KINECAST_SOURCE'])
STAGED = pathlib.Path(os.environ['KINECAST_STAGED'])
STAGE = os.environ['KINECAST_STAGE'].split('\t')
CXX = os.environ['KINECAST_CXX']
EIGEN = os.environ['KINECAST_EIGEN_INCLUDE']
CMAKE = os.environ['KINECAST_CMAKE']
STAND_IN = pathlib.Path(__file__).parent / 'stand_in'

ENDINGS = {'': '.tar.gz', 'platformio': '.tar.gz', 'arduino': '.zip', 'zephyr': '.tar.gz', 'esp_idf': '.tar.gz'}
CORTEX_M4 = ['-mcpu=cortex-m4', '-mfpu=fpv4-sp-d16', '-mfloat-abi=hard', '-mthumb', '-fno-exceptions', '-fno-rtti']
# Steps of 1 ms are of first order: at 2 rad/s they are off by at most half a step of way.
FORECAST_ERROR_RAD = 1e-3


def archive(name):
    """The archive of an ecosystem; '' is the library's own."""
    return STAGED / f'kinecast-{VERSION}{"-" + name if name else ""}{ENDINGS[name]}'


def contents(path):
    """{name in the archive: bytes}"""
    if path.name.endswith('.zip'):
        with zipfile.ZipFile(path) as opened:
            return {name: opened.read(name) for name in opened.namelist()}
    with tarfile.open(path) as opened:
        return {member.name: opened.extractfile(member).read() for member in opened}


class ReleaseTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def unpack(self, name, into):
        target = self.folder / into
        shutil.unpack_archive(archive(name), target)
        return target

    def run_command(self, *words, **environment):
        return subprocess.run([str(word) for word in words], cwd=self.folder, env={**os.environ, **environment}, text=True,
                              stdin=subprocess.DEVNULL, capture_output=True, check=False)

    def succeed(self, *words, **environment):
        run = self.run_command(*words, **environment)
        self.assertEqual(run.returncode, 0, f'{" ".join(str(word) for word in words)}\n{run.stdout}{run.stderr}')
        return run.stdout

    def refuse(self, sentence, *words, **environment):
        """The command fails and says why. (CMake breaks its messages into lines.)"""
        run = self.run_command(*words, **environment)
        self.assertNotEqual(run.returncode, 0, 'it should have been refused')
        self.assertIn(sentence, ' '.join((run.stdout + run.stderr).split()))

    def assert_forecast(self, printed, pattern, unit_rad=1):
        """What every example prints, whatever it prints it with: two angles, where the arm will be."""
        found = re.fullmatch(pattern, printed)
        self.assertIsNotNone(found, printed)
        for angle, truth in zip(found.groups(), arm_truth.forecast_rad()):
            self.assertAlmostEqual(float(angle) * unit_rad, truth, delta=FORECAST_ERROR_RAD)

    def needs(self, program):
        if not shutil.which(program):
            self.fail(f'{program} is not installed (sh toolchains/setup.sh installs it)')
