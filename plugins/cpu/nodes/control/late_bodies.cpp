#include "plugins/cpu/nodes/control/late_bodies.hpp"

#include <algorithm>

#include "core/ops/reference/control/evaluate_bodies.hpp"
#include "rondo/error.hpp"

namespace rondo::cpu {
namespace {

class LateBodies final : public LateRun {
public:
    LateBodies(const ops::BodyOp& op, std::span<const std::unique_ptr<Body>> bodies) : op_(op) {
        for (const auto& body : bodies) runs_.push_back(body->make_run());
    }

    void run(const LateRunArgs& args) override {
        const auto results = reference::evaluate_bodies(
            op_, args.inputs, [&](std::size_t body, std::span<const Tensor> values) {
                if (args.cancelled.load(std::memory_order_relaxed)) {
                    throw CancelledError("the inference was cancelled");
                }
                return runs_[body]->run(values, args.team, args.cancelled);
            });
        for (std::size_t i = 0; i < results.size(); ++i) args.outputs[i] = own(results[i], args);
    }

private:
    // A loop without iterations hands on its inputs, whose memory serves others afterwards.
    static Tensor own(const Tensor& value, const LateRunArgs& args) {
        const bool borrowed =
            std::any_of(args.inputs.begin(), args.inputs.end(),
                        [&](const Tensor& input) { return input.data() == value.data(); });
        if (!borrowed) return value;
        Tensor copy(value.element_type(), value.shape());
        value.copy_to(copy);
        return copy;
    }

    const ops::BodyOp& op_;
    std::vector<std::unique_ptr<BodyRun>> runs_;
};

}  // namespace

std::unique_ptr<LateRun> make_late_bodies(const ops::BodyOp& op,
                                          std::span<const std::unique_ptr<Body>> bodies) {
    return std::make_unique<LateBodies>(op, bodies);
}

}  // namespace rondo::cpu
