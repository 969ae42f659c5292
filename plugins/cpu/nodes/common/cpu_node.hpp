// What the program and its executable nodes say to each other.
#pragma once

#include <atomic>
#include <compare>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/graph/infer_context.hpp"
#include "core/graph/node.hpp"
#include "core/support/limits.hpp"
#include "plugins/cpu/kernels/machine/cpu_features.hpp"
#include "plugins/cpu/kernels/threads/team.hpp"
#include "rondo/tensor.hpp"

namespace rondo::cpu {

/// An input or output of a node once all sizes are known.
struct TensorInfo {
    ElementType type = ElementType::dynamic;
    Shape shape;
    Tensor value;         ///< an input's elements where they are known before the run, else empty
    bool wanted = true;   ///< false for an output that nothing reads
    bool packed = false;  ///< a constant whose elements its readers alone have, packed
};

/// The sizes that a call is made for.
struct CallSite {
    std::span<const TensorInfo> inputs;
    std::span<const TensorInfo> outputs;
    int threads = 1;
};

/// Says that an output is part of an input's memory, so that nothing has to be copied.
struct View {
    std::size_t input = 0;
    std::size_t byte_offset = 0;
};

class Body;
class StepProfile;

/// Where the times of a node's bodies go, a pointer each; empty where nothing is measured.
using BodyProfiles = std::span<StepProfile* const>;

/// One run of a call. Tensors are row-major; none overlaps another, except views.
struct RunArgs {
    std::span<const void* const> inputs;
    std::span<void* const> outputs;
    void* scratch;  ///< Call::scratch_bytes() bytes on a cache line
    Team& team;
    /// Long calls stop where this is set, with outputs undefined: the caller throws CancelledError.
    const std::atomic<bool>* cancelled = nullptr;
    BodyProfiles profiles = {};
};

/// A node bound to sizes: strides, strategies and views are settled. Immutable; several executors
/// may run it at once, each with its own memory.
class Call {
public:
    virtual ~Call() = default;

    /// Writes the outputs that are no views. Allocates nothing. Throws ModelError naming the node
    /// where elements are not what the op allows.
    virtual void run(const RunArgs& args) const = 0;

    virtual std::size_t scratch_bytes() const { return 0; }
    /// The input that this output lies in, or nothing where run() writes it.
    virtual std::optional<View> view(std::size_t /*output*/) const { return std::nullopt; }
    /// What these sizes made of the kernel, for profiles: "hidden_split 2"; may be empty.
    virtual std::string detail() const { return {}; }
    /// Why so, for --explain; may be empty.
    virtual std::string reason() const { return {}; }
};

/// A call that has nothing to run, since its outputs are views.
class ViewCall final : public Call {
public:
    explicit ViewCall(std::vector<View> views) : views_(std::move(views)) {}
    void run(const RunArgs&) const override {}
    std::optional<View> view(std::size_t output) const override { return views_[output]; }
    std::string detail() const override { return "view"; }

private:
    std::vector<View> views_;
};

/// One run of a step that finds its outputs' shapes itself.
struct LateRunArgs {
    std::span<const Tensor> inputs;  ///< row-major
    /// Those of the last run, or empty. Each must be set to a row-major tensor, which stays as it
    /// is until the next run.
    std::span<Tensor> outputs;
    Team& team;
    const std::atomic<bool>& cancelled;  ///< throws CancelledError soon after it turns true
    BodyProfiles profiles = {};
    ModelLimits limits = {};  ///< of tensors, and of all that grows in the run
};

/// Runs a step whose outputs' shapes follow neither from its inputs' shapes nor from elements that
/// infer() asks for, such as a loop that ends by a computed condition. For one inference at a time:
/// it may keep memory and plans from run to run.
class LateRun {
public:
    virtual ~LateRun() = default;
    /// Throws ModelError naming the node where elements are not what the op allows.
    virtual void run(const LateRunArgs& args) = 0;
};

/// Finds the extents of a step's outputs from elements that a run has just computed, for a step
/// whose elements don't matter to a plan beyond that. Immutable.
class ExtentFinder {
public:
    virtual ~ExtentFinder() = default;
    /// `inputs`: all of the node's, row-major. Sets an output's shape each; allocates only where a
    /// shape has less memory than its rank needs. Throws ModelError naming the node where the
    /// elements are not what the op allows.
    virtual void find(std::span<const void* const> inputs, std::span<Shape> shapes) const = 0;
};

/// What nodes may know when they are made.
struct CompileContext {
    Isa isa = Isa::plain;
    bool bf16 = false;  ///< products of f32 with constants may be of kBf16
    /// Compiles a graph that a node runs as a part of itself. Empty where there are no such nodes.
    std::function<std::unique_ptr<Body>(const GraphPtr& graph)> make_body = {};
};

/// What a node whose inputs look like this has to say.
struct InferredNode {
    std::optional<std::vector<TensorInfo>> outputs;  ///< nothing where some shape stays open
    std::vector<std::size_t> missing;                ///< inputs whose elements were asked for
    std::vector<ElementType> types = {};             ///< an output each, where they are known
};

/// What profiles and --explain call a node.
struct ShownOp {
    std::string_view name;
    std::string_view type;
};

/// An op that a node runs as a part of itself.
struct NodePart {
    const Node& node;
    std::string kernel_name;
    /// Such as "loop/add" for an op of a body; otherwise the op's own.
    std::string name = node.name();
};

/// An input of an op.
struct ReadPort {
    const Node* op;
    std::size_t input;
    friend auto operator<=>(const ReadPort&, const ReadPort&) = default;
};

/// An op's executable form: owns packed weights and generated code, knows no sizes that may change.
/// Immutable.
class CpuNode {
public:
    CpuNode(const Node& node, std::string kernel_name, std::string reason)
        : node_(node), kernel_name_(std::move(kernel_name)), reason_(std::move(reason)) {}
    virtual ~CpuNode() = default;
    CpuNode(const CpuNode&) = delete;
    CpuNode& operator=(const CpuNode&) = delete;

    /// What the outputs are for these inputs. Throws ModelError naming the node where they don't
    /// fit.
    virtual InferredNode infer(std::span<const TensorInfo* const> inputs) const;

    /// Throws ModelError or UnsupportedError naming the node.
    virtual std::unique_ptr<Call> prepare(const CallSite& site) const = 0;
    /// For a step whose shapes infer() leaves open because elements are missing: null where a plan
    /// needs the elements themselves. Else prepare() takes these inputs with the extents that were
    /// found.
    virtual std::unique_ptr<ExtentFinder> make_extent_finder(
        std::span<const TensorInfo* const> /*inputs*/) const {
        return nullptr;
    }
    /// For a step whose shapes infer() leaves open though it misses no elements; null where the
    /// node can't run such a step.
    virtual std::unique_ptr<LateRun> make_late_run() const { return nullptr; }
    /// True where make_late_run() makes one.
    virtual bool finds_shapes() const { return false; }
    /// True where run() takes a null pointer for an output that nothing reads.
    virtual bool may_skip_output(std::size_t /*output*/) const { return false; }

    /// The inputs that the node has packed, of its op or of ops in it: it never reads their
    /// elements again, whatever the sizes.
    virtual std::vector<ReadPort> packed() const { return {}; }

    /// The op of the model that a profile shows for this node.
    virtual ShownOp shown() const { return {node_.name(), node_.type_name()}; }
    /// The ops that this one was joined from or that its bodies have, for profiles and --explain,
    /// without the shown one.
    virtual std::span<const NodePart> parts() const { return {}; }
    /// A BodyOp's, in its order.
    virtual std::span<const std::unique_ptr<Body>> bodies() const { return {}; }

    /// What sizes that are still open would make of the kernel, by an example; may be empty.
    virtual std::string outlook(int /*threads*/) const { return {}; }

    /// The op; the program keeps it alive.
    const Node& node() const { return node_; }
    /// Such as "lstm_avx512_f32".
    const std::string& kernel_name() const { return kernel_name_; }
    /// Why this kernel, in one sentence.
    const std::string& reason() const { return reason_; }

private:
    const Node& node_;
    std::string kernel_name_;
    std::string reason_;
};

/// True where all inputs in [first, last) and the first output are f32.
bool all_f32(const Node& node, std::size_t first, std::size_t last);

/// What the op's own helpers on axes and slices ask for, with the sizes and values of the inputs.
InferContext context_of(const Node& node, std::span<const TensorInfo* const> inputs);
InferContext context_of(const Node& node, const CallSite& site);

/// "avx512_f64".
std::string kernel_suffix(Isa isa, ElementType type);

/// "add_avx512_f32".
std::string f32_kernel_name(std::string_view operation, Isa isa);

}  // namespace rondo::cpu
