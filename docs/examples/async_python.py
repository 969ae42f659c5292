"""A server loop: clients wait in asyncio for the scores of sounds of different lengths, which a few
requests work out in the background: async_python.py streaming/detector.xml
"""

import asyncio
import sys

import numpy as np
import rondo

FRAME = 16  # of the model's input audio [1,T,16]
CLIENTS = 64


class Scorer:
    """Gives each job to a free request. Only the client of a job gets its error."""

    def __init__(self, path, workers=4):
        self._compiled = rondo.compile_model(path, "CPU", {"PERFORMANCE_HINT": "THROUGHPUT"})
        self._free = asyncio.Queue()
        for _ in range(workers):
            self._free.put_nowait(self._compiled.create_infer_request())

    async def score(self, audio):
        """The last score of a sound [1,T,16]."""
        state = np.zeros(self._compiled.input("h").shape, np.float32)
        job = {"audio": audio, "h": state, "c": state}
        request = await self._free.get()
        try:
            # infer() lets other Python threads run, so that the event loop goes on meanwhile.
            result = await asyncio.get_running_loop().run_in_executor(None, request.infer, job)
            return float(result["score"].ravel()[-1])
        finally:
            self._free.put_nowait(request)


async def main(path):
    scorer = Scorer(path)
    rng = np.random.default_rng(7)
    sounds = [rng.standard_normal((1, 5 + client % 50, FRAME)).astype(np.float32)
              for client in range(CLIENTS)]
    sounds.append(np.zeros((1, 5, FRAME + 1), np.float32))  # one frame too wide: an error
    answers = await asyncio.gather(*map(scorer.score, sounds), return_exceptions=True)
    print(f"{CLIENTS} answers, the first {answers[0]:.6f}; and: {answers[-1]}")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: async_python.py MODEL")
    asyncio.run(main(sys.argv[1]))
