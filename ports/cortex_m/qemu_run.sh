#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs a firmware on an emulated board: qemu_run.sh BOARD [--icount [--shift N]] [--timeout SECONDS] [--serial FILE] ELF
# BOARD is the name of a folder beside this script's. --icount makes instruction counts exact: time passes by 2^N ns per
# instruction, N depending on the board unless --shift gives it. --serial keeps what the first serial port sends.
# The firmware's text goes to stdout, its exit code becomes this script's; an abnormal code
# (kinecast_port/exit_codes.hpp) is explained in one line on stderr. 125: nothing was run.
set -u

usage() {
  echo "usage: qemu_run.sh BOARD [--icount [--shift N]] [--timeout SECONDS] [--serial FILE] ELF" >&2
  exit 125
}

[ $# -ge 2 ] || usage
board=$1
shift

# The shift makes one instruction last between 10 and 33 ticks of the board's SysTick: enough to
# count exactly.
case $board in
  mps2_an386) machine=mps2-an386 shift=10 ;;
  mps2_an500) machine=mps2-an500 shift=10 ;;
  mps2_an505) machine=mps2-an505 shift=10 ;;
  mps3_an547) machine=mps3-an547 shift=10 ;;
  stm32f405) machine=netduinoplus2 shift=6 ;;
  microbit) machine=microbit shift=10 ;;
  *)
    echo "qemu_run: unknown board '$board'" >&2
    exit 125
    ;;
esac

icount=
serial=null
seconds=60
elf=
while [ $# -gt 0 ]; do
  case $1 in
    --icount) icount=yes ;;
    --shift)
      [ $# -ge 2 ] || usage
      shift=$2
      shift
      ;;
    --serial)
      [ $# -ge 2 ] || usage
      serial=file:$2
      shift
      ;;
    --timeout)
      [ $# -ge 2 ] || usage
      seconds=$2
      shift
      ;;
    -*) usage ;;
    *) elf=$1 ;;
  esac
  shift
done

[ -n "$elf" ] || usage
if [ ! -f "$elf" ]; then
  echo "qemu_run: no firmware at $elf; was it built?" >&2
  exit 125
fi
if ! command -v qemu-system-arm >/dev/null; then
  echo "qemu_run: qemu-system-arm is missing; run: sh toolchains/setup.sh" >&2
  exit 125
fi

# sleep=off: a firmware that waits for an interrupt is not waited for.
[ -z "$icount" ] || icount="-icount shift=$shift,sleep=off"
# shellcheck disable=SC2086  # $icount is two words or none
timeout -k 2 "$seconds" qemu-system-arm -M "$machine" -display none -monitor none -serial "$serial" \
  -chardev stdio,id=console -semihosting-config enable=on,target=native,chardev=console \
  $icount -kernel "$elf" </dev/null
code=$?

say() { echo "qemu_run: $board: exit code $code: $1" >&2; }
case $code in
  0) ;;
  100) say "fault" ;;
  101) say "stack overflow" ;;
  102) say "abort() was called" ;;
  103) say "assertion failed" ;;
  104) say "unexpected interrupt" ;;
  105) say "pure virtual function called" ;;
  106) say "the firmware stopped itself, and said why" ;;
  124 | 137) code=124 && say "hang, killed after $seconds s" ;;
  134) say "the CPU locked up (QEMU aborted)" ;;
  99) say "99 or more failures" ;;
  [1-9] | [1-9][0-9]) say "$code failure(s)" ;;
  *) say "not a code that kinecast gives" ;;
esac
exit $code
