#include "plugins/cpu/plugin/run/body_program.hpp"

#include <algorithm>
#include <cstring>

#include "core/support/errors.hpp"
#include "plugins/cpu/plugin/plan/planned_program.hpp"
#include "plugins/cpu/plugin/plan/shape_walk.hpp"
#include "plugins/cpu/plugin/run/program_run.hpp"
#include "rondo/error.hpp"

namespace rondo::cpu {
namespace {

constexpr std::size_t kLine = 64;

PlanKey key_of(std::span<const TensorInfo> inputs) {
    PlanKey key;
    for (const auto& input : inputs) {
        key.inputs.emplace_back(input.shape, input.type, input.value);
    }
    return key;
}

// The addresses of Plan::places lie at the start of the scratch memory, and the arena after them.
class PlannedBody final : public BoundBody {
public:
    explicit PlannedBody(std::shared_ptr<const Plan> plan) : plan_(std::move(plan)) {
        internal_check(plan_->is_last(), "a body was bound to open shapes");
        outputs_.resize(plan_->outputs.size());
        for (const PlannedEnd& output : plan_->outputs) outputs_[output.index] = output.info;
        arena_ = (plan_->places.size() * sizeof(void*) + kLine - 1) / kLine * kLine;
    }

    std::span<const TensorInfo> outputs() const override { return outputs_; }
    std::size_t scratch_bytes() const override { return arena_ + plan_->arena_bytes; }

    void start(void* scratch, StepProfile* profile) const override {
        if (profile != nullptr) profile->report(*plan_);
        void** addresses = static_cast<void**>(scratch);
        char* arena = static_cast<char*>(scratch) + arena_;
        for (std::size_t i = 0; i < plan_->places.size(); ++i) {
            const Place& place = plan_->places[i];
            addresses[i] = nullptr;
            if (place.base == Place::Base::arena) addresses[i] = arena + place.offset;
            if (place.base != Place::Base::fixed) continue;
            addresses[i] = const_cast<char*>(static_cast<const char*>(place.fixed)) + place.offset;
        }
    }

    void run(const BodyRunArgs& args) const override {
        void** addresses = static_cast<void**>(args.scratch);
        for (const std::size_t i : plan_->bound_places) {
            const Place& place = plan_->places[i];
            const void* base = place.base == Place::Base::input ? args.inputs[place.index]
                                                                : args.outputs[place.index];
            addresses[i] = const_cast<char*>(static_cast<const char*>(base)) + place.offset;
        }
        for (const PlannedCall& call : plan_->calls) {
            if (args.cancelled != nullptr) stop_if(*args.cancelled);
            const StepTimer timer(args.profile ? &(*args.profile)[call.step] : nullptr);
            void* const* places = addresses + call.first_place;
            call.call->run({{places, call.input_count},
                            {places + call.input_count, call.output_count},
                            places[call.input_count + call.output_count],
                            args.team,
                            args.cancelled,
                            timer.bodies()});
        }
        // A call that stopped early left its outputs undefined.
        if (args.cancelled != nullptr) stop_if(*args.cancelled);
        for (const FinalCopy& copy : plan_->copies) {
            if (copy.bytes == 0) continue;
            std::memcpy(args.outputs[copy.target.index], addresses[copy.place], copy.bytes);
        }
    }

private:
    std::shared_ptr<const Plan> plan_;
    std::vector<TensorInfo> outputs_;
    std::size_t arena_ = 0;
};

class OpenBodyRun final : public BodyRun {
public:
    explicit OpenBodyRun(const std::shared_ptr<PlannedProgram>& program) : run_(program) {
        run_.let_float();
    }

    void run(const OpenBodyArgs& args) override {
        std::fill(args.outputs.begin(), args.outputs.end(), Tensor());
        run_.run({args.inputs,
                  args.outputs,
                  {},
                  args.team,
                  args.cancelled,
                  args.profile,
                  OwnOutputs::take_turns});
    }

private:
    ProgramRun run_;
};

class BodyProgram final : public Body {
public:
    BodyProgram(Program program, int threads)
        : planned_(std::make_shared<PlannedProgram>(std::move(program), threads,
                                                    PlannedProgram::kBodyPlans)),
          program_(planned_->program()) {}

    std::optional<std::vector<TensorInfo>> infer(
        std::span<const TensorInfo> inputs) const override {
        const ShapeWalk walk = walk_shapes(program_, key_of(inputs));
        const bool open = std::any_of(walk.steps.begin(), walk.steps.end(), [](StepShapes shapes) {
            return shapes == StepShapes::open || shapes == StepShapes::late;
        });
        if (open) return std::nullopt;
        std::vector<TensorInfo> results;
        for (const ValueId id : program_.results) results.push_back(walk.values[id]);
        return results;
    }

    std::unique_ptr<BoundBody> bind(std::span<const TensorInfo> inputs,
                                    int threads) const override {
        return std::make_unique<PlannedBody>(make_plan(program_, key_of(inputs), threads));
    }

    std::unique_ptr<BodyRun> make_run() const override {
        return std::make_unique<OpenBodyRun>(planned_);
    }

    std::uint64_t plans_made() const override { return planned_->plan_counts().made; }

    std::vector<NodePart> parts() const override {
        std::vector<NodePart> parts;
        for (const Step& step : program_.steps) {
            parts.push_back({step.node(), step.kernel->kernel_name()});
            for (const NodePart& part : step.kernel->parts()) parts.push_back(part);
        }
        return parts;
    }

    std::unique_ptr<StepProfile> make_profile() const override {
        return std::make_unique<StepProfile>(program_);
    }

private:
    std::shared_ptr<PlannedProgram> planned_;
    const Program& program_;  // of planned_
};

}  // namespace

CompileContext compile_context(CompileContext context, int threads, const CompileLimits& limits) {
    context.make_body = [context, threads, limits](const GraphPtr& graph) {
        return make_body_program(graph, compile_context(context, threads, limits), threads, limits);
    };
    return context;
}

std::unique_ptr<Body> make_body_program(const GraphPtr& graph, const CompileContext& context,
                                        int threads, const CompileLimits& limits) {
    return std::make_unique<BodyProgram>(make_program(graph, context, limits), threads);
}

}  // namespace rondo::cpu
