// If: both branches are programs of their own, of which one runs.
#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <span>

#include "core/ops/control/control_ops.hpp"
#include "plugins/cpu/nodes/common/body.hpp"
#include "plugins/cpu/nodes/common/makers.hpp"
#include "plugins/cpu/nodes/control/iteration_values.hpp"

namespace rondo::cpu {
namespace {

// Slower than a call, since shapes are compared in each run; shapes that came before cost no
// allocation.
class LateChoice final : public DynamicRun {
public:
    LateChoice(const ops::If& op, std::span<const std::unique_ptr<Body>> branches) : op_(op) {
        for (const auto& branch : branches) branches_.push_back({branch->make_run(), {}, {}});
    }

    void run(const DynamicRunArgs& args) override {
        check_one(op_, args.inputs[0].shape(), "the condition");
        const std::size_t number =
            read_flag(args.inputs[0].data()) ? ops::If::kThen : ops::If::kElse;
        const ops::BodyPorts& ports = op_.ports(number);
        Branch& branch = branches_[number];
        branch.values.resize(ports.inputs.size());
        branch.results.resize(op_.bodies()[number]->results().size());
        for (const auto& port : ports.inputs) {
            branch.values[port.parameter] = args.inputs[port.input];
        }
        branch.run->run({branch.values, branch.results, args.team, args.cancelled,
                         args.profiles.empty() ? nullptr : args.profiles[number]});
        for (const auto& port : ports.outputs) {
            args.outputs[port.output] = branch.results[port.result];
        }
    }

private:
    struct Branch {
        std::unique_ptr<BodyRun> run;
        std::vector<Tensor> values;
        std::vector<Tensor> results;
    };

    const ops::If& op_;
    std::vector<Branch> branches_;
};

using ops::If;

// One branch bound to sizes: tables of addresses, results that no output takes, and its program.
class BoundBranch {
public:
    BoundBranch(const ops::BodyPorts& ports, std::unique_ptr<BoundBody> body)
        : ports_(ports), body_(std::move(body)), homes_(body_->outputs().size()) {
        inputs_ = layout_.take(ports.inputs.size() * sizeof(void*));
        outputs_ = layout_.take(homes_.size() * sizeof(void*));
        for (const auto& port : ports.outputs) {
            Home& home = homes_[port.result];
            if (home.output) {
                copies_.push_back({*home.output, port.output, bytes_of(port.result)});
            } else {
                home.output = port.output;
            }
        }
        for (std::size_t i = 0; i < homes_.size(); ++i) {
            if (!homes_[i].output) homes_[i].offset = layout_.take(bytes_of(i));
        }
        scratch_ = layout_.take(body_->scratch_bytes());
    }

    std::size_t scratch_bytes() const { return layout_.bytes(); }

    void run(const RunArgs& args, StepProfile* profile) const {
        char* memory = static_cast<char*>(args.scratch);
        auto* inputs = reinterpret_cast<const void**>(memory + inputs_);
        auto* outputs = reinterpret_cast<void**>(memory + outputs_);
        for (const auto& port : ports_.inputs) inputs[port.parameter] = args.inputs[port.input];
        for (std::size_t i = 0; i < homes_.size(); ++i) {
            outputs[i] =
                homes_[i].output ? args.outputs[*homes_[i].output] : memory + homes_[i].offset;
        }
        body_->start(memory + scratch_, profile);
        body_->run({{inputs, ports_.inputs.size()},
                    {outputs, homes_.size()},
                    memory + scratch_,
                    args.team,
                    args.cancelled,
                    profile});
        for (const Copy& copy : copies_) {
            if (copy.bytes > 0) {
                std::memcpy(args.outputs[copy.to], args.outputs[copy.from], copy.bytes);
            }
        }
    }

private:
    // Where a result is written: an output, or scratch memory.
    struct Home {
        std::optional<std::size_t> output;
        std::size_t offset = 0;
    };
    struct Copy {
        std::size_t from;
        std::size_t to;
        std::size_t bytes;
    };

    std::size_t bytes_of(std::size_t result) const {
        const TensorInfo& info = body_->outputs()[result];
        return element_count(info.shape) * size_of(info.type);
    }

    const ops::BodyPorts& ports_;
    std::unique_ptr<BoundBody> body_;
    std::vector<Home> homes_;  // a result each
    std::vector<Copy> copies_;
    ScratchLayout layout_;
    std::size_t inputs_ = 0;
    std::size_t outputs_ = 0;
    std::size_t scratch_ = 0;
};

class IfCall final : public Call {
public:
    // A branch that can't be taken is empty.
    struct Choice {
        std::unique_ptr<BoundBranch> branch;
        std::exception_ptr failure;  // why there is no branch; thrown if it is taken
    };

    explicit IfCall(std::array<Choice, 2> choices) : choices_(std::move(choices)) {}

    void run(const RunArgs& args) const override {
        const std::size_t branch = read_flag(args.inputs[0]) ? If::kThen : If::kElse;
        const Choice& taken = choices_[branch];
        if (taken.failure) std::rethrow_exception(taken.failure);
        taken.branch->run(args, args.profiles.empty() ? nullptr : args.profiles[branch]);
    }

    std::size_t scratch_bytes() const override {
        std::size_t most = 0;
        for (const auto& choice : choices_) {
            if (choice.branch) most = std::max(most, choice.branch->scratch_bytes());
        }
        return most;
    }

private:
    std::array<Choice, 2> choices_;
};

bool same_forms(const std::vector<TensorInfo>& a, const std::vector<TensorInfo>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const auto& x, const auto& y) {
        return x.type == y.type && x.shape == y.shape;
    });
}

class IfNode final : public CpuNode {
public:
    IfNode(const If& op, const CompileContext& context)
        : CpuNode(op, "if", "runs one of two programs"), op_(op) {
        for (const GraphPtr& body : op.bodies()) {
            bodies_.push_back(context.make_body(body));
            for (auto& part : parts_of_body(op, bodies_.size() - 1, *bodies_.back())) {
                add_part(std::move(part));
            }
        }
    }

    InferredNode infer(std::span<const TensorInfo* const> inputs) const override {
        check_one(op_, inputs[0]->shape, "the condition");
        if (const Tensor& condition = inputs[0]->value) {
            return infer_branch(read_flag(condition.data()) ? If::kThen : If::kElse, inputs);
        }
        InferredNode yes = try_branch(If::kThen, inputs);
        const InferredNode no = try_branch(If::kElse, inputs);
        if (yes.outputs && no.outputs && same_forms(*yes.outputs, *no.outputs)) return yes;
        return {{}, {0}};  // one branch alone may have known shapes
    }

    std::unique_ptr<Call> prepare(const CallSite& site) const override {
        std::array<IfCall::Choice, 2> choices;
        for (const std::size_t branch : {If::kThen, If::kElse}) {
            const Tensor& condition = site.inputs[0].value;
            const bool taken = !condition || read_flag(condition.data()) == (branch == If::kThen);
            if (!taken) continue;
            std::vector<const TensorInfo*> inputs;
            for (const auto& input : site.inputs) inputs.push_back(&input);
            try {
                choices[branch].branch = std::make_unique<BoundBranch>(
                    op_.ports(branch),
                    bodies_[branch]->bind(parameters_of(branch, inputs), site.threads));
            } catch (const Error&) {
                if (condition) throw;
                choices[branch].failure = std::current_exception();
            }
        }
        return std::make_unique<IfCall>(std::move(choices));
    }

    bool finds_shapes() const override { return true; }
    std::unique_ptr<DynamicRun> make_dynamic_run() const override {
        return std::make_unique<LateChoice>(op_, bodies_);
    }

    std::span<const std::unique_ptr<Body>> bodies() const override { return bodies_; }

private:
    std::vector<TensorInfo> parameters_of(std::size_t branch,
                                          std::span<const TensorInfo* const> inputs) const {
        std::vector<TensorInfo> parameters(op_.bodies()[branch]->parameters().size());
        for (const auto& port : op_.ports(branch).inputs) {
            parameters[port.parameter] = *inputs[port.input];
        }
        return parameters;
    }

    // Shapes that don't fit one branch may be those for which the other one is taken.
    InferredNode try_branch(std::size_t branch, std::span<const TensorInfo* const> inputs) const {
        try {
            return infer_branch(branch, inputs);
        } catch (const InternalError&) {
            throw;
        } catch (const Error&) {
            return {};
        }
    }

    InferredNode infer_branch(std::size_t branch, std::span<const TensorInfo* const> inputs) const {
        const auto results = bodies_[branch]->infer(parameters_of(branch, inputs));
        InferredNode own;
        if (!results) {
            for (const auto& port : op_.ports(branch).inputs) {
                if (may_decide_shapes(*inputs[port.input])) own.missing.push_back(port.input);
            }
            return own;
        }
        own.outputs.emplace(op_.ports(branch).outputs.size());
        for (const auto& port : op_.ports(branch).outputs) {
            const TensorInfo& result = (*results)[port.result];
            (*own.outputs)[port.output] = {result.type, result.shape, {}, true};
        }
        return own;
    }

    const If& op_;
    std::vector<std::unique_ptr<Body>> bodies_;
};

}  // namespace

std::unique_ptr<CpuNode> make_if_node(const Node& node, const CompileContext& context) {
    return std::make_unique<IfNode>(dynamic_cast<const If&>(node), context);
}

}  // namespace rondo::cpu
