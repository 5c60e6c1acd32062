"""The table that people read: instructions on every machine, memory on the reference board, times against the rival, each
with its limit (limits.csv) beside it and whether it is met.
"""
# SPDX-License-Identifier: MIT
import csv
import operator
import os

from results import PUSHED, WORST_METRICS, BenchError, Key, text_of

LIMITS = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'limits.csv')
REFERENCE = 'm4'
RELATIONS = {'<=': operator.le, '>=': operator.ge}


def read_limits(path, host):
    """{Key: (relation, limit or None, elsewhere)}; `host` replaces the word host among the targets."""
    limits = {}
    with open(path, encoding='utf-8', newline='') as file:
        for row in csv.DictReader(file):
            key = Key(row['work'], row['robot'], row['scalar'], host if row['target'] == 'host' else row['target'],
                      row['metric'])
            if row['relation'] not in ('', *RELATIONS) or key in limits:
                raise BenchError(f'limits: {" ".join(key)}: bad relation, or listed twice')
            limits[key] = (row['relation'], float(row['limit']) if row['relation'] else None, row['elsewhere'])
    return limits


def unmeasured(results, limits):
    return [' '.join(key) for key, (relation, *_) in limits.items() if relation and key not in results.values]


def is_met(value, limit):
    relation, bound, _ = limit
    return RELATIONS[relation](value, bound)


def judge(value, limit):
    """('<= 4700', 'met', 'elsewhere ...')"""
    if limit is None:
        return '', '', ''
    relation, bound, elsewhere = limit
    if not relation:
        return '', '', elsewhere
    return f'{relation} {text_of(bound)}', 'met' if is_met(value, limit) else 'NOT MET', elsewhere


def grid(title, head, rows):
    """Lines of a table: first column to the left, then numbers to the right, the last one (words) to the left."""
    widths = [max(len(row[i]) for row in [head, *rows]) for i in range(len(head))]
    last = len(head) - 1
    def line(row):
        cells = [text.ljust(width) if i in (0, last) else text.rjust(width)
                 for i, (text, width) in enumerate(zip(row, widths))]
        return '  '.join(cells).rstrip()
    return ['', title, line(head), '-' * (sum(widths) + 2 * last), *map(line, rows)]


def named(key):
    return f'{key.work}/{key.robot} {key.scalar}'


def instruction_rows(results, limits, targets):
    names = list(dict.fromkeys(key[:3] for key in results.values if key.metric == 'instructions'))
    for work, robot, scalar in names:
        keys = [Key(work, robot, scalar, target, 'instructions') for target in targets]
        cells = [text_of(round(results.values[key])) if key in results.values else '' for key in keys]
        with_limit = next((key for key in keys if key in limits and key in results.values), None)
        verdict = judge(results.values[with_limit], limits[with_limit]) if with_limit else ('', '', '')
        yield [named(keys[0]), *cells, *verdict]


def spread_line(results):
    """The counts are maxima over the states; how far do they depend on the state?"""
    widest = {}
    for key, least in results.values.items():
        if key.metric == 'instructions_min':
            most = results.get(*key[:4], 'instructions')
            widest[key.target] = max(widest.get(key.target, (0, '')), ((most - least) / most, named(key)))
    words = [f'{target} {100 * spread:.1f} % ({name})' if spread else f'{target} 0'
             for target, (spread, name) in widest.items()]
    return 'Each count is the largest over the states; largest spread: ' + ', '.join(words)


def worst_rows(results, limits):
    """The usual step, the steps of the run with pushes if there is one, and the most expensive step that was found."""
    for key in results.values:
        if key.metric != WORST_METRICS[0]:
            continue
        pushed = [results.get(key.work + PUSHED, *key[1:4], metric)
                  for metric in ('instructions_mean', 'instructions_p999', 'instructions')]
        worst, ratio = (key._replace(metric=metric) for metric in WORST_METRICS)
        values = [results.get(*key[:4], 'instructions'), *pushed, results.values[worst], results.values[ratio]]
        yield [f'{named(key)} {key.target}', *('' if value is None else text_of(value) for value in values),
               *judge(results.values[ratio], limits.get(ratio))]


def memory_rows(results):
    metrics = ('flash_B', 'ram_B', 'stack_B', 'stack_bound_B', 'flash_total_B')
    for key in results.values:
        if key.target == REFERENCE and key.metric == 'flash_B':
            values = [results.get(*key[:4], metric) for metric in metrics]
            yield [named(key), *map(text_of, values), '']


def time_rows(results, limits, host):
    for key, value in results.values.items():
        if key.target == host and key.metric in ('ns', 'ratio'):
            yield [named(key), key.metric, text_of(value), *judge(value, limits.get(key))]


def limit_rows(results, limits):
    for key, limit in limits.items():
        if limit[0]:
            yield [f'{named(key)} {key.target} {key.metric}', text_of(results.values[key]),
                   *judge(results.values[key], limit)]


def lines(results, limits, host):
    targets = sorted(results.targets(), key=lambda target: target == host)
    rows = list(limit_rows(results, limits))
    met = sum(row[3] == 'met' for row in rows)
    return [
        *grid('Instructions per call, sin/cos included', ['', *targets, 'limit', '', 'elsewhere'],
              list(instruction_rows(results, limits, targets))),
        spread_line(results),
        *grid('Instructions of the usual step, of a run with pushes, and of the most expensive step that was found',
              ['', 'usual', 'mean', 'p99.9', 'largest', 'worst', 'over usual', 'limit', '', ''],
              list(worst_rows(results, limits))),
        *grid(f'Memory on {REFERENCE}, bytes; flash and RAM are the difference to a firmware without the work',
              ['', 'flash', 'RAM', 'stack', 'stack bound', 'whole firmware', ''], list(memory_rows(results))),
        *grid('Time on the host; ratio: the rival\'s over ours, in one run', ['', 'metric', 'value', 'limit', '', ''],
              list(time_rows(results, limits, host))),
        *grid(f'Limits: {met} of {len(rows)} met', ['', 'value', 'limit', '', 'elsewhere, or what it is'], rows),
    ]
