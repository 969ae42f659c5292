"""onnxruntime on its CPU provider: all graph optimisations, inputs and outputs bound once."""

import onnxruntime

NAME = "onnxruntime"


def version():
    return onnxruntime.__version__


class Session:
    def __init__(self, problem, threads, weights):
        assert weights == "f32", weights
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        options.inter_op_num_threads = 1
        options.log_severity_level = 3
        self.session = onnxruntime.InferenceSession(
            problem.model, options, providers=["CPUExecutionProvider"])
        self.binding = self.session.io_binding()
        self.bound = []  # bound memory stays alive
        names = [output.name for output in self.session.get_outputs()]
        shapes = self.session.run(names, problem.inputs)
        for name, array in problem.inputs.items():
            self.binding.bind_ortvalue_input(name, self.keep(array))
        self.results = [self.keep(array) for array in shapes]
        for name, value in zip(names, self.results):
            self.binding.bind_ortvalue_output(name, value)

    def keep(self, array):
        self.bound.append(onnxruntime.OrtValue.ortvalue_from_numpy(array))
        return self.bound[-1]

    def activate(self):
        pass

    def run(self):
        self.session.run_with_iobinding(self.binding)

    def outputs(self):
        self.run()
        return [value.numpy().copy() for value in self.results]
