// A compiled model as a Python object that can be called: rondo.CompiledModel.
#pragma once

#include <memory>

#include "bindings/python/src/run/infer_request.hpp"

namespace rondo::python {

/// Thread-safe, as all calls hold Python's lock but while they infer.
class PyCompiledModel {
public:
    explicit PyCompiledModel(std::shared_ptr<const SharedModel> program)
        : program_(std::move(program)) {}

    /// Infers with all inputs, and a request that is kept for the next call; calls from other
    /// threads meanwhile get requests of their own.
    Results infer(const py::object& inputs, const Sharing& sharing);
    std::shared_ptr<Request> create_request() const { return std::make_shared<Request>(program_); }

    const std::shared_ptr<const SharedModel>& program() const { return program_; }

private:
    std::shared_ptr<const SharedModel> program_;
    std::shared_ptr<Request> spare_;  // empty while a call uses it
};

}  // namespace rondo::python
