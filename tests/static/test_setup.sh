#!/bin/sh
# toolchains/setup.sh and get_unity.sh on machines that are not there: every command that would look at or change the
# system is a fake in a private PATH, so this needs no network and no rights. Asserts messages and exit codes.
# SPDX-License-Identifier: MIT
set -eu

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
toolchains=$here/../../toolchains
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0

# ---- the machine ---------------------------------------------------------------------------------------------------

# A PATH with the everyday tools and nothing else, then the fakes a case asks for.
new_machine() {
  rm -rf "${work:?}/bin" "$work/state" "$work/kinecast" "$work/unity"
  mkdir -p "$work/bin" "$work/state" "$work/kinecast" "$work/unity"
  cp -R "$toolchains" "$work/kinecast/toolchains"
  for tool in awk cat chown cp cut dirname env find grep head ls mkdir mktemp mv rm sed sh sha256sum sort tail tar tr
  do
    ln -s "$(command -v "$tool")" "$work/bin/$tool"
  done
  for file in unity.c unity.h unity_internals.h; do echo '/* */' >"$work/unity/$file"; done
  sed -e 's/#.*//' -e 's/[[:space:]].*//' -e '/^$/d' "$toolchains/packages.txt" >"$work/state/installed"
  cp "$work/state/installed" "$work/state/available"
  : >"$work/state/calls"
  fake id 'echo 0'
  fake cmake 'echo "cmake version 3.25.1"'
  fake dpkg-query 'while read -r p; do echo "installed $p"; done <"$STATE/installed"; exit 1'
  fake apt-cache 'grep -qx "$2" "$STATE/available" && echo "  Candidate: 1.0" || echo "  Candidate: (none)"'
  # apt-get notes its arguments; install adds each known package; update fills the list of known ones from "mirror".
  fake apt-get 'echo "apt-get $*" >>"$STATE/calls"
    case " $* " in
      *" update "*) [ ! -e "$STATE/offline" ] || { echo "E: cannot reach the mirror"; exit 100; }
        [ ! -e "$STATE/mirror" ] || cp "$STATE/mirror" "$STATE/available" ;;
      *" install "*) for p in "$@"; do
          if grep -qx -- "$p" "$STATE/broken" 2>/dev/null; then echo "E: $p is broken"; exit 100; fi
          case "$p" in -*|install|*=*) ;; *) echo "$p" >>"$STATE/installed" ;; esac
        done ;;
    esac'
}

fake() {
  rm -f "$work/bin/$1"
  printf '#!/bin/sh\n%s\n' "$2" >"$work/bin/$1"
  chmod +x "$work/bin/$1"
}

uninstall() {
  for package in "$@"; do
    grep -vx -- "$package" "$work/state/installed" >"$work/state/rest"
    mv "$work/state/rest" "$work/state/installed"
  done
}

# ---- assertions ----------------------------------------------------------------------------------------------------

# run EXIT_CODE OPTIONS...: runs setup.sh from another folder, without a terminal
run() {
  expected=$1
  shift
  code=0
  (cd / && env -i PATH="$work/bin" STATE="$work/state" TMPDIR="$work" ${unity_root+UNITY_ROOT="$unity_root"} \
    sh "$work/kinecast/toolchains/setup.sh" "$@") >"$work/output" 2>&1 </dev/null || code=$?
  [ "$code" = "$expected" ] || complain "exit code $code, expected $expected"
}

complain() {
  failures=$((failures + 1))
  printf 'FAIL %s: %s\n' "$case" "$1"
  sed 's/^/    | /' "$work/output"
}
says() { grep -qF -- "$1" "$work/output" || complain "does not say: $1"; }
silent_about() { ! grep -qF -- "$1" "$work/output" || complain "says: $1"; }
called() { grep -q -- "$1" "$work/state/calls" || complain "did not call: $1"; }
not_called() { ! grep -q -- "$1" "$work/state/calls" || complain "called: $1"; }

# ---- setup.sh ------------------------------------------------------------------------------------------------------

unity_root=$work/unity

case='everything present'
new_machine
run 0
says 'packages: all installed'
says 'ready'
not_called 'apt-get'

case='help and wrong options'
new_machine
run 0 --help
says 'usage:'
run 2 --frobnicate
says 'usage:'
run 2 --check extra

case='check reports all that is missing and changes nothing'
new_machine
uninstall cmake valgrind
unity_root=$work/nowhere
run 1 --check
says 'missing package: cmake: build'
says 'missing package: valgrind'
says 'Unity test harness'
silent_about 'ninja-build'
not_called 'apt-get'
unity_root=$work/unity
uninstall g++
run 1 --check
says 'missing package: g++'

case='root installs only what is missing, without update'
new_machine
uninstall cmake
run 0
says 'installing: cmake'
called 'install --no-install-recommends cmake$'
not_called ' update'
run 0
says 'packages: all installed'

case='update when the lists do not know the package'
new_machine
uninstall cmake
cp "$work/state/available" "$work/state/mirror"
: >"$work/state/available"
run 0
says 'apt-get update'
called ' update'

case='package that no source has'
new_machine
uninstall libmujoco-dev
grep -vx libmujoco-dev "$work/state/available" >"$work/state/mirror"
cp "$work/state/mirror" "$work/state/available"
run 1
says 'error: the apt sources of this machine do not have: libmujoco-dev'
not_called ' install'

case='no network'
new_machine
uninstall cmake
: >"$work/state/available"
: >"$work/state/offline"
run 1
says 'cannot reach the mirror'
says 'apt-get update failed; still missing: cmake'
says 'check the network'

case='install fails'
new_machine
uninstall valgrind
echo valgrind >"$work/state/broken"
run 1
says 'E: valgrind is broken'
says 'could not install: valgrind'
called ' update'

case='ordinary user without sudo'
new_machine
fake id 'echo 1000'
uninstall cmake valgrind
run 1
says 'error: missing packages: cmake valgrind'
says 'apt-get update && apt-get install -y --no-install-recommends cmake valgrind'
not_called 'apt-get'

case='ordinary user, nothing missing, needs no rights'
new_machine
fake id 'echo 1000'
run 0
says 'ready'

case='ordinary user whose sudo wants a password, no terminal'
new_machine
fake id 'echo 1000'
fake sudo 'exit 1'
uninstall cmake
run 1
says 'apt-get install -y --no-install-recommends cmake'
not_called 'apt-get'

case='ordinary user with sudo'
new_machine
fake id 'echo 1000'
fake sudo 'echo sudo >>"$STATE/calls"; [ "$1" != -n ] || shift; [ "$1" = true ] || exec "$@"'
uninstall cmake
run 0
called 'sudo'
called 'install --no-install-recommends cmake$'

case='not a Debian-like machine'
new_machine
rm "$work/bin/dpkg-query" "$work/bin/apt-get"
run 1
says 'no dpkg-query and apt-get'
says 'libeigen3-dev'
says 'UNITY_ROOT'

case='cmake in the PATH is too old'
new_machine
fake cmake 'echo "cmake version 3.22.1"'
run 1
says 'cmake 3.22.1 is in the PATH, kinecast needs 3.25 or newer'

case='UNITY_ROOT without Unity'
new_machine
unity_root=$work/nowhere
run 1
says "UNITY_ROOT=$work/nowhere does not hold unity.c"

# ---- get_unity.sh --------------------------------------------------------------------------------------------------

unset unity_root
mkdir -p "$work/etc/sources.list.d"
fake_apt_config() { fake apt-config "echo \"list='$work/etc/sources.list' parts='$work/etc/sources.list.d/'\""; }

case='Unity: tarball with a wrong checksum is refused and nothing is left'
new_machine
fake_apt_config
printf '%s\n' 'deb http://b.example/ main' 'deb-src http://a.example/ main' '# deb http://c.example/ main' \
  >"$work/etc/sources.list"
printf 'Types: deb deb-src\nURIs: http://d.example/\n' >"$work/etc/sources.list.d/d.sources"
fake apt-get 'echo "apt-get $*" >>"$STATE/calls"
  for option in "$@"; do case "$option" in *sourceparts=*) parts=${option#*=};; esac; done
  case " $* " in
    *" update "*) cat "$parts"/* >"$STATE/sources" ;;
    *" source "*) mkdir -p p/unity; echo x >p/unity/unity.c; tar -cf x_1.orig.tar.gz p ;;
  esac'
run 1
says 'ntpsec: x_1.orig.tar.gz has sha256'
says 'cjson: x_1.orig.tar.gz has sha256'
says 'could not be fetched'
says 'UNITY_ROOT'
[ ! -e "$work/kinecast/build" ] || [ -z "$(find "$work/kinecast/build" -type f)" ] || complain 'left files behind'
printf '%s\n' 'deb-src http://b.example/ main' 'deb-src http://a.example/ main' \
  'Types: deb-src' 'URIs: http://d.example/' >"$work/expected"
diff "$work/expected" "$work/state/sources" >>"$work/output" || complain 'not the sources of the machine in their order'

case='Unity: source package cannot be had'
new_machine
fake_apt_config
fake apt-get 'case " $* " in *" source "*) echo "E: Unable to find a source package"; exit 100 ;; esac'
run 1
says 'ntpsec: E: Unable to find a source package'
says 'cjson: E: Unable to find a source package'

case='Unity: no sources at all'
new_machine
fake_apt_config
rm -r "${work:?}/etc"
run 1
says 'no apt sources'

case='Unity: a damaged copy is not taken for a good one'
new_machine
mkdir -p "$work/kinecast/build/_deps"
cp -R "$work/unity" "$work/kinecast/build/_deps/unity"
(cd "$work/kinecast/build/_deps/unity" && sha256sum unity.c unity.h unity_internals.h >SHA256SUMS)
run 0 --check
echo damage >>"$work/kinecast/build/_deps/unity/unity.c"
run 1 --check
says 'missing: the Unity test harness'

if [ "$failures" != 0 ]; then
  echo "setup: $failures failure(s)"
  exit 1
fi
echo 'setup: all cases hold'
