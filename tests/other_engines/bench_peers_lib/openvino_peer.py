"""OpenVINO for latency: f32 asked for, shapes fixed, inputs bound once."""

import openvino

from bench_peers_lib.bound_session import BoundSession

NAME = "openvino"


def version():
    return openvino.__version__.split("-")[0]


class Session(BoundSession):
    def __init__(self, problem, threads, weights):
        assert weights == "f32", weights
        core = openvino.Core()
        model = core.read_model(problem.model)
        self.fix_shapes(model, problem.inputs)
        compiled = core.compile_model(model, "CPU", {
            "PERFORMANCE_HINT": "LATENCY", "INFERENCE_NUM_THREADS": threads,
            "INFERENCE_PRECISION_HINT": "f32"})
        super().__init__(compiled, problem.inputs, openvino.Tensor)

    @staticmethod
    def fix_shapes(model, inputs):
        """Static shapes are its faster path; a model that can't have them stays as it is."""
        try:
            model.reshape({name: list(array.shape) for name, array in inputs.items()})
        except RuntimeError:
            pass
