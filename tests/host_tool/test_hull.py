"""kinecast hull: what it writes is the hull of the points, by the definition (all points behind all faces, all vertices among the
points, closed), and the library takes it; simplified hulls lose the least volume; bad files are refused by file and line.
"""
# SPDX-License-Identifier: MIT
import itertools
import math
import os
import random
import re
import subprocess
import unittest

from tool import ToolTest

CUBE = [tuple(float(x) for x in corner) for corner in itertools.product((0, 1), repeat=3)]
OLD_HEADER = '// the header of yesterday\n'


def csv(points, separator=','):
    return '\n'.join(separator.join(repr(float(x)) for x in point) for point in points) + '\n'


def sub(a, b):
    return tuple(x - y for x, y in zip(a, b))


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def cross(a, b):
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


class Solid:
    """The header's numbers, read as text."""

    def __init__(self, header):
        self.vertices = [tuple(float(x) for x in found.split(','))
                         for found in re.findall(r'\bvertex\((.*?)\)', header)]
        self.loops = [[int(i) for i in found.split(',')] for found in re.findall(r'\bloop\((.*?)\)', header)]

    def triangles(self, loop):
        at = [self.vertices[i] for i in loop]
        return [(at[0], at[i], at[i + 1]) for i in range(1, len(at) - 1)]

    def volume(self):
        return sum(dot(a, cross(b, c)) for loop in self.loops for a, b, c in self.triangles(loop)) / 6

    def plane(self, loop):
        normal = [0.0, 0.0, 0.0]
        for a, b, c in self.triangles(loop):
            normal = [n + x for n, x in zip(normal, cross(sub(b, a), sub(c, a)))]
        size = math.sqrt(dot(normal, normal))
        normal = tuple(n / size for n in normal)
        return normal, dot(normal, self.vertices[loop[0]])


def ball(count, seed):
    rng = random.Random(seed)
    out = []
    for _ in range(count):
        point = [rng.gauss(0, 1) for _ in range(3)]
        size = math.sqrt(dot(point, point))
        out.append(tuple(round(x / size, 6) for x in point))
    return out


class Hull(ToolTest):
    def hull(self, points, *arguments, file='points.csv'):
        if not isinstance(points, str):
            points = csv(points)
        self.write(file, points)
        run = self.run_tool('hull', file, '-o', 'shape.hpp', *arguments)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.output = run.stdout
        self.header = (self.folder / 'shape.hpp').read_text(encoding='utf-8')
        return Solid(self.header)

    def check_closed(self, solid):
        edges = [(loop[i - 1], loop[i]) for loop in solid.loops for i in range(len(loop))]
        self.assertEqual(len(edges), len(set(edges)))
        self.assertEqual(set(edges), {(b, a) for a, b in edges})
        self.assertEqual(len(solid.vertices) - len(edges) // 2 + len(solid.loops), 2)  # Euler

    def check_is_hull_of(self, solid, points):
        """Points count as behind a face to the millionth of their size that the library calls flat."""
        self.check_closed(solid)
        reach = max(abs(x) for point in points for x in point)
        self.assertLessEqual(set(solid.vertices), set(points))
        for loop in solid.loops:
            normal, distance = solid.plane(loop)
            self.assertLess(max(dot(normal, point) for point in points) - distance, 1e-6 * reach)

    def check_compiles(self, name='shape'):
        """The compiler and the library's rules take it, on a link and in the world; a function is not needed at run time."""
        self.write('user.cpp', f'''#include "{name}.hpp"
#include <kinecast/model/environment/environment.hpp>
using namespace kinecast;
constexpr auto kAround = environment(convex("here", shapes::{name}_solid, at(0, 0, 1)),
                                     convex("there", shapes::{name}_solid, on("hand"), of_kind(1)));
static_assert(validate(kAround).ok());
''')
        run = subprocess.run([os.environ['KINECAST_CXX'], '-std=c++17', '-Wall', '-Wextra', '-Werror', '-fsyntax-only',
                              '-I', os.environ['KINECAST_INCLUDE'], 'user.cpp'],
                             cwd=self.folder, capture_output=True, text=True, check=False)
        self.assertEqual(run.returncode, 0, run.stderr)

    def test_cube(self):
        """Points inside, on faces and edges, and twice, are no vertices; triangles of a face are one face."""
        rng = random.Random(1)
        points = CUBE + [tuple(rng.random() for _ in range(3)) for _ in range(300)]
        points += [(0.0, rng.random(), rng.random()) for _ in range(50)] + [(0.5, 0.0, 1.0), (0.5, 1.0, 1.0)] + CUBE
        rng.shuffle(points)
        solid = self.hull(points)
        self.assertEqual(sorted(solid.vertices), CUBE)
        self.assertEqual([len(loop) for loop in solid.loops], [4] * 6)
        self.assertEqual(solid.volume(), 1)
        self.check_is_hull_of(solid, points)
        self.check_compiles()
        self.assertIn('368 points. Hull: 8 vertices, 6 faces, volume 1 m³\nheader: shape.hpp\n', self.output)

    def test_cube_as_a_drawing_has_it(self):
        """Turned, moved, in mm, with the noise of a float: still six faces."""
        cos, sin = math.cos(0.3), math.sin(0.3)
        grid = [point for point in itertools.product(range(6), repeat=3) if 0 in point or 5 in point]
        points = [(200 + 10 * (cos * x - sin * y), 10 * (sin * x + cos * y), 10.0 * z) for x, y, z in grid]
        rng = random.Random(2)
        points = [tuple(x + rng.uniform(-1e-5, 1e-5) for x in point) for point in points]
        solid = self.hull(points, '--scale', '0.001')
        self.assertEqual(sorted(len(loop) for loop in solid.loops), [4] * 6)
        # A noise of 1e-5 mm moves each of the six faces, 2500 mm² large, by no more than that.
        self.assertAlmostEqual(solid.volume(), 0.05 ** 3, delta=6 * 2500e-6 * 2e-8)
        self.check_closed(solid)
        self.check_compiles()

    def test_any_points(self):
        for seed in range(20):
            rng = random.Random(seed)
            points = [tuple(round(rng.gauss(0, 1), 4) for _ in range(3)) for _ in range(30 + 10 * seed)]
            with self.subTest(seed):
                self.check_is_hull_of(self.hull(points), points)
        self.check_compiles()

    def test_same_output(self):
        points = ball(30, 3)
        self.hull(points)
        first = self.header
        self.hull(points)
        self.assertEqual(self.header, first)
        self.write('points.csv', csv(points))
        run = self.run_tool('hull', 'points.csv', '-o', 'shape.hpp', LC_ALL='de_DE.UTF-8', LANG='de_DE.UTF-8')
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual((self.folder / 'shape.hpp').read_text(encoding='utf-8'), first)
        # Only the hash tells in which order the points came.
        self.hull(points[::-1])
        self.assertNotEqual(self.header, first)
        self.assertEqual(re.sub('FNV-1a [0-9a-f]{16}', '', self.header), re.sub('FNV-1a [0-9a-f]{16}', '', first))

    def test_hash(self):
        text = csv(CUBE)
        self.hull(text)
        value = 0xCBF29CE484222325
        for byte in text.encode():
            value = (value ^ byte) * 0x100000001B3 % 2 ** 64
        self.assertIn(f'points.csv: 8 points, FNV-1a {value:016x}.', self.header)
        self.assertIn('// Made by `kinecast hull points.csv -o shape.hpp`; do not edit.', self.header)

    def test_formats(self):
        points = ball(12, 4)
        expected = self.hull(points)
        triangles = ''.join('facet normal 0 0 0\n outer loop\n' + ''.join(
            f'  vertex {x!r} {y!r} {z!r}\n' for x, y, z in points[i:i + 3]) + ' endloop\nendfacet\n'
            for i in range(0, 12, 3))
        obj = ''.join(f'v {x!r} {y!r} {z!r}\nvn 0 0 1\n' for x, y, z in points)
        columns = ''.join(f'{i},{z!r},{x!r},{y!r}\n' for i, (x, y, z) in enumerate(points))
        for name, text in (
                ('semicolons.csv', csv(points, ';')), ('tabs.txt', csv(points, '\t')), ('spaces.xyz', csv(points, '  ')),
                ('comments.csv', '# from a drawing\r\n\r\n' + csv(points).replace('\n', '\r\n')),
                ('header.csv', '\ufeffX, Y, Z\n' + csv(points)), ('columns.csv', 'id,"z",x,y\n' + columns),
                ('mesh.obj', '# mesh\no thing\n' + obj + 'f 1 2 3\n'), ('mesh.STL', f'solid thing\n{triangles}endsolid\n')):
            with self.subTest(name):
                solid = self.hull(text, file=name)
                self.assertEqual((solid.vertices, solid.loops), (expected.vertices, expected.loops))

    def test_names(self):
        self.write('points.csv', csv(CUBE))
        for arguments, header, name in ((('points.csv',), 'points.hpp', 'points'),
                                        (('points.csv', '-o', 'M6_nut.hpp'), 'M6_nut.hpp', 'M6_nut'),
                                        (('points.csv', '-o', 'x.h', '--name', 'int'), 'x.h', 'int')):
            run = self.run_tool('hull', *arguments)
            self.assertEqual(run.returncode, 0, run.stderr)
            self.assertIn(f'inline constexpr auto {name}_solid = ', (self.folder / header).read_text(encoding='utf-8'))
        self.write('int.hpp', (self.folder / 'x.h').read_text(encoding='utf-8'))
        self.check_compiles('int')

    def test_fewer_vertices(self):
        """A low pyramid on a cube: its tip costs the least, and its volume is what is reported as lost."""
        tip = (0.5, 0.5, 1.06)
        solid = self.hull(CUBE + [tip], '--max-vertices', '9')
        self.assertEqual(len(solid.vertices), 9)
        self.assertNotIn('less than', self.output)
        solid = self.hull(CUBE + [tip], '--max-vertices', '8')
        self.assertEqual(sorted(solid.vertices), CUBE)
        self.assertEqual(len(solid.loops), 6)
        self.assertIn('volume 1 m³, 1.96 % less than with all 9 vertices', self.output)  # 0.02 of 1.02
        self.assertIn('1.96 % less', self.header)

    def test_cheapest_vertex(self):
        """Against all hulls that lack one vertex."""
        points = ball(14, 5)
        found = self.hull(points, '--max-vertices', '13').volume()
        volumes = [self.hull(points[:i] + points[i + 1:]).volume() for i in range(14)]
        self.assertAlmostEqual(found, max(volumes), delta=1e-12)
        self.assertGreater(found, sorted(volumes)[-2] + 1e-6)  # the choice matters

    def test_ball_of_many(self):
        """Inscribed, closed, as large as asked; and better than to take as many of the points at random."""
        points = ball(2000, 6)
        full = 4 / 3 * math.pi
        solid = self.hull(points, '--max-vertices', '44')
        self.check_closed(solid)
        self.assertEqual(len(solid.vertices), 44)
        self.assertLessEqual(set(solid.vertices), set(points))
        self.assertGreater(solid.volume(), 0.84 * full)
        self.assertGreater(solid.volume(), self.hull(points[:44]).volume() * 1.05)
        self.hull(points, '--max-vertices', '44')
        self.check_compiles()

    def refuse(self, text, code, message, *arguments, file='points.csv'):
        if isinstance(text, bytes):
            (self.folder / file).write_bytes(text)
        elif text is not None:
            self.write(file, text)
        self.write('shape.hpp', OLD_HEADER)
        before = self.files()
        run = self.run_tool('hull', file, *(arguments or ('-o', 'shape.hpp')))
        self.assertEqual(run.returncode, code, run.stdout + run.stderr)
        self.assertRegex(run.stderr, message)
        self.assertNotIn('kinecast: unexpected', run.stderr)
        self.assertEqual(self.files(), before, 'a file was left behind')
        self.assertEqual((self.folder / 'shape.hpp').read_text(encoding='utf-8'), OLD_HEADER)

    def test_bad_lines(self):
        good = csv(CUBE).splitlines()

        def with_line(line, at=5):
            return '\n'.join(good[:at - 1] + [line] + good[at - 1:]) + '\n'

        for name, line, message, text in (
                ('a word', 5, '"ERR" is not a number', with_line('1,ERR,2')),
                ('an empty field', 5, '"" is not a number', with_line('1,,2')),
                ('letters behind', 5, '"2mm" is not a number', with_line('1,1,2mm')),
                ('NaN', 5, 'nan is no place', with_line('1,nan,2')),
                ('infinite', 5, '-inf is no place', with_line('-inf,1,2')),
                ('out of range', 5, '"1e999" is not a number', with_line('1e999,1,2')),
                ('huge', 5, '2e6 is beyond a million metres; .*--scale 0.001', with_line('2e6,1,2')),
                ('short', 5, 'this row has 2 fields and the first one has 3', with_line('1,2')),
                ('long', 5, 'this row has 4 fields', with_line('1,2,3,4')),
                ('decimal comma', 5, 'this row has 6 fields', with_line('1,5,2,5,3,5')),
                ('first row', 1, 'neither three numbers nor a header', with_line('1,2', at=1)),
                ('other columns', 1, 'neither three numbers nor a header', with_line('a,b,c', at=1)),
                ('a word in the first row', 1, 'neither three numbers nor a header', with_line('1,2,E', at=1))):
            with self.subTest(name):
                self.refuse(text, 1, rf'^kinecast: points\.csv:{line}: {message}')
        self.refuse('v 1 2 3\nv 1 2\n', 1, r'^kinecast: m\.obj:2: a vertex needs three numbers', file='m.obj')
        self.refuse('v 1 2 3\n\nv 1 2 x\n', 1, r'^kinecast: m\.obj:3: "x" is not a number', file='m.obj')
        self.refuse('solid a\nvertex 1 2\n', 1, r'^kinecast: m\.stl:2: a vertex needs three numbers', file='m.stl')
        self.refuse('solid a\nvortex 1 2 3\n', 1, r'^kinecast: m\.stl:2: "vortex" is no word', file='m.stl')
        self.refuse(b'binary' + bytes(100), 1, r'm\.stl: is a binary file; export', file='m.stl')

    def test_no_solid(self):
        flat = 'the points lie in a plane, on a line or at one place'
        rng = random.Random(7)
        plane = [(rng.random(), rng.random(), 0.25) for _ in range(50)]
        slope = [(x, y, 0.5 * x - 0.25 * y) for x, y, _ in plane]
        line = [(x, 2 * x, -x) for x, _, _ in plane]
        for name, points, message in (('plane', plane, flat), ('slope', slope, 'the points lie in (or near )?a plane'), ('line', line, flat),
                                      ('one place', [(1, 2, 3)] * 10, flat),
                                      ('three', CUBE[:3], r'has only 3 point\(s\)'),
                                      ('a film', [(x, y, 1e-5 * z) for x, y, z in CUBE], 'the points lie in or near a plane: .* thinner than'),
                                      ('many', ball(60, 8), '60 vertices and 348 corners .*--max-vertices 44')):
            with self.subTest(name):
                self.refuse(csv(points), 1, r'^kinecast: points\.csv: .*' + message)
        for text in ('', '# nothing\n', 'x,y,z\n'):
            self.refuse(text, 1, r'points\.csv: has only 0 point')

    def test_bad_arguments(self):
        good = csv(CUBE)
        for message, code, arguments in (
                (r'"7up" cannot be part of a C\+\+ name', 2, ('-o', 'shape.hpp', '--name', '7up')),
                (r'"a b" cannot be part', 2, ('-o', 'shape.hpp', '--name', 'a b')),
                (r'"nut-m6" cannot be part', 2, ('-o', 'nut-m6.hpp')),
                (r'--scale', 2, ('-o', 'shape.hpp', '--scale', '0')),
                (r'--scale', 2, ('-o', 'shape.hpp', '--scale', '-1')),
                (r'--scale|volume|plane', 1, ('-o', 'shape.hpp', '--scale', '1e-300')),
                (r'--max-vertices', 2, ('-o', 'shape.hpp', '--max-vertices', '3')),
                (r'--max-vertices', 2, ('-o', 'shape.hpp', '--max-vertices', 'many')),
                (r'nowhere/shape\.hpp: cannot be written', 4, ('-o', 'nowhere/shape.hpp')),
                (r'points\.csv: the result would overwrite an input', 2, ('-o', 'points.csv', '--name', 'nut')),
                (r'--fast', 2, ('--fast',))):
            with self.subTest(message):
                self.refuse(good, code, message, *arguments)
        self.refuse(None, 1, r'missing\.csv: cannot be read', file='missing.csv')
        (self.folder / 'folder').mkdir()
        self.refuse(None, 1, r'folder: cannot be read', file='folder')
        run = self.run_tool('hull', '--help')
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn('Example: kinecast hull', run.stdout)


if __name__ == '__main__':
    unittest.main()
