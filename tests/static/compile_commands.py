"""How a source of ours is compiled: read from the compile_commands.json that CMake writes, so that the gates use the
build's own flags and never a copy of them.
"""
# SPDX-License-Identifier: MIT
import json
import os
import shlex
import subprocess


def load(path):
    """List of (source file, folder, arguments)."""
    with open(path, encoding='utf-8') as file:
        entries = json.load(file)
    return [(os.path.normpath(os.path.join(entry['directory'], entry['file'])), entry['directory'],
             entry['arguments'] if 'arguments' in entry else shlex.split(entry['command'])) for entry in entries]


def flags_of(source, path):
    """The compiler and the flags that compile source: without input, output and dependency files."""
    for file, _, arguments in load(path):
        if os.path.realpath(file) == os.path.realpath(source):
            return arguments[0], _without_files(arguments[1:], source)
    raise SystemExit(f'{path} has no entry for {source}')


def _without_files(arguments, source):
    kept, skip = [], False
    for argument in arguments:
        if skip:
            skip = False
        elif argument in ('-o', '-MF', '-MT', '-MQ'):
            skip = True
        elif argument not in ('-c', '-MD', '-MMD') and os.path.basename(argument) != os.path.basename(source):
            kept.append(argument)
    return kept


def accepted_by_clang(flags):
    """The flags without those that only gcc knows."""
    gcc_only = ('-fcallgraph-info', '-fstack-usage', '-Wlogical', '-Wduplicated', '-Wuseless-cast')
    return [flag for flag in flags if not flag.startswith(gcc_only)]


def syntax_errors(compiler, flags, text):
    """Compiles text without output; the diagnostics, empty when it compiles."""
    run = subprocess.run([compiler, *flags, '-fsyntax-only', '-x', 'c++', '-'], input=text,
                         capture_output=True, text=True, check=False)
    return '' if run.returncode == 0 else run.stderr or f'{compiler} ended with {run.returncode}'
