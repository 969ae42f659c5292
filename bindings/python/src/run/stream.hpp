// One live sequence, from Python: rondo.Stream.
#pragma once

#include <memory>

#include "bindings/python/src/run/stream_step.hpp"
#include "rondo/stream_pool.hpp"

namespace rondo::python {

/// A tensor for each of the model's inputs, empty where `inputs` doesn't give it. They share the
/// arrays' memory where they can.
std::vector<Tensor> step_inputs(const py::object& inputs, const SharedModel& program);

/// All calls need Python's lock, which is given up while they wait.
class PyStream {
public:
    PyStream(std::shared_ptr<PoolParts> pool, Stream stream)
        : pool_(std::move(pool)), stream_(std::move(stream)) {}
    ~PyStream();
    PyStream(const PyStream&) = delete;
    PyStream& operator=(const PyStream&) = delete;

    std::unique_ptr<PyStreamStep> push(const py::object& inputs);
    Results infer(const py::object& inputs);
    /// Variable -> array.
    py::dict state() const;
    /// From a dict of arrays or tensors.
    void set_state(const py::object& state);
    std::unique_ptr<PyStream> fork() const;
    Stream& stream() { return stream_; }

private:
    std::shared_ptr<PoolParts> pool_;
    Stream stream_;
};

}  // namespace rondo::python
