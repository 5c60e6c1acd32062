"""Gate: words that the library's code must not contain, because the target has no heap, exceptions, RTTI or streams and
every loop must have a bound; and tolerances, which stand in core/scalar.hpp with their reasons. Comments and strings
may say anything.
usage: check_tokens.py ROOT
"""
# SPDX-License-Identifier: MIT
import os
import re
import sys

import gate

FORBIDDEN = [
    ('exceptions', r'\b(?:throw|try|catch)\b'),
    ('heap', r'\b(?:new|delete)\b|\bstd::(?:malloc|calloc|realloc|free|aligned_alloc)\b'),
    ('rtti', r'\b(?:dynamic_cast|typeid)\b'),
    ('heap', r'\bstd::(?:vector|string|function|map|set|list|deque|shared_ptr|unique_ptr|make_unique|make_shared)\b'),
    ('stream', r'\bstd::(?:cout|cerr|clog|ostream|istream|stringstream)\b|\biostream\b'),
    ('jump', r'\bgoto\b'),
    ('unbounded-loop', r'\bwhile\s*\(\s*(?:true|1)\s*\)|\bfor\s*\([^;()]*;\s*(?:true\s*)?;'),
]
# A literal below 0.1, a rounding, or the smallest number: what decides by size has a name in Tolerance.
TOLERANCE = re.compile(r'(?<![\w.])(?:\d+\.?\d*|\.\d+)[eE]-0*[1-9]\d*|(?<![\w.])0\.0\d*[1-9]\d*(?![\d.eE])'
                       r'|\bkEpsilon\b|\bepsilon\s*\(|\b(?:FLT|DBL)_(?:EPSILON|MIN)\b'
                       r'|\bnumeric_limits<[^<>]*>::(?:denorm_)?min\s*\(')
# The tolerances themselves; coefficients of polynomials; elementary functions while compiling; a material's defaults.
MAY_HOLD_SMALL_NUMBERS = {'lib/include/kinecast/' + name for name in (
    'core/scalar.hpp', 'core/elementary.hpp', 'core/constexpr_math.hpp', 'model/environment/material.hpp')}
# A member with a default, `S relaxation{S(1e-4)};`, is a parameter that a user sets.
DEFAULT = re.compile(r'(?:^|[;{}])\s*(?:S|double)\s+\w+\{[^{}]*\}')
# `= delete` forbids a call; it is no deallocation.
DELETED_FUNCTION = re.compile(r'=\s*delete\b')


def main():
    root = sys.argv[1]
    headers = [path for path in gate.project_files(root)
               if path.startswith('lib/') and path.endswith(gate.CPP_ENDINGS)]
    violations = []
    for path in headers:
        code = gate.code_only(gate.read_text(os.path.join(root, path)))
        code = DELETED_FUNCTION.sub(lambda match: ' ' * len(match.group()), code)
        for rule, pattern in FORBIDDEN:
            for match in re.finditer(pattern, code):
                violations.append(f'{path}:{gate.line_of(code, match.start())}: [{rule}] {match.group().strip()}')
        # The robots in lib/docs/examples have small dimensions and masses.
        if path in MAY_HOLD_SMALL_NUMBERS or path.startswith('lib/docs/examples/'):
            continue
        code = DEFAULT.sub(lambda match: re.sub(r'[^\n]', ' ', match.group()), code)
        for match in TOLERANCE.finditer(code):
            violations.append(f'{path}:{gate.line_of(code, match.start())}: [tolerance] {match.group().strip()}')
    gate.finish('tokens', len(headers), violations)


if __name__ == '__main__':
    main()
