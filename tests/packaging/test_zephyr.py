"""The Zephyr module and its sample, with stand-ins of Zephyr's CMake package and headers; the options by kconfiglib."""
# SPDX-License-Identifier: MIT
import unittest

import kconfiglib

import release

# What the module expects of Zephyr's own options.
KCONFIG = '''
config CPP
\tbool "C++"
choice STD_CPP
\tprompt "C++ Standard"
\tdefault STD_CPP11
config STD_CPP11
\tbool "C++ 11"
config STD_CPP17
\tbool "C++ 17"
endchoice
config REQUIRES_FULL_LIBCPP
\tbool
config FPU
\tbool "FPU"
config MAIN_STACK_SIZE
\tint "Stack"
source "{module}/zephyr/Kconfig"
'''


class Module(release.ReleaseTest):
    def setUp(self):
        super().setUp()
        self.module = self.unpack('zephyr', 'modules/lib/kinecast')
        self.sample = self.module / 'samples' / 'forecast'

    def options(self):
        """{name: value} of the sample, as Zephyr's build would see it."""
        root = self.folder / 'Kconfig'
        root.write_text(KCONFIG.format(module=self.module), encoding='utf-8')
        options = kconfiglib.Kconfig(str(root), warn_to_stderr=False)
        options.load_config(str(self.sample / 'prj.conf'))
        self.assertEqual(options.warnings, [])
        return {name: symbol.str_value for name, symbol in options.syms.items() if symbol.nodes}

    def configure(self, build, options, *words, **environment):
        given = [f'-DCONFIG_{name}={value}' for name, value in options.items()]
        return (release.CMAKE, '-S', self.sample, '-B', build, f'-DZephyr_DIR={release.STAND_IN / "zephyr"}',
                f'-DZEPHYR_EXTRA_MODULES={self.module}', *given, *words)

    def test_options(self):
        options = self.options()
        self.assertEqual({name: options[name] for name in ('KINECAST', 'KINECAST_BIT_EQUAL', 'REQUIRES_FULL_LIBCPP')},
                         {'KINECAST': 'y', 'KINECAST_BIT_EQUAL': 'y', 'REQUIRES_FULL_LIBCPP': 'y'})

    def test_sample_runs(self):
        (self.folder / 'modules/lib/eigen').symlink_to(release.EIGEN)  # as a west project beside the module
        self.succeed(*self.configure('host', self.options(), f'-DCMAKE_CXX_COMPILER={release.CXX}'))
        self.succeed(release.CMAKE, '--build', 'host')
        self.assert_forecast(self.succeed(self.folder / 'host' / 'app'),
                             r'in 100 ms: (\d+) and (\d+) \(1e-4 rad\); took 0 us and \d+ B of RAM\n', unit_rad=1e-4)
        commands = (self.folder / 'host' / 'compile_commands.json').read_text(encoding='utf-8')
        for flag in (' -ffp-contract=off ', ' -fno-math-errno ', ' -std=gnu++17 '):
            self.assertIn(flag, commands)

    def test_sample_compiles_for_a_board(self):
        self.needs('arm-none-eabi-g++')
        self.succeed(*self.configure('m4', self.options(), f'-DCMAKE_TOOLCHAIN_FILE={release.SOURCE}/toolchains/m4.cmake'),
                     KINECAST_EIGEN=release.EIGEN)
        self.succeed(release.CMAKE, '--build', 'm4')

    def test_refusals(self):
        options = self.options()
        self.refuse('kinecast needs Eigen', *self.configure('none', options))
        self.refuse('kinecast needs C++17: put CONFIG_STD_CPP17=y into prj.conf',
                    *self.configure('old', {**options, 'STD_CPP17': 'n', 'STD_CPP11': 'y'}))


if __name__ == '__main__':
    unittest.main()
