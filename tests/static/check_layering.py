"""Gate: who may include whom in lib/include/kinecast, and which headers from outside the library may use at all.
usage: check_layering.py ROOT
"""
# SPDX-License-Identifier: MIT
import os
import re
import sys

import gate

LAYERS = ['core', 'math', 'model', 'kinematics', 'drive', 'dynamics', 'solve', 'contact', 'predict']
# A folder may include itself and those before it; the solvers know no robot.
ALLOWED = {layer: set(LAYERS[:index + 1]) for index, layer in enumerate(LAYERS)}
ALLOWED['solve'] = {'core', 'math', 'solve'}

# Freestanding in spirit: no allocation, no locale, no stream behind any of them.
OUTSIDE = {
    'algorithm',    # min, max, clamp
    'array',
    'cmath',        # sqrt, fabs, isfinite; not sin/cos/exp, which differ between C libraries
    'cstddef',
    'cstdint',
    'limits',
    'string_view',  # names of links and joints
    'tuple',
    'type_traits',
    'utility',
    'Eigen/Core',   # the rest of Eigen costs compile time or heap
}
UMBRELLA = 'kinecast.hpp'
# Headers that moved: users' files may still name them there, and the compiler tells them the new place. Nothing of ours does.
MOVED = {'contact/convex.hpp', 'contact/environment.hpp'}
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*(?P<name>\S+)', re.M)


def violations_in(path, text):
    """path is relative to lib/include/kinecast."""
    # Comments go, but the name between quotes must stay: blank only what starts with // or /*.
    text = re.sub(r'//[^\n]*|/\*.*?\*/', lambda match: re.sub(r'[^\n]', ' ', match.group()), text, flags=re.S)
    folder = path.split('/')[0] if '/' in path else ''
    for match in INCLUDE.finditer(text):
        where = f'lib/include/kinecast/{path}:{gate.line_of(text, match.start("name"))}'
        name = match['name']
        if not re.fullmatch(r'<[^<>]+>', name):
            yield f'{where}: [include-form] write <kinecast/folder/file.hpp>, not {name}'
            continue
        name = name[1:-1]
        if not name.startswith('kinecast/'):
            if name not in OUTSIDE:
                yield f'{where}: [outside-header] <{name}> is not on the list of allowed headers'
            continue
        target = name.split('/')[1]
        if name[len('kinecast/'):] in MOVED:
            yield f'{where}: [layering] {name} has moved'
        if path == UMBRELLA:
            continue
        if target == UMBRELLA:
            yield f'{where}: [layering] a library header must not include the umbrella'
        elif target not in ALLOWED.get(folder, set()):
            yield f'{where}: [layering] {folder}/ must not include {target}/'


def reachable_from_umbrella(includes):
    """includes: header -> kinecast headers that it names."""
    reached, waiting = set(), [UMBRELLA]
    while waiting:
        header = waiting.pop()
        if header not in reached:
            reached.add(header)
            waiting += includes.get(header, [])
    return reached


def main():
    root = sys.argv[1]
    prefix = 'lib/include/kinecast/'
    headers = [path[len(prefix):] for path in gate.project_files(root) if path.startswith(prefix)]
    violations = []
    includes = {}
    for path in headers:
        folder = path.split('/')[0] if '/' in path else ''
        if path != UMBRELLA and folder not in ALLOWED:
            violations.append(f'{prefix}{path}:1: [layering] no such layer: {folder or "(top)"}')
        text = gate.read_text(os.path.join(root, prefix + path))
        includes[path] = re.findall(r'^[ \t]*#[ \t]*include[ \t]*<kinecast/([^>]+)>', text, re.M)
        violations += violations_in(path, text)
    if headers and UMBRELLA not in headers:
        violations.append(f'{prefix}{UMBRELLA}:1: [umbrella] missing')
    reached = reachable_from_umbrella(includes)
    violations += [f'{prefix}{path}:1: [umbrella] {UMBRELLA} does not lead to this header'
                   for path in headers if path not in reached and path not in MOVED]
    gate.finish('layering', len(headers), violations)


if __name__ == '__main__':
    main()
