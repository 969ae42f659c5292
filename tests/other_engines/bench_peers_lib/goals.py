"""The goals for speed, each with how many rows keep it and the worst one."""

import dataclasses
import statistics

from bench_peers_lib import cases, rows as row_module

TWO_FULL_CORES = 1.8  # peak of two threads over one, below which scaling is not the software's


@dataclasses.dataclass
class Outcome:
    text: str
    bound: float
    at_most: bool   # else at least
    values: list    # (value, Row)

    def keeps(self, value):
        return value <= self.bound if self.at_most else value >= self.bound

    @property
    def kept(self):
        return sum(self.keeps(value) for value, _ in self.values)

    @property
    def worst(self):
        """(value, Row)"""
        pick = max if self.at_most else min
        return pick(self.values, key=lambda item: item[0])


def outcome(text, bound, values, at_most=False):
    return Outcome(text, bound, at_most, [item for item in values if item[0] is not None])


def of_layers(rows, group, **wanted):
    """Rows of `group` whose layer has one of the wanted values of each field."""
    return [row for row in rows if row.group == group and all(
        getattr(row.subject, name) in values for name, values in wanted.items())]


def fits_l2(row):
    limit = row.limit()
    return limit is not None and limit.level in ("l1", "l2")


def against_peers(rows):
    """Ratios to the fastest peer, each at its best thread count."""
    best = row_module.best_threads(rows)

    def ratios(some):
        return [(row.ratio(), row) for row in some]

    batch_1 = of_layers(best, "grid", batch=(1,), time=(100,))

    def of_hidden(*hidden):
        return [row for row in batch_1 if row.subject.hidden in hidden]

    half = [(row.ratio(row_module.HALF), row) for row in of_layers(best, "weights", time=(100,))
            if row.limit(size=2) is not None and row.limit(size=2).level != "memory"]
    short = [row for row in of_layers(best, "grid", batch=(1,), time=(1,))
             if row.subject.hidden <= 256]
    return [
        outcome("N=1, T=100, H=32..128: times the fastest peer", 2, ratios(of_hidden(32, 64, 128))),
        outcome("N=1, T=100, H=256: times the fastest peer", 2, ratios(of_hidden(256))),
        outcome("N=1, T=100, H=512, 1024: times the fastest peer", 1, ratios(of_hidden(512, 1024))),
        outcome("... with f16 weights that fit the caches", 2, half),
        outcome("N=1, T=1, H up to 256: times the fastest peer", 2, ratios(short))]


def scaling(rows):
    """(one thread's time over two threads', the row of two) where the machine has two cores."""
    large = [row for row in of_layers(rows, "grid", time=(100,)) if row.subject.batch >= 16
             and row.subject.hidden >= 128]
    ones = {row.subject: row for row in large if row.threads == 1}
    for row in large:
        one = ones.get(row.subject)
        if row.threads != 2 or one is None or row.moment is None:
            continue
        full = row.moment.flops_per_us(2) / row.moment.flops_per_us(1)
        if full >= TWO_FULL_CORES and one.median() and row.median():
            yield one.median() / row.median(), row


def against_limits(rows):
    small = [row for row in of_layers(rows, "grid", batch=(1,), time=(100,)) if fits_l2(row)]
    large = [row for row in of_layers(rows, "grid", time=(100,))
             if row.subject.batch >= 16 and row.threads == 1]
    wide = [row for row in large if row.subject.hidden >= 256]
    narrow = [row for row in large if row.subject.hidden == 128]
    return [
        outcome("N=1, T=100, weights in L2: of the limit", 0.75,
                [(row.fraction(), row) for row in small]),
        outcome("N>=16, T=100, H>=256, one thread: of the multiply-add peak", 0.85,
                [(row.peak_share(), row) for row in wide]),
        outcome("N>=16, T=100, H=128, one thread: of the multiply-add peak", 0.75,
                [(row.peak_share(), row) for row in narrow]),
        outcome("N>=16, T=100, H>=128: two threads against one", 1.8, scaling(rows))]


def against_itself(rows):
    pairs = [row for row in of_layers(rows, "directions") if fits_l2(row)]
    return [
        outcome("bidirectional on two threads against one direction on one", 1.15,
                [(row.ratio_to(row_module.ONE_DIRECTION), row) for row in pairs], at_most=True),
        outcome("N=16, lengths uniform in 1..T against full length", 0.6,
                [(row.ratio_to(row_module.FULL), row) for row in of_layers(rows, "lengths")],
                at_most=True)]


def outcomes(rows):
    """Those that the measured rows say something about."""
    every = against_peers(rows) + against_limits(rows) + against_itself(rows)
    return [one for one in every if one.values]


def model_means(rows):
    """Geometric means of the ratios of real models: {threads: mean}, {model's name: mean}."""
    by_threads, by_model = {}, {}
    for row in of_layers(rows, "models"):
        if row.ratio() is None:
            continue
        by_threads.setdefault(row.threads, []).append(row.ratio())
        by_model.setdefault(row.subject.name, []).append(row.ratio())
    return tuple({key: statistics.geometric_mean(some) for key, some in found.items()}
                 for found in (by_threads, by_model))


def describe_row(row):
    return f"{cases.describe(row.subject)}, {row.threads} thread" + "s" * (row.threads > 1)
