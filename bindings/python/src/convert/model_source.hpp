// What people give for a model: a path, its bytes, an open file, or an onnx.ModelProto.
#pragma once

#include <pybind11/pybind11.h>

#include <optional>
#include <string>
#include <vector>

#include "rondo/core.hpp"

namespace rondo::python {

namespace py = pybind11;

/// `weights`: None; of an IR a path, a Tensor or bytes; of an ONNX model in memory a dict of the
/// files of its external data, whose memory the model keeps. Python's lock is given up while the
/// model is read. Throws TypeError for what can't be a model.
Model read_model(const Core& core, const py::object& model, const py::object& weights,
                 const Properties& properties = {});

/// Core::query_model(), for the same.
std::vector<NodeSupport> query_nodes(const Core& core, const py::object& model,
                                     const py::object& weights, const Properties& properties);

/// The path if `model` is one, and nothing else is needed to read it.
std::optional<std::string> lone_path(const py::object& model, const py::object& weights);

}  // namespace rondo::python
