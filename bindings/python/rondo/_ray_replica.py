"""A replica of rondo.ray.streams(): live streams, for a Session and over HTTP."""

# mypy: ignore-errors
import contextlib
import io
import os
import zipfile

import numpy as np
from starlette.responses import Response

import rondo

_STATE = "rondo.state"  # its name among inputs and outputs


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
        stream, done = self._streams.pop(session, (None, None))  # it comes back if it goes on
        if first == 0 or state is not None:
            stream, done = self._begin(stream, state), first
        unknown = UnknownStreamError(f"session '{session}' is not at step {first} here")
        if done != first:
            raise unknown
        try:
            for chunk in chunks:
                outputs = await stream.push(chunk)
                done += 1
        except rondo.ModelError:
            if not stream.is_open:
                raise unknown from None  # it was idle for too long
            self._streams.setdefault(session, (stream, done))
            raise
        self._streams[session] = stream, done
        named = {name: outputs[name] for name in self._outputs}
        return named, stream.save_state() if save else None

    async def __call__(self, request):
        """A step over HTTP: POST with inputs by name, as numpy.savez() writes them; so is the answer.

        Headers: x-session-id; x-step, its number from 0 on; x-save, if the answer is to bring the
        state. That is an array "rondo.state" of the answer, or of a request that goes on from there.
        An unknown stream is status 409. DELETE closes the stream.
        """
        session, step = (request.headers.get(name, "") for name in ("x-session-id", "x-step"))
        if request.method == "DELETE":
            await self.close(session)
            return Response(status_code=204)
        try:
            if not session or not step.isdecimal():
                raise ValueError("expected the headers x-session-id, and x-step with a number")
            inputs = _arrays(await request.body())
            state = inputs.pop(_STATE).tobytes() if _STATE in inputs else None
            outputs, state = await self.push(session, int(step), [inputs], state,
                                             "x-save" in request.headers)
        except UnknownStreamError as error:
            return Response(str(error), 409)
        except rondo.QueueFullError as error:
            return Response(str(error), 503)
        except (ValueError, MemoryError, zipfile.BadZipFile, rondo.ModelError,
                rondo.UnsupportedError) as error:
            return Response(str(error), 400)
        if state is not None:
            outputs[_STATE] = np.frombuffer(state, np.uint8)
        return Response(_file(outputs))

    def _begin(self, stream, state):
        """The stream at its beginning or at the state; another one if there is none."""
        if stream is not None:
            with contextlib.suppress(rondo.ModelError):  # it was idle for too long
                stream.reset()
        if stream is None or not stream.is_open:
            stream = self._open()
        if state is not None:
            try:
                stream.load_state(state)
            except rondo.ModelError:
                stream.close()
                raise
        return stream

    def _open(self):
        if len(self._streams) > 2 * self._pool.stats().streams + 100:  # it closes idle ones
            self._streams = {session: entry for session, entry in self._streams.items()
                             if entry[0].is_open}
        return self._pool.open()

    async def close(self, session):
        stream, _ = self._streams.pop(session, (None, None))
        if stream is not None:
            stream.close()

    async def info(self):
        return {"pid": os.getpid(), "streams": len(self._streams),
                "threads": int(self._model.get_property("INFERENCE_NUM_THREADS"))}


def _arrays(contents):
    """The arrays by name in the bytes of a file of numpy.savez()."""
    with zipfile.ZipFile(io.BytesIO(contents)) as archive:
        if any(member.compress_type != zipfile.ZIP_STORED for member in archive.infolist()):
            raise ValueError("the arrays are compressed; numpy.savez() writes them as they are")
        return {name[:-len(".npy")]: np.lib.format.read_array(archive.open(name))
                for name in archive.namelist()}


def _file(arrays):
    """The bytes of such a file; unlike numpy.savez() with arrays of any names."""
    contents = io.BytesIO()
    with zipfile.ZipFile(contents, "w") as archive:
        for name, array in arrays.items():
            with archive.open(name + ".npy", "w") as member:
                np.lib.format.write_array(member, np.asarray(array))
    return contents.getvalue()
