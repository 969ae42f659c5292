#!/usr/bin/env python3
"""Fits the costs of machine_costs.cpp to what rondo_strategies measured.

Prints how well today's costs choose, the fitted ones, and how well those choose; --write puts
them into machine_costs.cpp, for the vendor of the processor that was measured. The formulas are
in C++ alone: rondo_strategies says what it estimates with each set of costs.
docs/recurrent_kernels.md says what the costs mean.
"""
import argparse
import json
import math
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).parent.parent
PROGRAM = ROOT / "build/release/tests/bench/rondo_strategies"
SOURCE = ROOT / "plugins/cpu/kernels/machine/machine_costs.cpp"
BLOCKS = {"intel": "kIntel", "amd": "kAmd"}  # other vendors' processors take Intel's
ONE_THREAD = 7  # the first of the fitted costs, those that one thread's time depends on
LEAST = {"step_microseconds": 0.001}  # a smaller cost has no effect on the fit
WORST_COST = 1.15
WORST_ERROR = math.log(2)  # rows that the model misses by more count as if by this much


class Program:
    """rondo_strategies, which answers a set of costs with estimates for all rows."""

    def __init__(self, path, files):
        self.path = path
        self.answers = {}
        self.process = subprocess.Popen([path, "--estimate", *files], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, text=True)

    def model(self):
        return json.loads(subprocess.run([self.path, "--model"], check=True, text=True,
                                         stdout=subprocess.PIPE).stdout)

    def ask(self, costs):
        question = json.dumps(costs, sort_keys=True)
        if question not in self.answers:
            self.process.stdin.write(question + "\n")
            self.process.stdin.flush()
            answer = self.process.stdout.readline()
            if not answer:
                sys.exit(f"{self.path} --estimate ended")
            self.answers[question] = json.loads(answer)
        return self.answers[question]


def read_rows(paths):
    """The rows of all files, and the vendor of the processor that they come from."""
    rows, vendors = [], set()
    for path in paths:
        with open(path, encoding="utf-8") as file:
            data = json.load(file)
        vendors.add(data.get("vendor", "other"))
        rows += data["rows"]
    if not rows:
        sys.exit("no rows to fit to")
    if len(vendors) > 1:
        sys.exit("the files come from processors of several vendors")
    return rows, vendors.pop()


def mean_error(program, costs, rows, strategies):
    """Mean square of the log of estimate / time, the least of each: what disturbs is no cost."""
    total, count = 0.0, 0
    for row, estimates in zip(rows, program.ask(costs)["estimates"]):
        for strategy, estimate in estimates.items():
            if strategy in strategies:
                error = abs(math.log(estimate / row["strategies"][strategy]["min_us"]))
                total += min(error, WORST_ERROR) ** 2
                count += 1
    return total / max(count, 1)


def fit(program, costs, names, rows, strategies):
    """Coordinate by coordinate, in smaller and smaller steps; what changes nothing is kept."""
    best, step = mean_error(program, costs, rows, strategies), 0.3
    while step > 0.01:
        moved = False
        for name in names:
            for factor in (1 + step, 1 / (1 + step)):
                tried = costs | {name: max(costs[name] * factor, LEAST.get(name, 0))}
                if tried["overlap"] > 1:
                    continue
                error = mean_error(program, tried, rows, strategies)
                if error < best - 1e-9:
                    costs, best, moved = tried, error, True
        if not moved:
            step /= 2
    return costs


def ranked_choices(program, costs, rows):
    """[(median of the choice / best median, choice, best, row)], the worst first."""
    found = []
    for row, choice in zip(rows, program.ask(costs)["choices"]):
        medians = {name: plan["median_us"] for name, plan in row["strategies"].items()}
        best = min(medians, key=medians.get)
        found.append((medians[choice] / medians[best], choice, best, row))
    return sorted(found, key=lambda entry: -entry[0])


def report(title, program, costs, rows, most):
    every = {"serial", "direction_split", "batch_split", "hidden_split"}
    ranked = ranked_choices(program, costs, rows)
    over = sum(cost > WORST_COST for cost, *_ in ranked)
    error = math.sqrt(mean_error(program, costs, rows, every))
    print(f"{title}: {len(rows)} rows, {over} cost more than {WORST_COST} of the best, the worst "
          f"{ranked[0][0]:.2f}; estimates are off by {100 * error:.0f} % (root mean square)")
    for cost, choice, best, row in ranked[:most]:
        print(f"  {cost:.2f} {row['kind']} {row['weights']} H={row['hidden']} N={row['batch']} "
              f"T={row['time']} D={row['directions']} threads={row['threads']}: {choice}, "
              f"not {best}")


def shown(value):
    """Three digits, as machine_costs.cpp writes them."""
    rounded, power = float(f"{value:.3g}"), 3
    if rounded < 1000:
        return f"{rounded:g}"
    while rounded / 10**power >= 1e5:
        power += 3
    return f"{rounded / 10**power:g}e{power}"


def write_costs(block_name, lines):
    """Replaces the lines of the vendor's block in machine_costs.cpp."""
    text = SOURCE.read_text(encoding="utf-8")
    begin = text.find(f"constexpr MachineCosts {block_name} = {{")
    end = text.find("};", begin)
    block = text[begin:end]
    for name, line in lines.items():
        block = re.sub(rf"^ {{4}}\.{name} = [0-9.e-]+,$", line, block, flags=re.MULTILINE)
    SOURCE.write_text(text[:begin] + block + text[end:], encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("json", nargs="+", help="files of rondo_strategies --json")
    parser.add_argument("--program", default=str(PROGRAM), help="rondo_strategies")
    parser.add_argument("--worst", type=int, default=8, help="how many of the worst rows to show")
    parser.add_argument("--write", action="store_true", help="put the costs into machine_costs.cpp")
    options = parser.parse_args()
    rows, vendor = read_rows(options.json)
    if options.write and vendor not in BLOCKS:
        sys.exit(f"--write: no costs stand in the source for vendor '{vendor}'")
    if not pathlib.Path(options.program).exists():
        sys.exit(f"no program '{options.program}'; build rondo_strategies, or name it by --program")
    program = Program(options.program, options.json)
    model = program.model()
    today = model["costs"].get(vendor, model["costs"]["intel"])
    report("today", program, today, rows, options.worst)
    every = {"serial", "direction_split", "batch_split", "hidden_split"}
    names = model["fitted"]
    fitted = fit(program, today, names[:ONE_THREAD], rows, {"serial"})
    fitted = fit(program, fitted, names, rows, every)
    fitted = {name: float(shown(value)) for name, value in fitted.items()}
    report("fitted", program, fitted, rows, options.worst)
    block_name = BLOCKS.get(vendor, BLOCKS["intel"])
    print(f"{block_name}:")
    lines = {name: f"    .{name} = {shown(fitted[name])}," for name in names}
    print("\n".join(lines.values()))
    if options.write:
        write_costs(block_name, lines)


if __name__ == "__main__":
    main()
