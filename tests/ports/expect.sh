#!/bin/sh
# SPDX-License-Identifier: MIT
# expect.sh CODE WORDS COMMAND...: succeeds if COMMAND exits with CODE and says WORDS (an extended
# regular expression), on stdout or stderr.
set -u
expected=$1
words=$2
shift 2

output=$("$@" 2>&1)
code=$?
printf '%s\n' "$output"
if [ "$code" -ne "$expected" ]; then
  echo "expect: exit code $code instead of $expected" >&2
  exit 1
fi
if ! printf '%s\n' "$output" | grep -Eq -- "$words"; then
  echo "expect: never said: $words" >&2
  exit 1
fi
