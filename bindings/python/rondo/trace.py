"""Traces of inferences as files that https://ui.perfetto.dev and chrome://tracing open.

    compiled = rondo.compile_model("model.onnx", "CPU", {"PERF_TRACE": True})
    request = compiled.create_infer_request()
    request.infer(inputs)
    rondo.trace.save("trace.json", request.get_trace())
"""

import json


def events(slices):
    """The slices of InferRequest.get_trace() as events of Chrome's trace format, in microseconds."""
    threads = sorted({piece.thread for piece in slices})
    named = [_name("thread_name", thread, "inference" if thread == 0 else f"helper {thread}")
             for thread in threads]
    return [_name("process_name", 0, "rondo"), *named, *map(_event, slices)]


def save(path, slices):
    """Writes the slices of InferRequest.get_trace() to a JSON file."""
    with open(path, "w", encoding="utf-8") as file:
        json.dump({"traceEvents": events(slices), "displayTimeUnit": "ns"}, file)


def _name(what, thread, name):
    return {"ph": "M", "name": what, "pid": 1, "tid": thread, "args": {"name": name}}


def _event(piece):
    arguments = {"kernel": piece.exec_type, "type": piece.node_type}
    if piece.part is not None:
        arguments["part"] = piece.part
    return {"ph": "X", "name": piece.node_name, "cat": piece.node_type, "pid": 1,
            "tid": piece.thread, "ts": piece.start_ns / 1e3, "dur": piece.duration_ns / 1e3,
            "args": arguments}
