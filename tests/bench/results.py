"""What the benches measured: a value per (work, robot, scalar, target, metric), read from the lines
`BENCH work robot scalar metric value` that a bench prints. A line that is not so, a metric that is missing and a value
that comes twice are errors (BenchError), never gaps.
"""
# SPDX-License-Identifier: MIT
import collections
import csv
import math
import operator
import re

Key = collections.namedtuple('Key', 'work robot scalar target metric')

LINE = re.compile(r'BENCH (\w+) (\w+) (float|double) (\w+) ([0-9]+(?:\.[0-9]+)?)')
# The first six are promised to readers of bench.csv; the others explain them.
METRICS = ('instructions', 'flash_B', 'ram_B', 'stack_B', 'ns', 'ratio',
           'instructions_min', 'instructions_mean', 'instructions_p999', 'instructions_worst', 'worst_ratio',
           'flash_total_B', 'stack_bound_B', 'stack_gap_B')
# Works whose calls are many and different say their mean and 99.9th percentile too.
DISTRIBUTED = ('step_pushed',)


class BenchError(Exception):
    """A bench that could not run, or did not say what it must."""


def parse(text, expected=None):
    """[(work, robot, scalar, metric, value)] of a bench's output; `expected` is the set of (work, robot, scalar, metric)
    that it must have, no more and no less."""
    found = []
    for line in text.splitlines():
        if not line.startswith('BENCH'):
            continue
        match = LINE.fullmatch(line)
        if not match:
            raise BenchError(f'not a line of a bench: {line!r}')
        *names, value = match.groups()
        found.append((*names, float(value)))
    names = [row[:4] for row in found]
    twice = [name for name, count in collections.Counter(names).items() if count > 1]
    if twice:
        raise BenchError(f'said twice: {" ".join(twice[0])}')
    if not found:
        raise BenchError('printed no result')
    if expected is not None and set(names) != set(expected):
        missing = sorted(' '.join(name) for name in set(expected) - set(names))
        surplus = sorted(' '.join(name) for name in set(names) - set(expected))
        raise BenchError(f'missing: {missing}, not expected: {surplus}')
    return found


class Results:
    def __init__(self):
        self.values = {}

    def add(self, work, robot, scalar, target, metric, value):
        key = Key(work, robot, scalar, target, metric)
        if metric not in METRICS:
            raise BenchError(f'unknown metric {metric}')
        if key in self.values:
            raise BenchError(f'measured twice: {" ".join(key)}')
        if not math.isfinite(value):
            raise BenchError(f'not a number: {" ".join(key)}')
        self.values[key] = value

    def get(self, *key):
        return self.values.get(Key(*key))

    def targets(self):
        return list(dict.fromkeys(key.target for key in self.values))

    def write_csv(self, file, wanted=lambda key: True):
        writer = csv.writer(file, lineterminator='\n')
        writer.writerow(Key._fields + ('value',))
        for key, value in self.values.items():
            if wanted(key):
                writer.writerow(key + (text_of(value),))

    @staticmethod
    def from_csv(lines):
        results = Results()
        for row in csv.DictReader(lines):
            value = row.pop('value')
            results.add(**row, value=float(value))
        return results


def text_of(value):
    """Counts and bytes as integers, the rest with the digits that mean something."""
    return str(int(value)) if value == int(value) else f'{value:.4g}' if value < 1000 else f'{value:.1f}'


CHAINS = (('aba', 'chain'), ('step', 'drive'))
# (a, b, robot): rows a_minus_b/robot with the difference of their instructions, a_per_b/robot with the ratio.
DIFFERENCES = (('step_limit', 'step', 'arm6'),)
RATIOS = (('aba_rigidified', 'aba', 'chain20'),)
# The usual step, and where its most expensive ones are: the scene's own run, the search, the run with pushes. A row of
# STEPS gets the largest count of them all and its ratio to its own.
STEPS = ('step', 'step_volume')
SEARCHED, PUSHED = '_searched', '_pushed'
WORST = ('_worst', SEARCHED, PUSHED)
WORST_METRICS = ('instructions_worst', 'worst_ratio')


def add_derived(results):
    """Rows and metrics that are computed from others: slopes, differences, ratios, the worst of each scene."""
    for target in results.targets():
        for work, robot in CHAINS:
            add_slopes_of(results, work, robot, target)
        for rows, word, metric, computed in ((DIFFERENCES, 'minus', 'instructions', operator.sub),
                                             (RATIOS, 'per', 'ratio', operator.truediv)):
            for a, b, robot in rows:
                counts = [results.get(work, robot, 'float', target, 'instructions') for work in (a, b)]
                if None not in counts:
                    results.add(f'{a}_{word}_{b}', robot, 'float', target, metric, computed(*counts))
    add_worst(results)


def add_worst(results):
    for key, usual in [*results.values.items()]:
        if key.work not in STEPS or key.metric != 'instructions':
            continue
        found = {suffix: results.get(key.work + suffix, *key[1:]) for suffix in WORST}
        if found[SEARCHED] is not None:
            worst = max(usual, *filter(None, found.values()))
            for metric, value in zip(WORST_METRICS, (worst, round(worst / usual, 1))):  # as the pages say it
                results.add(*key[:4], metric, value)


def without_derived(results):
    """What was measured, or recorded, before add_derived()."""
    kept = Results()
    derived = {f'{a}_minus_{b}' for a, b, _ in DIFFERENCES} | {f'{a}_per_{b}' for a, b, _ in RATIOS}
    derived |= {f'{work}_per_joint' for work, _ in CHAINS}
    for key, value in results.values.items():
        if key.work not in derived and key.metric not in WORST_METRICS:
            kept.add(*key, value)
    return kept


def add_slopes_of(results, work, robot, target):
    """Instructions per extra joint, over each gap between chains and over all, and how far the gaps differ."""
    joints = (6, 20, 50, 100)
    counts = {n: results.get(work, f'{robot}{n}', 'float', target, 'instructions') for n in joints}
    if None in counts.values():
        return
    name = f'{work}_per_joint'
    slopes = [(counts[b] - counts[a]) / (b - a) for a, b in zip(joints, joints[1:])]
    for (a, b), slope in zip(zip(joints, joints[1:]), slopes):
        results.add(name, f'{robot}{a}_{b}', 'float', target, 'instructions', slope)
    overall = (counts[joints[-1]] - counts[joints[0]]) / (joints[-1] - joints[0])
    results.add(name, robot, 'float', target, 'instructions', overall)
    results.add(name, robot, 'float', target, 'ratio', max(slopes) / min(slopes))
