"""A request with its inputs bound once, of a library with OpenVINO's Python API."""

from bench_peers_lib import ways


class BoundSession:
    def __init__(self, compiled, inputs, tensor_type):
        self.request = compiled.create_infer_request()
        self.inputs = inputs  # bound memory stays alive
        for name, array in self.inputs.items():
            self.request.set_tensor(name, tensor_type(array, shared_memory=True))
        self.output_count = len(compiled.outputs)
        self.run = ways.fastest([self.request.infer, self.infer_shared, self.infer_async])

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
