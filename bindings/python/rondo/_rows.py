"""Models over rows of tables: a row is an element of the batch, and rows may have any lengths."""

# mypy: ignore-errors
import numpy as np

import rondo


class RowModel:
    """A compiled model whose axis 0 is the batch, at each input and output.

    Rows of equal shapes share an inference. Where `lengths` names the input that takes the number of
    steps of each row, rows of all lengths share one, filled up with zeros.
    """

    def __init__(self, model, lengths=None, config=None):
        if not isinstance(model, rondo.Model):
            model = rondo.Core().read_model(model)
        model = model.clone()
        model.set_batch(-1)  # raises UnsupportedError that names the op which mixes rows
        compiled = rondo.compile_model(model, "CPU", config)
        ports = {port.any_name: port for port in compiled.inputs}
        if lengths is not None and lengths not in ports:
            raise rondo.ModelError(f"lengths: the model has no input '{lengths}'; "
                                   f"there are {', '.join(ports)}")
        self.inputs = [name for name in ports if name != lengths]
        self.outputs = [port.any_name for port in compiled.outputs]
        self._lengths = lengths
        self._shapes = {name: _row_shape(ports[name]) for name in self.inputs}
        self._steps = {port.any_name: _open_axis(_row_shape(port)) for port in compiled.outputs}
        self._request = compiled.create_infer_request()

    def __call__(self, columns):
        """columns: {input: rows}, flat or in the input's shape. {output: a list of arrays, one a row}."""
        rows = {name: self._arrays(name, columns) for name in self.inputs}
        counts = {name: len(some) for name, some in rows.items()}
        if len(set(counts.values())) > 1:
            raise rondo.ModelError(f"columns differ in their number of rows: {counts}")
        results = {name: [None] * counts[self.inputs[0]] for name in self.outputs}
        for members in self._batches(rows):
            batch = {name: [rows[name][member] for member in members] for name in self.inputs}
            for name, arrays in self._infer(batch).items():
                for member, array in zip(members, arrays):
                    results[name][member] = array
        return results

    def first_steps(self, name, row, count):
        """The first `count` steps of a row of the input, which may be flat; all of a row without steps."""
        shape, row = self._shapes[name], np.asarray(row)
        axis = _open_axis(shape)
        if axis is None:
            return row
        size = int(np.prod([extent for extent in shape if extent != -1])) * int(count)
        if row.ndim == len(shape):
            return np.take(row, range(count), axis)
        if row.size < size or (row.size > size and axis > 0):
            raise rondo.ModelError(f"column '{name}' has a row of {row.size} elements; expected "
                                   f"{size} for {count} steps of {shape}")
        return row[:size]

    def _arrays(self, name, columns):
        if name not in columns:
            raise rondo.ModelError(f"there is no column '{name}'; there are {', '.join(columns)}")
        return [_shaped(np.asarray(row), self._shapes[name], name) for row in columns[name]]

    def _batches(self, rows):
        """Lists of rows that share an inference."""
        first = rows[self.inputs[0]]
        groups = {}
        for member in range(len(first)):
            shapes = () if self._lengths else tuple(some[member].shape for some in rows.values())
            groups.setdefault(shapes, []).append(member)
        return groups.values()

    def _infer(self, batch):
        tensors, steps = {}, None
        for name, arrays in batch.items():
            axis = _open_axis(self._shapes[name])
            if self._lengths and axis is not None:
                counts = [array.shape[axis] for array in arrays]
                if steps not in (None, counts):
                    raise rondo.ModelError(f"lengths: rows of '{name}' have {counts} steps, those of "
                                           f"another input {steps}")
                steps = counts
                arrays = [_filled(array, axis, max(steps)) for array in arrays]
            tensors[name] = np.stack(arrays)
        if self._lengths:
            if steps is None:
                raise rondo.ModelError("lengths: no input has an open number of steps")
            tensors[self._lengths] = np.array(steps, np.int32)
        outputs = self._request.infer(tensors)
        results = {name: list(outputs[name]) for name in self.outputs}
        for name, axis in self._steps.items():
            if self._lengths and axis is not None:
                results[name] = [np.take(row, range(count), axis)
                                 for row, count in zip(results[name], steps)]
        return results


def joined(rows):
    """An array of all rows; one of arrays if their shapes differ."""
    if len({row.shape for row in rows}) == 1:
        return np.stack(rows)
    column = np.empty(len(rows), object)
    column[:] = rows
    return column


def _row_shape(port):
    """The extents of a row; -1 where one is open."""
    return [extent.get_length() if extent.is_static else -1
            for extent in list(port.partial_shape)[1:]]


def _open_axis(shape):
    return shape.index(-1) if -1 in shape else None


def _shaped(array, shape, name):
    if array.ndim == len(shape):
        return array
    if shape.count(-1) > 1:
        raise rondo.ModelError(f"column '{name}' has flat rows, and the input's rows are {shape}; "
                               "expected rows of that rank")
    try:
        return array.reshape(shape)
    except ValueError:
        raise rondo.ModelError(f"column '{name}' has a row of shape {list(array.shape)}; expected "
                               f"{shape}") from None


def _filled(array, axis, extent):
    """The array with zeros after its last step."""
    missing = [(0, 0)] * array.ndim
    missing[axis] = (0, extent - array.shape[axis])
    return np.pad(array, missing)
