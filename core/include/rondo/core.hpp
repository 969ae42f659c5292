// The entry: reads models and compiles them for devices.
#pragma once

#include <functional>
#include <iosfwd>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "rondo/compiled_model.hpp"
#include "rondo/export.hpp"
#include "rondo/model.hpp"
#include "rondo/properties.hpp"

namespace rondo {

struct Version {
    std::string build_number;  ///< such as "0.1.0"
    std::string description;
};

/// Rondo's own version.
RONDO_API Version get_version();

/// Observes the passes, as `rondo compile --print-passes` and `--dump-after` do.
struct TransformOptions {
    /// Called with a line after each pass: name, changed or not, time, ops before and after.
    std::function<void(const std::string&)> print;
    /// Called with the graph's text after the pass of that name.
    std::string dump_after;
    std::function<void(const std::string&)> dump;
    /// Called with the ops' types by name before the first pass (whose name is then empty) and
    /// after each pass that changed the model. Ops of bodies are named as in "loop/add".
    std::function<void(const std::string& pass, const std::map<std::string, std::string>& ops)>
        watch;
    /// Called after the passes with the name of each loop that is left, and of each op of cells
    /// that are written out, and why they didn't become a recurrent sequence.
    std::function<void(const std::string& node, const std::string& reason)> explain;
    /// Passes after this one are not run.
    std::string stop_after;
    /// Checks the whole graph after every pass. Passes that undo each other's work are then an
    /// InternalError, else a warning in the log: the model is as the last round left it.
    bool validate = false;
    /// "openvino": further passes write what Rondo alone has as ops that OpenVINO has. Throws
    /// UnsupportedError naming all nodes for which there are none.
    std::string reader = {};
};

/// The files of an ONNX message's external data, in memory: location -> bytes. A model that is read
/// with them keeps the tensors as long as it needs them, and copies nothing.
class ExternalData {
public:
    /// Tensors of any type; their bytes count, in row-major order.
    ExternalData(std::map<std::string, Tensor> files) : files_((std::move)(files)) {}
    const std::map<std::string, Tensor>& files() const { return files_; }

private:
    std::map<std::string, Tensor> files_;
};

/// What Core::query_model() says of one node of a model.
struct NodeSupport {
    std::string name;     ///< as messages call it: the node's, or "LSTM_3" if it has none
    std::string op_type;  ///< "LSTM", or with its domain: "com.microsoft.Gelu"
    bool supported = false;
    std::string reason;  ///< why it isn't supported
};

/// Thread-safe.
class RONDO_API Core {
public:
    Core();

    /// Reads an ONNX model or an IR (.xml with its .bin beside it or at `weights_path`), by
    /// content. Errors name the file and the place in it.
    Model read_model(const std::string& path, const std::string& weights_path = "") const;
    /// The same from memory: an ONNX message, or an IR's XML with its weights (kept by the model).
    Model read_model(const void* data, std::size_t size, const Tensor& weights = {}) const;
    /// The same with properties of reading besides those that were set for "CPU": KEEP_INPUTS and
    /// the limits.
    Model read_model(const std::string& path, const std::string& weights_path,
                     const Properties& properties) const;
    Model read_model(const void* data, std::size_t size, const Tensor& weights,
                     const Properties& properties) const;

    /// An ONNX message whose external data are in memory.
    Model read_model(const void* data, std::size_t size, const ExternalData& external,
                     const Properties& properties = {}) const;

    /// A row for each node of an ONNX model's main graph, in the file's order: whether it can be
    /// read, its bodies included. Nothing is compiled. A node after one that isn't supported is
    /// looked at if the model declares the type and shape of what lies between; otherwise it
    /// isn't supported either. All nodes of an IR are supported, or reading throws what
    /// read_model() would. Throws ModelError for a model that is broken as a whole.
    std::vector<NodeSupport> query_model(const std::string& path,
                                         const Properties& properties = {}) const;
    std::vector<NodeSupport> query_model(const void* data, std::size_t size,
                                         const ExternalData& external = {{}},
                                         const Properties& properties = {}) const;

    /// Runs the portable passes in place: what `rondo compile` does before it writes the IR.
    void transform(Model& model, const TransformOptions& options = {}) const;

    /// Devices: "CPU" (also "AUTO", "CPU.0"), "REFERENCE", those registered; else a ModelError.
    CompiledModel compile_model(const Model& model, const std::string& device = "CPU",
                                const Properties& properties = {}) const;
    CompiledModel compile_model(const std::string& path, const std::string& device = "CPU",
                                const Properties& properties = {}) const;

    /// Compiles what CompiledModel::export_model() wrote; reads the stream to its end.
    /// `properties` replace those that the model was compiled with. Throws ModelError if the
    /// bytes are no such model, or damaged.
    CompiledModel import_model(std::istream& stream, const std::string& device = "CPU",
                               const Properties& properties = {}) const;

    std::vector<std::string> get_available_devices() const;
    std::map<std::string, Version> get_versions(const std::string& device) const;

    void set_property(const std::string& device, const Properties& properties);
    std::string get_property(const std::string& device, const std::string& name) const;

    /// Loads a device from a shared library, under the name `name`. What the library must hold is
    /// in rondo/plugin.hpp; docs/how_to_add_a_device.md shows how to write one. A path without a
    /// slash is looked for where the system looks for libraries. Throws ModelError if it can't
    /// be loaded, is no plugin, or was built for another version of Rondo.
    void register_plugin(const std::string& path, const std::string& name);

private:
    struct Impl;
    std::shared_ptr<Impl> impl_;
};

}  // namespace rondo
