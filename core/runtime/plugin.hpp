// The interface of the devices inside the library, which compile a graph and run it. Those of other
// libraries implement rondo/plugin.hpp, and device_adapter.hpp brings them here.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/graph/graph.hpp"
#include "core/runtime/variable_value.hpp"
#include "rondo/compiled_model.hpp"
#include "rondo/core.hpp"
#include "rondo/infer_request.hpp"
#include "rondo/properties.hpp"
#include "rondo/tensor.hpp"

namespace rondo {

/// Runs one inference at a time; each request owns one.
class Executor {
public:
    virtual ~Executor() = default;

    /// `inputs` are contiguous, in the order of the parameters, and fit their types and shapes.
    /// An output that is empty gets a tensor of the executor's, which the next run overwrites; one
    /// that is set must be contiguous and is written to: throws ModelError if type or shape
    /// differ. Stops with CancelledError soon after `cancelled` turns true.
    virtual void run(std::span<const Tensor> inputs, std::span<Tensor> outputs,
                     const std::atomic<bool>& cancelled) = 0;

    /// From now on `allocator` is asked for the memory of outputs that are empty; null: not any
    /// more. False if it isn't: then the caller copies.
    virtual bool set_output_allocator(const OutputAllocator& /*allocator*/) { return false; }

    /// The values that a run reads and leaves for the next one: the graph's variables, in their
    /// order. A run that throws doesn't change them. Don't access them during a run.
    virtual std::span<VariableValue> variables() { return {}; }

    /// Runs with so many sets of shapes take turns without preparing anything again.
    virtual void keep_plans(std::size_t /*count*/) {}

    /// The time of each node in the last run; empty unless compiled to keep it.
    virtual std::vector<ProfilingInfo> profiling() const = 0;
    /// What each thread did in the last run; empty unless compiled to keep it.
    virtual std::vector<TraceSlice> trace() const { return {}; }
    /// Memory for tensors between nodes, as it is after the last run.
    virtual std::size_t arena_bytes() const { return 0; }
};

/// Plans for new input shapes.
struct PlanCounts {
    std::uint64_t made = 0;
    std::uint64_t hits = 0;  ///< that an executor needed, and another one had made
};

/// A compiled graph. Thread-safe.
class Executable {
public:
    virtual ~Executable() = default;
    virtual std::unique_ptr<Executor> create_executor() = 0;
    /// The graph that really runs. Its parameters and results correspond to the model's.
    virtual std::shared_ptr<const Graph> graph() const = 0;
    virtual std::vector<KernelInfo> kernels() const = 0;
    /// The properties in force and the device's read-only ones. NUM_STREAMS is the number of
    /// inferences that run at once in the background.
    virtual Properties properties() const = 0;
    /// Called on the background thread of that number before its first inference. Must not throw.
    virtual void enter_stream(std::size_t /*stream*/) {}
    /// True if graph() lacks the elements of constants, since the kernels have packed them:
    /// see Plugin::compile_and_release().
    virtual bool has_released() const { return false; }
    /// graph() with all elements, made once more of what compile_and_release() was given.
    virtual std::shared_ptr<Graph> make_again(std::shared_ptr<Graph> given) const { return given; }
    /// The runtime model for users, in ops that files can hold; `copy`: of graph().
    virtual std::shared_ptr<Graph> runtime_graph(std::shared_ptr<Graph> copy) const { return copy; }
    /// Plans made and found so far. Thread-safe.
    virtual PlanCounts plan_counts() const { return {}; }
};

/// A device.
class Plugin {
public:
    virtual ~Plugin() = default;
    virtual Version version() const = 0;
    /// The device's properties with their default or read-only values.
    virtual Properties properties() const = 0;
    /// Throws ModelError if a value doesn't fit the property; the names are valid.
    virtual void check_property(const std::string& name, const std::string& value) const = 0;
    /// `graph` is the plugin's own copy, after the portable passes. `properties` holds a
    /// value for every property that the device has.
    virtual std::unique_ptr<Executable> compile(std::shared_ptr<Graph> graph,
                                                const Properties& properties) = 0;
    /// As compile(), for a caller that can give the same graph once more: large constants may be
    /// released as soon as kernels have packed them.
    virtual std::unique_ptr<Executable> compile_and_release(std::shared_ptr<Graph> graph,
                                                            const Properties& properties) {
        return compile(std::move(graph), properties);
    }
    /// What a cached model depends on besides model, version and device, as text: the machine, and
    /// the settings that change results.
    virtual std::string cache_key(const Properties& /*properties*/) const { return {}; }
};

struct BuiltinPlugin {
    const char* name;
    std::unique_ptr<Plugin> (*make)();
};

/// The devices that are part of the library. Defined in plugins/builtin_plugins.cpp.
std::span<const BuiltinPlugin> builtin_plugins();

}  // namespace rondo
