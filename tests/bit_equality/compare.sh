#!/bin/sh
# SPDX-License-Identifier: MIT
# compare.sh LINES OURS COMMAND...: succeeds if the program OURS and COMMAND both succeed and print the same LINES lines
# that begin with BITS.
set -u
lines=$1
ours=$2
shift 2

here=$("$ours") || { echo "compare: $ours failed: $here" >&2; exit 1; }
there=$("$@") || { echo "compare: $* failed: $there" >&2; exit 1; }
here=$(printf '%s\n' "$here" | grep '^BITS ')
there=$(printf '%s\n' "$there" | grep '^BITS ')
if [ "$(printf '%s\n' "$here" | grep -c '^BITS [a-z0-9_]* 0x')" -ne "$lines" ]; then
  echo "compare: $ours did not print $lines lines of BITS: $here" >&2
  exit 1
fi
if [ "$here" != "$there" ]; then
  printf 'compare: the bits differ\n%s\nhere, and there\n%s\n' "$here" "$there" >&2
  exit 1
fi
printf '%s\n' "$here"
