#include "bindings/python/src/run/stream_pool.hpp"

#include <algorithm>

#include "bindings/python/src/convert/seconds.hpp"
#include "rondo/error.hpp"

namespace rondo::python {
namespace {

// The pools whose threads run. Never destroyed: threads outlive static objects. Guarded by Python's
// lock.
std::vector<std::weak_ptr<PoolParts>>& live_pools() {
    static auto* const pools = new std::vector<std::weak_ptr<PoolParts>>;
    return *pools;
}

}  // namespace

PyStreamPool::PyStreamPool(std::shared_ptr<const SharedModel> program,
                           const StreamPoolOptions& options)
    : parts_(std::make_shared<PoolParts>(std::move(program), options)) {
    auto& pools = live_pools();
    pools.erase(
        std::remove_if(pools.begin(), pools.end(), [](const auto& pool) { return pool.expired(); }),
        pools.end());
    pools.push_back(parts_);
}

std::unique_ptr<PyStream> PyStreamPool::open(int priority, const py::object& deadline) {
    StreamOptions options;
    options.priority = priority;
    options.deadline = std::chrono::ceil<std::chrono::microseconds>(
        duration_from(deadline, "option 'deadline' of a stream"));
    return std::make_unique<PyStream>(parts_, parts_->pool.open(options));
}

void PyStreamPool::warm_up(const py::object& inputs) {
    const std::vector<Tensor> tensors = step_inputs(inputs, *parts_->program);
    const WithoutGil unlocked;
    parts_->pool.warm_up(tensors);
}

void PyStreamPool::close() { parts_->close(); }

Overflow overflow_from(const std::string& name) {
    if (name == "reject") return Overflow::reject;
    if (name == "block") return Overflow::block;
    if (name == "drop_oldest") return Overflow::drop_oldest;
    throw ModelError("option 'overflow' of a stream pool: got '" + name +
                     "'; expected 'reject', 'block' or 'drop_oldest'");
}

void close_pools_at_exit() {
    py::module_::import("atexit").attr("register")(py::cpp_function([] {
        for (const auto& pool : std::exchange(live_pools(), {})) {
            const auto parts = pool.lock();
            if (parts != nullptr) parts->close();
        }
    }));
}

}  // namespace rondo::python
