"""Worst-case stack of a function, from the call graphs that gcc writes with -fcallgraph-info=su.
Prints `entry=NAME bytes=N path=A(a)>B(b)...` per function that ENTRY matches, and `flag KIND NAME` for each thing that
makes the number no bound: recursion, indirect call, dynamic frame, callee without data. Exit 1 on a flag not allowed.
usage: stack_bound.py [--core v7m|v6m] [--allow KIND:REGEX]... [--known NAME=BYTES]... ENTRY file.ci...
  ENTRY   regular expression, found anywhere in the demangled name;  KIND  recursion, indirect, dynamic, unknown
  --core  whose library frames to take: v6m for Cortex-M0, v7m (the default) for all larger ones
"""
# SPDX-License-Identifier: MIT
import argparse
import re
import sys

# The C library and libgcc carry no stack data. Bytes on (v7m and v8m, v6m), what they call included, read off
# `arm-none-eabi-objdump -d` of newlib-nano 3.3 and libgcc 12.2; where the multilibs of a column differ, the largest.
KNOWN = {
    'memcpy': (0, 20), 'memset': (16, 20), 'memmove': (16, 20), 'memcmp': (16, 12), 'strlen': (8, 8),
    '__aeabi_fadd': (0, 24), '__aeabi_fsub': (0, 24), '__aeabi_frsub': (0, 32), '__aeabi_fmul': (0, 32),
    '__aeabi_fdiv': (0, 32), '__aeabi_fcmpeq': (32, 24), '__aeabi_fcmplt': (32, 24), '__aeabi_fcmple': (32, 24),
    '__aeabi_fcmpgt': (32, 24), '__aeabi_fcmpge': (32, 24), '__aeabi_fcmpun': (0, 16), '__aeabi_i2f': (0, 16),
    '__aeabi_ui2f': (0, 16), '__aeabi_f2iz': (0, 0), '__aeabi_f2uiz': (0, 32), '__aeabi_idiv': (0, 20),
    '__aeabi_uidiv': (0, 20), '__aeabi_idivmod': (0, 20), '__aeabi_uidivmod': (0, 20), '__aeabi_lmul': (0, 28),
    '__aeabi_ldivmod': (52, 84), '__aeabi_uldivmod': (52, 84), '__aeabi_dadd': (12, 48), '__aeabi_dsub': (12, 56),
    '__aeabi_drsub': (12, 56), '__aeabi_dmul': (16, 64), '__aeabi_ddiv': (16, 84), '__aeabi_dcmpeq': (24, 56),
    '__aeabi_dcmplt': (24, 56), '__aeabi_dcmple': (24, 56), '__aeabi_dcmpgt': (24, 56), '__aeabi_dcmpge': (24, 56),
    '__aeabi_dcmpun': (0, 24), '__aeabi_f2d': (12, 16), '__aeabi_d2f': (0, 32), '__aeabi_d2iz': (0, 24),
    '__aeabi_d2uiz': (0, 72), '__aeabi_i2d': (12, 16), '__aeabi_ui2d': (12, 8),
}
CORES = {'v7m': 0, 'v6m': 1}
INDIRECT = '__indirect_call'
NODE = re.compile(r'node: \{ title: "([^"]+)" label: "((?:[^"\\]|\\.)*)"')
EDGE = re.compile(r'edge: \{ sourcename: "([^"]+)" targetname: "([^"]+)"')
FRAME = re.compile(r'(\d+) bytes \(([^)]*)\)')


class Graph:
    """Functions of all files together: name, frame and callees by gcc's title (the symbol; `file:symbol` if local)."""

    def __init__(self, paths):
        self.names, self.frames, self.kinds, self.callees = {}, {}, {}, {}
        for path in paths:
            with open(path, encoding='utf-8') as file:
                for line in file:
                    self._read(line)

    def _read(self, line):
        node, edge = NODE.match(line), EDGE.match(line)
        if node:
            title, label = node.groups()
            frame = FRAME.search(label)
            if frame:
                # An inline function can be compiled in several files: the largest frame counts.
                self.names[title] = label.split('\\n')[0]
                self.frames[title] = max(int(frame[1]), self.frames.get(title, 0))
                if frame[2] not in ('static', 'dynamic,bounded'):
                    self.kinds[title] = frame[2]
        elif edge:
            self.callees.setdefault(edge[1], set()).add(edge[2])

    def name(self, title):
        return self.names.get(title, title.split(':')[-1])


class Bound:
    """Longest path by depth-first search; the flags are collected on the way."""

    def __init__(self, graph, known):
        self.graph, self.known = graph, known
        self.done, self.flags = {}, set()

    def below(self, title, callers=()):
        """(bytes, path) of the deepest stack from this function on."""
        graph = self.graph
        if title in self.done:
            return self.done[title]
        if title in callers:
            circle = callers[callers.index(title):] + (title,)
            self.flags.add(('recursion', ' > '.join(graph.name(step) for step in circle)))
            return 0, []
        if title == INDIRECT:
            self.flags.add(('indirect', graph.name(callers[-1])))
            return 0, []
        own = graph.frames.get(title, self.known.get(title))
        if own is None:
            self.flags.add(('unknown', f'{graph.name(title)} called by {graph.name(callers[-1])}'))
            own = 0
        if title in graph.kinds:
            self.flags.add(('dynamic', graph.name(title)))
        deepest = max((self.below(callee, callers + (title,)) for callee in sorted(graph.callees.get(title, ()))),
                      key=lambda result: result[0], default=(0, []))
        self.done[title] = (own + deepest[0], [f'{graph.name(title)}({own})'] + deepest[1])
        return self.done[title]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--core', choices=CORES, default='v7m')
    parser.add_argument('--allow', action='append', default=[], metavar='KIND:REGEX')
    parser.add_argument('--known', action='append', default=[], metavar='NAME=BYTES')
    parser.add_argument('entry')
    parser.add_argument('files', nargs='+')
    arguments = parser.parse_args()

    graph = Graph(arguments.files)
    entries = sorted(title for title, name in graph.names.items() if re.search(arguments.entry, name))
    if not entries:
        print(f'stack_bound: no function with stack data matches {arguments.entry!r}')
        sys.exit(1)
    known = {name: sizes[CORES[arguments.core]] for name, sizes in KNOWN.items()}
    known.update((name, int(size)) for name, size in (item.split('=') for item in arguments.known))

    sys.setrecursionlimit(10000)
    bound = Bound(graph, known)
    for entry in entries:
        size, path = bound.below(entry)
        print(f'entry={graph.name(entry)} bytes={size} path={">".join(path)}')

    allowed = [item.split(':', 1) for item in arguments.allow]
    refused = False
    for kind, name in sorted(bound.flags):
        is_allowed = any(kind == allowed_kind and re.search(pattern, name) for allowed_kind, pattern in allowed)
        print(f'{"allowed" if is_allowed else "flag"} {kind} {name}')
        refused = refused or not is_allowed
    sys.exit(1 if refused else 0)


if __name__ == '__main__':
    main()
