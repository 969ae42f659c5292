"""Rondo in Spark: the function that pyspark.ml.functions.predict_batch_udf() takes.

    predict = predict_batch_udf(rondo.spark.make_predict_fn("model.onnx"), batch_size=64,
                                return_type=ArrayType(FloatType()), input_tensor_shapes=[[8, 8]])
    table.select(predict("pixels"))
"""

# mypy: ignore-errors
import inspect
import os

from rondo._rows import RowModel, joined


def make_predict_fn(model, *, ragged=False, lengths=None, config=None):
    """Returns what predict_batch_udf() calls once in each Python worker, which then compiles the model.

    model: a path on each machine or one that SparkContext.addFile() sent, bytes, or a broadcast of
    bytes. Columns are the model's inputs in its order, a row of them a row of the batch.

    ragged: another column follows them: the number of steps of each row, a row of one input being
    that many steps, flat, perhaps with others after them. Rows of one length share an inference.
    lengths: rows are ragged, and the model's input of that name takes these numbers, so that rows of
    all lengths share one.

    Outputs are arrays of one row each, flat if they have more than one axis; several outputs and
    those of ragged rows are fields of a StructType.
    """
    is_ragged = ragged or lengths is not None

    def make():
        rows = RowModel(_contents(model), lengths, config)
        names = rows.inputs + (["steps"] if is_ragged else [])

        def predict(*columns):
            given = dict(zip(names, columns))
            if is_ragged:
                given = {name: [rows.first_steps(name, row, steps)
                                for row, steps in zip(given[name], given["steps"])]
                         for name in rows.inputs}
            return _answer(rows(given), is_ragged)

        # By the number of parameters Spark knows how many columns there are.
        predict.__signature__ = inspect.Signature(
            [inspect.Parameter(f"column_{i}", inspect.Parameter.POSITIONAL_ONLY)
             for i in range(len(names))])
        return predict

    return make


def _contents(model):
    """The path or bytes of what make_predict_fn() was given."""
    model = getattr(model, "value", model)  # of a broadcast
    if isinstance(model, (str, os.PathLike)) and not os.path.exists(model):
        from pyspark import SparkFiles

        return SparkFiles.get(os.fspath(model))
    return model


def _answer(results, is_ragged):
    """What Spark takes for {output: a list of arrays, one a row}."""
    if is_ragged:
        results = {name: [_flat(row) for row in rows] for name, rows in results.items()}
        return [dict(zip(results, row)) for row in zip(*results.values())]
    columns = {name: joined(rows) for name, rows in results.items()}
    columns = {name: rows.reshape(len(rows), -1) if rows.ndim > 2 else rows
               for name, rows in columns.items()}
    return columns if len(columns) > 1 else next(iter(columns.values()))


def _flat(row):
    return row.ravel() if row.ndim else row[()]
