"""recorded.csv: what the last bench measured, in the repository. It is bench.csv without times, under a head that says
what it was made with:
  # boards: arm-none-eabi-g++ 12.2.1, Eigen 3.4.0
  # host: x86_64, GNU 12.2.0, Eigen 3.4.0
  # rival: MuJoCo 2.2.2
Counts and bytes are the same wherever the same compiler made the firmware; the ratios against the rival belong to one
machine and run.
"""
# SPDX-License-Identifier: MIT
import collections
import os

from results import BenchError, Results, text_of

PATH = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'recorded.csv')


class Record(collections.namedtuple('Record', 'boards host_build rival results')):
    @property
    def host(self):
        """The host's name among the targets."""
        return self.host_build.split(',')[0]

    def is_timed(self, key):
        """Whether the value depends on the machine and its load."""
        return key.metric == 'ns' or key.metric == 'ratio' and key.target == self.host


def read(path):
    head = {}
    with open(path, encoding='utf-8', newline='') as file:
        lines = file.readlines()
    while lines and lines[0].startswith('# '):
        name, _, value = lines.pop(0)[2:].strip().partition(': ')
        head[name] = value
    if set(head) != {'boards', 'host', 'rival'}:
        raise BenchError(f'{path}: its head names {sorted(head)}')
    return Record(head['boards'], head['host'], head['rival'], Results.from_csv(lines))


def write(path, record):
    with open(path, 'w', encoding='utf-8', newline='') as file:
        file.write(f'# boards: {record.boards}\n# host: {record.host_build}\n# rival: {record.rival}\n')
        record.results.write_csv(file, lambda key: key.metric != 'ns')


def differences(recorded, measured):
    """[sentence] for every count that `measured`, a Results, has and that is not the recorded one."""
    found = []
    for key, value in measured.values.items():
        old = recorded.results.values.get(key)
        old, new = 'nothing' if old is None else text_of(old), text_of(value)
        if not recorded.is_timed(key) and old != new:
            found.append(f'{" ".join(key)}: recorded {old}, measured {new}')
    return found
