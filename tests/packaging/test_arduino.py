"""The Arduino sketch, from both archives that carry it, with a stand-in core that has the macros of the worst real ones."""
# SPDX-License-Identifier: MIT
import unittest

import release

CORE = release.STAND_IN / 'arduino'


class Sketch(release.ReleaseTest):
    def sketch(self, folder):
        """What Arduino's builder compiles: the sketch behind an include of the core."""
        path = next(folder.rglob('*.ino'))
        source = path.with_suffix('.cpp')
        source.write_text(f'#include <Arduino.h>\n#line 1 "{path.name}"\n{path.read_text(encoding="utf-8")}', encoding='utf-8')
        return source

    def flags(self, include, standard='-std=gnu++17'):
        return [standard, '-ffp-contract=off', '-Wall', '-Wextra', '-Werror', f'-I{CORE}', f'-I{include}', '-isystem',
                release.EIGEN]

    def test_runs(self):
        library = self.unpack('arduino', 'libraries') / 'kinecast'
        self.succeed(release.CXX, *self.flags(library / 'src'), self.sketch(library), CORE / 'core.cpp', '-o', 'sketch')
        self.assert_forecast(self.succeed(self.folder / 'sketch'),
                             r'in 100 ms: (\S+) rad and (\S+) rad; took 0 us and \d+ B of RAM\n')

    def test_compiles_for_a_board(self):
        self.needs('arm-none-eabi-g++')
        library = self.unpack('platformio', 'kinecast')
        self.succeed('arm-none-eabi-g++', *release.CORTEX_M4, *self.flags(library / 'include'), '-fdata-sections', '-c',
                     self.sketch(library), '-o', 'sketch.o')
        rows = [line.split() for line in self.succeed('arm-none-eabi-size', '-A', 'sketch.o').splitlines()]
        size_B = {words[0]: int(words[1]) for words in rows if len(words) == 3 and words[0].startswith('.')}
        # The robot is in flash; RAM is the predictor, its guard, and the empty constants of Eigen.
        self.assertGreater(size_B['.rodata._ZN8kinecast5modelIL_ZN7example3armEEfEE'], 0)
        self.assertEqual([name for name in size_B if name.startswith('.data') and size_B[name]], [])
        predictor_B = size_B['.bss._ZN7example9predictorE']
        rest_B = sum(size for name, size in size_B.items() if name.startswith('.bss')) - predictor_B
        self.assertLessEqual(rest_B, 16)
        print(f'RAM of the predictor: {predictor_B} B, else {rest_B} B')

    def test_both_archives_carry_the_same(self):
        arduino = release.contents(release.archive('arduino'))
        platformio = release.contents(release.archive('platformio'))
        for one, other in (('src/kinecast.h', 'include/kinecast.h'),
                           ('examples/Forecast/Forecast.ino', 'examples/forecast/src/Forecast.ino'),
                           ('examples/Forecast/forecast.hpp', 'examples/forecast/src/forecast.hpp')):
            self.assertEqual(arduino[f'kinecast/{one}'], platformio[other])

    def test_macros_are_put_aside_and_come_back(self):
        library = self.unpack('arduino', 'libraries') / 'kinecast'
        source = self.folder / 'macros.cpp'
        check = [*self.flags(library / 'src'), '-fsyntax-only', source]
        source.write_text('#include <Arduino.h>\n#include <kinecast/kinecast.hpp>\n', encoding='utf-8')
        self.assertNotEqual(self.run_command(release.CXX, *check).returncode, 0, 'the stand-in is friendlier than real cores')
        words = [line.split('"')[1] for line in (library / 'src/kinecast.h').read_text(encoding='utf-8').splitlines()
                 if line.startswith('#pragma push_macro')]
        self.assertGreater(len(words), 10)
        tests = ''.join(f'#ifndef {word}\n#error "{word} is lost"\n#endif\n' for word in words)
        source.write_text(f'#include <Arduino.h>\n#include <kinecast.h>\n{tests}', encoding='utf-8')
        self.succeed(release.CXX, *check)

    def test_refusals(self):
        library = self.unpack('arduino', 'libraries') / 'kinecast'
        source = self.folder / 'old.cpp'
        source.write_text('#include <kinecast.h>\n', encoding='utf-8')
        self.refuse('kinecast needs C++17: add -std=gnu++17', release.CXX, *self.flags(library / 'src', '-std=gnu++14'),
                    '-fsyntax-only', source)
        self.refuse('kinecast needs the C++ standard library', release.CXX, *self.flags(library / 'src'), '-nostdinc++',
                    '-fsyntax-only', source)


if __name__ == '__main__':
    unittest.main()
