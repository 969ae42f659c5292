"""onnxruntime and OpenVINO, each in a process of its own: a crash is an answer too."""

import importlib.util
import multiprocessing

import numpy

PEERS = ("onnxruntime", "openvino")
SECONDS_A_CASE = 60
DTYPES = {"f64": numpy.float64, "f32": numpy.float32, "f16": numpy.float16, "bf16": numpy.uint16,
          "i32": numpy.int32, "i64": numpy.int64}


def installed():
    return [peer for peer in PEERS if importlib.util.find_spec(peer)]


def version(peer):
    module = __import__(peer)
    return module.__version__.split("-")[0]


def widen(array, is_bf16):
    """To float64; bf16 comes as its bits."""
    if is_bf16:
        bits = numpy.ascontiguousarray(array).view(numpy.uint16).astype(numpy.uint32) << 16
        return bits.view(numpy.float32).astype(numpy.float64)
    return numpy.asarray(array).astype(numpy.float64)


def run_onnxruntime(model, inputs):
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    session = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
    feeds = {}
    for name, (kind, array) in inputs.items():
        if kind == "bf16":
            array = onnxruntime.OrtValue.ortvalue_from_numpy_with_onnx_type(array, 16)
        feeds[name] = array
    if any(kind == "bf16" for kind, _ in inputs.values()):
        feeds = {name: value if isinstance(value, onnxruntime.OrtValue)
                 else onnxruntime.OrtValue.ortvalue_from_numpy(value)
                 for name, value in feeds.items()}
        outputs = session.run_with_ort_values(None, feeds)
        return [widen(value.numpy(), True) for value in outputs]
    return [widen(value, False) for value in session.run(None, feeds)]


def run_openvino(model, inputs):
    import openvino

    core = openvino.Core()
    # Its default on CPUs that have bf16 would be bf16.
    compiled = core.compile_model(core.read_model(model), "CPU",
                                  {"INFERENCE_PRECISION_HINT": "f32"})
    request = compiled.create_infer_request()
    for name, (kind, array) in inputs.items():
        if kind == "bf16":
            tensor = openvino.Tensor(openvino.Type.bf16, openvino.Shape(array.shape))
            tensor.data.view(numpy.uint16)[...] = array
        else:
            tensor = openvino.Tensor(array)
        request.set_tensor(name, tensor)
    request.infer()
    outputs = [request.get_output_tensor(k) for k in range(len(compiled.outputs))]
    return [widen(tensor.data, tensor.element_type == openvino.Type.bf16) for tensor in outputs]


def serve(peer, pipe):
    run = {"onnxruntime": run_onnxruntime, "openvino": run_openvino}[peer]
    while True:
        model, inputs = pipe.recv()
        try:
            pipe.send(("ran", run(model, inputs)))
        except Exception as error:  # whatever a peer throws, it refuses
            pipe.send(("refused", " ".join(str(error).split())))


class Runtime:
    """Runs models one after the other; starts again after a crash."""

    def __init__(self, peer):
        self.peer = peer
        self.process = None

    def run(self, model, inputs):
        """("ran", outputs in float64), ("refused", message) or ("crashed", how)."""
        if self.process is None:
            self.start()
        self.pipe.send((model, inputs))
        try:
            if self.pipe.poll(SECONDS_A_CASE):
                return self.pipe.recv()
            self.stop()
            return "crashed", f"no answer in {SECONDS_A_CASE} s"
        except EOFError:
            self.process.join()
            code = self.process.exitcode
            self.process = None
            return "crashed", f"the process ended with {code}"

    def start(self):
        context = multiprocessing.get_context("spawn")
        self.pipe, other = context.Pipe()
        self.process = context.Process(target=serve, args=(self.peer, other), daemon=True)
        self.process.start()
        other.close()

    def stop(self):
        if self.process is not None:
            self.process.kill()
            self.process.join()
            self.process = None
