"""Shows that each static gate catches what it is for: plants a violation in a small tree of its own and asserts that
the gate exits non-zero and names the file and the rule; and that the same tree without it passes.
usage: test_gates.py CLASS [--commands compile_commands.json --flags-of SOURCE]
"""
# SPDX-License-Identifier: MIT
import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
OPTIONS = argparse.Namespace(commands='', flags_of='')

TARGET_FLAGS = ['-mcpu=cortex-m4', '-mthumb', '-mfpu=fpv4-sp-d16', '-mfloat-abi=hard', '-O1', '-std=c++17']


class GateTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = folder.name

    def plant(self, path, text):
        full = os.path.join(self.root, path)
        os.makedirs(os.path.dirname(full), exist_ok=True)
        with open(full, 'w', encoding='utf-8') as file:
            file.write(text)
        return full

    def plant_commands(self, path, source, flags):
        entry = {'directory': self.root, 'file': source, 'command': f'g++ {flags} -c {source}'}
        return self.plant(path, json.dumps([entry]))

    def run_gate(self, script, *arguments):
        run = subprocess.run([sys.executable, os.path.join(HERE, script), *arguments], cwd=self.root,
                             capture_output=True, text=True, check=False)
        return run.returncode, run.stdout + run.stderr

    def assert_passes(self, script, *arguments):
        code, output = self.run_gate(script, *arguments)
        self.assertEqual(code, 0, output)
        return output

    def assert_caught(self, words, script, *arguments):
        code, output = self.run_gate(script, *arguments)
        self.assertEqual(code, 1, output)
        for word in words:
            self.assertIn(word, output)


class Layering(GateTest):
    HEADERS = 'lib/include/kinecast/'

    def plant_tree(self):
        self.plant(self.HEADERS + 'kinecast.hpp',
                   '#include <kinecast/solve/qp.hpp>\n#include <kinecast/model/robot.hpp>\n')
        self.plant(self.HEADERS + 'core/status.hpp', '#include <cstdint>\n')
        self.plant(self.HEADERS + 'math/types.hpp', '#include <Eigen/Core>\n#include <kinecast/core/status.hpp>\n')
        self.plant(self.HEADERS + 'model/robot.hpp', '#include <kinecast/math/types.hpp>\n// #include <vector>\n')
        self.plant(self.HEADERS + 'solve/qp.hpp', '#include <kinecast/math/types.hpp>\n')

    def caught(self, path, text, *words):
        self.plant_tree()
        self.assert_passes('check_layering.py', self.root)
        self.plant(self.HEADERS + path, text)
        self.assert_caught([self.HEADERS + path, *words], 'check_layering.py', self.root)

    def test_upward(self):
        self.caught('core/status.hpp', '\n#include <kinecast/math/types.hpp>\n',
                    'status.hpp:2', '[layering] core/ must not include math/')

    def test_solver_knows_no_robot(self):
        self.caught('solve/qp.hpp', '#include <kinecast/model/robot.hpp>\n',
                    '[layering] solve/ must not include model/')

    def test_umbrella_inside(self):
        self.caught('model/robot.hpp', '#include <kinecast/kinecast.hpp>\n#include <kinecast/math/types.hpp>\n',
                    '[layering]')

    def test_port(self):
        self.caught('core/status.hpp', '#include <kinecast_port/port.hpp>\n', '[outside-header]')

    def test_header_with_heap(self):
        self.caught('core/status.hpp', '#include <vector>\n', '[outside-header] <vector>')

    def test_quotes(self):
        self.caught('solve/qp.hpp', '#include "types.hpp"\n#include <kinecast/math/types.hpp>\n', '[include-form]')

    def test_extension(self):
        self.caught('predict/predictor.hpp', '#include <kinecast/predict/events/event_driven.hpp>\n', '[extension]')

    def test_unknown_layer(self):
        self.caught('extra/thing.hpp', '\n', '[layering] no such layer')

    def test_not_in_umbrella(self):
        self.caught('core/lonely.hpp', '\n', '[umbrella]')

    def test_top_folders(self):
        self.plant_tree()
        innocent = {
            'lib/docs/examples/gripper.hpp': '#include <kinecast/kinecast.hpp>\n',
            'ports/include/kinecast_port/text.hpp': '\n',
            'ports/host/main.cpp': '// #include "arm/arm.hpp"\n#include "gripper.hpp"\n#include "home.hpp"\n',
            'ports/host/home.hpp': '\n',
            'ports/host/CMakeLists.txt': 'target_include_directories(a PRIVATE b) # board_examples\n',
            'board_examples/arm/arm.hpp': '\n',
            'board_examples/arm/main.cpp': '#include "arm.hpp"\n#include "kinecast_port/text.hpp"\n',
            'tests/host/home.hpp': '\n',
            'tests/robots/chain.hpp': '#include "arm/arm.hpp"\n'}
        for path, text in innocent.items():
            self.plant(path, text)
        self.assert_passes('check_layering.py', self.root)
        for path, text, folder in [
                ('lib/docs/examples/gripper.hpp', '#include "kinecast_port/text.hpp"', 'ports'),
                ('lib/docs/examples/gripper.hpp', '#include "../../../tests/robots/chain.hpp"', 'tests'),
                ('ports/host/main.cpp', '#include "arm/arm.hpp"', 'board_examples'),
                ('ports/host/main.cpp', '#include <arm.hpp>', 'board_examples'),
                ('ports/host/main.cpp', '#include "robots/chain.hpp"', 'tests'),
                ('board_examples/arm/arm.hpp', '#include "robots/chain.hpp"', 'tests'),
                ('ports/host/CMakeLists.txt', 'target_include_directories(a PRIVATE b\n  ${top}/board_examples)',
                 'board_examples')]:
            with self.subTest(path + text):
                self.plant(path, text + '\n')
                words = f'{path}:1: [layering] {path.split("/")[0]}/ must not include {folder}/'
                self.assert_caught([words], 'check_layering.py', self.root)
                self.plant(path, innocent[path])

    def test_empty(self):
        self.assert_caught(['found nothing'], 'check_layering.py', self.root)


class Tokens(GateTest):
    PATH = 'lib/include/kinecast/core/a.hpp'
    INNOCENT = ('// throw, new and try in a comment\n/* goto\n delete */\nstruct A { A(const A&) = delete; };\n'
                'inline const char* text() { return "new \\" throw"; }\nint renew = 1\'000, tries = \'x\', free = 2;\n'
                'inline void loop() { for (int i = 0; i < 3; ++i) {} }\n')

    def test_innocent(self):
        self.plant(self.PATH, self.INNOCENT)
        self.assert_passes('check_tokens.py', self.root)

    def test_each(self):
        for rule, code in [('exceptions', 'void f() { throw 1; }'),
                           ('exceptions', 'void f() { try {} catch (...) {} }'),
                           ('heap', 'int* p = new int;'), ('heap', 'void f(int* p) { delete p; }'),
                           ('heap', 'void f(int* p) { std::free(p); }'),
                           ('heap', 'std::vector<int> v;'), ('heap', 'std::string s;'),
                           ('heap', 'std::function<void()> f;'),
                           ('rtti', 'auto& t = typeid(int);'), ('rtti', 'auto* d = dynamic_cast<D*>(b);'),
                           ('stream', '#include <iostream>'), ('jump', 'void f() { goto end; }'),
                           ('unbounded-loop', 'void f() { while (true) {} }'),
                           ('unbounded-loop', 'void f() { for (;;) {} }'),
                           ('tolerance', 'constexpr double kNear = 1e-9;'),
                           ('tolerance', 'constexpr S kNear = std::is_same_v<S, float> ? S(1.5e-4) : S(2E-10);'),
                           ('tolerance', 'bool f(S x) { return x > S(0.05); }'),
                           ('tolerance', 'constexpr S kNear = S(4) * Tolerance<S>::kEpsilon;'),
                           ('tolerance', 'constexpr S kNear = std::numeric_limits<S>::epsilon();'),
                           ('tolerance', 'constexpr S kNear = std::numeric_limits<S>::min();')]:
            with self.subTest(code):
                self.plant(self.PATH, self.INNOCENT + code + '\n')
                line = self.INNOCENT.count('\n') + 1
                self.assert_caught([f'{self.PATH}:{line}: [{rule}]'], 'check_tokens.py', self.root)

    def test_numbers_in_their_places(self):
        tolerance = 'constexpr double kNear = 1e-9;\n'
        self.plant(self.PATH, 'struct P { S relaxation{S(1e-4)}; double rate{0.01}; };\n'
                              'constexpr S kHalf = S(0.5) * S(1.05) + S(1e9) + std::numeric_limits<S>::max();\n')
        self.plant('lib/include/kinecast/core/scalar.hpp', tolerance)
        self.plant('lib/include/kinecast/model/environment/material.hpp', tolerance)
        self.plant('ports/a.cpp', tolerance)
        self.assert_passes('check_tokens.py', self.root)

    def test_empty(self):
        self.assert_caught(['found nothing'], 'check_tokens.py', self.root)


class Words(GateTest):
    def test_each(self):
        for rule, text in [('machine-path', 'see /' + 'work/main/x'), ('machine-path', '"/' + 'home/me/x"'),
                           ('machine-path', 'cp a /' + 'tmp/a'), ('registry-host', 'http://deb.debian' + '.org/x'),
                           ('registry-host', 'https://registry.npmjs' + '.org')]:
            with self.subTest(text):
                self.plant('README.md', 'a sentence\n' + text + '\n')
                self.assert_caught([f'README.md:2: [{rule}]'], 'check_words.py', 'words', self.root)

    def test_innocent(self):
        self.plant('README.md', 'framework/main, ${top}/home/x, build/home/x, docs at https://example.com\n')
        self.assert_passes('check_words.py', 'words', self.root)

    def test_empty(self):
        self.assert_caught(['found nothing'], 'check_words.py', 'words', self.root)


class Unfinished(GateTest):
    def test_each(self):
        for word in ['TO' + 'DO', 'FIX' + 'ME', 'X' + 'XX']:
            with self.subTest(word):
                self.plant('ports/a.cpp', f'int a;\n// {word}: later\n')
                self.assert_caught(['ports/a.cpp:2: [unfinished]'], 'check_words.py', 'unfinished', self.root)

    def test_innocent(self):
        self.plant('ports/a.cpp', 'int a;  // mktemp name.' + 'X' * 6 + '\n')
        self.assert_passes('check_words.py', 'unfinished', self.root)


class Citations(GateTest):
    METHOD = ('# The method\n\n## 2. Contact\n\n### 2.6 Re-solve\n\n#### 6.3b Energy\n\n| FIX 19 | 2.6 | again |\n'
              '| CHOICE 20 | 2.6 | dropped |\n')
    PATH = 'lib/include/kinecast/solve/a.hpp'
    INNOCENT = ('// Re-solved (method 2.6, FIX 19; method 2 and 6.3b), or dropped (method\n// 2.6, CHOICE 20).\n'
                '// S000 eq. 13. A specification 1.5 of others; the method of 1900 steps.\n')

    def caught(self, path, text, *words):
        self.plant('lib/docs/method.md', self.METHOD)
        self.plant(self.PATH, self.INNOCENT)
        self.assert_passes('check_citations.py', self.root)
        self.plant(path, text)
        self.assert_caught([path, '[citation]', *words], 'check_citations.py', self.root)

    def test_section(self):
        self.caught(self.PATH, '\n// The third way (method 2.9).\n', 'a.hpp:2', 'no section 2.9')

    def test_one_of_several(self):
        self.caught('README.md', 'As method 2.6, 2.8 has it.\n', 'no section 2.8')

    def test_broken_between_lines(self):
        self.caught(self.PATH, '// as in method\n  // 3.1\n', 'a.hpp:1', 'no section 3.1')

    def test_entry(self):
        self.caught('tests/unit/a.cpp', '// method 2.6, FIX 20\n', 'no entry FIX 20')

    def test_one_of_two_entries(self):
        self.caught('tests/unit/a.py', '# method 2.6, CHOICE 20 and 21\n', 'no entry CHOICE 21')

    def test_page_that_nobody_has(self):
        self.caught('ports/host/a.cpp', '// the law (spec 2.6)\n', 'spec 2.6')

    def test_equation_of_nothing(self):
        self.caught(self.PATH, '// eq. 13\n', 'of which paper?')

    def test_no_method(self):
        self.plant(self.PATH, self.INNOCENT)
        self.assert_caught(['no sections'], 'check_citations.py', self.root)


class TopLevel(GateTest):
    def test_stranger(self):
        self.plant('lib/a.hpp', '')
        self.plant('.ci/run', '')
        self.assert_passes('check_top_level.py', self.root)
        self.plant('notes.txt', '')
        self.assert_caught(['notes.txt', '[top-level]'], 'check_top_level.py', self.root)

    def test_ignored_by_git(self):
        subprocess.run(['git', 'init', '-q', self.root], check=True)
        self.plant('.gitignore', '/build/\n')
        self.plant('build/x', '')
        self.assert_passes('check_top_level.py', self.root)
        self.plant('docs/x', '')
        self.assert_caught(['docs', '[top-level]'], 'check_top_level.py', self.root)


class Format(GateTest):
    def test_bad_layout(self):
        shutil.copy(os.path.join(ROOT, '.clang-format'), self.root)
        self.plant('lib/a.hpp', 'int f(int* a) { return *a; }\n')
        self.assert_passes('check_format.py', self.root)
        self.plant('lib/b.hpp', 'int f();\nint g(int *a){return *a;}\n')
        self.assert_caught(['lib/b.hpp:2', '[format]'], 'check_format.py', self.root)

    def test_long_comment(self):
        shutil.copy(os.path.join(ROOT, '.clang-format'), self.root)
        self.plant('lib/a.hpp', '// ' + 117 * 'ä' + '\nint f();\n')
        self.plant('tests/a.hpp', '// ' + 118 * 'a' + '\nint f();\n')
        self.assert_passes('check_format.py', self.root)
        self.plant('lib/b.hpp', 'int f();\n// ' + 118 * 'a' + '\n')
        self.assert_caught(['lib/b.hpp:2', '[line-length]'], 'check_format.py', self.root)

    def test_empty(self):
        self.assert_caught(['found nothing'], 'check_format.py', self.root)


class ForbiddenSymbols(GateTest):
    def link(self, name, code, *flags):
        source = self.plant('planted.cpp', code)
        binary = os.path.join(self.root, name)
        os.makedirs(os.path.dirname(binary), exist_ok=True)
        # nosys gives the system calls that our ports leave out on purpose.
        subprocess.run(['arm-none-eabi-g++', *TARGET_FLAGS, '-fno-exceptions', '-specs=nano.specs',
                        '-specs=nosys.specs', *flags, source, '-o', binary], check=True, capture_output=True)
        return binary

    def bare(self, name, code, *flags):
        return self.link(name, code, '-nostartfiles', '-Wl,-e,main', '-Wl,--gc-sections', '-ffunction-sections', *flags)

    def test_clean(self):
        self.bare('targets/test_clean.elf', 'volatile float x = 2; int main() { x = x * x; }')
        self.bare('targets/board_examples/clean.elf', 'volatile float x = 2; int main() { x = x * x; }')
        output = self.assert_passes('check_symbols.py', os.path.join(self.root, 'targets'))
        self.assertIn('2 checked', output)
        self.assertIn('1 of 2 binaries are float-only', output)

    def test_each(self):
        for rule, symbol, code in [
                ('operator-new-delete', '_Znwj', 'int* volatile p; int main() { p = new int; }'),
                ('operator-new-delete', '_ZdlPv', 'int* volatile p; int main() { delete p; }'),
                ('heap', 'malloc', '#include <cstdlib>\nvoid* volatile p; int main() { p = std::malloc(3); }'),
                ('heap', 'free', '#include <cstdlib>\nvoid* volatile p; int main() { std::free(p); }'),
                ('printf', 'printf', '#include <cstdio>\nvolatile int x; int main() { std::printf("%d", x); }'),
                ('signal', 'raise', '#include <cstdlib>\nint main() { std::abort(); }')]:
            with self.subTest(symbol):
                binary = self.bare('test_planted.elf', code)
                self.assert_caught([f'test_planted.elf: [{rule}] ', symbol], 'check_symbols.py', binary)

    def test_exceptions(self):
        binary = self.link('thrower.elf', 'volatile int x; int main() { if (x) throw 1; }', '-fexceptions')
        self.assert_caught(['[exceptions] __cxa_throw', '[unwinder] _Unwind_'], 'check_symbols.py', binary)

    def test_exception_is_for_one_file_and_symbol(self):
        code = 'extern "C" [[gnu::noipa]] void __cxa_pure_virtual() {}\nint main() { __cxa_pure_virtual(); }'
        self.assert_passes('check_symbols.py', '--except', 'a.elf:__cxa_pure_virtual', self.bare('a.elf', code))
        self.assert_caught(['b.elf: [exceptions] __cxa_pure_virtual'], 'check_symbols.py', '--except',
                           'a.elf:__cxa_pure_virtual', self.bare('b.elf', code))

    def test_double_only_in_float_binaries(self):
        code = 'volatile double x = 2; int main() { x = x * x; }'
        unity = self.bare('test_unity.elf', code)
        self.assert_passes('check_symbols.py', unity)
        self.assert_caught(['test_unity.elf: [double] __aeabi_dmul'], 'check_symbols.py', '--float-only', unity)
        for name in ['aba_float.elf', 'board_examples/arm.elf']:
            self.assert_caught([f'{name}: [double] __aeabi_dmul'], 'check_symbols.py', self.bare(name, code))

    def test_double_instruction(self):
        binary = self.bare('m7_float.elf', 'volatile double x = 2; int main() { x = x * x; }',
                           '-mcpu=cortex-m7', '-mfpu=fpv5-d16')
        self.assert_caught(['m7_float.elf: [double] instruction vmul.f64'], 'check_symbols.py', binary)

    def test_empty(self):
        os.makedirs(os.path.join(self.root, 'none'))
        self.assert_caught(['found nothing'], 'check_symbols.py', os.path.join(self.root, 'none'))


class StackBound(GateTest):
    def graph(self, code):
        source = self.plant('planted.cpp', code)
        subprocess.run(['arm-none-eabi-g++', *TARGET_FLAGS, '-fcallgraph-info=su', '-c', source, '-o', 'planted.o'],
                       cwd=self.root, check=True)
        return os.path.join(self.root, 'planted.ci')

    def test_sum_along_the_deepest_path(self):
        graph = self.graph('[[gnu::noipa]] float deep(float a) { volatile float b[100]; b[0] = a; return b[0]; }\n'
                           '[[gnu::noipa]] float flat(float a) { return a; }\n'
                           'namespace user {\n'
                           'float step(float a) { volatile float b[10]; b[1] = deep(a) + flat(a); return b[1]; }\n'
                           '}\n')
        output = self.assert_passes('stack_bound.py', r'user::step', graph)
        words = dict(word.split('=', 1) for word in output.split() if '=' in word)
        self.assertGreaterEqual(int(words['bytes']), 440)
        self.assertLess(int(words['bytes']), 500)
        self.assertIn('deep', output)
        self.assertNotIn('flat', output)

    def test_recursion(self):
        graph = self.graph('int even(int); int odd(int n) { return n == 0 ? 0 : even(n - 1) + 1; }\n'
                           'int even(int n) { return n == 0 ? 1 : odd(n - 1) * 3; }\n')
        self.assert_caught(['flag recursion', 'even(int)'], 'stack_bound.py', 'odd', graph)

    def test_dynamic_frame(self):
        graph = self.graph('int use(void*);\nint grow(int n) { return use(__builtin_alloca(n)) + 1; }\n')
        self.assert_caught(['flag dynamic int grow(int)', 'flag unknown'], 'stack_bound.py', 'grow', graph)

    def test_function_pointer(self):
        graph = self.graph('int call(int (*f)(int)) { return f(1) + 1; }\n')
        self.assert_caught(['flag indirect int call'], 'stack_bound.py', 'call', graph)
        self.assert_passes('stack_bound.py', '--allow', 'indirect:int call', 'call', graph)
        self.assert_caught(['flag indirect'], 'stack_bound.py', '--allow', 'indirect:other', 'call', graph)

    def test_unknown_callee(self):
        graph = self.graph('int far(int); int near(int a) { return far(a) + 1; }\n')
        self.assert_caught(['flag unknown'], 'stack_bound.py', 'near', graph)
        self.assert_passes('stack_bound.py', '--known', '_Z3fari=24', 'near', graph)

    def test_no_such_entry(self):
        self.assert_caught(['no function'], 'stack_bound.py', 'absent', self.graph('int f() { return 1; }\n'))


class BadRobots(GateTest):
    def test_each(self):
        """All violations at once: each compiler run judges the whole table."""
        shutil.copytree(os.path.join(HERE, 'rules'), os.path.join(self.root, 'rules'))
        shutil.copy(os.path.join(HERE, 'compile_commands.py'), self.root)
        with open(os.path.join(HERE, 'rules', 'table.py'), encoding='utf-8') as file:
            table = file.read()
        complaints = []
        for before, after, complaint in [
                ('revolute({0, 2, 0})', 'revolute({0, 1, 0})', 'axis_unit: compiles, and must not'),
                ("('name_unique', '1',", "('name_unique', '0',", 'name_unique: "have the same name" at index 0 expected'),
                ("'a gear ratio is zero'", "'a gear ratio is one'", 'gear_ratio_not_zero: "a gear ratio is one"'),
                ("'rotor_not_negative'", "'rotor_nothing'", "rules without a row: ['rotor_not_negative']"),
                ('prismatic(kAxisX), kBody)', 'prismatic(kAxisX))', 'the good one must compile')]:
            self.assertIn(before, table)
            table = table.replace(before, after)
            complaints.append(complaint)
        self.plant('rules/table.py', table)
        self.assert_caught(complaints, os.path.join(self.root, 'rules', 'check.py'), 'robots', 'c++', OPTIONS.commands,
                           OPTIONS.flags_of)


class SelfContained(GateTest):
    HEADERS = 'lib/include/kinecast/core/'

    def test_each_compiler(self):
        for compiler in ['g++', 'clang++-14']:
            with self.subTest(compiler):
                arguments = ['check_headers.py', compiler, OPTIONS.flags_of, OPTIONS.commands, self.root]
                body = 'inline std::uint8_t a() { return 1; }\n'
                self.plant(self.HEADERS + 'a.hpp', '#pragma once\n#include <cstdint>\n' + body)
                self.assert_passes(*arguments)
                self.plant(self.HEADERS + 'a.hpp', '#pragma once\n' + body)
                self.assert_caught([self.HEADERS + 'a.hpp', '[self-contained]', compiler], *arguments)

    def test_missing_guard(self):
        self.plant(self.HEADERS + 'a.hpp', 'inline int a() { return 1; }\n')
        self.assert_caught(['a.hpp', 'redefinition'],
                           'check_headers.py', 'g++', OPTIONS.flags_of, OPTIONS.commands, self.root)

    def test_empty(self):
        self.assert_caught(['found nothing'], 'check_headers.py', 'g++', OPTIONS.flags_of, OPTIONS.commands, self.root)


class Warnings(GateTest):
    def test_severe_set_is_an_error(self):
        sys.path.insert(0, HERE)
        import compile_commands
        compiler, flags = compile_commands.flags_of(OPTIONS.flags_of, OPTIONS.commands)
        self.assertEqual(compile_commands.syntax_errors(compiler, flags, 'float f(float a) { return a * 2.0F; }'), '')
        for flag, code in [('double-promotion', 'float f(float a) { return static_cast<float>(a * 2.0); }'),
                           ('conversion', 'short f(int a) { return a; }'),
                           ('float-conversion', 'float f(double a) { return a; }'),
                           ('sign-conversion', 'unsigned f(int a) { return a; }'),
                           ('shadow', 'int f(int a) { { int a = 2; return a; } }'),
                           ('float-equal', 'bool f(float a) { return a == 1.5F; }'),
                           ('unused-parameter', 'int f(int a) { return 1; }')]:
            with self.subTest(flag):
                self.assertIn(f'[-Werror={flag}', compile_commands.syntax_errors(compiler, flags, code))

    def test_source_without_the_set(self):
        flags = '-Wall -Wextra -Wconversion -Wshadow -Wdouble-promotion -Wfloat-equal -Werror'
        source = self.plant('ports/a.cpp', '')
        build = os.path.join(self.root, 'build', 'm4')
        self.plant_commands('build/m4/compile_commands.json', source, flags)
        self.assert_passes('check_warnings.py', self.root, build)
        self.plant_commands('build/m4/compile_commands.json', source, flags.replace('-Wshadow', ''))
        self.assert_caught(['ports/a.cpp', '[warnings]', '-Wshadow'], 'check_warnings.py', self.root, build)
        self.plant_commands('build/m4/compile_commands.json', source, flags + ' -Wno-error')
        self.assert_caught(['ports/a.cpp', '[warnings]', '-Wno-error'], 'check_warnings.py', self.root, build)

    def test_empty(self):
        self.plant('build/m4/compile_commands.json', '[]')
        build = os.path.join(self.root, 'build', 'm4')
        self.assert_caught(['build/m4', 'no source'], 'check_warnings.py', self.root, build)


class Tidy(GateTest):
    def test_each(self):
        shutil.copy(os.path.join(ROOT, '.clang-tidy'), self.root)
        for rule, code in [('readability-identifier-naming', 'struct body_state {};'),
                           ('readability-identifier-naming', 'inline int getValue() { return 1; }'),
                           ('bugprone-integer-division', 'inline float f(int a) { return a / 2; }'),
                           ('cert-flp30-c', 'inline void f() { for (float a = 0; a < 1; a += 0.1F) {} }'),
                           ('performance-unnecessary-value-param', 'struct B { B(const B&); int a[99]; };\n'
                            'inline int f(B b) { return b.a[0]; }')]:
            with self.subTest(code):
                self.plant('lib/include/kinecast/a.hpp', '#pragma once\n' + code + '\n')
                source = self.plant('tests/a.cpp', '#include "../lib/include/kinecast/a.hpp"\n')
                commands = self.plant_commands('compile_commands.json', source, '-std=c++17')
                self.assert_caught(['lib/include/kinecast/a.hpp:', f'[{rule}]'],
                                   'check_tidy.py', self.root, commands, source)

    def test_innocent(self):
        shutil.copy(os.path.join(ROOT, '.clang-tidy'), self.root)
        source = self.plant('tests/a.cpp', """namespace {
constexpr int kSize = 3;
constexpr float torque_limit_Nm = 1.0F;
enum class Status { ok };
template <class Scalar, int Rows>
struct Motor {
  Scalar current_A = 0;
  Scalar A[Rows] = {};
  [[nodiscard]] Status step_once(Scalar dt) { current_A += dt * A[0]; return Status::ok; }
};
}
int main() { Motor<float, kSize> motor; return static_cast<int>(motor.step_once(torque_limit_Nm)); }
""")
        commands = self.plant_commands('compile_commands.json', source, '-std=c++17')
        self.assert_passes('check_tidy.py', self.root, commands, source)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('gate')
    parser.add_argument('--commands', default='')
    parser.add_argument('--flags-of', default='')
    parser.parse_args(namespace=OPTIONS)
    unittest.main(argv=[sys.argv[0], OPTIONS.gate], verbosity=2)


if __name__ == '__main__':
    main()
