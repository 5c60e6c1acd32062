#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Plants the faults of faults.txt one at a time into the library's headers and runs the unit tests of their topic.

A fault is killed if a test of its topic fails, crashes or does not come to an end; else it has survived. The faults that
survive show what the unit tests do not look at: each gets a test, or a sentence in faults.txt why it changes nothing.

  tests/mutants/run.py                         all faults; the results are kept, and the next run goes on with the others
  tests/mutants/run.py newton.hpp points.hpp:3  those of a file; one of them, by its number
  tests/mutants/run.py --again --survivors     those that survived, again
  tests/mutants/run.py --list                  the list and what is known of it; runs nothing
  tests/mutants/run.py --check                 whether each fault's text occurs as faults.txt says; runs nothing
"""
import argparse
import collections
import concurrent.futures
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
HEADERS = ROOT / "lib" / "include"
LIBRARY = HEADERS / "kinecast"
UNIT = ROOT / "tests" / "unit"

# Programs that compute longer than they take to compile with -O1: all others are compiled with -O0.
LONG_RUNNING = {"newton", "contact_laws", "friction_sticks", "volume_predictor", "volume_friction"}

Fault = collections.namedtuple("Fault", "name what file after find replace tests equal")


class ListError(Exception):
    pass


def read_faults(path):
    """Reads the list; its format stands at its beginning."""
    faults = []
    file, of_file, fault, count = None, [], None, collections.Counter()

    def finish():
        if fault is None:
            return
        if fault.get("find") is None or fault.get("replace") is None:
            raise ListError(f"{fault['name']}: no lines '-' and '+'")
        faults.append(Fault(**fault))

    for number, line in enumerate(path.read_text().splitlines(), 1):
        word, _, rest = line.strip().partition(" ")
        rest = rest.strip()
        if not word or word == "#":
            continue
        if word == "file":
            finish()
            fault, file, of_file = None, rest, []
        elif word == "tests":
            if fault is None:
                of_file = rest.split()
            else:
                fault["tests"] = rest.split()
        elif word == "fault":
            finish()
            short = pathlib.PurePath(file).name
            count[short] += 1
            fault = dict(name=f"{short}:{count[short]}", what=rest, file=file, after=None, find=None, replace=None,
                         tests=of_file, equal=None)
        elif word in ("after", "equal") and fault is not None:
            fault[word] = rest
        elif word == "-" and fault is not None:
            fault["find"] = rest
        elif word == "+" and fault is not None:
            fault["replace"] = rest
        else:
            raise ListError(f"{path.name}:{number}: '{word}' says nothing here")
    finish()
    return faults


def pattern_of(text):
    """A text as it may be broken into lines: any white space stands for any other."""
    return re.compile(r"\s+".join(re.escape(part) for part in text.split()))


def planted(fault, source):
    """The source with the fault in it."""
    start = 0
    if fault.after:
        anchors = list(pattern_of(fault.after).finditer(source))
        if len(anchors) != 1:
            raise ListError(f"{fault.name} ({fault.what}): its anchor occurs {len(anchors)} times in {fault.file}: {fault.after}")
        start = anchors[0].end()
    found = list(pattern_of(fault.find).finditer(source, start))
    if not found or (len(found) > 1 and not fault.after):
        raise ListError(f"{fault.name} ({fault.what}): its text occurs {len(found)} times in {fault.file}: {fault.find}")
    result = source[:found[0].start()] + fault.replace + source[found[0].end():]
    if result.split() == source.split():
        raise ListError(f"{fault.name} ({fault.what}): it changes nothing")
    return result


def check(faults):
    """What is wrong with the list."""
    errors = []
    for fault in faults:
        try:
            planted(fault, (LIBRARY / fault.file).read_text())
        except (ListError, OSError) as error:
            errors.append(str(error))
        if not fault.tests:
            errors.append(f"{fault.name}: no tests")
        errors += [f"{fault.name}: there is no tests/unit/test_{test}.cpp" for test in fault.tests
                   if not (UNIT / f"test_{test}.cpp").exists()]
    texts = collections.Counter((f.file, f.after, f.find, f.replace) for f in faults)
    errors += [f"twice in the list: {find} in {file}" for (file, _, find, _), n in texts.items() if n > 1]
    return errors


class Programs:
    """Compiles and runs unit tests, one program each, with headers that stand before the library's."""

    def __init__(self, options, scratch):
        self.options = options
        self.scratch = scratch
        self.unity = pathlib.Path(os.environ.get("UNITY_ROOT") or ROOT / "build" / "_deps" / "unity")
        if not (self.unity / "unity.c").exists():
            raise ListError(f"no Unity test harness in {self.unity}: run `sh toolchains/setup.sh`")
        eigen = [p for p in ("/usr/include/eigen3", "/usr/local/include/eigen3") if pathlib.Path(p).exists()]
        # The numerics of toolchains/numerics.cmake; at -O0 without forced inlining, as tests/unit/CMakeLists.txt has it.
        self.flags = ["-std=c++17", "-g0", "-w", "-ffp-contract=off", "-fno-math-errno", "-DEIGEN_DONT_VECTORIZE",
                      "-DUNITY_INCLUDE_CONFIG_H"]
        self.includes = [f"-I{path}" for path in (*options.headers, HEADERS, scratch, ROOT / "ports" / "include", UNIT)]
        self.includes += [part for path in (self.unity, *eigen) for part in ("-isystem", str(path))]
        (scratch / "kinecast").mkdir(parents=True, exist_ok=True)
        version = (ROOT / "lib" / "cmake" / "version.hpp.in").read_text()
        (scratch / "kinecast" / "version.hpp").write_text(re.sub(r"@\w+@", "0", version))
        self.common = [scratch / "unity.o", scratch / "port.o"]
        c_compiler = options.compiler.replace("clang++", "clang").replace("g++", "gcc")
        self.run([c_compiler, "-O1", "-w", "-DUNITY_INCLUDE_CONFIG_H", f"-I{UNIT}", "-c", self.unity / "unity.c", "-o",
                  self.common[0]])
        self.run([options.compiler, "-O1", *self.flags, *self.includes, "-c", ROOT / "ports" / "host" / "port.cpp", "-o",
                  self.common[1]])

    @staticmethod
    def run(command, timeout=None):
        return subprocess.run([str(part) for part in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              timeout=timeout, check=True).stdout.decode(errors="replace")

    def main_of(self, test):
        """The object file of the main program that runs one suite."""
        folder = self.scratch / "main" / test
        target = folder / "main.o"
        if not target.exists():
            folder.mkdir(parents=True, exist_ok=True)
            (folder / "suites.inc").write_text(f"KINECAST_SUITE_OF({test})\n")
            self.run([self.options.compiler, "-O1", *self.flags, f"-I{folder}", *self.includes, "-c",
                      UNIT / "unity_main.cpp", "-o", target])
        return target

    def failures(self, test, folder, before=()):
        """What fails: names of the test's functions, or how the program ended. None: it does not compile."""
        level = ["-O1"] if test in LONG_RUNNING else ["-O0", "-Dalways_inline=unused"]
        main = self.main_of(test)
        program = folder / test
        try:
            self.run([self.options.compiler, *self.flags, *level, *(f"-I{path}" for path in before), *self.includes, "-c",
                      UNIT / f"test_{test}.cpp", "-o", folder / f"{test}.o"])
        except subprocess.CalledProcessError as error:
            errors = [line for line in error.stdout.decode(errors="replace").splitlines() if "error:" in line]
            return None, errors[0] if errors else "?"
        try:
            self.run([self.options.compiler, folder / f"{test}.o", main, *self.common, "-o", program])
        except subprocess.CalledProcessError:
            return None, "it does not link"
        try:
            done = subprocess.run([str(program), test], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                  timeout=self.options.timeout)
        except subprocess.TimeoutExpired:
            return {"(no end)"}, ""
        text = done.stdout.decode(errors="replace")
        failed = set(re.findall(r"^[^:\n]*:\d+:(\w+):FAIL", text, re.M))
        if done.returncode != 0 and not failed or not re.search(r"^\d+ Tests ", text, re.M):
            failed.add("(crash)" if done.returncode < 0 else f"(exit {done.returncode})")
        return failed, ""

    def try_fault(self, fault, known):
        """(result, by which test or why)"""
        folder = self.scratch / "fault" / fault.name.replace(":", "_")
        shutil.rmtree(folder, ignore_errors=True)
        header = folder / "kinecast" / fault.file
        header.parent.mkdir(parents=True)
        header.write_text(planted(fault, (LIBRARY / fault.file).read_text()))
        try:
            for test in fault.tests:
                if test not in known:
                    continue
                failed, why = self.failures(test, folder, [folder])
                if failed is None:
                    return "does not compile", why
                new = sorted(failed - known[test])
                if new:
                    return "killed", f"{test}: {new[0]}"
            return "survived", ""
        finally:
            shutil.rmtree(folder, ignore_errors=True)


def is_wanted(fault, names):
    return not names or any(fault.name == name or fault.name.split(":")[0] == name or fault.file == name for name in names)


def key_of(fault):
    """Changes with the fault, with its header and with its tests: a result that is kept belongs to them."""
    text = repr(fault._replace(what="", equal=None)) + (LIBRARY / fault.file).read_text()
    text += "".join((UNIT / f"test_{test}.cpp").read_text() for test in fault.tests)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help="newton.hpp: its faults; newton.hpp:7: that one")
    parser.add_argument("--faults", type=pathlib.Path, default=HERE / "faults.txt", help="the list")
    parser.add_argument("--check", action="store_true", help="look only whether the list fits the sources")
    parser.add_argument("--list", action="store_true", help="print the list and the results that are known")
    parser.add_argument("--survivors", action="store_true", help="only faults that survived when they were last tried")
    parser.add_argument("--again", action="store_true", help="also faults with a known result")
    parser.add_argument("--jobs", type=int, default=1, help="faults at a time (1)")
    parser.add_argument("--timeout", type=float, default=20, help="seconds that a program may take (20)")
    parser.add_argument("--compiler", default=shutil.which("clang++-14") and "clang++-14" or "c++",
                        help="clang++-14 compiles fastest")
    parser.add_argument("--headers", type=pathlib.Path, action="append", default=[], metavar="DIR",
                        help="headers that stand before the library's: a planned change. Not for files with faults")
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build" / "mutants", help="where the work is done")
    parser.add_argument("--at-least", type=float, default=0, metavar="PERCENT",
                        help="fail if fewer of the faults are killed, those that change nothing not counted")
    options = parser.parse_args()

    try:
        faults = read_faults(options.faults)
    except ListError as error:
        sys.exit(f"mutants: error: {error}")
    errors = check(faults)
    for error in errors:
        print(f"mutants: error: {error}")
    if errors:
        return 1
    if options.check:
        print(f"mutants: {len(faults)} faults in {len({f.file for f in faults})} files, each where the list says")
        return 0

    options.build.mkdir(parents=True, exist_ok=True)
    kept = options.build / "results.json"
    results = json.loads(kept.read_text()) if kept.exists() else {}
    wanted = [f for f in faults if is_wanted(f, options.names)]
    if not wanted:
        sys.exit("mutants: error: no fault has this name")
    if options.survivors:
        wanted = [f for f in wanted if results.get(f.name, {}).get("result") == "survived"]
    keys = {f.name: key_of(f) for f in faults}

    def known_result(fault):
        entry = results.get(fault.name)
        return entry if entry and entry["key"] == keys[fault.name] else None

    todo = [] if options.list else [f for f in wanted if options.again or not known_result(f)]
    if todo:
        try:
            programs = Programs(options, options.build)
        except (ListError, subprocess.CalledProcessError) as error:
            sys.exit(f"mutants: error: {error}")
        # The verdict of a function that fails, or of a program that does not compile, without any fault does not count.
        known = {}
        for test in sorted({test for f in todo for test in f.tests}):
            failed, why = programs.failures(test, options.build)
            if failed is None or any(name.startswith("(") for name in failed):
                print(f"mutants: warning: {test} is left out: {why or ', '.join(failed)}")
                continue
            known[test] = failed
            if failed:
                print(f"mutants: warning: {test} fails without any fault: {', '.join(sorted(failed))}")
        begin = time.monotonic()
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            running = {pool.submit(programs.try_fault, fault, known): fault for fault in todo}
            for done, future in enumerate(concurrent.futures.as_completed(running), 1):
                fault = running[future]
                result, by = future.result()
                if kept.exists():  # another run may have written too
                    results.update(json.loads(kept.read_text()))
                results[fault.name] = {"key": keys[fault.name], "result": result, "by": by}
                kept.write_text(json.dumps(results, indent=1))
                left = (time.monotonic() - begin) / done * (len(todo) - done)
                print(f"[{done}/{len(todo)}, {left:.0f} s left] {fault.name} {result}: {fault.what}"
                      + (f" ({by})" if by else ""), flush=True)

    order = ("killed", "survived", "equal", "does not compile", "unknown")
    table = collections.defaultdict(collections.Counter)
    lasting = []
    for fault in wanted:
        entry = known_result(fault)
        result = entry["result"] if entry else "unknown"
        if result == "survived" and fault.equal:
            result = "equal"
        table[fault.file][result] += 1
        if options.list:
            print(f"{fault.name:24} {result:10} {fault.what}" + (f" ({entry['by']})" if entry and entry["by"] else ""))
        if result in ("survived", "does not compile") or (result == "killed" and fault.equal):
            lasting.append((fault, result, entry["by"]))
    print(f"\n{'file':32}" + "".join(f"{name:>18}" for name in order))
    total = collections.Counter()
    for file, counts in sorted(table.items()):
        total += counts
        print(f"{file:32}" + "".join(f"{counts[name] or '':>18}" for name in order))
    print(f"{'all':32}" + "".join(f"{total[name] or '':>18}" for name in order))
    judged = total["killed"] + total["survived"]
    share = 100 * total["killed"] / judged if judged else 100
    print(f"\nmutants: {total['killed']} of {judged} faults killed, {share:.1f} %"
          + (f"; {total['equal']} more change nothing" if total["equal"] else ""))
    for fault, result, by in lasting:
        note = "is said to change nothing, but was killed" if result == "killed" else result
        print(f"  {fault.name} {note}: {fault.what}" + (f" ({by})" if by else ""))
    return 1 if total["does not compile"] or share < options.at_least else 0


if __name__ == "__main__":
    sys.exit(main())
