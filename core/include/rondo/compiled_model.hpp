// A model made ready for one device: generated code, packed weights, a program of steps.
#pragma once

#include <iosfwd>
#include <memory>
#include <string>
#include <vector>

#include "rondo/export.hpp"
#include "rondo/infer_request.hpp"
#include "rondo/metrics.hpp"
#include "rondo/model.hpp"
#include "rondo/properties.hpp"
#include "rondo/stream_pool.hpp"

namespace rondo {

/// The kernel of one node, for `rondo info --explain`.
struct KernelInfo {
    std::string node_name;
    std::string node_type;
    std::string kernel;  ///< such as "lstm_avx512_f32"
    std::string reason;  ///< why this kernel and strategy
};

/// Thread-safe. A handle: copies share the program.
class RONDO_API CompiledModel {
public:
    class Impl;
    CompiledModel() = default;
    explicit CompiledModel(std::shared_ptr<Impl> impl) : impl_((std::move)(impl)) {}

    explicit operator bool() const { return impl_ != nullptr; }

    InferRequest create_infer_request();
    /// Runs many live sequences; see StreamPool. Throws ModelError for an option out of range.
    StreamPool create_stream_pool(const StreamPoolOptions& options = {});

    const std::vector<PortInfo>& inputs() const;
    const std::vector<PortInfo>& outputs() const;
    /// As Model::constant_inputs().
    const std::vector<std::string>& constant_inputs() const;
    const PortInfo& input(const std::string& name) const;
    const PortInfo& output(const std::string& name) const;

    /// Throws ModelError for an unknown name, listing the known ones.
    std::string get_property(const std::string& name) const;

    /// A row a node, in the order they run.
    std::vector<KernelInfo> kernels() const;
    /// A copy of the graph that runs, after the device's own passes. Ops that the device made for
    /// itself are standard ops there, so that the model can be saved and compiled again.
    Model runtime_model() const;

    /// What all requests and stream pools of this model have done. Costs a walk over the counters
    /// of each request; never blocks an inference.
    Metrics metrics() const;

    /// Frees what is kept of large constants that kernels have packed: for a model whose weights
    /// were in memory, that is all of them once more. From then on runtime_model(), export_model()
    /// and create_stream_pool() may throw a ModelError that says so.
    void release_source();

    /// Writes what Core::import_model() reads: the graph after the passes, its constants, hints
    /// and switches, but not the numbers of threads and streams. Kernels are generated again.
    /// Throws ModelError if the stream fails.
    void export_model(std::ostream& stream) const;

private:
    std::shared_ptr<Impl> impl_;
};

}  // namespace rondo
