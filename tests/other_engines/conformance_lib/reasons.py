"""Why onnxruntime and OpenVINO differ from ONNX or refuse it, as found in their sources and messages."""

import re

WRONG = ("WRONG", "inexact", "crashed")


class Reason:
    """Holds where one of the tags is there (all of `tags`, one of `any_tag`) or the message matches."""

    def __init__(self, peer, verdicts, text, tags=(), any_tag=(), message=None):
        self.peer = peer
        self.verdicts = verdicts
        self.text = " ".join(text.split())
        self.tags = tags
        self.any_tag = any_tag
        self.message = message

    def holds(self, peer, case, verdict, why):
        tags = case.about["tags"]
        return (peer == self.peer and verdict in self.verdicts and
                all(tag in tags for tag in self.tags) and
                (not self.any_tag or any(tag in tags for tag in self.any_tag)) and
                (not self.message or re.search(self.message, why) is not None))


# The first reason that holds counts, so special ones come before general ones.
REASONS = [
    # onnxruntime
    Reason("onnxruntime", WRONG, """LSTM and GRU index checked spans that are empty with N = 0 (for example for
        the largest length), GRU also with T = 0: the check ends the process. Otherwise the final states with T = 0 are memory that
        was never written. ONNX doesn't define them; without a step the initial states remain.""",
           any_tag=("N=0", "T=0")),
    Reason("onnxruntime", WRONG, """`rnn_helpers.cc` has defaults for LeakyRelu, HardSigmoid and Elu only; other
        missing parameters are 0. ONNX: "default values are the same as of corresponding ONNX operators".""",
           any_tag=("affine without alpha", "affine without beta", "scaledtanh without alpha",
                    "scaledtanh without beta", "thresholdedrelu without alpha")),
    Reason("onnxruntime", WRONG, """Softplus is computed as log(1 + e^x) in float, and e^x is infinite from x = 89
        on: the state becomes infinite where x itself is the answer.""", tags=("activation softplus",)),
    Reason("onnxruntime", ("refused",), """Its kernels check `layout == 0` when the session is made.""",
           message="layout_ == 0 was false"),
    Reason("onnxruntime", ("refused",), """Its kernels require the attribute, which ONNX has as optional: it follows
        from R.""", message='"hidden_size"'),
    Reason("onnxruntime", ("refused",), """RNN accepts names only as ONNX writes them; LSTM and GRU accept any case of
        letters, as Rondo does.""", message="allowed_activations"),
    Reason("onnxruntime", ("refused",), """There are no kernels of opsets below 7.""",
           any_tag=("opset 1", "opset 3", "opset 5"),
           message=r"Could not find an implementation for (LSTM|GRU|RNN)|InsertedPrecisionFreeCast|INVALID_GRAPH"),
    Reason("onnxruntime", ("refused",), """LSTM and GRU are registered for double, but fail at run time because
        the code doesn't exist; RNN isn't registered.""", tags=("f64",)),
    Reason("onnxruntime", ("refused",), """The kernels support only float. (float16 works through casts around the node.)""",
           tags=("bf16",)),
    Reason("onnxruntime", ("refused",), """An extension of ONNX, which has int32 lengths; Rondo accepts both, since exporters
        write both.""", tags=("lengths i64",)),
    Reason("onnxruntime", ("refused",), """Not a fault of the recurrent node: `Neg`, with which the test computes an input,
        has no kernel of that type.""", message=r"implementation for Neg"),
    # OpenVINO
    Reason("openvino", WRONG, """Its ONNX frontend ignores `layout` (its issue 37819): X is read as [T,N,I], so
        time and batch are exchanged. With states the shapes don't fit, and it fails.""", tags=("layout=1",)),
    Reason("openvino", WRONG, """Its frontend reads `input_forget`, but no op has it: an independent forget gate is
        computed.""", tags=("input_forget",)),
    Reason("openvino", WRONG, """LSTMSequence-5 has no peepholes: the frontend drops P silently.""",
           any_tag=("P constant", "P run time", "P computed")),
    Reason("openvino", WRONG, """With T = 0 the final states are memory that was never written instead of the
        initial states; with N = 0 in the model's shapes a final state may have N = 1.""", any_tag=("T=0", "N=0")),
    Reason("openvino", WRONG, """With open N and T the CPU plugin ignores lengths given at run time, and runs
        every row to T.""", tags=("open extents",),
           any_tag=("sequence_lens run time", "sequence_lens computed")),
    Reason("openvino", ("WRONG",), """LSTMSequence-5 and its kin have one set of functions: the backward direction uses
        the forward ones.""", tags=("bidirectional",),
           any_tag=("activation relu", "activation sigmoid", "activation tanh")),
    Reason("openvino", ("WRONG",), """Lengths are not checked: a length above T or below 0 gives a result.""",
           message="^no error$"),
    Reason("openvino", ("inexact",), """Computed in float and rounded.""", tags=("f64",)),
    Reason("openvino", ("inexact",), """The halves of B are summed in float16, and rounded.""", tags=("f16",)),
    Reason("openvino", ("inexact",), """Intermediate numbers are rounded to bfloat16: the sum of B's halves, and others
        without a B.""", tags=("bf16",)),
    Reason("openvino", ("refused",), """Its ops take functions other than sigmoid, tanh and relu in their attributes;
        when the model is compiled they are "unknown" or "unsupported".""",
           message=r"(Unknown|Unsupported) activation function"),
    Reason("openvino", ("refused",), """Its frontend requires the attribute, which ONNX has as optional: it follows
        from R.""", tags=("no hidden_size",), message="Any was not initialized"),
    Reason("openvino", ("refused",), """As `layout=1` is ignored, states and lengths don't fit X.""",
           tags=("layout=1",)),
    Reason("openvino", ("refused",), """Models whose shapes have N = 0 or T = 0 often don't compile.""",
           any_tag=("T=0", "N=0")),
]


def reason_of(peer, case, verdict, why):
    """Its index in REASONS, or None where none of them holds."""
    for index, reason in enumerate(REASONS):
        if reason.holds(peer, case, verdict, why):
            return index
    return None
