#!/bin/sh
# SPDX-License-Identifier: MIT
# compare.sh RUNS LINES OURS COMMAND...: succeeds if the program OURS and COMMAND both succeed and print the same lines
# `BITS <run> <hash>` for the runs whose names match the extended regular expression RUNS, and these are LINES lines.
set -u
runs=$1
lines=$2
ours=$3
shift 3

# chosen TEXT: its lines that count.
chosen() { printf '%s\n' "$1" | grep -E "^BITS [a-z0-9_]*($runs)[a-z0-9_]* 0x[0-9a-f]*$"; }

here=$("$ours") || { echo "compare: $ours failed: $here" >&2; exit 1; }
there=$("$@") || { echo "compare: $* failed: $there" >&2; exit 1; }
here=$(chosen "$here")
there=$(chosen "$there")
if [ "$(printf '%s\n' "$here" | grep -c .)" -ne "$lines" ]; then
  echo "compare: $ours did not print $lines lines of BITS: $here" >&2
  exit 1
fi
if [ "$here" != "$there" ]; then
  printf 'compare: the bits differ\n%s\nhere, and there\n%s\n' "$here" "$there" >&2
  exit 1
fi
printf '%s\n' "$here"
