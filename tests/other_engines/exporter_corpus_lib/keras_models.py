"""Keras's recurrent layers, exported by tf2onnx from functions and by Keras itself."""

import os
import shutil

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "-1")

from exporter_corpus_lib.case import Feed, save_case  # noqa: E402

INPUT, HIDDEN, TIME = 5, 8, 6
OPSETS = (11, 13, 15, 17, 18)


def layers():
    """(name, a function that makes the layers between input and output)."""
    from keras import layers as of

    kinds = {"lstm": of.LSTM, "gru": of.GRU, "rnn": of.SimpleRNN}
    for kind, make in kinds.items():
        for sequences in (True, False):
            word = f"{kind}_all" if sequences else f"{kind}_last"
            yield word, lambda m=make, s=sequences: [m(HIDDEN, return_sequences=s)]
            yield f"{word}_back", lambda m=make, s=sequences: [
                m(HIDDEN, return_sequences=s, go_backwards=True)]
            yield f"{word}_unrolled", lambda m=make, s=sequences: [
                m(HIDDEN, return_sequences=s, unroll=True)]
            yield f"{word}_both", lambda m=make, s=sequences: [
                of.Bidirectional(m(HIDDEN, return_sequences=s))]
            for mode in ("sum", "mul", "ave"):
                yield f"{word}_both_{mode}", lambda m=make, s=sequences, mode=mode: [
                    of.Bidirectional(m(HIDDEN, return_sequences=s), merge_mode=mode)]
            yield f"{word}_masked", lambda m=make, s=sequences: [
                of.Masking(), m(HIDDEN, return_sequences=s)]
            yield f"{word}_both_masked", lambda m=make, s=sequences: [
                of.Masking(), of.Bidirectional(m(HIDDEN, return_sequences=s))]
        yield f"{kind}_stack", lambda m=make: [m(HIDDEN, return_sequences=True), m(4)]
        yield f"{kind}_relu", lambda m=make: [m(HIDDEN, activation="relu")]
        yield f"{kind}_nobias", lambda m=make: [m(HIDDEN, use_bias=False, return_sequences=True)]
    yield "lstm_hard", lambda: [of.LSTM(HIDDEN, recurrent_activation="hard_sigmoid")]
    yield "gru_hard", lambda: [of.GRU(HIDDEN, recurrent_activation="hard_sigmoid")]
    yield "gru_classic", lambda: [of.GRU(HIDDEN, reset_after=False, return_sequences=True)]
    yield "gru_classic_both", lambda: [
        of.Bidirectional(of.GRU(HIDDEN, reset_after=False, return_sequences=True))]
    yield "rnn_of_cells", lambda: [
        of.RNN([of.LSTMCell(HIDDEN), of.GRUCell(4)], return_sequences=True)]
    yield "conv_lstm", lambda: [
        of.Reshape((TIME, INPUT, 1)), of.ConvLSTM1D(3, 3, padding="same", return_sequences=True)]
    yield "conv_gru", lambda: [of.Conv1D(6, 3, padding="causal", activation="relu"),
                               of.MaxPooling1D(2), of.GRU(HIDDEN), of.Dense(3, "softmax")]
    yield "both_stack", lambda: [of.Bidirectional(of.LSTM(HIDDEN, return_sequences=True)),
                                 of.LayerNormalization(), of.Bidirectional(of.GRU(4)),
                                 of.Dense(2)]
    yield "distributed", lambda: [of.LSTM(HIDDEN, return_sequences=True),
                                  of.TimeDistributed(of.Dense(3, "relu"))]


def takes_open_time(name):
    """Not so: unrolled loops, a Reshape to a fixed time, and TimeDistributed, which tf2onnx
    writes wrong."""
    return not name.endswith("_unrolled") and name not in ("conv_lstm", "distributed")


def shake_biases(model):
    """Keras starts most biases at 0, and then tf2onnx leaves their sums out."""
    import numpy

    rng = numpy.random.default_rng(1)
    model.set_weights([
        value + rng.normal(0, 0.3, value.shape).astype("f4") if "bias" in variable.path else value
        for variable, value in zip(model.weights, model.get_weights())])


def make_model(make, time):
    import keras

    x = keras.Input((time, INPUT), name="x")
    y = x
    for layer in make():
        y = layer(y)
    model = keras.Model(x, y)
    shake_biases(model)
    return model


def export_function(model, opset, time, path):
    import tensorflow
    import tf2onnx

    signature = [tensorflow.TensorSpec((None, time, INPUT), tensorflow.float32, name="x")]
    function = tensorflow.function(lambda x: model(x, training=False), input_signature=signature)
    tf2onnx.convert.from_function(function, input_signature=signature, opset=opset,
                                  output_path=path)


def export_keras(model, opset, time, path):
    import keras

    model(keras.ops.zeros((1, time, INPUT)))  # it refuses one that was never called
    model.export(path, format="onnx", verbose=False, opset_version=opset)


def runs_of(time, masked):
    times = (TIME, TIME, TIME) if time else (TIME, TIME + 3, 2)  # pooling needs 2
    return [[Feed("x", (batch, length, INPUT), blank_steps=masked)]
            for batch, length in zip((2, 1, 3), times)]


def write(folder, quick, note):
    import keras

    keras.utils.set_random_seed(0)
    for number, (name, make) in enumerate(layers()):
        opsets = OPSETS if not quick else (OPSETS[number % len(OPSETS)],)
        jobs = [("tf2onnx", export_function, opset, time)
                for opset in opsets for time in (None, TIME)
                if time or takes_open_time(name)]
        jobs += [("keras", export_keras, opsets[-1], TIME)]
        for kind, export, opset, time in jobs:
            word = f"{kind}_{opset}_{name}" + ("" if time is None else "_static")
            place = folder / word
            place.mkdir(parents=True, exist_ok=True)
            try:
                export(make_model(make, time), opset, time, str(place / "model.onnx"))
            except Exception as error:  # whatever the exporter raises
                note(word, str(error).strip().splitlines()[0] if str(error).strip() else repr(error))
                shutil.rmtree(place)
                continue
            save_case(place, "Keras through tf2onnx" if kind == "tf2onnx" else "Keras's export()",
                      runs_of(time, "masked" in name))
            note(word, None)
