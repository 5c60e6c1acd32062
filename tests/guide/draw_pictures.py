"""Draws the pictures of the README and the guide: the pipeline, and a prediction beside what then happened.
usage: draw_pictures.py PREDICTION_PROGRAM FOLDER            writes FOLDER/pipeline.svg and FOLDER/prediction.svg
       draw_pictures.py --check PREDICTION_PROGRAM FOLDER    exit 1 if those there are not what it would write
"""
# SPDX-License-Identifier: MIT
import csv
import math
import pathlib
import subprocess
import sys

from svg import BLUE, FAINT, INK, ORANGE, SOFT, Picture

# ---- the pipeline ------------------------------------------------------------------------------------------------------

STAGES = [  # name, what comes in from above, what it does, cost
    ('drive', 'command: V or N·m', ['motor, gear, friction:', 'sticks or slides'], 'O(n)'),
    ('dynamics', 'state: q, dq', ['free motion, and the map', 'A = J H⁻¹ Jᵀ as Y Yᵀ'], 'O(n), O(n m)'),
    ('contact', 'environment', ['who touches, how hard,', 'stick or slip'], 'QP and LP, bounded'),
    ('predict', 'time step', ['integrate and commit,', 'or touch nothing'], 'O(n)'),
]


def pipeline():
    picture = Picture(960, 268, 'kinecast: command, state and environment go through drive, dynamics, contact and predict '
                                'to the next state')
    width, gap, top, height = 192, 44, 78, 94
    for i, (name, source, words, cost) in enumerate(STAGES):
        x = 30 + i * (width + gap)
        middle = x + width / 2
        picture.text(middle, 36, source, 14, BLUE, 'middle')
        picture.line([(middle, 46), (middle, top - 2)], SOFT, arrow=True)
        picture.box(x, top, width, height, '#f4f7fa')
        picture.text(middle, top + 26, name, 17, INK, 'middle', 'bold')
        for j, line in enumerate(words):
            picture.text(middle, top + 50 + 18 * j, line, 14, INK, 'middle')
        picture.text(middle, top + height + 20, cost, 13, SOFT, 'middle')
        if i + 1 < len(STAGES):
            y = top + height / 2
            picture.line([(x + width + 4, y), (x + width + gap - 3, y)], SOFT, 2, arrow=True)
    last = 30 + 3 * (width + gap) + width / 2
    picture.line([(last, top + height + 28), (last, top + height + 46)], SOFT, arrow=True)
    picture.text(930, top + height + 64, 'next state and a report, or a Status', 14, BLUE, 'end')
    picture.text(30, top + height + 64, 'C++17 headers · Eigen only · no heap, exceptions, RTTI · every size a '
                                        'compile-time number', 13, SOFT)
    return picture.svg()


# ---- the prediction ----------------------------------------------------------------------------------------------------

SHOULDER_M, UPPER_M, FORE_M, CORNER_M = 0.15, 0.4, 0.35, 0.05  # board_examples/arm_on_ground/arm.hpp


def elbow(q0):
    return UPPER_M * math.sin(q0), SHOULDER_M + UPPER_M * math.cos(q0)


def corner(q0, q1, side=1):
    """The forearm's corner that lands first (side 1), or the one beside it."""
    y, z = elbow(q0)
    s, c = math.sin(q0 + q1), math.cos(q0 + q1)
    return y + FORE_M * s + side * CORNER_M * c, z + FORE_M * c - side * CORNER_M * s


class Panel:
    """A rectangle with axes: data in, places on the picture out."""

    def __init__(self, picture, place, xs, ys):
        self.picture, self.xs, self.ys = picture, xs, ys
        self.x, self.y, self.width, self.height = place

    def at(self, x, y):
        return (self.x + (x - self.xs[0]) / (self.xs[1] - self.xs[0]) * self.width,
                self.y + (self.ys[1] - y) / (self.ys[1] - self.ys[0]) * self.height)

    def axes(self, x_ticks, y_ticks, title, x_title=''):
        for value in y_ticks:
            self.picture.line([self.at(self.xs[0], value), self.at(self.xs[1], value)], FAINT, 1)
            x, y = self.at(self.xs[0], value)
            self.picture.text(x - 6, y + 4, f'{value:g}', 12, SOFT, 'end')
        for value in x_ticks:
            x, y = self.at(value, self.ys[0])
            self.picture.text(x, y + 16, f'{value:g}', 12, SOFT, 'middle')
        self.picture.text(self.x, self.y - 10, title, 14, INK)
        if x_title:
            self.picture.text(self.x + self.width, self.y + self.height + 34, x_title, 12, SOFT, 'end')

    def curve(self, points, color, width, dash=''):
        self.picture.line([self.at(x, y) for x, y in points], color, width, dash)


def read_stories(program):
    run = subprocess.run([program], stdout=subprocess.PIPE, text=True, check=True)
    stories = {'predicted': [], 'happened': []}
    for row in csv.DictReader(run.stdout.splitlines()):
        stories[row['which']].append(tuple(float(row[name]) for name in ('ms', 'q0_rad', 'q1_rad', 'impulse_Ns')))
    return stories


def draw_arm(panel, q0, q1, color, width):
    fore = [(a + b) / 2 for a, b in zip(corner(q0, q1, 1), corner(q0, q1, -1))]
    panel.curve([(0, SHOULDER_M), elbow(q0), fore], color, width)
    panel.curve([corner(q0, q1, 1), corner(q0, q1, -1)], color, width)
    for joint in ((0, SHOULDER_M), elbow(q0)):
        panel.picture.dot(*panel.at(*joint), 5, '#ffffff', color)


def touch_ms(story):
    return next(ms for ms, _, _, impulse in story if impulse > 0)


def prediction(stories):
    picture = Picture(960, 400, 'A prediction: the arm foresees its landing; what then happened lies on it')
    predicted, happened = stories['predicted'], stories['happened']
    styles = [(happened, INK, 2.5, ''), (predicted, ORANGE, 3.5, '1.5 8')]

    picture.text(30, 32, 'An arm foresees its landing: the next 250 ms, computed before they happen', 16, INK,
                 weight='bold')
    picture.line([(30, 54), (62, 54)], ORANGE, 3.5, '1.5 8')
    picture.text(70, 58, f'forecast at 0 ms: touches after {touch_ms(predicted):.0f} ms', 14)
    picture.line([(370, 54), (402, 54)], INK, 2.5)
    picture.text(410, 58, f'what then happened to a heavier arm with other friction: {touch_ms(happened):.0f} ms', 14)

    side = Panel(picture, (30, 96, 440, 252), (-0.1, 0.84), (-0.06, 0.478))
    ground = [side.at(-0.1, 0), side.at(0.84, 0)]
    picture.box(ground[0][0], ground[0][1], ground[1][0] - ground[0][0], 14, '#e7e2da', '#e7e2da')
    picture.text(ground[0][0] + 6, ground[0][1] + 30, 'seen from the side; the arm at 0 ms and at 250 ms', 12, SOFT)
    draw_arm(side, *happened[-1][1:3], '#b4bec8', 6)
    draw_arm(side, *happened[0][1:3], BLUE, 6)
    for story, color, width, dash in styles:
        side.curve([corner(q0, q1) for _, q0, q1, _ in story], color, width, dash)

    height = Panel(picture, (540, 100, 390, 104), (0, 250), (0, 300))
    height.axes([], [0, 150, 300], 'height of the corner above the ground, mm')
    push = Panel(picture, (540, 246, 390, 104), (0, 250), (0, 8))
    push.axes([0, 50, 100, 150, 200, 250], [0, 4, 8], 'what the ground has given so far, N·s', 'ms')
    for story, color, width, dash in styles:
        height.curve([(ms, 1000 * corner(q0, q1)[1]) for ms, q0, q1, _ in story], color, width, dash)
        push.curve([(ms, impulse) for ms, _, _, impulse in story], color, width, dash)
    return picture.svg()


def main():
    arguments = sys.argv[1:]
    check = arguments[:1] == ['--check']
    program, folder = arguments[1:] if check else arguments
    pictures = {'pipeline.svg': pipeline(), 'prediction.svg': prediction(read_stories(program))}
    stale = []
    for name, drawn in pictures.items():
        path = pathlib.Path(folder) / name
        if not check:
            path.write_text(drawn, encoding='utf-8')
        elif not path.exists() or path.read_text(encoding='utf-8') != drawn:
            stale.append(name)
    if stale:
        sys.exit(f'not what the program draws: {", ".join(stale)}; draw anew: cmake --build build/host --target '
                 'guide_pictures')
    print(f'{len(pictures)} pictures {"are" if check else "drawn"}: {", ".join(pictures)}')


if __name__ == '__main__':
    main()
