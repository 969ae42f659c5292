"""Rondo on Ray: live streams in Ray Serve, on any number of replicas, and models over datasets."""

# mypy: ignore-errors
import asyncio
import contextlib
import copy
import os
import time
import uuid

from ray.exceptions import RayActorError
from ray.serve import deployment
from ray.serve.config import RequestRouterConfig

import rondo
from rondo._rows import RowModel, joined

_ROUTER = "ray.serve.experimental.consistent_hash_router.ConsistentHashRouter"


class UnknownStreamError(Exception):
    """The replica has no such stream, or not at that step: the client sends its state."""


class Replica:
    """The streams of one replica; their steps share batches."""

    def __init__(self, model, config, options):
        self._model = rondo.compile_model(model, "CPU", config)
        self._outputs = [port.any_name for port in self._model.outputs]
        self._pool = self._model.create_stream_pool(**options)
        self._streams = {}  # session: (stream, the number of steps that it has done)

    async def push(self, session, first, chunks, state=None, save=False):
        """Runs the chunks, which are the session's steps from number `first` on.

        Returns the outputs of the last one, and if `save` the state after it. A session begins, or
        begins again, with step 0 or with the `state` before the chunks.
        """
        stream, done = self._streams.pop(session, (None, None))  # it comes back if all goes well
        if first == 0 or state is not None:
            stream, done = self._open(state), first
        if done != first or not stream.is_open:
            raise UnknownStreamError(f"session '{session}' is not at step {first} here")
        for chunk in chunks:
            outputs = await stream.push(chunk)
        self._streams[session] = stream, first + len(chunks)
        named = {name: outputs[name] for name in self._outputs}
        return named, stream.save_state() if save else None

    def _open(self, state):
        if len(self._streams) > 2 * self._pool.stats().streams + 100:  # it closes idle ones
            self._streams = {session: entry for session, entry in self._streams.items()
                             if entry[0].is_open}
        stream = self._pool.open()
        if state is not None:
            stream.load_state(state)
        return stream

    async def close(self, session):
        stream, _ = self._streams.pop(session, (None, None))
        if stream is not None:
            stream.close()

    async def info(self):
        return {"pid": os.getpid(), "streams": len(self._streams),
                "threads": int(self._model.get_property("INFERENCE_NUM_THREADS"))}


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
        for pause, call in self._tries(inputs):
            time.sleep(pause)
            with contextlib.suppress(UnknownStreamError, RayActorError):
                return self._accept(inputs, self._handle.push.remote(*call).result())

    async def infer_async(self, inputs):
        """The same for asyncio, and inside deployments."""
        for pause, call in self._tries(inputs):
            await asyncio.sleep(pause)
            with contextlib.suppress(UnknownStreamError, RayActorError):
                return self._accept(inputs, await self._handle.push.remote(*call))

    def close(self):
        """Ends the stream on its replica, which otherwise does so when it has been idle."""
        self._handle.close.remote(self.id)

    def _tries(self, inputs):
        """Seconds to wait, and the arguments of push(), until the time is over."""
        deadline, save = time.monotonic() + self._timeout, len(self._chunks) + 1 >= self._save_every
        yield 0, (self.id, self._saved_at + len(self._chunks), [inputs], None, save)
        pause = 0
        while time.monotonic() <= deadline:
            yield pause, (self.id, self._saved_at, [*self._chunks, inputs], self._state, save)
            pause = 0.1
        raise TimeoutError(f"session '{self.id}': no replica in {self._timeout} s")

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
