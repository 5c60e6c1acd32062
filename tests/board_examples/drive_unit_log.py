"""The log that board_examples/drive_unit sent: 8000 rows, one per millisecond, no hole, the voltage within its limit, and the
forecast that the firmware itself made 20 ms before each row much better than "it stays where it is". With a tool, page and
drive file, the same log through `kinecast compare`: the model must predict it, and the null without friction must not.
usage: drive_unit_log.py LOG [TOOL DRIVE_JSON PAGE]
"""
# SPDX-License-Identifier: MIT
import csv
import math
import os
import re
import subprocess
import sys

HEADER = ['time_s', 'volts_V', 'angle_rad', 'speed_rad_s', 'forecast_20ms_rad']
ROWS = 8000
HORIZON = 20  # rows
SCORE = re.compile(r'^ *(\S+) s +\d+ +(\S+) +(\S+) +(\S+) +\S+ *$', re.M)

# Root mean square, rad, at the end of windows (s), twice what was measured or a little more: the simulated motor's parameters
# are off by a few per cent, on purpose. Without dry friction the error is ten times the limit or nearly so.
LIMITS = {'0.02': 0.001, '0.05': 0.003, '0.2': 0.015, '0.5': 0.035, '1': 0.065}


def fail(sentence):
    sys.exit(f'drive_unit_log: {sentence}')


def rms(values):
    return math.sqrt(sum(value * value for value in values) / len(values))


def check_log(path):
    with open(path, encoding='ascii', newline='') as file:
        header, *lines = csv.reader(file)
    if header != HEADER:
        fail(f'the header is {header}')
    if len(lines) != ROWS:
        fail(f'{len(lines)} rows instead of {ROWS}')
    for number, line in enumerate(lines):
        if len(line) != len(HEADER) or line[0] != f'{number / 1000:.3f}':
            fail(f'line {number + 2} is not that of {number} ms: {line}')
    _, volts, angle, speed, forecast = zip(*([float(cell) for cell in line] for line in lines))
    if not all(map(math.isfinite, volts + angle + speed + forecast)):
        fail('a number is not finite')
    if max(map(abs, volts)) > 24 or max(volts) < 20 or min(volts) > -20:
        fail(f'volts from {min(volts)} to {max(volts)}')
    if max(angle) < 1 or min(angle) > -0.5:
        fail(f'angles from {min(angle)} to {max(angle)}')
    error = rms([forecast[i] - angle[i] for i in range(HORIZON, ROWS)])
    stays = rms([angle[i] - angle[i - HORIZON] for i in range(HORIZON, ROWS)])
    print(f'{ROWS} rows; forecast of the firmware, 20 ms ahead: {error:.5f} rad, "it stays": {stays:.5f} rad')
    if not error < stays / 10:
        fail('the forecast is not ten times as good')


def check_scores(log, tool, drive, page):
    if os.path.exists(page):
        os.remove(page)
    run = subprocess.run([tool, 'compare', drive, log, '-o', page], stdout=subprocess.PIPE, text=True, check=False)
    print(run.stdout)
    if run.returncode != 0:
        fail(f'kinecast compare ended with {run.returncode}')
    if not run.stdout.rstrip().endswith(page) or '<svg' not in open(page, encoding='utf-8').read():
        fail('no page with plots, or its path is not the last line')
    scores = {window: [float(cell) for cell in cells] for window, *cells in SCORE.findall(run.stdout)}
    for window, limit in LIMITS.items():
        if window not in scores:
            fail(f'no score for windows of {window} s')
        single, _, null = scores[window]
        if not single <= limit <= null / 5:
            fail(f'windows of {window} s: error {single}, null {null}; the limit is {limit}, and the null must miss it by far')


def main():
    log, *comparison = sys.argv[1:]
    check_log(log)
    if comparison:
        check_scores(log, *comparison)


if __name__ == '__main__':
    main()
