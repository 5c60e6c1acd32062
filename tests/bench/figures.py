"""The bench's figures on the project's pages. A figure is either
  a cell of a table row that has a cell `work/robot` (or `work/robot` m7, `work/robot` double host), under a title of
  COLUMNS; the cell under the title "limit" comes from limits.csv, and a figure that meets its limit is bold; or
  a number in a text with a mark behind it: 12 551<!-- bench aba/chain20 -->. The mark names the row, and the scalar,
  target and metric where they are not float, m4 and instructions; `percent` gives a ratio in per cent.
A figure has as many decimals as it had.
usage: figures.py          says which figures differ from recorded.csv, and fails if one does
       figures.py --write  writes them from recorded.csv
"""
# SPDX-License-Identifier: MIT
import os
import re
import sys

import record
from results import METRICS as ALL_METRICS, PUSHED, WORST_METRICS, BenchError, Key, text_of
import table

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
MEASURED = 'lib/docs/measured.md'
PAGES = ('README.md', MEASURED, 'lib/docs/memory_and_time.md', 'lib/docs/accuracy.md',
         'lib/docs/choosing_k_and_lambda.md', 'lib/docs/limitations.md')
# Title: what stands behind the row's work, and the metric.
COLUMNS = {'instructions': ('', 'instructions'), 'instructions per step': ('', 'instructions'),
           'flash B': ('', 'flash_B'), 'RAM B': ('', 'ram_B'), 'stack B': ('', 'stack_B'), 'ratio': ('', 'ratio'),
           'pushed, mean': (PUSHED, 'instructions_mean'), 'pushed, p99.9': (PUSHED, 'instructions_p999'),
           'pushed, largest': (PUSHED, 'instructions'), 'worst found': ('', WORST_METRICS[0]),
           'instructions per step, worst found': ('', WORST_METRICS[0]), 'over the usual': ('', WORST_METRICS[1])}
LIMIT = 'limit'
# The limits that a table shows, and the figures that are bold if these are met: those of the worst step, where a column
# has it.
LIMITS = {'instructions': '', 'instructions_min': 'least ', 'ratio': 'ratio '}
WORST_LIMITS = {WORST_METRICS[1]: ''}

ROW = re.compile(r'`(\w+)/(\w+)`((?: \w+)*)')
CELL = re.compile(r'\**(\d[\d ]*(?:\.\d+)?)\**')
MARK = re.compile(r'(?<![\d.])(\d+(?: \d{3})*(?:\.\d+)?)<!-- bench (\w+)/(\w+)((?: \w+)*) -->')


def figure(value, like):
    """The value with as many decimals as `like`, a blank between thousands."""
    decimals = len(like.partition('.')[2])
    return f'{value:,.{decimals}f}'.replace(',', ' ')


class Writer:
    """Writes the figures of `recorded` into a page's text."""

    def __init__(self, recorded, limits):
        self.recorded, self.limits = recorded, limits
        self.count = 0  # figures written

    def key(self, work, robot, words):
        """(Key, whether in per cent) of a row and the words behind it."""
        scalar, target, metric, percent = 'float', table.REFERENCE, 'instructions', False
        for word in words.split():
            if word in ('float', 'double'):
                scalar = word
            elif word in ALL_METRICS:
                metric = word
            elif word == 'percent':
                percent = True
            else:
                target = self.recorded.host if word == 'host' else word
        return Key(work, robot, scalar, target, metric), percent

    def value(self, key):
        if key not in self.recorded.results.values:
            raise BenchError(f'no such figure was measured: {" ".join(key)}')
        self.count += 1
        return self.recorded.results.values[key]

    def limits_of(self, row, titles):
        """[(text, met)] of the row's limits: '4 700'. With the value, where that has no column: 'ratio 1.05 (1.014)'."""
        shown = {COLUMNS[title][1] for title in titles if title in COLUMNS}
        found = []
        for metric, word in self.limited(titles).items():
            limit = self.limits.get(row._replace(metric=metric))
            if limit is None or not limit[0]:
                continue
            value = self.value(row._replace(metric=metric))
            met = table.is_met(value, limit)
            text = ('at least ' if limit[0] == '>=' else '') + figure(limit[1], text_of(limit[1]))
            if metric not in shown:
                text = f'{word}{text} ({figure(value, text_of(value))})'
            found.append((text if met else f'{text}: **not met**', met))
        return found

    @staticmethod
    def limited(titles):
        """{metric: word} of the limits that belong into a table."""
        return WORST_LIMITS if 'over the usual' in titles else LIMITS

    def table_line(self, line, row, columns):
        cells = line.split('|')
        limits = self.limits_of(row, columns.values()) if LIMIT in columns.values() else []
        for at, title in columns.items():
            written = cells[at].strip()
            if title == LIMIT:
                written = '; '.join(text for text, _ in limits)
            elif match := CELL.fullmatch(written):
                suffix, metric = COLUMNS[title]
                written = figure(self.value(row._replace(work=row.work + suffix, metric=metric)), match[1])
                if (not suffix and metric in self.limited(columns.values()) and limits and
                        all(met for _, met in limits)):
                    written = f'**{written}**'
            else:
                continue
            cells[at] = f' {written} ' if written else ' '
        return '|'.join(cells)

    def mark(self, match):
        key, percent = self.key(*match.groups()[1:])
        value = self.value(key) * (100 if percent else 1)
        return figure(value, match[1]) + match[0][len(match[1]):]

    def page(self, text):
        columns, lines = {}, []
        for line in text.split('\n'):
            cells = [cell.strip() for cell in line.split('|')]
            titles = {at: cell for at, cell in enumerate(cells) if cell in COLUMNS or cell == LIMIT}
            columns = titles if set(titles.values()) & set(COLUMNS) else columns if line.startswith('|') else {}
            row = next(filter(None, map(ROW.fullmatch, cells)), None) if columns else None
            if row:
                line = self.table_line(line, self.key(*row.groups())[0], columns)
            line = MARK.sub(self.mark, line)
            if line.count('<!-- bench') != len(MARK.findall(line)):
                raise BenchError(f'not a mark of a figure: {line.strip()}')
            lines.append(line)
        return '\n'.join(lines)


def read_page(page):
    with open(os.path.join(ROOT, page), encoding='utf-8') as file:
        return file.read()


def rows_of_readme():
    """{(work, robot, scalar)} of the README's table."""
    rows = {row.groups()[:2] + ('float',) for line in read_page(PAGES[0]).split('\n')
            for row in filter(None, (ROW.fullmatch(cell.strip()) for cell in line.split('|')))}
    if not rows:
        raise BenchError(f'{PAGES[0]} has no row of the bench')
    return rows


def differences(page, old, new):
    return [f'{page}:{number}: says\n    {a.strip()}\n  and the bench\n    {b.strip()}'
            for number, (a, b) in enumerate(zip(old.split('\n'), new.split('\n')), 1) if a != b]


def stale(recorded, limits):
    """([sentence] for every line whose figures are not the recorded ones, how many figures there are)."""
    writer, found = Writer(recorded, limits), []
    for page in PAGES:
        text = read_page(page)
        found += differences(page, text, writer.page(text))
    text = read_page(MEASURED)
    found += [f'{MEASURED}: does not name {name}' for name in (recorded.boards, recorded.rival) if name not in text]
    return found, writer.count


def summary(found, count):
    return f'{count} figures on {len(PAGES)} pages, {len(found)} lines are not as in recorded.csv'


def write(recorded, limits):
    writer = Writer(recorded, limits)
    texts = [writer.page(read_page(page)) for page in PAGES]  # all of them, before the first is written
    for page, text in zip(PAGES, texts):
        with open(os.path.join(ROOT, page), 'w', encoding='utf-8') as file:
            file.write(text)


def main():
    recorded = record.read(record.PATH)
    limits = table.read_limits(table.LIMITS, recorded.host)
    try:
        if sys.argv[1:] == ['--write']:
            write(recorded, limits)
        found, count = stale(recorded, limits)
    except BenchError as error:
        sys.exit(f'figures: {error}')
    print('\n'.join(found + [summary(found, count)]))
    if found:
        print('They are written by `cmake --build build/bench --target bench_update`, or from the record by '
              '`python3 tests/bench/figures.py --write`.')
    sys.exit(1 if found else 0)


if __name__ == '__main__':
    main()
