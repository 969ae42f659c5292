// Many live sequences on one compiled model, from Python: rondo.StreamPool.
#pragma once

#include <memory>
#include <string>

#include "bindings/python/src/run/compiled_model.hpp"
#include "bindings/python/src/run/stream.hpp"

namespace rondo::python {

/// All calls need Python's lock, which is given up while they wait.
class PyStreamPool {
public:
    PyStreamPool(std::shared_ptr<const SharedModel> program, const StreamPoolOptions& options);

    std::unique_ptr<PyStream> open(int priority, const py::object& deadline);
    StreamPoolStats stats() const { return parts_->pool.stats(); }
    void warm_up(const py::object& inputs);
    void close();

private:
    std::shared_ptr<PoolParts> parts_;
};

/// "reject", "block" or "drop_oldest"; throws ModelError for others.
Overflow overflow_from(const std::string& name);

/// Makes Python close all pools that are left before it ends.
void close_pools_at_exit();

}  // namespace rondo::python
