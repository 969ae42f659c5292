"""ctest's entries: which there are, how one runs, and several of one program as one process."""

import dataclasses
import json
import os
import re
import resource
import signal
import subprocess
import tempfile
import time

MEMORY = 8 << 30  # bytes of address space a process may have
# Checks of sources, and builds of other projects against this one.
LEFT_OUT_LABELS = {"lint", "embed", "network"}
FILTER = "--gtest_filter="


@dataclasses.dataclass
class Test:
    """One entry of ctest, or several cases of one GoogleTest program."""

    name: str
    command: list
    folder: str
    environment: dict
    skip_code: int = None
    will_fail: bool = False
    expected: str = ""  # what the output must match

    def program(self):
        """What tests that can share a process have in common; None for those that share none."""
        if len(self.command) < 2 or not self.command[1].startswith(FILTER):
            return None
        return (self.command[0], self.folder, tuple(sorted(self.environment.items())))


@dataclasses.dataclass
class Outcome:
    passed: bool
    skipped: bool
    seconds: float
    output: str
    why: str = "fails"


def properties(entry):
    return {one["name"]: one["value"] for one in entry.get("properties", [])}


def read(listing):
    """The tests of `ctest --show-only=json-v1`, without those left out."""
    tests = []
    for entry in json.loads(listing)["tests"]:
        facts = properties(entry)
        if facts.get("DISABLED") or LEFT_OUT_LABELS.intersection(facts.get("LABELS", [])):
            continue
        if "command" not in entry:
            continue
        environment = dict(one.split("=", 1) for one in facts.get("ENVIRONMENT", []))
        expected = facts.get("PASS_REGULAR_EXPRESSION", "")
        tests.append(Test(entry["name"], entry["command"], facts.get("WORKING_DIRECTORY", "."),
                          environment, facts.get("SKIP_RETURN_CODE"),
                          bool(facts.get("WILL_FAIL", False)),
                          "|".join(expected) if isinstance(expected, list) else expected))
    return tests


def find(tree):
    listing = subprocess.run(["ctest", "--preset", "release", "--show-only=json-v1"], cwd=tree,
                             check=True, capture_output=True, text=True).stdout
    return read(listing)


def joined(tests):
    """One test that runs several cases of one program, up to the first that fails."""
    if len(tests) == 1:
        return tests[0]
    first = tests[0]
    cases = ":".join(one.command[1][len(FILTER):] for one in tests)
    command = [first.command[0], FILTER + cases, *first.command[2:], "--gtest_fail_fast"]
    return Test(f"{len(tests)} cases", command, first.folder, first.environment)


def chunks(tests, seconds, most_cases=60, most_seconds=5.0):
    """Splits tests, the quickest first, into groups that share a process each."""
    groups = []
    open_groups = {}
    for test in sorted(tests, key=lambda one: seconds[one.name]):
        key = test.program()
        group = open_groups.get(key) if key else None
        full = group is not None and (
            len(group) >= most_cases or
            sum(seconds[one.name] for one in group) + seconds[test.name] > most_seconds)
        if group is None or full:
            group = []
            groups.append(group)
            open_groups[key] = group
        group.append(test)
    return groups


def limits():
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def run(test, environment, limit):
    """Runs a test in its own process group, with a folder of its own for temporary files."""
    with tempfile.TemporaryDirectory(prefix="mutation-") as scratch:
        full = {**os.environ, "TMPDIR": scratch, "TEST_TMPDIR": scratch, **test.environment,
                **environment}
        start = time.monotonic()
        process = subprocess.Popen(test.command, cwd=test.folder, env=full, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                   start_new_session=True, preexec_fn=limits)
        try:
            output = process.communicate(timeout=limit)[0].decode(errors="replace")
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
            return Outcome(False, False, limit, "", "hangs")
        return judged(test, process.returncode, output, time.monotonic() - start)


def judged(test, code, output, seconds):
    skipped = code == test.skip_code or ("[  SKIPPED ]" in output and code == 0)
    passed = (code == 0) != test.will_fail
    if test.expected:
        passed = re.search(test.expected, output) is not None
    why = "crashes" if code < 0 else "fails"
    return Outcome(passed or code == test.skip_code, skipped, seconds, output, why)


def last_case(output):
    """The GoogleTest case that failed, or was running last."""
    cases = (re.findall(r"\[  FAILED  \] (\S+)", output) or
             re.findall(r"\[ RUN      \] (\S+)", output)[-1:])
    return cases[0].rstrip(",") if cases else None
