"""OpenVINO for latency: f32 asked for, shapes fixed, inputs bound once."""

import openvino

from bench_peers_lib import ways

NAME = "openvino"


def version():
    return openvino.__version__.split("-")[0]


class Session:
    def __init__(self, problem, threads, weights):
        assert weights == "f32", weights
        core = openvino.Core()
        model = core.read_model(problem.model)
        self.fix_shapes(model, problem.inputs)
        compiled = core.compile_model(model, "CPU", {
            "PERFORMANCE_HINT": "LATENCY", "INFERENCE_NUM_THREADS": threads,
            "INFERENCE_PRECISION_HINT": "f32"})
        self.request = compiled.create_infer_request()
        self.inputs = problem.inputs  # bound memory stays alive
        for name, array in self.inputs.items():
            self.request.set_tensor(name, openvino.Tensor(array, shared_memory=True))
        self.output_count = len(compiled.outputs)
        self.run = ways.fastest([self.request.infer, self.infer_shared, self.infer_async])

    @staticmethod
    def fix_shapes(model, inputs):
        """Static shapes are its faster path; a model that can't have them stays as it is."""
        try:
            model.reshape({name: list(array.shape) for name, array in inputs.items()})
        except RuntimeError:
            pass

    def activate(self):
        pass

    def infer_shared(self):
        self.request.infer(share_outputs=True)

    def infer_async(self):
        self.request.start_async()
        self.request.wait()

    def outputs(self):
        self.run()
        return [self.request.get_output_tensor(index).data.copy()
                for index in range(self.output_count)]
