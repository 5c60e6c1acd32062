#!/bin/sh
# Prepares a Debian-like machine for kinecast: installs the packages of packages.txt that are missing, and fetches the
# Unity test harness into build/_deps/unity. Asks nothing; when nothing is missing it needs neither network nor rights.
# SPDX-License-Identifier: MIT
set -eu

usage() {
  cat <<'TEXT'
usage: sh toolchains/setup.sh [--check | --help]
  (no option)  install what is missing: Debian packages, then the Unity test harness
  --check      only report what is missing; exit 1 if anything is
  UNITY_ROOT   (environment) your own copy of Unity: a folder with unity.c, unity.h, unity_internals.h
TEXT
}

say() { printf 'setup: %s\n' "$*"; }
fail() {
  printf 'setup: error: %s\n' "$1" >&2
  shift
  for line in "$@"; do printf 'setup:   %s\n' "$line" >&2; done
  exit 1
}

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
root=$(dirname -- "$here")
cmake_needed=3.25

check_only=no
case "${1:-}" in
  '') ;;
  --check) check_only=yes ;;
  --help) usage; exit 0 ;;
  *) usage >&2; exit 2 ;;
esac
[ $# -le 1 ] || { usage >&2; exit 2; }

needed=$(sed -e 's/#.*//' -e 's/[[:space:]].*//' -e '/^$/d' "$here/packages.txt")
one_line() { printf '%s\n' "$*" | tr '\n' ' ' | sed 's/ *$//'; }

# ---- packages ------------------------------------------------------------------------------------------------------

# Of the packages named, those that are not installed. One dpkg-query for all of them: it prints a line per known one.
missing_of() {
  installed=" $(dpkg-query -W -f '${db:Status-Status} ${Package}\n' "$@" 2>/dev/null |
    sed -n 's/^installed //p' | tr '\n' ' ')"
  for package in "$@"; do
    case "$installed" in *" $package "*) ;; *) printf '%s\n' "$package" ;; esac
  done
}

without_candidate() {
  for package in "$@"; do
    apt-cache policy "$package" 2>/dev/null | grep -q '^ *Candidate: *[^( ]' || printf '%s\n' "$package"
  done
}

as_root=
find_root_rights() {
  if [ "$(id -u)" = 0 ]; then return; fi
  if command -v sudo >/dev/null 2>&1; then
    if sudo -n true 2>/dev/null; then as_root='sudo -n'; return; fi
    if [ -t 0 ]; then as_root=sudo; return; fi
  fi
  fail "missing packages: $(one_line "$missing")" \
    'installing them needs root, and this user is not root and has no sudo without a password. As root, run:' \
    "apt-get update && apt-get install -y --no-install-recommends $(one_line "$missing")" \
    'and then this script again.'
}

log=
apt() {  # apt-get, quiet: its output is shown only if it fails
  [ -n "$log" ] || { log=$(mktemp); trap 'rm -f "$log"' EXIT; }
  $as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq -y -o DPkg::Lock::Timeout=300 "$@" </dev/null >"$log" 2>&1
}

updated=no
refresh_lists() {
  say 'refreshing the package lists (apt-get update)'
  apt update || {
    tail -n 5 "$log" >&2
    fail "apt-get update failed; still missing: $(one_line "$missing")" \
      'check the network and the apt sources of this machine, then run this script again.'
  }
  updated=yes
}

install_missing() {
  find_root_rights
  # shellcheck disable=SC2086  # package names hold no spaces
  [ -z "$(without_candidate $missing)" ] || refresh_lists
  # shellcheck disable=SC2086
  unknown=$(without_candidate $missing)
  [ -z "$unknown" ] || fail "the apt sources of this machine do not have: $(one_line "$unknown")" \
    'add a source that does (kinecast is tested on Debian 12), then run this script again.'
  say "installing: $(one_line "$missing")"
  # shellcheck disable=SC2086
  apt install --no-install-recommends $missing || {
    # Old lists name files that the mirror no longer has: refresh once and try again.
    [ "$updated" = yes ] || { refresh_lists; apt install --no-install-recommends $missing || true; }
  }
  # shellcheck disable=SC2086
  missing=$(missing_of $missing)
  [ -z "$missing" ] || {
    tail -n 10 "$log" >&2
    fail "could not install: $(one_line "$missing")" \
      'the lines above are from apt-get. To see all of it, run as root:' \
      "apt-get install --no-install-recommends $(one_line "$missing")"
  }
}

if ! { command -v dpkg-query && command -v apt-get; } >/dev/null 2>&1; then
  fail 'this machine has no dpkg-query and apt-get, so nothing can be installed for you.' \
    "kinecast needs what these Debian packages hold: $(one_line "$needed")" \
    'and the Unity test harness (environment variable UNITY_ROOT).'
fi

# shellcheck disable=SC2086
missing=$(missing_of $needed)
unity=${UNITY_ROOT:-$root/build/_deps/unity}

if [ "$check_only" = yes ]; then
  complete=yes
  for package in $missing; do
    complete=no
    say "missing package: $(grep "^$package " "$here/packages.txt" | tr -s ' ' | sed 's/ /: /')"
  done
  sh "$here/get_unity.sh" --check "$unity" || { complete=no; say "missing: the Unity test harness in $unity"; }
  [ "$complete" = yes ] || exit 1
  say 'nothing is missing'
  exit 0
fi

if [ -n "$missing" ]; then install_missing; else say 'packages: all installed'; fi

version=$(cmake --version 2>/dev/null | sed -n 's/^cmake version //p')
[ "$(printf '%s\n%s\n' "$cmake_needed" "$version" | sort -V | head -n 1)" = "$cmake_needed" ] ||
  fail "cmake ${version:-(none)} is in the PATH, kinecast needs $cmake_needed or newer" \
    "put a newer cmake first in the PATH (Debian 12 and Ubuntu 24.04 carry one)."

# ---- Unity ---------------------------------------------------------------------------------------------------------

if sh "$here/get_unity.sh" --check "$unity"; then
  say "Unity test harness: $unity"
elif [ -n "${UNITY_ROOT:-}" ]; then
  fail "UNITY_ROOT=$UNITY_ROOT does not hold unity.c, unity.h and unity_internals.h" \
    'point it at a copy of Unity (folder src of its repository), or unset it to have one fetched.'
else
  say 'Unity test harness: fetching from a Debian source package'
  sh "$here/get_unity.sh" "$unity" || fail 'the Unity test harness could not be fetched (reason above)' \
    'mend the apt sources or the network, or set UNITY_ROOT to your own copy of Unity.'
  # Under sudo the build folder must still belong to the person who builds.
  if [ "$(id -u)" = 0 ] && [ -n "${SUDO_UID:-}" ]; then
    owner=$SUDO_UID:${SUDO_GID:-$SUDO_UID}
    chown "$owner" "$root/build" "$root/build/_deps"
    chown -R "$owner" "$unity"
  fi
fi
say 'ready'
