"""Scores a sound in chunks on a Triton server with the detector as a model: triton_client.py
localhost:8001 detector. The server keeps the state (docs/triton.md).
"""

import sys

import numpy as np
import tritonclient.grpc as triton

address, model = sys.argv[1:]
chunks = np.random.default_rng(1).uniform(-1, 1, (10, 1, 4, 16)).astype(np.float32)

client = triton.InferenceServerClient(address)                 # "localhost:8001"
for i, chunk in enumerate(chunks):                             # float32 [1,4,16]
    audio = triton.InferInput("audio", list(chunk.shape), "FP32")
    audio.set_data_from_numpy(chunk)
    answer = client.infer(model, [audio], sequence_id=7, sequence_start=i == 0,
                          sequence_end=i == len(chunks) - 1)
    print(answer.as_numpy("score").ravel())
