"""kinecast import --c-shim: the header is C99, a program in C computes the same bits as one in C++, and the firmware's compiler
takes both files.
"""
# SPDX-License-Identifier: MIT
import os
import subprocess
import unittest

import small_robots
from tool import ToolTest

STRICT_C = ['-std=c99', '-pedantic', '-Wall', '-Wextra', '-Werror', '-Wstrict-prototypes']
NUMERICS = ['-std=c++17', '-O2', '-ffp-contract=off', '-DEIGEN_DONT_VECTORIZE', '-fno-exceptions', '-fno-rtti']

# Falls 5 mm, lands, gets a measurement, looks ahead, and goes back to a snapshot.
C_PROGRAM = r'''
#include "hop_c.h"
#include <stdio.h>
#include <string.h>
static void check(int status) { if (status >= HOPPER_FIRST_ERROR) printf("error: %s\n", hopper_status_text(status)); }
static void print(const hopper_predictor* p) {
  hopper_scalar q[HOPPER_POSITIONS], dq[HOPPER_DOFS];
  int i;
  check(hopper_state(p, q, dq));
  for (i = 0; i < HOPPER_POSITIONS; ++i) printf("%a ", (double)q[i]);
  for (i = 0; i < HOPPER_DOFS; ++i) printf("%a ", (double)dq[i]);
  printf("\n");
}
int main(void) {
  hopper_predictor* p = hopper_instance(0);
  hopper_scalar q[HOPPER_POSITIONS] = {0, 0, 0.215F, 1, 0, 0, 0, 0.1F}, dq[HOPPER_DOFS] = {0};
  hopper_scalar command[HOPPER_DOFS] = {0}, commands[3 * HOPPER_DOFS] = {0}, ahead[3 * HOPPER_POSITIONS];
  hopper_snapshot before;
  hopper_contact contact;
  int i, steps = -1;
  check(hopper_reset(p, q, dq));
  command[HOPPER_DQ_hip_pitch] = 0.5F;
  for (i = 0; i < 60; ++i) check(hopper_step(p, command, 1e-3F));
  print(p);
  check(hopper_state(p, q, dq));
  q[HOPPER_Q_hip_pitch] += 0.01F;
  check(hopper_correct(p, q, dq));
  check(hopper_save(p, &before));
  check(hopper_rollout(p, commands, 3, 1e-3F, ahead, NULL, &steps));
  printf("%d %a\n", steps, (double)ahead[2 * HOPPER_POSITIONS + HOPPER_Q_hip_pitch]);
  print(p);
  check(hopper_step(p, command, 1e-3F));
  printf("contacts %d\n", hopper_contact_count(p));
  for (i = 0; i < hopper_contact_count(p); ++i) {
    check(hopper_get_contact(p, i, &contact));
    printf("%d %a %a\n", contact.point, (double)contact.normal_N, (double)contact.force_N[0]);
  }
  check(hopper_restore(p, &before));
  print(p);
  printf("%d %d %d\n", hopper_step(p, NULL, 1e-3F), hopper_step(NULL, command, 1e-3F), hopper_step(p, command, -1));
  printf("%s / %s\n", hopper_status_text(HOPPER_NULL_ARGUMENT), hopper_status_text(HOPPER_OK));
  printf("%d\n", hopper_instance(1) == NULL && hopper_instance(-1) == NULL);
  print(p);
  return 0;
}
'''

CPP_PROGRAM = r'''
#include <kinecast/kinecast.hpp>
#include <cstdio>
#include "hop.hpp"
using namespace kinecast;
using robots::hopper;
constexpr auto ground = environment(half_space("ground", material(friction(0.8, 0.6))));
Predictor<hopper, float, Contacts<ground, 8>> p;
void check(Status status) { if (!ok(status)) std::printf("error: %s\n", sentence(status)); }
void print() {
  for (int i = 0; i < 8; ++i) std::printf("%a ", double(p.state().q[i]));
  for (int i = 0; i < 7; ++i) std::printf("%a ", double(p.state().dq[i]));
  std::printf("\n");
}
int main() {
  State<hopper, float> state = zero_state<hopper, float>();
  state.q[2] = 0.215F, state.q[7] = 0.1F;
  check(p.reset(state));
  Command<hopper, float> command = Command<hopper, float>::Zero();
  command[robots::hopper_joint::hip_pitch] = 0.5F;
  for (int i = 0; i < 60; ++i) check(p.step(command, 1e-3F));
  print();
  state = p.state();
  state.q[7] += 0.01F;
  check(p.correct(state));
  const auto before = p.snapshot();
  const Command<hopper, float> zero = Command<hopper, float>::Zero();
  const Command<hopper, float> commands[3] = {zero, zero, zero};
  State<hopper, float> ahead[3];
  const Rollout reached = p.rollout(commands, 3, 1e-3F, ahead);
  std::printf("%d %a\n", reached.steps, double(ahead[2].q[7]));
  print();
  check(p.step(command, 1e-3F));
  std::printf("contacts %d\n", p.contact_report().count);
  for (int i = 0; i < p.contact_report().count; ++i) {
    const auto& c = p.contact_report()[i];
    std::printf("%d %a %a\n", c.pair.point, double(c.normal_N), double(c.force_N.x));
  }
  p.restore(before);
  print();
  std::printf("255 255 %d\n", static_cast<int>(Status::bad_time_step));
  std::printf("a pointer that must not be NULL is NULL / ok\n1\n");
  print();
}
'''


class CShim(ToolTest):
    def compile(self, *command):
        run = subprocess.run(command, cwd=self.folder, text=True, capture_output=True, check=False)
        self.assertEqual(run.returncode, 0, ' '.join(command) + '\n' + run.stdout + run.stderr)

    def run_program(self, name):
        run = subprocess.run([self.folder / name], text=True, capture_output=True, check=False)
        self.assertEqual(run.returncode, 0, run.stderr)
        return run.stdout

    def import_hopper(self):
        self.write('hopper.urdf', small_robots.HOPPER)
        run = self.run_tool('import', 'hopper.urdf', '--base', 'floating', '-o', 'hop.hpp', '--c-shim')
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        self.assertIn('for C: hop_c.h, hop_c.cpp', run.stdout)
        self.assertEqual(self.files(), ['hop.hpp', 'hop_c.cpp', 'hop_c.h', 'hopper.urdf'])

    def test_c_and_cpp_agree_bit_for_bit(self):
        self.import_hopper()
        self.write('c_main.c', C_PROGRAM)
        self.write('cpp_main.cpp', CPP_PROGRAM)
        library = ['-I', os.environ['KINECAST_INCLUDE'], '-isystem', os.environ['KINECAST_EIGEN']]
        compiler = os.environ['KINECAST_CXX']
        self.compile('cc', *STRICT_C, '-c', 'c_main.c', '-o', 'c_main.o')
        self.compile(compiler, *NUMERICS, '-Wall', '-Wextra', '-Werror', *library, '-c', 'hop_c.cpp', '-o', 'hop_c.o')
        self.compile(compiler, 'c_main.o', 'hop_c.o', '-o', 'in_c')
        self.compile(compiler, *NUMERICS, *library, 'cpp_main.cpp', '-o', 'in_cpp')
        in_c = self.run_program('in_c')
        self.assertNotIn('error', in_c)
        self.assertRegex(in_c, r'contacts [1-8]\n', 'it does not lie on the ground, so this proves little')
        self.assertEqual(in_c, self.run_program('in_cpp'))

        core = ['-mcpu=cortex-m4', '-mthumb', '-mfpu=fpv4-sp-d16', '-mfloat-abi=hard']
        self.compile('arm-none-eabi-gcc', *core, *STRICT_C, '-c', 'c_main.c', '-o', 'arm_c.o')
        self.compile('arm-none-eabi-g++', *core, *NUMERICS, *library, '-c', 'hop_c.cpp', '-o', 'arm_cpp.o')

    def test_a_fixed_base_touches_nothing(self):
        self.write('pendulum.urdf', small_robots.PENDULUM)
        run = self.run_tool('import', 'pendulum.urdf', '--c-shim', '--scalar', 'double')
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        header = (self.folder / 'pendulum_c.h').read_text(encoding='utf-8')
        self.assertIn('typedef double pendulum_scalar;', header)
        self.assertIn('PENDULUM_DQ_pivot = 0 /* rad/s; command: N.m */', header)
        self.assertIn('PENDULUM_CONTACTS = 0', header)
        self.assertNotIn('pendulum_contact_count', header)
        self.write('main.c', '#include "pendulum_c.h"\nint main(void) { return PENDULUM_DOFS - 1; }\n')
        self.compile('cc', *STRICT_C, '-fsyntax-only', 'main.c')

    def test_all_files_or_none(self):
        self.write('pendulum.urdf', small_robots.PENDULUM)
        (self.folder / 'p_c.cpp').mkdir()
        self.write('p.hpp', 'the header of yesterday')
        before = self.files()
        run = self.run_tool('import', 'pendulum.urdf', '-o', 'p.hpp', '--c-shim')
        self.assertEqual(run.returncode, 4, run.stdout + run.stderr)
        self.assertIn('p_c.cpp: cannot be written: is a folder', run.stderr)
        self.assertEqual(self.files(), before)
        self.assertEqual((self.folder / 'p.hpp').read_text(encoding='utf-8'), 'the header of yesterday')


if __name__ == '__main__':
    unittest.main()
