"""Scores a sound as it arrives, chunk by chunk, carrying the LSTM's state by hand; then scores it
in one call and shows that every bit is the same: streaming_python.py streaming/detector.xml
"""

import sys

import numpy as np
import rondo

FRAME = 16  # samples a time step, of 1 ms
CHUNK = 10  # time steps that arrive together
STEPS = 100  # of the whole sound


def chirp():
    """A tone that rises from 100 Hz to 1 kHz and swells: [1, STEPS, FRAME]."""
    progress = np.arange(STEPS * FRAME) / (STEPS * FRAME)
    phase = np.cumsum(2 * np.pi * (100 + 900 * progress) / 16000)
    return (progress * np.sin(phase)).astype(np.float32).reshape(1, STEPS, FRAME)


def score(compiled, sound, chunk):
    """A score for each step; the state goes from each call to the next."""
    request = compiled.create_infer_request()
    h = request.get_tensor("h")  # made by the request, zero: the state at the start
    c = request.get_tensor("c")
    scores = []
    for at in range(0, STEPS, chunk):
        # The request reads the samples where they are.
        result = request.infer({"audio": sound[:, at:at + chunk]}, share_inputs=True)
        scores.append(result["score"].ravel())
        # Copied, not bound: the request overwrites its outputs while it still reads its inputs.
        request.get_tensor("h_out").copy_to(h)
        request.get_tensor("c_out").copy_to(c)
    return np.concatenate(scores)


def main(path):
    compiled = rondo.compile_model(path, "CPU")
    streamed = score(compiled, chirp(), CHUNK)
    whole = score(compiled, chirp(), STEPS)
    for step in range(0, STEPS, CHUNK):
        print(f"{step:3} ms  {streamed[step]:.6f}")
    same = streamed.tobytes() == whole.tobytes()
    print("in chunks and in one call:", "the same bits" if same else "DIFFERENT")
    return 0 if same else 1


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: streaming_python.py MODEL")
    sys.exit(main(sys.argv[1]))
