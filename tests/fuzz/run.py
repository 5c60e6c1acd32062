"""Runs a fuzzer for some seconds on seeds of its own (and on URDFs of a data folder, if there is one), prints how many inputs it
tried and what they covered, and ends with 1 if one of them crashed, hung or leaked; that one stays beside the corpus.

usage: run.py FUZZER SECONDS [--seed N]
"""
# SPDX-License-Identifier: MIT
import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / 'host_tool'))
from test_import import ARM, BODY, joint, link, robot  # pylint: disable=wrong-import-position

SHAPES = ('<collision><origin xyz="0 0 1" rpy="1 0 0"/><geometry><box size="1 1 1"/></geometry></collision>'
          '<collision name="c"><geometry><sphere radius="1"/></geometry></collision>'
          '<collision><geometry><cylinder radius="1" length="2"/></geometry></collision>'
          '<visual><geometry><mesh filename="package://a/b.stl" scale="1 1 1"/></geometry></visual>')
SEEDS = {
    'arm': ARM,
    'shapes': robot(link('base', BODY + SHAPES), link('a', BODY + SHAPES), joint('j', 'continuous', 'base', 'a')),
    'world': robot(link('world', ''), link('a'), joint('j', 'floating', 'world', 'a'), link('b', ''),
                   joint('k', 'fixed', 'a', 'b')),
    'welded': robot(link('a', ''), link('b'), joint('j', 'revolute', 'a', 'b', '<limit lower="0" upper="1"/>'),
                    link('c', BODY.replace('0.005', '0.5')), joint('k', 'fixed', 'b', 'c')),
    'odd': robot(link('ü'), link('class'), joint('a-b', 'prismatic', 'ü', 'class'),
                 '<transmission name="t"><joint name="a-b"/><actuator name="m"><mechanicalReduction>5'
                 '</mechanicalReduction></actuator></transmission><gazebo/>', name='7 r'),
}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('fuzzer', type=pathlib.Path)
    parser.add_argument('seconds', type=int)
    parser.add_argument('--seed', type=int, default=0, help='0: another one each time')
    options = parser.parse_args()
    folder = options.fuzzer.resolve().parent / f'{options.fuzzer.name}_corpus'
    shutil.rmtree(folder, ignore_errors=True)
    (folder / 'found').mkdir(parents=True)
    (folder / 'seeds').mkdir()
    for name, text in SEEDS.items():
        (folder / 'seeds' / f'{name}.urdf').write_text(text, encoding='utf-8')
    corpora = [folder / 'found', folder / 'seeds']
    data = pathlib.Path(os.environ.get('KINECAST_DATA_DIR', '')) / 'data' / 'urdf'
    if os.environ.get('KINECAST_DATA_DIR') and data.is_dir():
        corpora.append(data)
    run = subprocess.run([options.fuzzer.resolve(), f'-dict={HERE / "urdf.dict"}', f'-max_total_time={options.seconds}',
                          f'-seed={options.seed}', '-max_len=32768', '-timeout=20', '-rss_limit_mb=2048',
                          '-print_final_stats=1', '-verbosity=1', f'-artifact_prefix={folder}/', *map(str, corpora)],
                         capture_output=True, text=True, errors='replace', check=False, stdin=subprocess.DEVNULL)
    count = re.search(r'stat::number_of_executed_units:\s*(\d+)', run.stderr)
    covered = re.findall(r'cov: (\d+) ft: (\d+) corp: (\d+)', run.stderr)
    if run.returncode != 0 or not count or not covered:
        print(run.stderr[-6000:])
        print(f'{options.fuzzer.name}: FAILED with code {run.returncode}')
        return 1
    print(f'{options.fuzzer.name}: {count.group(1)} inputs in {options.seconds} s, {covered[-1][0]} edges, '
          f'{covered[-1][1]} features, {covered[-1][2]} kept; no crash, no hang')
    return 0


if __name__ == '__main__':
    sys.exit(main())
