"""How fast a layer could be at most on the machine that the calibrator has measured."""

import copy
import dataclasses

from bench_peers_lib import cases

LEVELS = ("l1", "l2", "l3", "memory")
LEVEL_NAMES = {"l1": "L1", "l2": "L2", "l3": "L3", "memory": "memory"}


@dataclasses.dataclass(frozen=True)
class Limit:
    microseconds: float
    bound: str  # "FMA", or the level that the recurrent weights stream from
    level: str  # where a thread's share of the recurrent weights fits, whatever the bound


class Machine:
    """What `rondo_calibrate --json` printed. `rates`: threads -> {"fma" or level: 1e9 a second}"""

    def __init__(self, calibration):
        self.caches = calibration["caches"]
        self.rates = {}
        for entry in calibration["calibrations"]:
            reads = {level: rate["best"] for level, rate in entry["read_gbps"].items()}
            self.rates[entry["threads"]] = {"fma": entry["gflops"]["best"], **reads}

    def knows(self, threads):
        return threads in self.rates

    def flops_per_us(self, threads):
        return self.rates[threads]["fma"] * 1e3

    def level_of(self, bytes_each):
        """The first cache that holds what one thread reads over and over."""
        fits = (level for level in LEVELS[:3] if bytes_each <= self.caches[level])
        return next(fits, "memory")

    def bytes_per_us(self, level, threads):
        """All threads together. A level that could not be measured is as the next one out."""
        rates = self.rates[threads]
        known = [name for name in LEVELS[LEVELS.index(level):] if name in rates]
        return rates[known[0]] * 1e3


def best_of(machines):
    """The best rate of each kind; the caches are the last one's."""
    best = copy.copy(machines[-1])
    best.rates = {}
    for machine in machines:
        for threads, rates in machine.rates.items():
            known = best.rates.setdefault(threads, {})
            for name, rate in rates.items():
                known[name] = max(rate, known.get(name, 0))
    return best


def flops(layer):
    """2 for each multiply-add of W x + R h over the steps that rows really have."""
    per_step = sum(2 * cases.GATES[layer.cell] * layer.hidden *
                   (layer.input_size(index) + layer.hidden) for index in range(layer.layers))
    return per_step * layer.directions * sum(layer.row_lengths())


def weight_bytes(layer, size=4):
    """(W, R) of all layers and directions; `size`: bytes of a weight."""
    rows = cases.GATES[layer.cell] * layer.hidden * layer.directions * size
    inputs = sum(layer.input_size(index) for index in range(layer.layers))
    return rows * inputs, rows * layer.hidden * layer.layers


def memory_us(layer, machine, threads, size=4):
    """(microseconds, level): R is read at every step and W once, each thread reading its share.

    W once, because the products of inputs don't depend on each other; R at every step, because the
    steps do. A thread's share stays in its own caches from step to step, or from call to call where
    there is one step.
    """
    w, r = weight_bytes(layer, size)
    steps = max(layer.row_lengths())
    level = machine.level_of((r if steps > 1 else w + r) / threads)
    w_level = machine.level_of((w + r) / threads)
    return (steps * r / machine.bytes_per_us(level, threads) +
            w / machine.bytes_per_us(w_level, threads)), level


def limit(layer, machine, threads, size=4):
    """max(flops / peak, weight bytes / bandwidth), or None where threads were not calibrated."""
    if not machine.knows(threads):
        return None
    compute = flops(layer) / machine.flops_per_us(threads)
    memory, level = memory_us(layer, machine, threads, size)
    return Limit(max(compute, memory), "FMA" if compute >= memory else LEVEL_NAMES[level], level)
