#!/usr/bin/env python3
"""Runs onnxruntime and OpenVINO on recurrent nodes whose right answers Rondo's reference has written.

Usage: conformance.py [--markdown FILE] [--results FILE] FEATURES [SEEDS]
       conformance.py --check FOLDER
FEATURES and SEEDS are folders that the program conformance_cases has written:
  ninja -C build/release conformance_cases
  build/release/tests/conformance/conformance_cases features
  build/release/tests/conformance/conformance_cases seeds 0 3000
  python3 tests/other_engines/conformance.py --markdown docs/measurements/conformance.md features seeds
--results keeps what came out, and takes it from there the next time, for the same cases alone.

A peer that isn't installed is left out (with --markdown both are needed). Prints counts, and a line
for each outcome that reasons.py doesn't explain: exit code 1 if there is any. Verdicts: yes; inexact
(right except for fewer bits); WRONG (other numbers or shapes, and no error); refused; crashed.
"""

import argparse
import collections
import json
import pathlib
import sys

from conformance_lib import cases, markdown, reasons, runtimes


class Result:
    """What one peer made of one case."""

    def __init__(self, peer, case, verdict, why):
        self.peer = peer
        self.case = case
        self.verdict = verdict
        self.why = why
        self.reason = None if verdict == "yes" else reasons.reason_of(peer, case, verdict, why)

    @property
    def unexplained(self):
        return self.verdict != "yes" and self.reason is None


def run_all(peer, folder, known):
    """`known`: verdicts by peer, version and case, to which this adds."""
    runtime = runtimes.Runtime(peer)
    results = []
    for case in cases.load_cases(folder):
        key = f"{peer} {runtimes.version(peer)} {case.name}"
        if key not in known:
            known[key] = case.judge(runtime.run(case.model(), case.inputs()))
        results.append(Result(peer, case, *known[key]))
    runtime.stop()
    return results


def load_results(path):
    return json.loads(path.read_text()) if path and path.exists() else {}


def check(folder):
    """Reads all that a run would read."""
    found = cases.load_cases(folder)
    for case in found:
        case.inputs()
        for name in case.outputs or []:
            case.load(name)
    print(f"{len(found)} cases in {folder}")
    return 0 if found else 1


def print_counts(title, results):
    counts = collections.Counter(result.verdict for result in results)
    print(f"{title}: " + ", ".join(f"{count} {verdict}" for verdict, count in counts.most_common()))


def print_tags(results):
    """How each attribute fares, alone and with others."""
    tags = collections.defaultdict(collections.Counter)
    for result in results:
        for tag in result.case.about["tags"]:
            tags[tag][result.verdict] += 1
    print(f"  {'':<28}" + "".join(f"{verdict:>9}" for verdict in markdown.VERDICTS))
    for tag, counts in sorted(tags.items()):
        print(f"  {tag:<28}" + "".join(f"{counts[verdict]:>9}" for verdict in markdown.VERDICTS))


def print_unexplained(results):
    for result in results:
        if result.unexplained:
            print(f"unexplained: {result.peer} {result.verdict} {result.case.name}: "
                  f"{result.case.description}: {result.why[-300:]}")


def run_peers(peers, options, known):
    features, seeds = {}, {}
    for peer in peers:
        features[peer] = run_all(peer, options.features, known)
        print_counts(f"{peer} {runtimes.version(peer)}, one attribute at a time", features[peer])
        print_unexplained(features[peer])
        if options.seeds:
            seeds[peer] = run_all(peer, options.seeds, known)
            print_counts(f"{peer} {runtimes.version(peer)}, random nodes", seeds[peer])
            print_tags(seeds[peer])
            print_unexplained(seeds[peer])
    return features, seeds


def parse_arguments():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("features", help="folder with the rows of the table")
    parser.add_argument("seeds", nargs="?", help="folder with random nodes")
    parser.add_argument("--markdown", metavar="FILE", help="writes docs/measurements/conformance.md")
    parser.add_argument("--results", metavar="FILE", type=pathlib.Path,
                        help="keeps verdicts for the next time")
    parser.add_argument("--check", action="store_true", help="reads the cases and runs no runtime")
    return parser.parse_args()


def main():
    options = parse_arguments()
    if options.check:
        return check(options.features)
    peers = runtimes.installed()
    for peer in runtimes.PEERS:
        if peer not in peers:
            print(f"{peer} isn't installed: left out")
    if options.markdown and len(peers) < len(runtimes.PEERS):
        print("the table needs both peers", file=sys.stderr)
        return 1
    known = load_results(options.results)
    features, seeds = run_peers(peers, options, known)
    if options.results:
        options.results.write_text(json.dumps(known))
    if options.markdown:
        markdown.write(options.markdown, features, seeds)
    everything = [result for each in (features, seeds) for results in each.values()
                  for result in results]
    return 1 if any(result.unexplained for result in everything) else 0


if __name__ == "__main__":
    sys.exit(main())
