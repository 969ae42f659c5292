"""A model of the corpus: its file, and the inputs that it is tried with."""

import dataclasses
import json
import pathlib

import numpy


@dataclasses.dataclass
class Feed:
    """An input of one run. `high` above 0: integers below it; `lengths`: sorted downwards;
    `blank_steps`: zeros at some places of the first two axes, as masks expect them."""

    name: str
    shape: tuple
    dtype: str = "float32"
    high: int = 0
    lengths: bool = False
    blank_steps: bool = False

    def value(self, rng):
        if self.lengths:
            drawn = rng.integers(1, self.high + 1, self.shape)
            drawn.flat[0] = self.high
            return -numpy.sort(-drawn).astype(self.dtype)
        if self.high:
            return rng.integers(0, self.high, self.shape).astype(self.dtype)
        value = rng.standard_normal(self.shape).astype(self.dtype)
        if self.blank_steps:
            value[rng.random(self.shape[:2]) < 0.4] = 0
        return value


def save_case(folder, family, runs, seed=0):
    """Beside model.onnx: case.json, and the inputs of each run. `runs`: lists of Feed."""
    folder = pathlib.Path(folder)
    for number, feeds in enumerate(runs):
        rng = numpy.random.default_rng(seed + number)
        numpy.savez(folder / f"run_{number}.npz", **{feed.name: feed.value(rng) for feed in feeds})
    (folder / "case.json").write_text(json.dumps({"family": family, "runs": len(runs)}))


class Case:
    """What save_case() has written."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        about = json.loads((self.folder / "case.json").read_text())
        self.family, self.run_count = about["family"], about["runs"]

    @property
    def name(self):
        return self.folder.name

    @property
    def model(self):
        return str(self.folder / "model.onnx")

    def runs(self):
        for number in range(self.run_count):
            with numpy.load(self.folder / f"run_{number}.npz") as arrays:
                yield dict(arrays)


def find_cases(folder):
    return [Case(path.parent) for path in sorted(pathlib.Path(folder).glob("*/case.json"))]
