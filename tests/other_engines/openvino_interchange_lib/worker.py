"""OpenVINO in a process of its own: a crash is an answer too."""

import multiprocessing

import numpy

SECONDS_A_CALL = 120


class Refused(Exception):
    """What OpenVINO said, or how its process ended."""


def run(path, runs, shapes=None):
    """Outputs by position for each run, one request for all of them, and the names of the outputs.
    `shapes`: partial shapes that inputs get first."""
    import openvino

    core = openvino.Core()
    model = core.read_model(path)
    if shapes:
        model.reshape({name: openvino.PartialShape(shape) for name, shape in shapes.items()})
    # Its default on CPUs that have bf16 would be bf16.
    compiled = core.compile_model(model, "CPU", {"INFERENCE_PRECISION_HINT": "f32",
                                                 "INFERENCE_NUM_THREADS": 1,
                                                 "DYNAMIC_QUANTIZATION_GROUP_SIZE": 0})
    known = {name for port in compiled.inputs for name in port.get_names()}
    request = compiled.create_infer_request()
    results = []
    for feeds in runs:
        missing = [name for name in feeds if name not in known]
        if missing:
            raise RuntimeError(f"lost input names: {missing}")
        request.infer({name: numpy.array(array) for name, array in feeds.items()})
        results.append([numpy.array(request.get_output_tensor(i).data)
                        for i in range(len(compiled.outputs))])
    return results, [sorted(port.get_names()) for port in compiled.outputs]


def write(path, kind, target, pairs=None):
    """Converts a model and saves it as `target`; see kinds.py."""
    from openvino_interchange_lib import kinds

    kinds.write(path, kind, target, pairs)


CALLS = {"run": run, "write": write}


def serve(pipe):
    while True:
        name, arguments = pipe.recv()
        try:
            pipe.send((True, CALLS[name](*arguments)))
        except Exception as error:  # whatever it throws, it refuses
            pipe.send((False, " ".join(str(error).split())))


class Worker:
    """Calls run() and write() there; starts again after a crash."""

    def __init__(self):
        self.process = None

    def call(self, name, *arguments):
        if self.process is None:
            self.start()
        self.pipe.send((name, arguments))
        try:
            if not self.pipe.poll(SECONDS_A_CALL):
                self.stop()
                raise Refused(f"no answer in {SECONDS_A_CALL} s")
            is_right, answer = self.pipe.recv()
        except EOFError:
            self.process.join()
            code = self.process.exitcode
            self.process = None
            raise Refused(f"the process ended with {code}") from None
        if not is_right:
            raise Refused(answer)
        return answer

    def start(self):
        context = multiprocessing.get_context("spawn")
        self.pipe, other = context.Pipe()
        self.process = context.Process(target=serve, args=(other,), daemon=True)
        self.process.start()
        other.close()

    def stop(self):
        if self.process is not None:
            self.process.kill()
            self.process.join()
            self.process = None
