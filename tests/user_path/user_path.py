"""A new user's path, from a clean clone: set up, build the tool, import a URDF, make a firmware, run it in the emulator. Prints the
minutes of each part, and fails if all of them take more than five. The machine was set up before: the packages that setup.sh would
install are there, and so is Unity if the checkout has it. The compilers work from nothing: no ccache.
usage: user_path.py CHECKOUT WORK DATA    (DATA/data/urdf/panda.urdf is the robot; without it a small one of the tests)
"""
# SPDX-License-Identifier: MIT
import os
import pathlib
import re
import resource
import shutil
import subprocess
import sys
import time

MOST_MINUTES = 5.0
CORES = 2


class Path:
    def __init__(self, work):
        self.work = work
        self.parts = []
        # What the person who runs the tests has set must neither help nor hinder.
        dropped = {'CXXFLAGS', 'CPPFLAGS', 'CMAKE_CXX_COMPILER_LAUNCHER', 'CMAKE_C_COMPILER_LAUNCHER'}
        self.environment = {key: value for key, value in os.environ.items() if key not in dropped}
        self.environment.update(CMAKE_BUILD_PARALLEL_LEVEL=str(CORES), CCACHE_DISABLE='1')

    def step(self, what, *command, folder=None):
        """Runs the command and returns what it said."""
        start = time.monotonic()
        run = subprocess.run(command, cwd=folder or self.work, env=self.environment, text=True, check=False,
                             stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        minutes = (time.monotonic() - start) / 60
        self.parts.append(minutes)
        print(f'{minutes:6.2f} min  {what}', flush=True)
        if run.returncode != 0:
            sys.exit(f'{" ".join(map(str, command))}: exit code {run.returncode}\n{run.stdout[-8000:]}')
        return run.stdout


def expect(holds, what, output):
    if not holds:
        sys.exit(f'{what}\n{output}')


def main():
    checkout, work, data = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3]
    missing = [tool for tool in ('git', 'ninja', 'arm-none-eabi-g++', 'qemu-system-arm') if shutil.which(tool) is None]
    if missing or not (pathlib.Path(checkout) / '.git').exists():
        print(f'skipped: {", ".join(missing)} is missing' if missing else 'skipped: this is no git checkout to clone')
        sys.exit(77)  # ctest: skipped
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    path = Path(work)
    urdf = pathlib.Path(data) / 'data' / 'urdf' / 'panda.urdf'
    links = 9
    if not data or not urdf.exists():
        sys.path.insert(0, str(pathlib.Path(checkout) / 'tests' / 'host_tool'))
        import small_robots
        urdf = work / 'pendulum.urdf'
        urdf.write_text(small_robots.PENDULUM, encoding='utf-8')
        links = 1
        print('panda.urdf is not there (KINECAST_DATA_DIR): a pendulum instead')

    # The checkout may belong to somebody else than the one who runs the tests.
    path.step('git clone', 'git', '-c', f'safe.directory={checkout}', '-c', f'safe.directory={checkout}/.git', 'clone',
              '--quiet', '--no-hardlinks', checkout, 'kinecast')
    clone = work / 'kinecast'
    unity = pathlib.Path(checkout) / 'build' / '_deps' / 'unity'
    if (unity / 'unity.c').exists():
        path.environment.setdefault('UNITY_ROOT', str(unity))
    path.step('sh toolchains/setup.sh (the machine was set up before)', 'sh', 'toolchains/setup.sh', folder=clone)
    path.step('cmake --workflow --preset tool', 'cmake', '--workflow', '--preset', 'tool', folder=clone)
    tool = clone / 'build' / 'tool' / 'ports' / 'host' / 'kinecast'
    path.step(f'kinecast import {urdf.name}', tool, 'import', urdf, '-o', 'robot.hpp')
    path.step('kinecast new', tool, 'new', 'firmware', '--robot', 'robot.hpp', '--board', 'stm32f405')
    said = path.step('cmake --workflow --preset run', 'cmake', '--workflow', '--preset', 'run', folder=work / 'firmware')

    rows = re.findall(r'^  \S.* (?:rad|m) +(-?\d+\.\d{5}) +(-?\d+\.\d{5}) +(-?\d+\.\d{5})$', said, re.MULTILINE)
    expect(len(rows) == links, f'{links} joints should be forecast, {len(rows)} are', said)
    expect(all(abs(float(foreseen) - float(came)) <= 1e-5 for _, foreseen, came in rows), 'a forecast did not come', said)
    expect(any(now != came for now, _, came in rows), 'nothing moved', said)
    cost = re.search(r'^kinecast cost: instructions=[1-9]\d* .*$', said, re.MULTILINE)
    expect(cost, 'the firmware does not tell what it costs', said)
    print(cost.group())

    total = sum(path.parts)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    busy = (used.ru_utime + used.ru_stime) / 60
    print(f'{total:6.2f} min  from a clean clone to a forecast on the emulated board, on {CORES} cores; at most {MOST_MINUTES:g}')
    print(f'{busy:6.2f} min  of one core were used: what the clock says beyond half of it, the cores did not work for this test')
    expect(total < MOST_MINUTES, 'too slow', '')
    shutil.rmtree(work, ignore_errors=True)


if __name__ == '__main__':
    main()
