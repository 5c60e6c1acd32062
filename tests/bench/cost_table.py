"""Fits the cost model of `kinecast info` to measured firmwares and writes ports/host/robot/cost_table.inc.
usage: cost_table.py TOOL [--out FILE]
Imports the robots of cost_robots.py, makes each a firmware with `kinecast new`, builds it, runs it in QEMU and reads its line
`kinecast cost: ...`: all of them on the reference board, a few on every board. 58 firmwares of 4 s of processor time each.
The columns of the fit are the tool's own (`kinecast info --json`), so that there is one definition of them.
"""
# SPDX-License-Identifier: MIT
import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import tempfile

from cost_robots import EVERYWHERE, FITTED

ROOT = pathlib.Path(__file__).resolve().parents[2]
REFERENCE = 'mps2-an386'
OTHERS = ('microbit', 'stm32f405', 'mps2-an500', 'mps2-an505', 'mps3-an547')
METRICS = ('instructions', 'stack_B', 'ram_B', 'flash_B')

# What each metric is made of. RAM: the tables of Predictor's workspaces; flash: stages that a robot needs or not.
TERMS = {
    'instructions': ('one', 'joints', 'slides', 'floating', 'branches', 'has_branches', 'more_roots', 'driven_joints',
                     'dry_joints', 'stops', 'opens_joints', 'rows_and_floating'),
    'stack_B': ('one', 'joints', 'has_slides', 'floating', 'has_drives', 'has_rows', 'opens_joints', 'touches',
                'touches_and_stops', 'dofs_if_touching'),
    'ram_B': ('one', 'joints', 'floating', 'has_branches', 'driven_joints', 'stops', 'has_rows', 'numbers_of_solver',
              'opens_joints', 'touches', 'contacts', 'dofs_if_touching', 'bodies_if_points'),
    'flash_B': ('one', 'joints', 'has_slides', 'floating', 'has_branches', 'has_drives', 'has_rows', 'rows_and_drives',
                'opens_joints', 'rows_and_floating', 'solves_limbs', 'unrolled_entries', 'touches', 'touches_and_drives'),
}


class CostError(Exception):
    pass


def output_of(*command, cwd=None):
    run = subprocess.run([str(word) for word in command], cwd=cwd, capture_output=True, text=True, check=False)
    if run.returncode != 0:
        raise CostError(f'{" ".join(map(str, command))} ended with {run.returncode}:\n{run.stdout}{run.stderr}')
    return run.stdout


def measured(tool, robot, board, folder):
    """{metric: value} of the robot's firmware."""
    name = f'{robot.name}_{board}'
    urdf, header, project = folder / f'{name}.urdf', folder / f'{name}.hpp', folder / name
    urdf.write_text(robot.urdf(), encoding='utf-8')
    output_of(tool, 'import', urdf, '-o', header, '--base', robot.base)
    output_of(tool, 'new', project, '--robot', header, '--board', board)
    output = output_of('cmake', '--workflow', '--preset', 'run', cwd=project)
    line = re.search(r'^kinecast cost: (.*)$', output, re.M)
    if not line:
        raise CostError(f'{name} printed no cost:\n{output}')
    values = {key: int(value) for key, value in re.findall(r'(\w+)=(\d+)', line[1])}
    return {metric: values[metric] for metric in METRICS}


def features(tool, robot, folder):
    """({feature: value} of the firmware, the same without its contacts)"""
    urdf = folder / f'{robot.name}.urdf'
    urdf.write_text(robot.urdf(), encoding='utf-8')
    found = json.loads(output_of(tool, 'info', urdf, '--base', robot.base, '--json'))['cost_features']
    free = found['without_contacts']
    return (found['with_contacts'] if touches(robot) else free), free


def touches(robot):
    """As the firmware's template decides it."""
    return robot.floating and robot.feet > 0


def dofs(robot):
    return robot.trunk + robot.limbs * robot.joints + (6 if robot.floating else 0)


def solved(matrix, right):
    """Gauss with pivots."""
    rows = [[*row, value] for row, value in zip(matrix, right)]
    size = len(rows)
    for i in range(size):
        pivot = max(range(i, size), key=lambda k: abs(rows[k][i]))
        rows[i], rows[pivot] = rows[pivot], rows[i]
        if abs(rows[i][i]) < 1e-12:
            raise CostError('two terms of a metric cannot be told apart by the robots')
        for k in range(size):
            if k != i:
                factor = rows[k][i] / rows[i][i]
                rows[k] = [a - factor * b for a, b in zip(rows[k], rows[i])]
    return [row[size] / row[i] for i, row in enumerate(rows)]


def least_squares(columns, values):
    """Coefficients with the least sum of squared relative errors."""
    rows = [[entry / value for entry in row] for row, value in zip(columns, values)]
    count = len(rows[0])
    scale = [max(abs(row[i]) for row in rows) or 1 for i in range(count)]
    rows = [[entry / s for entry, s in zip(row, scale)] for row in rows]
    normal = [[sum(row[i] * row[k] for row in rows) for k in range(count)] for i in range(count)]
    return [x / s for x, s in zip(solved(normal, [sum(row[i] for row in rows) for i in range(count)]), scale)]


def predicted(coefficients, terms, row):
    return sum(c * row[term] for c, term in zip(coefficients, terms))


class Model:
    """The fit of all metrics on all boards."""

    def __init__(self, rows, costs):
        """rows: {robot: features}, costs: {(robot, board): {metric: value}}"""
        self.rows, self.costs = rows, costs
        self.coefficients, self.lines, self.errors = {}, {}, {}
        for metric in METRICS:
            self.fit(metric)

    def robots(self, metric, robots):
        """A step that touches takes as many instructions as its forces take iterations: no count of the robot tells that."""
        return [robot for robot in robots if metric != 'instructions' or not touches(robot)]

    def fit(self, metric):
        terms, robots = TERMS[metric], self.robots(metric, FITTED)
        values = [self.costs[robot, REFERENCE][metric] for robot in robots]
        fitted = least_squares([[self.rows[robot][0][term] for term in terms] for robot in robots], values)
        self.coefficients[metric] = fitted
        errors = [abs(predicted(fitted, terms, self.rows[robot][0]) / value - 1) for robot, value in zip(robots, values)]
        for board in OTHERS:
            some = [robot for robot in self.robots(metric, EVERYWHERE) if (robot, board) in self.costs]
            values = [self.costs[robot, board][metric] for robot in some]
            if not any(robot.floating for robot in some):
                raise CostError(f'no robot with a floating base was measured on {board}')
            line = least_squares([[1, self.costs[robot, REFERENCE][metric], self.rows[robot][0]['floating']]
                                  for robot in some], values)
            self.lines[board, metric] = line
            errors += [abs((line[0] + line[1] * predicted(fitted, terms, row) + line[2] * row['floating']) / value - 1)
                       for row, value in zip((self.rows[robot][0] for robot in some), values)]
        self.errors[metric] = max(errors)

    def touching_range(self):
        """Least and most of (the most expensive step that touched) / (a free step)."""
        ratios = [self.costs[robot, REFERENCE]['instructions'] /
                  predicted(self.coefficients['instructions'], TERMS['instructions'], self.rows[robot][1])
                  for robot in FITTED if touches(robot)]
        return min(ratios), max(ratios)

    def text(self):
        errors = ', '.join(f'{metric} {100 * self.errors[metric]:.1f} %' for metric in METRICS)
        out = ['// Made by `python3 tests/bench/cost_table.py build/host/ports/host/kinecast`; do not edit.',
               f'// {len(self.costs)} firmwares, {len(FITTED)} robots. Largest errors: {errors}.',
               f'constexpr int kMostFittedDofs = {max(dofs(robot) for robot in FITTED)};',
               'constexpr TouchingRange kTouchingRange{%.1f, %.1f};' % self.touching_range(),
               'const std::array<Fit, kMetrics> kFits{{']
        for metric in METRICS:
            terms = ', '.join(f'{{"{term}", {value:.6g}}}'
                              for term, value in zip(TERMS[metric], self.coefficients[metric]))
            out.append(f'    {{{{{terms}}}, {self.errors[metric]:.4f}}},  // {metric}')
        out += ['}};', '// instructions, stack_B, ram_B, flash_B of another board: offset, slope, floating.',
                'const std::vector<BoardFit> kBoardFits{']
        for board in OTHERS:
            lines = ', '.join(f'{{{", ".join(f"{round(x, 6) + 0:.6g}" for x in self.lines[board, metric])}}}'
                              for metric in METRICS)
            out.append(f'    {{"{board}", {{{{{lines}}}}}}},')
        return '\n'.join([*out, '};', ''])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('tool', type=pathlib.Path)
    parser.add_argument('--out', type=pathlib.Path, default=ROOT / 'ports' / 'host' / 'robot' / 'cost_table.inc')
    arguments = parser.parse_args()
    tool = arguments.tool.resolve()
    jobs = [(robot, REFERENCE) for robot in FITTED] + [(robot, board) for board in OTHERS for robot in EVERYWHERE]
    with tempfile.TemporaryDirectory() as name, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        folder = pathlib.Path(name)

        def run(job):
            cost = measured(tool, *job, folder)
            print(job[1], job[0].name, cost, flush=True)
            return cost

        costs = dict(zip(jobs, pool.map(run, jobs)))
        model = Model({robot: features(tool, robot, folder) for robot in FITTED}, costs)
    arguments.out.write_text(model.text(), encoding='utf-8')
    print(f'{arguments.out}: largest errors {model.errors}')


if __name__ == '__main__':
    main()
