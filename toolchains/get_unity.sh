#!/bin/sh
# Fetches the Unity test harness (unity.c, unity.h, unity_internals.h) into DEST out of a Debian source package, which
# is where Debian has it. Uses the machine's own apt sources in their order, with private lists and caches: the system's
# apt state stays as it is, and no root rights are needed. DEST appears complete and verified, or not at all.
# SPDX-License-Identifier: MIT
set -eu

usage() { echo 'usage: get_unity.sh [--check] DEST' >&2; exit 2; }
complain() { printf 'get_unity: %s\n' "$*" >&2; }

files='unity.c unity.h unity_internals.h'

# Unmodified Unity 2.5 first; cjson carries an older, slightly modified one (see restore_include).
packages='ntpsec cjson'
pinned_sha256() {
  case "$1" in
    ntpsec) echo 53e527e3d04d551d41af2d359c2715c2de5f5bfa2a695d4ec1a811b3e9137f63 ;;
    cjson) echo 5308fd4bd90cef7aa060558514de6a1a4a0819974a26e6ed13973c5f624c24b2 ;;
  esac
}

is_complete() {
  for file in $files; do [ -s "$1/$file" ] || return 1; done
  # A fetched copy carries its checksums; a user's own copy does not.
  [ ! -e "$1/SHA256SUMS" ] || (cd "$1" && sha256sum -c --status SHA256SUMS)
}

case "${1:-}" in
  --check) [ $# = 2 ] || usage; is_complete "$2"; exit ;;
  ''|-*) usage ;;
esac
[ $# = 1 ] || usage
dest=$1

command -v apt-get >/dev/null 2>&1 || { complain 'this machine has no apt-get'; exit 1; }

work=$(mktemp -d)
trap 'rm -rf "$work" "$dest.part"' EXIT
trap 'exit 1' INT TERM

# ---- the machine's sources, as source-package sources, in the order apt reads them ---------------------------------

list=/etc/apt/sources.list
parts=/etc/apt/sources.list.d/
eval "$(apt-config shell list Dir::Etc::sourcelist/f parts Dir::Etc::sourceparts/d 2>/dev/null)"
mkdir -p "$work/sources" "$work/lists/partial" "$work/cache/archives/partial"
count=100
for source in "$list" "${parts%/}"/*; do
  [ -f "$source" ] || continue
  count=$((count + 1))
  case "$source" in
    *.sources) sed 's/^Types:.*/Types: deb-src/' "$source" >"$work/sources/$count.sources" ;;
    *.list) sed -nE '/cdrom:/d; s/^[[:space:]]*deb(-src)?([[:space:]])/deb-src\2/p' "$source" |
      awk '!seen[$0]++' >"$work/sources/$count.list" ;;
  esac
done
[ -n "$(ls "$work/sources")" ] || { complain "no apt sources in $list and $parts"; exit 1; }

apt() {
  apt-get -q -o Dir::Etc::sourcelist=/dev/null -o Dir::Etc::sourceparts="$work/sources" \
    -o Dir::State::lists="$work/lists" -o Dir::Cache="$work/cache" -o Dir::Cache::archives="$work/cache/archives" \
    -o Dir::Cache::pkgcache= -o Dir::Cache::srcpkgcache= -o APT::Sandbox::User="$(id -un)" \
    -o Acquire::Languages=none -o Acquire::Retries=3 -o Acquire::IndexTargets::deb-src::DEP-11::DefaultEnabled=false \
    "$@" </dev/null
}

# ---- fetch, verify, unpack -----------------------------------------------------------------------------------------

# cjson's unity_internals.h includes a file of its own by a fixed path; upstream includes unity_config.h on request.
restore_include() {
  sed 's|^#include "\.\./examples/unity_config\.h"|#ifdef UNITY_INCLUDE_CONFIG_H\n#include "unity_config.h"\n#endif|' \
    "$1/unity_internals.h" >"$1/restored" && mv "$1/restored" "$1/unity_internals.h"
  grep -q 'ifdef UNITY_INCLUDE_CONFIG_H' "$1/unity_internals.h"
}

# fetch PACKAGE FOLDER: the three files of the package's original tarball, verified, in FOLDER
fetch() {
  download=$work/download.$1
  mkdir -p "$download" "$2"
  (cd "$download" && apt source --download-only "$1") >"$work/log" 2>&1 || {
    complain "$1: $(tail -n 1 "$work/log")"
    return 1
  }
  for tarball in "$download"/*.orig.tar.*; do
    case "$tarball" in *.asc) continue ;; esac
    [ -f "$tarball" ] || { complain "$1: no original tarball in the source package"; return 1; }
    have=$(sha256sum "$tarball" | cut -d ' ' -f 1)
    [ "$have" = "$(pinned_sha256 "$1")" ] || {
      complain "$1: ${tarball##*/} has sha256 $have, expected $(pinned_sha256 "$1")"
      return 1
    }
    tar -xf "$tarball" -C "$download" || { complain "$1: ${tarball##*/} does not unpack"; return 1; }
  done
  for file in $files; do
    found=$(find "$download" -name "$file" | sort | head -n 1)
    [ -n "$found" ] || { complain "$1: no $file in the source package"; return 1; }
    cp "$found" "$2/$file"
  done
  restore_include "$2" || { complain "$1: unity_internals.h cannot take a unity_config.h"; return 1; }
  # shellcheck disable=SC2086
  (cd "$2" && sha256sum $files >SHA256SUMS)
}

# A source that fails (a third party's, say) does not matter if another one has the package.
apt update >"$work/log" 2>&1 || complain "apt-get update: $(grep -m 1 '^[EW]:' "$work/log" || tail -n 1 "$work/log")"

for package in $packages; do
  if fetch "$package" "$work/unity.$package"; then
    # Staged beside DEST, so that the last step is one rename on one file system.
    mkdir -p "$(dirname -- "$dest")"
    rm -rf "$dest.part" "$dest"
    cp -R "$work/unity.$package" "$dest.part"
    mv "$dest.part" "$dest"
    exit 0
  fi
done
complain "none of these source packages gave the harness: $packages"
exit 1
