"""The ESP-IDF component and its example, with stand-ins of project.cmake and headers. The real compilers are for Xtensa and
RISC-V and not here: the host's and the Cortex-M4F's stand in for them.
"""
# SPDX-License-Identifier: MIT
import unittest

import release


class Component(release.ReleaseTest):
    def setUp(self):
        super().setUp()
        self.component = self.unpack('esp_idf', 'components/kinecast')
        self.idf = {'IDF_PATH': str(release.STAND_IN / 'esp_idf')}

    def configure(self, build, *words):
        return (release.CMAKE, '-S', self.component / 'examples' / 'forecast', '-B', build, '-DCONFIG_KINECAST_BIT_EQUAL=y',
                *words)

    def test_example_runs(self):
        self.succeed(*self.configure('host', f'-DCMAKE_CXX_COMPILER={release.CXX}', f'-DKINECAST_EIGEN={release.EIGEN}'),
                     **self.idf)
        self.succeed(release.CMAKE, '--build', 'host')
        self.assert_forecast(self.succeed(self.folder / 'host' / 'app'),
                             r'in 100 ms: (\S+) rad and (\S+) rad; took 0 us and \d+ B of RAM\n')
        commands = (self.folder / 'host' / 'compile_commands.json').read_text(encoding='utf-8')
        for flag in (' -ffp-contract=off ', ' -fno-math-errno '):
            self.assertIn(flag, commands)

    def test_example_compiles_for_a_board(self):
        self.needs('arm-none-eabi-g++')
        self.succeed(*self.configure('m4', f'-DCMAKE_TOOLCHAIN_FILE={release.SOURCE}/toolchains/m4.cmake'),
                     KINECAST_EIGEN=release.EIGEN, **self.idf)
        self.succeed(release.CMAKE, '--build', 'm4')

    def test_without_eigen(self):
        self.refuse('kinecast needs Eigen', *self.configure('none'), **self.idf)


if __name__ == '__main__':
    unittest.main()
