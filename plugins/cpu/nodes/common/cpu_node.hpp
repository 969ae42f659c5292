// Declares the interface between the program and its executable nodes.
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
#include "plugins/cpu/ops/fused_op.hpp"
#include "rondo/error.hpp"
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

/// Throws CancelledError where `cancelled` is set.
inline void stop_if(const std::atomic<bool>& cancelled) {
    if (cancelled.load(std::memory_order_relaxed)) {
        throw CancelledError("the inference was cancelled");
    }
}

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
    /// The input that this output lies in, or nothing if run() writes it.
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

/// A call whose first output is that part of an input.
inline std::unique_ptr<Call> make_view_call(View view = {}) {
    return std::make_unique<ViewCall>(std::vector<View>{view});
}

/// What a call is, besides what it runs.
struct CallFacts {
    std::size_t scratch_bytes = 0;
    std::string detail = {};
};

/// A call whose state is what `Run` captures.
template <typename Run>
class FunctionCall final : public Call {
public:
    FunctionCall(Run run, CallFacts facts) : run_(std::move(run)), facts_(std::move(facts)) {}

    void run(const RunArgs& args) const override { run_(args); }
    std::size_t scratch_bytes() const override { return facts_.scratch_bytes; }
    std::string detail() const override { return facts_.detail; }

private:
    Run run_;
    CallFacts facts_;
};

/// A call that is run(args); `run` owns what it needs, except the op and the node.
template <typename Run>
std::unique_ptr<Call> make_call(Run run, CallFacts facts = {}) {
    return std::make_unique<FunctionCall<Run>>(std::move(run), std::move(facts));
}

/// One run of a step that finds its outputs' shapes itself.
struct DynamicRunArgs {
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
class DynamicRun {
public:
    virtual ~DynamicRun() = default;
    /// Throws ModelError naming the node where elements are not what the op allows.
    virtual void run(const DynamicRunArgs& args) = 0;
};

/// Finds the extents of a step's outputs from elements that a run has just computed, for a step
/// whose elements don't matter to a plan beyond that. `inputs`: all of the node's, row-major. Sets
/// an output's shape each; allocates only where a shape has less memory than its rank needs. Throws
/// ModelError naming the node where the elements are not what the op allows.
using ExtentFinder =
    std::function<void(std::span<const void* const> inputs, std::span<Shape> shapes)>;

/// An input of an op.
struct ReadPort {
    const Node* op;
    std::size_t input;
    friend auto operator<=>(const ReadPort&, const ReadPort&) = default;
};

/// What nodes may know when they are made.
struct CompileContext {
    Isa isa = Isa::plain;
    bool bf16 = false;  ///< products of f32 with constants may be of kBf16
    /// Compiles a graph that a node runs as a part of itself. Empty where there are no such nodes.
    std::function<std::unique_ptr<Body>(const GraphPtr& graph)> make_body = {};
    /// A node that packs constants one after the other says so as it goes on, so that they needn't
    /// all be there until it is made. May be empty. What a made node has packed, it says itself.
    std::function<void(const std::vector<ReadPort>& ports)> packed = {};
};

class CpuNode;
/// Makes the node that an op has.
using MakeNode = std::unique_ptr<CpuNode>(const Node& node, const CompileContext& context);

/// What a node whose inputs look like this has to say.
struct InferredNode {
    std::optional<std::vector<TensorInfo>> outputs;  ///< nothing if some shape stays open
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

/// An op's executable form: owns packed weights and generated code, knows no sizes that may change.
/// Immutable.
class CpuNode {
public:
    CpuNode(const Node& node, std::string kernel_name, std::string reason)
        : node_(node),
          first_(&node),
          kernel_name_(std::move(kernel_name)),
          reason_(std::move(reason)) {}
    virtual ~CpuNode() = default;
    CpuNode(const CpuNode&) = delete;
    CpuNode& operator=(const CpuNode&) = delete;

    /// What the outputs are for these inputs. Throws ModelError naming the node where they don't
    /// fit.
    virtual InferredNode infer(std::span<const TensorInfo* const> inputs) const;

    /// Throws ModelError or UnsupportedError naming the node.
    virtual std::unique_ptr<Call> prepare(const CallSite& site) const = 0;
    /// For a step whose shapes infer() leaves open because elements are missing: empty where a plan
    /// needs the elements themselves. Else prepare() takes these inputs with the extents that were
    /// found.
    virtual ExtentFinder make_extent_finder(std::span<const TensorInfo* const> /*inputs*/) const {
        return {};
    }
    /// For a step whose shapes infer() leaves open though it misses no elements; null where the
    /// node can't run such a step.
    virtual std::unique_ptr<DynamicRun> make_dynamic_run() const { return nullptr; }
    /// True where make_dynamic_run() makes one.
    virtual bool finds_shapes() const { return false; }
    /// True where run() takes a null pointer for an output that nothing reads.
    virtual bool may_skip_output(std::size_t /*output*/) const { return false; }

    /// The inputs that the node has packed, of its op or of ops in it: it never reads their
    /// elements again, whatever the sizes.
    virtual std::vector<ReadPort> packed() const { return {}; }

    /// The op of the model that a profile shows for this node.
    virtual ShownOp shown() const { return {first_->name(), first_->type_name()}; }
    /// The ops that this one was joined from or that its bodies have, for profiles and --explain,
    /// without the shown one.
    std::span<const NodePart> parts() const { return parts_; }
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

protected:
    void add_part(NodePart part) { parts_.push_back(std::move(part)); }
    /// Shows a FusedOp's first part for the whole op, and lists the others, which the same kernel
    /// runs; does nothing for other ops.
    void show_parts();

private:
    const Node& node_;
    const Node* first_;  // the op that is shown
    std::vector<NodePart> parts_;
    std::string kernel_name_;
    std::string reason_;
};

/// What a node is, besides the calls that it makes.
struct NodeFacts {
    std::string kernel_name;
    std::string reason;
    std::string outlook = {};
    bool skips_outputs = false;  ///< run() takes null pointers for outputs that nothing reads
};
using PrepareCall = std::function<std::unique_ptr<Call>(const CallSite& site)>;
using MakeExtentFinder = std::function<ExtentFinder(std::span<const TensorInfo* const> inputs)>;

/// A node whose state is what the functions capture; they may refer to `node`. `finder` may be
/// empty.
std::unique_ptr<CpuNode> make_function_node(const Node& node, NodeFacts facts, PrepareCall prepare,
                                            MakeExtentFinder finder = {});

/// The same for a function of the op and the sizes.
template <typename Op>
std::unique_ptr<CpuNode> make_function_node(const Node& node, NodeFacts facts,
                                            std::unique_ptr<Call> (*prepare)(const Op&,
                                                                             const CallSite&)) {
    const auto& op = dynamic_cast<const Op&>(node);
    return make_function_node(
        op, std::move(facts),
        PrepareCall([&op, prepare](const CallSite& site) { return prepare(op, site); }));
}

/// The same where the instruction set matters, too.
template <typename Op>
std::unique_ptr<CpuNode> make_function_node(const Node& node, NodeFacts facts, Isa isa,
                                            std::unique_ptr<Call> (*prepare)(const Op&, Isa,
                                                                             const CallSite&)) {
    const auto& op = dynamic_cast<const Op&>(node);
    return make_function_node(
        op, std::move(facts),
        PrepareCall([&op, isa, prepare](const CallSite& site) { return prepare(op, isa, site); }));
}

/// What the op's own helpers on axes and slices ask for, with the sizes and values of the inputs.
InferContext context_of(const Node& node, std::span<const TensorInfo* const> inputs);
InferContext context_of(const Node& node, const CallSite& site);

/// "avx512_f64".
std::string kernel_suffix(Isa isa, ElementType type);

}  // namespace rondo::cpu
