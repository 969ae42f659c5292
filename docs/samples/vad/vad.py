"""Finds speech in a sound file with Silero VAD: a table, a picture, and then the same sound as many
streams at once. usage: vad.py SOUND.wav PICTURE.svg [STREAMS [live]]; docs/samples/vad/README.md
"""

import os
import pathlib
import sys
import time

import numpy as np
import rondo

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "sound"))
from picture import draw  # noqa: E402
from wav import read_wav  # noqa: E402

RATE = 16000
CHUNK = 512  # samples that arrive together: 32 ms
PAST = 64  # samples of the chunk before that the model sees again
SECONDS = CHUNK / RATE
SR = np.array(RATE, np.int64)
BEGINS = 50  # each stream begins in one of so many rounds, so that a batch holds different chunks


def read_vad():
    """input [N,576] and sr -> output [N,1]; the LSTM's state [2,N,128] is a variable."""
    folder = pathlib.Path(os.environ.get("RONDO_MODELS", "../shared/models"))
    model = rondo.Core().read_model(folder / "silero_vad_v6/model.onnx")
    model.make_stateful({"state": "stateN"})
    return model


def cut(samples):
    """The model's input for each chunk: the end of the chunk before, and the chunk; [1,576]."""
    padded = np.concatenate([np.zeros(PAST, np.float32), samples])
    return [padded[np.newaxis, at:at + PAST + CHUNK]
            for at in range(0, len(samples) - CHUNK + 1, CHUNK)]


def detect(vad, chunks):
    """The probability of speech in each chunk."""
    request = vad.create_infer_request()  # keeps the state from chunk to chunk
    return [request.infer({"input": chunk, "sr": SR})["output"].item() for chunk in chunks]


def find_segments(probabilities):
    """A segment begins at a probability of 0.5, and ends where it stays below 0.35 for 160 ms.

    Returns the first chunk of each, and the one after its last.
    """
    segments = []
    quiet = 5  # chunks since the last one with speech
    for chunk, probability in enumerate(probabilities):
        if quiet >= 5 and probability >= 0.5:
            segments.append([chunk, chunk + 1])
            quiet = 0
        elif quiet < 5 and probability >= 0.35:
            segments[-1][1] = chunk + 1
            quiet = 0
        else:
            quiet += 1
    return segments


def print_table(segments, probabilities):
    print("   begin      end   length   highest probability")
    for begin, end in segments:
        print(f"{begin * SECONDS:6.2f} s {end * SECONDS:6.2f} s {(end - begin) * SECONDS:6.2f} s   "
              f"{max(probabilities[begin:end]):.3f}")


def play(pool, chunks, alone, count, live):
    """Plays the sound on many streams, a chunk of each a round. Returns how many probabilities
    differ from those of the sound alone.
    """
    streams = [pool.open() for _ in range(count)]
    begins = [i * 7 % BEGINS for i in range(count)]  # the round in which each stream begins
    steps = [None] * count  # of the round before
    different = 0
    start = time.monotonic()
    for turn in range(BEGINS + len(chunks) + 1):
        for i, stream in enumerate(streams):
            if live:
                ahead = start + (turn + i / count) * SECONDS - time.monotonic()
                if ahead > 0:
                    time.sleep(ahead)
            before, chunk = steps[i], turn - begins[i]
            steps[i] = (stream.push({"input": chunks[chunk], "sr": SR})
                        if 0 <= chunk < len(chunks) else None)
            if before is not None:
                different += before.result()["output"].item() != alone[chunk - 1]
    return different


def run_streams(chunks, alone, count, live):
    """True if every stream gave the bits of the sound alone."""
    vad = rondo.compile_model(read_vad(), "CPU", {"PERFORMANCE_HINT": "THROUGHPUT"})
    print(f"\n{count} streams, {'live' if live else 'as fast as possible'} "
          f"(live: {(BEGINS + len(chunks)) * SECONDS:.2f} s)")
    with vad.create_stream_pool() as pool:
        pool.warm_up({"input": chunks[0], "sr": SR})
        start = time.monotonic()
        different = play(pool, chunks, alone, count, live)
        seconds = time.monotonic() - start
        stats = pool.stats()
    rate = stats.steps / seconds
    print(f"{stats.steps} chunks in {seconds:.2f} s: {rate:.0f} a second"
          + ("" if live else f", as of {rate * SECONDS:.0f} live streams"))
    print(f"batches: {stats.batches}, of {stats.steps / max(stats.batches, 1):.1f} chunks on average; "
          f"threads ran inferences {stats.occupancy * 100:.0f} % of the time")
    if stats.why_not_batched:
        print(f"one chunk at a time: {stats.why_not_batched}")
    if live:  # else a chunk waits for those of all streams before it
        print(f"latency: p50 {stats.latency_p50 * 1e3:.2f} ms, "
              f"p99 {stats.latency_p99 * 1e3:.2f} ms, max {stats.latency_max * 1e3:.2f} ms")
    print(f"probabilities that differ from those of the sound alone: {different}")
    return different == 0


def main(sound, picture, streams=None, live=None):
    samples, rate = read_wav(sound)
    if rate != RATE:
        sys.exit(f"vad: {sound}: {rate} samples a second; expected {RATE}")
    chunks = cut(samples)
    if not chunks:
        sys.exit(f"vad: {sound}: shorter than a chunk of 32 ms")
    probabilities = detect(rondo.compile_model(read_vad(), "CPU"), chunks)
    segments = find_segments(probabilities)
    print_table(segments, probabilities)
    draw(picture, samples, probabilities, segments)
    if streams is None:
        return 0
    return 0 if run_streams(chunks, probabilities, int(streams), live is not None) else 1


if __name__ == "__main__":
    if (len(sys.argv) not in (3, 4, 5) or sys.argv[4:] not in ([], ["live"])
            or not all(count.isdecimal() and int(count) > 0 for count in sys.argv[3:4])):
        sys.exit("usage: vad.py SOUND.wav PICTURE.svg [STREAMS [live]]")
    sys.exit(main(*sys.argv[1:]))
