// Declares what control nodes ask of a body: a compiled graph that a node runs as a part of itself.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "plugins/cpu/nodes/common/cpu_node.hpp"

namespace rondo::cpu {

/// One run of a body that is bound to sizes.
struct BodyRunArgs {
    std::span<const void* const> inputs;  ///< a parameter each
    std::span<void* const> outputs;       ///< a result each; none overlaps an input or another
    void* scratch;                        ///< as BoundBody::start() left it
    Team& team;
    const std::atomic<bool>* cancelled;  ///< may be null
    StepProfile* profile = nullptr;      ///< may be null
};

/// A body bound to sizes. Immutable; runs may overlap in time, each with its own scratch.
class BoundBody {
public:
    virtual ~BoundBody() = default;
    /// A result each.
    virtual std::span<const TensorInfo> outputs() const = 0;
    virtual std::size_t scratch_bytes() const = 0;
    /// Once before any number of runs with this scratch, which lies on a cache line.
    /// Says in `profile`, which may be null, what became of the body's nodes.
    virtual void start(void* scratch, StepProfile* profile) const = 0;
    /// Writes all results. Allocates nothing. Throws CancelledError soon after `cancelled` is true.
    virtual void run(const BodyRunArgs& args) const = 0;
};

/// One run of a body with any shapes.
struct OpenBodyArgs {
    std::span<const Tensor> inputs;  ///< a parameter each; they may be outputs of the last run
    /// A result each: set to tensors that the next run may overwrite unless they are its inputs.
    std::span<Tensor> outputs;
    Team& team;
    const std::atomic<bool>& cancelled;
    StepProfile* profile = nullptr;  ///< may be null
};

/// Runs a body with any shapes, for one inference at a time. Keeps memory and plans from run to
/// run: shapes that it has seen cost no allocation.
class BodyRun {
public:
    virtual ~BodyRun() = default;
    virtual void run(const OpenBodyArgs& args) = 0;
};

/// Immutable and thread-safe.
class Body {
public:
    virtual ~Body() = default;
    /// The results for parameters like these, whose elements may be known. Returns nothing if some
    /// shape in the body stays open.
    virtual std::optional<std::vector<TensorInfo>> infer(
        std::span<const TensorInfo> inputs) const = 0;
    /// infer() must have found all shapes.
    virtual std::unique_ptr<BoundBody> bind(std::span<const TensorInfo> inputs,
                                            int threads) const = 0;
    virtual std::unique_ptr<BodyRun> make_run() const = 0;
    /// Plans of its runs so far, and those of the bodies in it.
    virtual std::uint64_t plans_made() const = 0;
    /// The nodes of the body and what runs them.
    virtual std::vector<NodePart> parts() const = 0;
    /// For runs of this body. It must not outlive the body.
    virtual std::unique_ptr<StepProfile> make_profile() const = 0;
};

}  // namespace rondo::cpu
