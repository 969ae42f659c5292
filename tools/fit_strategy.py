#!/usr/bin/env python3
"""Fits the cost model of plugins/cpu/kernels/choice/strategy.cpp to what rondo_strategies measured.

Prints how well today's costs choose, the fitted ones, and how well those choose; --write puts
them into machine_costs.cpp, for the vendor of the processor that was measured. The model stands
here once more, as `Model`; the script says so where the two have drifted apart.
docs/cost_model.md describes the constants.
"""
import argparse
import json
import math
import pathlib
import re
import sys

KERNELS = pathlib.Path(__file__).parent.parent / "plugins/cpu/kernels"
COSTS = {"intel": "kIntel", "amd": "kAmd"}  # other vendors' processors take Intel's
COST = re.compile(r"^ {4}\.(\w+) = ([0-9.e-]+),$", re.MULTILINE)
CONSTANT = re.compile(r"^constexpr double (k\w+) = ([0-9.e]+);", re.MULTILINE)
FITTED = ["flops_per_microsecond", "l2_bytes_per_microsecond", "l3_bytes_per_microsecond",
          "memory_bytes_per_microsecond", "overlap", "activation_flops", "step_microseconds",
          "team_microseconds", "meeting_microseconds", "exchange_bytes_per_microsecond"]
OTHERS = ["avx2_share", "kFarCaches", "kFarCost", "kWorthSplitting", "kWorthMeeting"]
SERIAL = FITTED[:7]
GATES = {"lstm": 4, "gru1": 3, "gru0": 3, "rnn": 1}
BYTES = {"f32": 4, "f16": 2, "bf16": 2}
LANES = {"avx512": 16, "avx2": 8, "plain": 8}
LEAST = {"step_microseconds": 0.001}  # what a fit can't tell from nothing
WORST_COST = 1.15
WORST_ERROR = math.log(2)  # rows that the model misses by more count as if by this much


class Model:
    """The formulas of strategy.cpp; a row is one of the JSON's, with its machine."""

    def __init__(self, constants):
        self.k = constants

    def flops(self, row):
        if row["isa"] == "plain":
            return 1e3
        share = self.k["avx2_share"] if row["isa"] == "avx2" else 1
        return self.k["flops_per_microsecond"] * share

    def microseconds_per_byte(self, row, working_set):
        def spilled(cache):
            return min(1, max(0, (working_set / cache - 0.5) / 1.5)) if cache else 1
        l2, l3 = spilled(row["l2"]), spilled(row["l3"])
        far = spilled(self.k["kFarCaches"] * row["l2"])
        beyond = ((1 - l3) * (1 + self.k["kFarCost"] * far) / self.k["l3_bytes_per_microsecond"]
                  + l3 / self.k["memory_bytes_per_microsecond"])
        return (1 - l2) / self.k["l2_bytes_per_microsecond"] + l2 * beyond

    def product(self, row, elements, flops, working_set):
        size = BYTES[row["weights"]]
        reading = size * elements * self.microseconds_per_byte(row, working_set)
        if size == 2:
            reading = max(reading, 4 * elements / self.k["l2_bytes_per_microsecond"])
        computing = flops / self.flops(row)
        return max(reading, computing) + self.k["overlap"] * min(reading, computing)

    def sequence(self, row, rows, units, turns):
        hidden, time, gates = row["hidden"], row["time"], GATES[row["kind"]]
        matrix = gates * units * hidden
        weights = BYTES[row["weights"]] * 2 * gates * hidden * hidden
        outgrows_l3 = row["l3"] and weights > row["l3"] / 2
        room = max(row["l2"], row["l3"] if outgrows_l3 else 0) / 4
        tile = min(max(room / (rows * gates * hidden * 4), 1), max(1, time))
        working_set = BYTES[row["weights"]] * (matrix + matrix / tile) * (turns if time == 1 else 1)
        flops = 2 * matrix * rows
        return time * (self.k["step_microseconds"]
                       + self.k["activation_flops"] * gates * units * rows / self.flops(row)
                       + self.product(row, matrix, flops, working_set)
                       + self.product(row, matrix / tile, flops, working_set))

    def team(self, row, threads):
        return self.k["team_microseconds"] * math.log2(min(threads, row["threads"]))

    def hidden_split(self, row, share):
        batch, hidden, lanes = row["batch"], row["hidden"], LANES[row["isa"]]
        exchanged = 4 * (share - 1) / share * batch * hidden
        meeting = (self.k["meeting_microseconds"] * (share - 1)
                   + exchanged / self.k["exchange_bytes_per_microsecond"])
        phases = 2 if row["kind"] == "gru0" else 1
        units = min(hidden, -(-(-(-hidden // lanes)) // share) * lanes)
        time = self.sequence(row, batch, units, row["directions"]) + meeting * phases * row["time"]
        return row["directions"] * time + self.team(row, share)

    def estimate(self, row, strategy, plan):
        if strategy == "serial":
            turns = row["directions"]
            return turns * self.sequence(row, row["batch"], row["hidden"], turns)
        if strategy == "hidden_split":
            return self.hidden_split(row, plan["slices"])
        waves = -(-plan["slices"] // row["threads"])
        rows = -(-row["batch"] // plan["row_slices"])
        return waves * self.sequence(row, rows, row["hidden"], 1) + self.team(row, plan["slices"])

    def choose(self, row):
        best = "serial"
        serial = least = self.estimate(row, "serial", row["strategies"]["serial"])
        for strategy in ("direction_split", "batch_split", "hidden_split"):
            if strategy not in row["strategies"]:
                continue
            time = self.estimate(row, strategy, row["strategies"][strategy])
            worth = self.k["kWorthMeeting" if strategy == "hidden_split" else "kWorthSplitting"]
            if time < worth * serial and time < least:
                best, least = strategy, time
        return best


def read_rows(paths):
    """The rows of all files, and the vendor of the processor that they come from."""
    rows, vendors = [], set()
    for path in paths:
        with open(path, encoding="utf-8") as file:
            data = json.load(file)
        machine = {"isa": data["isa"], "l2": data["caches"]["l2"], "l3": data["caches"]["l3"]}
        vendors.add(data.get("vendor", "other"))
        rows += [row | machine for row in data["rows"]]
    if not rows:
        sys.exit("no rows to fit to")
    if len(vendors) > 1:
        sys.exit("the files come from processors of several vendors")
    return rows, vendors.pop()


def read_constants(folder, costs_name):
    """Today's constants, and where those of the vendor stand in machine_costs.cpp: (begin, end)."""
    constants = {name: float(value) for name, value in CONSTANT.findall(
        (folder / "choice/strategy.cpp").read_text(encoding="utf-8"))}
    text = (folder / "machine/machine_costs.cpp").read_text(encoding="utf-8")
    begin = text.find(f"constexpr MachineCosts {costs_name} = {{")
    end = text.find("};", begin)
    if begin >= 0:
        constants |= {name: float(value) for name, value in COST.findall(text[begin:end])}
    missing = [name for name in FITTED + OTHERS if name not in constants]
    if missing:
        sys.exit(f"{folder}: no {', '.join(missing)}")
    return constants, (begin, end)


def mean_error(constants, rows, strategies):
    """Mean square of the log of estimate / time, the least of each: what disturbs is no cost."""
    model, total, count = Model(constants), 0.0, 0
    for row in rows:
        for strategy, plan in row["strategies"].items():
            if strategy in strategies:
                error = abs(math.log(model.estimate(row, strategy, plan) / plan["min_us"]))
                total += min(error, WORST_ERROR) ** 2
                count += 1
    return total / max(count, 1)


def fit(constants, names, rows, strategies):
    """Coordinate by coordinate, in smaller and smaller steps; what changes nothing is kept."""
    best, step = mean_error(constants, rows, strategies), 0.3
    while step > 0.01:
        moved = False
        for name in names:
            for factor in (1 + step, 1 / (1 + step)):
                tried = constants | {name: max(constants[name] * factor, LEAST.get(name, 0))}
                if tried["overlap"] > 1:
                    continue
                error = mean_error(tried, rows, strategies)
                if error < best - 1e-9:
                    constants, best, moved = tried, error, True
        if not moved:
            step /= 2
    return constants


def costs(constants, rows):
    """[(median of the choice / best median, choice, best, row)], the worst first."""
    model, found = Model(constants), []
    for row in rows:
        medians = {name: plan["median_us"] for name, plan in row["strategies"].items()}
        choice, best = model.choose(row), min(medians, key=medians.get)
        found.append((medians[choice] / medians[best], choice, best, row))
    return sorted(found, key=lambda entry: -entry[0])


def report(title, constants, rows, most):
    every = {"serial", "direction_split", "batch_split", "hidden_split"}
    ranked = costs(constants, rows)
    over = sum(cost > WORST_COST for cost, *_ in ranked)
    error = math.sqrt(mean_error(constants, rows, every))
    print(f"{title}: {len(rows)} rows, {over} cost more than {WORST_COST} of the best, the worst "
          f"{ranked[0][0]:.2f}; estimates are off by {100 * error:.0f} % (root mean square)")
    for cost, choice, best, row in ranked[:most]:
        print(f"  {cost:.2f} {row['kind']} {row['weights']} H={row['hidden']} N={row['batch']} "
              f"T={row['time']} D={row['directions']} threads={row['threads']}: {choice}, "
              f"not {best}")


def drift(constants, rows):
    """The largest relative difference between our estimates and those of the program."""
    model = Model(constants)
    return max(abs(model.estimate(row, name, plan) / plan["predicted_us"] - 1)
               for row in rows for name, plan in row["strategies"].items())


def shown(value):
    """Three digits, as strategy.cpp writes them."""
    if value < 1000:
        return f"{float(f'{value:.3g}'):g}"
    return f"{float(f'{value:.3g}') / 1000:g}e3"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("json", nargs="+", help="files of rondo_strategies --json")
    parser.add_argument("--kernels", type=pathlib.Path, default=KERNELS,
                        help="the folder of strategy.cpp and machine_costs.cpp")
    parser.add_argument("--worst", type=int, default=8, help="how many of the worst rows to show")
    parser.add_argument("--write", action="store_true", help="put the costs into machine_costs.cpp")
    options = parser.parse_args()
    rows, vendor = read_rows(options.json)
    if options.write and vendor not in COSTS:
        sys.exit(f"--write: no costs stand in the source for vendor '{vendor}'")
    costs_name = COSTS.get(vendor, COSTS["intel"])
    today, (begin, end) = read_constants(options.kernels, costs_name)
    if drift(today, rows) > 0.01:
        print("The program that measured had other constants or formulas than this script and "
              "the source.")
    report("today", today, rows, options.worst)
    every = {"serial", "direction_split", "batch_split", "hidden_split"}
    fitted = fit(fit(today, SERIAL, rows, {"serial"}), FITTED, rows, every)
    fitted = {name: float(shown(value)) for name, value in fitted.items()}
    report("fitted", fitted, rows, options.worst)
    print(f"{costs_name}:")
    source = options.kernels / "machine/machine_costs.cpp"
    text = source.read_text(encoding="utf-8")
    block = text[begin:end]
    for name in FITTED:
        line = f"    .{name} = {shown(fitted[name])},"
        print(line)
        block = re.sub(rf"^ {{4}}\.{name} = [0-9.e-]+,$", line, block, flags=re.MULTILINE)
    if options.write:
        source.write_text(text[:begin] + block + text[end:], encoding="utf-8")


if __name__ == "__main__":
    main()
