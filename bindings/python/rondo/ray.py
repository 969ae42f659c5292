"""Rondo on Ray: live streams in Ray Serve, on any number of replicas, and models over datasets."""

# mypy: ignore-errors
import asyncio
import contextlib
import copy
import time
import uuid

from ray.exceptions import RayActorError
from ray.serve import deployment
from ray.serve.config import RequestRouterConfig

from rondo._ray_replica import Replica, UnknownStreamError
from rondo._rows import RowModel, joined

_ROUTER = "ray.serve.experimental.consistent_hash_router.ConsistentHashRouter"
_RETRIED = UnknownStreamError, RayActorError, TimeoutError, asyncio.TimeoutError


def streams(model, *, threads=1, config=None, options=None, **deployment_options):
    """An application for serve.run(): live streams of a model that keeps its states.

    model: what rondo.compile_model() takes; a path must be there on each node. threads: cores and
    threads of a replica. options: those of create_stream_pool(); idle streams close after 600 s.
    deployment_options: those of serve.deployment(), such as num_replicas and autoscaling_config,
    but the router, which keeps a session on its replica.
    """
    router = RequestRouterConfig(request_router_class=_ROUTER,
                                 request_router_kwargs={"num_fallback_replicas": 0})
    settings = {"name": "streams", "max_ongoing_requests": 10000, **deployment_options,
                "request_router_config": router}
    settings["ray_actor_options"] = {"num_cpus": threads, **settings.get("ray_actor_options", {})}
    return deployment(**settings)(Replica).bind(
        model, {"INFERENCE_NUM_THREADS": threads, **(config or {})},
        {"idle_timeout": 600, **(options or {})})


class Session:
    """A client's stream on the replicas of streams(). One call at a time.

    It keeps the state that it asks for after every `save_every` chunks, and the chunks since. If the
    stream's replica ends, or another one becomes the session's, it sends these and goes on: the
    outputs are those of a stream that was never interrupted. It tries for `timeout` seconds.
    """

    def __init__(self, handle, session_id=None, save_every=16, timeout=60):
        self.id = session_id or uuid.uuid4().hex
        self._handle = handle.options(session_id=self.id)
        self._save_every, self._timeout = save_every, timeout
        self._state, self._saved_at, self._chunks = None, 0, []

    def infer(self, inputs):
        """The outputs by name. For threads and scripts; raises what the step raises."""
        for pause, limit, call in self._tries(inputs):
            time.sleep(pause)
            with contextlib.suppress(*_RETRIED):
                return self._accept(inputs, self._handle.push.remote(*call).result(timeout_s=limit))

    async def infer_async(self, inputs):
        """The same for asyncio, and inside deployments."""
        for pause, limit, call in self._tries(inputs):
            await asyncio.sleep(pause)
            with contextlib.suppress(*_RETRIED):
                answer = await asyncio.wait_for(self._handle.push.remote(*call), limit)
                return self._accept(inputs, answer)

    def close(self):
        """Ends the stream on its replica, which otherwise does so when it has been idle."""
        self._handle.close.remote(self.id)

    def _tries(self, inputs):
        """Seconds to wait before and at most for an answer, and the arguments of push()."""
        deadline, save = time.monotonic() + self._timeout, len(self._chunks) + 1 >= self._save_every
        call = self.id, self._saved_at + len(self._chunks), [inputs], None, save
        yield 0, self._timeout, call
        pause, call = 0, (self.id, self._saved_at, [*self._chunks, inputs], self._state, save)
        while (left := deadline - time.monotonic()) > 0:
            yield pause, left, call
            pause = 0.1
        raise TimeoutError(f"session '{self.id}': no answer in {self._timeout} s")

    def _accept(self, inputs, answer):
        outputs, state = answer
        self._chunks.append(copy.deepcopy(inputs))
        if state is not None:
            self._saved_at += len(self._chunks)
            self._state, self._chunks = state, []
        return outputs


class Predictor:
    """A model for Dataset.map_batches(): columns are its inputs, and its outputs are added.

    Rows may have any lengths; the arguments are those of rondo.spark.make_predict_fn(). It uses as
    many threads as num_cpus of map_batches().
    """

    def __init__(self, model, lengths=None, config=None):
        self._rows = RowModel(model, lengths, config)

    def __call__(self, batch):
        return {**batch, **{name: joined(rows) for name, rows in self._rows(batch).items()}}
