"""Rondo: runs files with its Python package, and compiles them with its command."""

import subprocess

import numpy


class Failed(Exception):
    """Its message."""


class Rondo:
    def __init__(self, command):
        import rondo

        self.core = rondo.Core()
        self.version = rondo.__version__
        self.command = command

    def run(self, path, runs, device="CPU"):
        """Outputs by position for each run, one request for all of them."""
        try:
            compiled = self.core.compile_model(str(path), device)
            known = {name for port in compiled.inputs for name in port.get_names()}
            request = compiled.create_infer_request()
            results = []
            for feeds in runs:
                request.infer({name: array for name, array in feeds.items() if name in known})
                results.append([numpy.array(request.get_output_tensor(i).data)
                                for i in range(len(compiled.outputs))])
            return results
        except Exception as error:  # all that it throws is its answer
            raise Failed(" ".join(str(error).split())) from None

    def input_names(self, path):
        return [name for port in self.core.read_model(str(path)).inputs
                for name in port.get_names()]

    def output_names(self, path):
        return [sorted(port.get_names()) for port in self.core.read_model(str(path)).outputs]

    def compile(self, path, target, *options):
        done = subprocess.run([self.command, "compile", str(path), "-o", str(target), *options],
                              capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise Failed(" ".join((done.stderr or done.stdout).split()))
