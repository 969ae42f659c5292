#include "plugins/cpu/nodes/control/late_choice.hpp"

#include "plugins/cpu/nodes/control/iteration_values.hpp"

namespace rondo::cpu {
namespace {

class LateChoice final : public LateRun {
public:
    LateChoice(const ops::If& op, std::span<const std::unique_ptr<Body>> branches) : op_(op) {
        for (const auto& branch : branches) branches_.push_back({branch->make_run(), {}, {}});
    }

    void run(const LateRunArgs& args) override {
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

}  // namespace

std::unique_ptr<LateRun> make_late_choice(const ops::If& op,
                                          std::span<const std::unique_ptr<Body>> branches) {
    return std::make_unique<LateChoice>(op, branches);
}

}  // namespace rondo::cpu
