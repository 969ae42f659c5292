// What people give for a model: a path, its bytes, an open file, or an onnx.ModelProto.
#pragma once

#include <pybind11/pybind11.h>

#include <optional>
#include <string>

#include "rondo/core.hpp"

namespace rondo::python {

namespace py = pybind11;

/// `weights` belong to an IR: None, a path, a Tensor or bytes. Python's lock is given up while the
/// model is read. Throws TypeError for what can't be a model.
Model read_model(const Core& core, const py::object& model, const py::object& weights,
                 const Properties& properties = {});

/// The path if `model` is one, and nothing else is needed to read it.
std::optional<std::string> lone_path(const py::object& model, const py::object& weights);

}  // namespace rondo::python
