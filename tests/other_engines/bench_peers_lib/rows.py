"""A measured case with what follows from its numbers: ratio, limit, fraction of the limit."""

import dataclasses

from bench_peers_lib import cases, limits, results

HALF = "rondo, f16 weights"
FULL = "rondo, full"
ONE_DIRECTION = "rondo, one direction"


@dataclasses.dataclass
class Row:
    group: str
    subject: object
    threads: int
    times: dict    # label -> {min_us, median_us, rounds}
    refused: dict  # label -> reason
    machine: object  # limits.Machine: the best of the run; or None
    moment: object   # limits.Machine: the calibration at that time; or None

    def median(self, label="rondo"):
        """Microseconds, or None where `label` was not measured."""
        entry = self.times.get(label)
        return entry["median_us"] if entry else None

    def fastest_peer(self):
        """(label, median) of the fastest peer, or None."""
        found = [(self.median(peer), peer) for peer in cases.PEERS if peer in self.times]
        return (min(found)[1], min(found)[0]) if found else None

    def ratio(self, label="rondo"):
        """How many times faster than the fastest peer; None where one of them is missing."""
        peer, mine = self.fastest_peer(), self.median(label)
        return peer[1] / mine if peer and mine else None

    def ratio_to(self, label):
        """Rondo's time over that of `label`."""
        mine, other = self.median(), self.median(label)
        return mine / other if mine and other else None

    def limit(self, size=4):
        if self.machine is None or not isinstance(self.subject, cases.Layer):
            return None
        return limits.limit(self.subject, self.machine, self.threads, size)

    def fraction(self):
        """Of the limit, 1 being the limit itself."""
        limit, mine = self.limit(), self.median()
        return limit.microseconds / mine if limit and mine else None

    def peak_share(self):
        """Of one core's multiply-add peak times the threads."""
        mine = self.median()
        if self.limit() is None or not mine or not self.machine.knows(1):
            return None
        return limits.flops(self.subject) / mine / (self.machine.flops_per_us(1) * self.threads)


def read_rows(data):
    """Rows of the content of a results file, in the order of measuring.

    Limits are those of the best calibration of the run: a machine that was slow for a while has
    not got other limits. Whether two threads had a core each is asked of the moment.
    """
    moments = [limits.Machine(calibration) for calibration in data["calibrations"]]
    machine = limits.best_of(moments) if moments else None
    found = []
    for record in data["cases"].values():
        index = record["calibration"]
        moment = None if index is None else moments[index]
        found.append(Row(record["group"], results.read_subject(record["subject"]),
                         record["threads"], record["times"], record["refused"],
                         machine if moment else None, moment))
    return found


def best_threads(rows):
    """Rows of one subject joined: Rondo's and each peer's time at its own best thread count.

    The joined row has the thread count that Rondo was fastest with.
    """
    by_subject = {}
    for row in rows:
        by_subject.setdefault((row.group, row.subject), []).append(row)
    joined = []
    for same in by_subject.values():
        fastest = min(same, key=lambda row: row.median() or float("inf"))
        times = {}
        for row in same:
            for label, entry in row.times.items():
                best = times.get(label)
                if best is None or entry["median_us"] < best["median_us"]:
                    times[label] = entry
        joined.append(dataclasses.replace(fastest, times=times))
    return joined
