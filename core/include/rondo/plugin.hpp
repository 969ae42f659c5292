// The interface of a device in a library of its own, which Core::register_plugin() loads;
// docs/how_to_add_a_device.md shows how to write one.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "rondo/compiled_model.hpp"
#include "rondo/core.hpp"
#include "rondo/error.hpp"
#include "rondo/infer_request.hpp"
#include "rondo/model.hpp"
#include "rondo/properties.hpp"
#include "rondo/tensor.hpp"
#include "rondo/version.hpp"

namespace rondo {

/// One of the model's variables in an inference. Rondo keeps its value for each request and each
/// stream, so a device has no state of its own.
struct DeviceVariable {
    std::string name;  ///< the `variable_id` of its ReadValue and Assign
    /// What ReadValue gives; empty: its init input. Don't write to it or keep it after the run.
    Tensor value = {};
    /// Comes empty. The run puts in what Assign gets, of the variable's type and of a shape that
    /// fits; Rondo copies it if the run succeeds.
    Tensor next = {};
};

/// What one inference reads and writes.
struct DeviceInference {
    /// In the order of the model's inputs; contiguous, and their types and shapes fit.
    std::vector<Tensor> inputs;
    /// In the order of the model's outputs: empty, or what the user bound. The run puts a tensor of
    /// the output's type, and of a shape that fits, in each place. The tensor owns its memory or
    /// keeps it alive; the next run may overwrite its elements. If there was a bound tensor,
    /// Rondo copies the result to it, unless the run has written there.
    std::vector<Tensor> outputs;
    std::vector<DeviceVariable> variables;  ///< in any order; their number never changes
    /// Soon after it turns true the run throws CancelledError.
    const std::atomic<bool>* cancelled = nullptr;
};

/// Runs one inference at a time; each InferRequest owns one.
class DeviceRequest {
public:
    virtual ~DeviceRequest() = default;
    virtual void run(DeviceInference& inference) = 0;
    /// The time of each node in the last run; empty unless compiled to keep it.
    virtual std::vector<ProfilingInfo> profiling() const { return {}; }
};

/// A compiled model. Thread-safe.
class DeviceModel {
public:
    virtual ~DeviceModel() = default;
    virtual std::unique_ptr<DeviceRequest> create_request() = 0;
    /// The properties in force, besides those that compile() got; they replace those of that name.
    /// NUM_STREAMS is the number of inferences that run at once in the background.
    virtual Properties properties() const { return {}; }
    /// A row a node, in the order they run.
    virtual std::vector<KernelInfo> kernels() const { return {}; }
    /// The graph that really runs, in ops that files can hold; empty: the one that compile() got.
    virtual Model runtime_model() const { return {}; }
};

/// A device. Thread-safe. Rondo destroys requests before their model, and models before their
/// plugin; the library stays loaded until the process ends.
///
/// Each function of the three classes may throw. Any exception reaches the user as an Error whose
/// message names the device; those of error.hpp, such as UnsupportedError, keep their kind.
class DevicePlugin {
public:
    virtual ~DevicePlugin() = default;
    virtual Version version() const = 0;
    /// The device's properties with their default or read-only values. Rondo adds CACHE_DIR,
    /// LOG_LEVEL, DEVICE_ID and the limits, and handles them, if they aren't there.
    virtual Properties properties() const { return {}; }
    /// Throws ModelError if a value doesn't fit the property; the names are those of properties().
    virtual void check_property(const std::string& /*name*/, const std::string& /*value*/) const {}
    /// `model` is the plugin's own copy, after the portable passes; graph_builder.hpp shows its
    /// nodes and constants. `properties` holds a value for each of the device's properties that can
    /// be set. Throws UnsupportedError naming the node that can't run.
    virtual std::unique_ptr<DeviceModel> compile(const Model& model,
                                                 const Properties& properties) = 0;
};

}  // namespace rondo

/// Makes the library a plugin, whose device is `Class`: a DevicePlugin with a default constructor.
/// It is written once in the library, outside of namespaces. Rondo asks for the version first, and
/// refuses a library that was built with the headers of another minor version.
#define RONDO_DEFINE_PLUGIN(Class)                                                                 \
    extern "C" __attribute__((visibility("default"))) const char* rondo_plugin_version() {         \
        return RONDO_VERSION;                                                                      \
    }                                                                                              \
    extern "C" __attribute__((visibility("default"))) rondo::DevicePlugin* rondo_create_plugin() { \
        return new Class();                                                                        \
    }
