"""Gate: who may include whom. Of the top folders lib never includes a port, a port never a board example, nothing outside
tests includes tests. In lib/include/kinecast: the layers, and which headers from outside the library may use at all.
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

# Extensions: users include them, or the umbrella does; no core header knows them. Each may include what its layer may, and
# others; those in a folder of their own stand behind all layers.
EXTENSIONS = ('contact/impact/', 'contact/volume/', 'control/', 'dynamics/adaptive/', 'papers/', 'predict/events/')
ALLOWED['papers'] = ALLOWED['control'] = set(LAYERS) | {'papers', 'control'}

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
# The top folders, by the same rule: what all use comes first. Tests may include anything.
TOP = ['lib', 'ports', 'board_examples', 'tests']
SOURCES = gate.CPP_ENDINGS + ('.inc', '.ino', '.in')
STAND_INS = 'tests/packaging/stand_in/'  # for headers of platforms, which ports include: no tests
CMAKE = ('CMakeLists.txt', '.cmake')
UMBRELLA = 'kinecast.hpp'
# Headers that moved: users' files may still name them there, and the compiler tells them the new place. Nothing of ours
# does.
MOVED = {
    'contact/convex.hpp', 'contact/environment.hpp',
    'contact/constraints.hpp', 'contact/fused.hpp', 'contact/impact.hpp', 'contact/penalty.hpp',
    'contact/relaxed.hpp', 'contact/robot_impact.hpp', 'contact/simultaneous_impact.hpp', 'drive/rotor_friction.hpp',
    'dynamics/implicit_friction.hpp', 'dynamics/rigidify.hpp', 'dynamics/rigidity_rule.hpp', 'predict/event_driven.hpp',
}
INCLUDED_FOLDERS = re.compile(r'include_directories\s*\((?P<arguments>[^)]*)\)')
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*(?P<name>\S+)', re.M)


def without_comments(text):
    """Blanks only what starts with // or /*: the name between quotes must stay."""
    return re.sub(r'//[^\n]*|/\*.*?\*/', lambda match: re.sub(r'[^\n]', ' ', match.group()), text, flags=re.S)


def violations_in(path, text):
    """path is relative to lib/include/kinecast."""
    text = without_comments(text)
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
        if path == UMBRELLA or path in MOVED:
            continue
        is_extension = path.startswith(EXTENSIONS)
        if not is_extension and name[len('kinecast/'):].startswith(EXTENSIONS):
            yield f'{where}: [extension] a core header must not include the extension {name}'
            continue
        if is_extension and target in ('papers', 'control'):
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


def may_be(path, name, by_name):
    """The project's files that `#include name` in the file `path` can mean: the one beside it, or else, since the
    include folders are the build's, every one whose path ends so."""
    beside = os.path.normpath(os.path.join(os.path.dirname(path), name))
    named = by_name.get(os.path.basename(name), [])
    return [beside] if beside in named else [file for file in named if ('/' + file).endswith('/' + name)]


def top_violations(root, files):
    """An include is wrong if all that it can mean lies in a top folder that this one must not know."""
    by_name = {}
    for path in files:
        if not path.startswith(STAND_INS):
            by_name.setdefault(os.path.basename(path), []).append(path)
    for path in files:
        top = path.split('/')[0]
        if top not in TOP[:-1]:
            continue
        beyond = TOP[TOP.index(top) + 1:]
        if path.endswith(SOURCES):
            text = without_comments(gate.read_text(os.path.join(root, path)) or '')
            for match in INCLUDE.finditer(text):
                meant = {file.split('/')[0] for file in may_be(path, match['name'].strip('<>"'), by_name)}
                if meant and meant <= set(beyond):
                    line = gate.line_of(text, match.start('name'))
                    yield f'{path}:{line}: [layering] {top}/ must not include {min(meant, key=TOP.index)}/'
        if path.endswith(CMAKE):
            text = gate.read_text(os.path.join(root, path))
            for match in INCLUDED_FOLDERS.finditer(text):
                line = gate.line_of(text, match.start())
                yield from (f'{path}:{line}: [layering] {top}/ must not include {folder}/'
                            for folder in beyond if f'/{folder}' in match['arguments'])


def main():
    root = sys.argv[1]
    prefix = 'lib/include/kinecast/'
    files = gate.project_files(root)
    headers = [path[len(prefix):] for path in files if path.startswith(prefix)]
    violations = list(top_violations(root, files))
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
