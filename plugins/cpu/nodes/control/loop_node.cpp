// Runs Loop and TensorIterator: the body is a program of its own, which runs once an iteration.
#include <algorithm>
#include <cstring>
#include <memory>
#include <optional>
#include <vector>

#include "core/ops/control/control_ops.hpp"
#include "core/support/errors.hpp"
#include "core/support/strings.hpp"
#include "plugins/cpu/kernels/movement/strided_copy.hpp"
#include "plugins/cpu/nodes/common/body.hpp"
#include "plugins/cpu/nodes/common/extents.hpp"
#include "plugins/cpu/nodes/common/makers.hpp"
#include "plugins/cpu/nodes/control/iteration_values.hpp"
#include "rondo/error.hpp"

namespace rondo::cpu {
namespace {

std::size_t bytes_of(const TensorInfo& info) {
    return element_count(info.shape) * size_of(info.type);
}

std::ptrdiff_t signed_of(std::size_t value) { return static_cast<std::ptrdiff_t>(value); }

// What a loop is bound to.
struct LoopSite {
    const ops::IteratedOp& op;
    const CallSite& site;
    std::span<const TensorInfo> parameters;  // of the body
    // How often the body runs, or nothing if only a run finds it.
    std::optional<std::size_t> count;
};

// Loop-carried values alternate between two buffers, so that no iteration copies them. Parts are
// read and written in place if they are one block of memory.
class LoopCall final : public Call {
public:
    LoopCall(const LoopSite& loop, std::unique_ptr<BoundBody> body)
        : node_(loop.op), body_(std::move(body)), homes_(body_->outputs().size()) {
        counters_.planned = loop.count;
        counters_.condition = loop.op.condition_result();
        counters_.number = loop.op.iteration_parameter();
        if (loop.op.type_name() == "Loop") counters_.count_type = loop.site.inputs[0].type;
        if (counters_.number) {
            counters_.number_type = loop.parameters[*counters_.number].type;
            offsets_.number = layout_.take(sizeof(std::int64_t));
        }
        offsets_.inputs = layout_.take(loop.parameters.size() * sizeof(void*));
        offsets_.outputs = layout_.take(homes_.size() * sizeof(void*));
        add_feeds(loop);
        add_outputs(loop);
        offsets_.body = layout_.take(body_->scratch_bytes());
        detail_ = loop.count ? counted(*loop.count, "iteration") : "while its condition holds";
    }

    void run(const RunArgs& args) const override {
        char* scratch = static_cast<char*>(args.scratch);
        const Tables tables{scratch, reinterpret_cast<const void**>(scratch + offsets_.inputs),
                            reinterpret_cast<void**>(scratch + offsets_.outputs)};
        StepProfile* profile = args.profiles.empty() ? nullptr : args.profiles[0];
        body_->start(scratch + offsets_.body, profile);
        const std::size_t most = limit(args);
        bool goes_on = starts(args);
        std::size_t count = 0;
        for (; goes_on && count < most; ++count) {
            if (args.cancelled != nullptr) stop_if(*args.cancelled);
            node_.check_iterations(count + 1);
            feed(args, count, tables);
            aim(args, count, tables);
            body_->run({{tables.inputs, feeds_.size() + (counters_.number ? 1 : 0)},
                        {tables.outputs, homes_.size()},
                        scratch + offsets_.body,
                        args.team,
                        args.cancelled,
                        profile});
            for (const Join& join : joins_) {
                const std::ptrdiff_t place = join.first + signed_of(count) * join.step;
                join.copy.run(tables.outputs[join.result],
                              static_cast<char*>(args.outputs[join.output]) + place, args.team);
            }
            if (counters_.condition) goes_on = read_flag(tables.outputs[*counters_.condition]);
        }
        internal_check(!counters_.planned || count == *counters_.planned,
                       "a loop ran another number of times than planned");
        finish(args, count, tables);
    }
    std::size_t scratch_bytes() const override { return layout_.bytes(); }
    std::string detail() const override { return detail_; }

private:
    // How a parameter gets its value.
    struct Feed {
        std::size_t parameter = 0;
        std::size_t input = 0;
        std::optional<std::size_t> back_edge;
        bool sliced = false;
        std::size_t parts = 0;
        std::ptrdiff_t first = 0;  // in bytes
        std::ptrdiff_t step = 0;
        std::optional<std::size_t> staging;  // where a part is copied that isn't one block
        StridedCopy copy;
    };
    // Where a result goes.
    struct Home {
        enum class Kind : std::uint8_t { staging, turns, output, joined };
        Kind kind = Kind::staging;
        std::size_t offset = 0;  // of the buffer in scratch; of the second one: + bytes
        std::size_t bytes = 0;   // rounded up to a cache line
        std::size_t output = 0;
        std::ptrdiff_t first = 0;
        std::ptrdiff_t step = 0;
    };
    // An output that is copied: each iteration's part, `step` bytes after the part before it.
    struct Join {
        std::size_t result = 0;
        std::size_t output = 0;
        std::ptrdiff_t first = 0;
        std::ptrdiff_t step = 0;
        StridedCopy copy;
    };
    struct Last {
        std::size_t result = 0;
        std::size_t output = 0;
        std::size_t bytes = 0;
        std::optional<std::size_t> initial;  // the input that it is where there was no iteration
        bool in_place = false;
    };
    // The addresses of one run.
    struct Tables {
        char* scratch;
        const void** inputs;
        void** outputs;
    };

    void add_feeds(const LoopSite& loop) {
        for (const auto& port : loop.op.body_ports().inputs) {
            Feed feed;
            feed.parameter = port.parameter;
            feed.input = port.input;
            feed.back_edge = port.back_edge;
            if (port.back_edge) homes_[*port.back_edge].kind = Home::Kind::turns;
            if (port.slice) add_part(loop, port, feed);
            feeds_.push_back(std::move(feed));
        }
    }

    void add_part(const LoopSite& loop, const ops::BodyInput& port, Feed& feed) {
        const TensorInfo& whole = loop.site.inputs[port.input];
        const TensorInfo& part = loop.parameters[port.parameter];
        const ops::PartPlan plan =
            ops::plan_parts(context_of(node_, loop.site), *port.slice, whole.shape,
                            "input " + std::to_string(port.input));
        const std::int64_t element = element_bytes(whole.type);
        const Strides strides = dense_strides(whole.shape, element);
        feed.sliced = true;
        feed.parts = plan.parts;
        feed.first = plan.first * strides[plan.axis];
        feed.step = plan.step * strides[plan.axis];
        if (is_block(whole.shape, plan.axis)) return;
        feed.staging = layout_.take(bytes_of(part));
        feed.copy = StridedCopy(
            {element, extents_of(part.shape), strides, dense_strides(part.shape, element)});
    }

    void add_outputs(const LoopSite& loop) {
        for (const auto& port : loop.op.body_ports().outputs) {
            if (port.concat) {
                add_joined(loop, port);
                continue;
            }
            const ops::BodyInput* carried = loop.op.carried_by(port.result);
            Last last{
                port.result, port.output, bytes_of(loop.site.outputs[port.output]), {}, false};
            if (carried != nullptr) last.initial = carried->input;
            Home& home = homes_[port.result];
            if (home.kind == Home::Kind::staging) {
                home.kind = Home::Kind::output;
                home.output = port.output;
                last.in_place = true;
            }
            lasts_.push_back(last);
        }
        for (std::size_t i = 0; i < homes_.size(); ++i) {
            Home& home = homes_[i];
            home.bytes = whole_lines(bytes_of(body_->outputs()[i]));
            if (home.kind == Home::Kind::staging) home.offset = layout_.take(home.bytes);
            if (home.kind == Home::Kind::turns) home.offset = layout_.take(2 * home.bytes);
        }
    }

    void add_joined(const LoopSite& loop, const ops::BodyOutput& port) {
        internal_check(counters_.planned.has_value(),
                       "parts are joined, but their number isn't known");
        const TensorInfo& whole = loop.site.outputs[port.output];
        const TensorInfo& part = body_->outputs()[port.result];
        const auto axis = static_cast<std::size_t>(port.concat->axis);
        const std::int64_t element = element_bytes(whole.type);
        const Strides strides = dense_strides(whole.shape, element);
        const std::ptrdiff_t step = signed_of(part.shape[axis]) * strides[axis];
        Join join{port.result, port.output, 0, step, {}};
        if (port.concat->is_reversed()) {
            join.first = (signed_of(*counters_.planned) - 1) * step;
            join.step = -step;
        }
        Home& home = homes_[port.result];
        if (home.kind == Home::Kind::staging && is_block(whole.shape, axis)) {
            home.kind = Home::Kind::joined;
            home.output = port.output;
            home.first = join.first;
            home.step = join.step;
            return;
        }
        join.copy = StridedCopy(
            {element, extents_of(part.shape), dense_strides(part.shape, element), strides});
        joins_.push_back(std::move(join));
    }

    bool starts(const RunArgs& args) const {
        return counters_.count_type == ElementType::dynamic || read_flag(args.inputs[1]);
    }

    std::size_t limit(const RunArgs& args) const {
        return counters_.count_type == ElementType::dynamic
                   ? counters_.planned.value_or(0)
                   : read_trip_count(args.inputs[0], counters_.count_type);
    }

    void feed(const RunArgs& args, std::size_t iteration, const Tables& tables) const {
        for (const Feed& feed : feeds_) {
            const void*& target = tables.inputs[feed.parameter];
            const void* whole = args.inputs[feed.input];
            if (!feed.sliced) {
                target = feed.back_edge && iteration > 0
                             ? buffer_of(*feed.back_edge, iteration - 1, tables.scratch)
                             : whole;
                continue;
            }
            check_part(node_, feed.input, feed.parts, iteration);
            const char* part =
                static_cast<const char*>(whole) + feed.first + signed_of(iteration) * feed.step;
            target = part;
            if (!feed.staging) continue;
            feed.copy.run(part, tables.scratch + *feed.staging, args.team);
            target = tables.scratch + *feed.staging;
        }
        if (!counters_.number) return;
        void* number = tables.scratch + offsets_.number;
        write_iteration(number, counters_.number_type, iteration);
        tables.inputs[*counters_.number] = number;
    }

    void* buffer_of(std::size_t result, std::size_t iteration, char* scratch) const {
        const Home& home = homes_[result];
        return scratch + home.offset + (iteration % 2) * home.bytes;
    }

    void aim(const RunArgs& args, std::size_t iteration, const Tables& tables) const {
        for (std::size_t i = 0; i < homes_.size(); ++i) {
            const Home& home = homes_[i];
            switch (home.kind) {
                case Home::Kind::staging: tables.outputs[i] = tables.scratch + home.offset; break;
                case Home::Kind::turns:
                    tables.outputs[i] = buffer_of(i, iteration, tables.scratch);
                    break;
                case Home::Kind::output: tables.outputs[i] = args.outputs[home.output]; break;
                case Home::Kind::joined:
                    tables.outputs[i] = static_cast<char*>(args.outputs[home.output]) + home.first +
                                        signed_of(iteration) * home.step;
            }
        }
    }

    void finish(const RunArgs& args, std::size_t count, const Tables& tables) const {
        for (const Last& last : lasts_) {
            if (count == 0 && !last.initial) {
                throw ModelError(describe(node_) + ": output " + std::to_string(last.output) +
                                 " has no value, since there was no iteration");
            }
            if (last.bytes == 0 || (count > 0 && last.in_place)) continue;
            const void* value =
                count == 0 ? args.inputs[*last.initial] : tables.outputs[last.result];
            std::memcpy(args.outputs[last.output], value, last.bytes);
        }
    }

    // What decides how often the body runs, and what it is given to know.
    struct Counters {
        ElementType count_type = ElementType::dynamic;  // of the trip count; dynamic: there is none
        std::optional<std::size_t> planned;             // iterations
        std::optional<std::size_t> condition;           // a result
        std::optional<std::size_t> number;              // the parameter for the iteration's number
        ElementType number_type = ElementType::dynamic;
    };
    // Where tables and buffers lie in scratch memory.
    struct Offsets {
        std::size_t inputs = 0;
        std::size_t outputs = 0;
        std::size_t number = 0;
        std::size_t body = 0;
    };

    const ops::IteratedOp& node_;
    std::unique_ptr<BoundBody> body_;
    Counters counters_;
    Offsets offsets_;
    std::vector<Feed> feeds_;
    std::vector<Home> homes_;  // a result each
    std::vector<Join> joins_;
    std::vector<Last> lasts_;
    ScratchLayout layout_;
    std::string detail_;
};

using Infos = std::span<const TensorInfo* const>;

class LoopNode final : public CpuNode {
public:
    LoopNode(const ops::IteratedOp& op, const CompileContext& context)
        : CpuNode(op, "loop", "runs a program once an iteration"),
          op_(op),
          body_(context.make_body(op.bodies()[0])) {
        for (auto& part : parts_of_body(op, 0, *body_)) add_part(std::move(part));
    }

    InferredNode infer(Infos inputs) const override {
        InferContext context = context_of(op_, inputs);
        if (op_.type_name() == "Loop") {
            check_one(op_, inputs[0]->shape, "the trip count");
            check_one(op_, inputs[1]->shape, "the condition");
        }
        const ops::TripCount count = op_.trip_count(context);
        InferredNode inferred{{}, context.missing_values()};
        std::optional<std::vector<TensorInfo>> results;
        try {
            results = body_->infer(parameters_of(context, inputs));
        } catch (const InternalError&) {
            throw;
        } catch (const Error&) {
            if (count.at_least_one) throw;
            return {};  // only a run finds whether the body runs
        }
        if (!results) {
            add_missing(inputs, inferred.missing);
            return inferred;
        }
        if (count.exact != 0 && !is_steady(context, *results)) return inferred;
        std::vector<TensorInfo> outputs(op_.body_ports().outputs.size());
        for (const auto& port : op_.body_ports().outputs) {
            TensorInfo info = (*results)[port.result];
            info.value = {};
            if (count.exact == 0) {
                info.shape = shape_without_iterations(context, port, info.shape);
            } else if (port.concat && !count.exact) {
                return inferred;
            } else if (port.concat) {
                auto& extent = info.shape.at(static_cast<std::size_t>(port.concat->axis));
                extent = ops::joined_extent(context, *count.exact, extent);
            }
            outputs[port.output] = std::move(info);
        }
        inferred.outputs = std::move(outputs);
        return inferred;
    }

    std::unique_ptr<Call> prepare(const CallSite& site) const override {
        std::vector<const TensorInfo*> inputs;
        for (const auto& input : site.inputs) inputs.push_back(&input);
        const InferContext context = context_of(op_, site);
        const auto parameters = parameters_of(context, inputs);
        const auto count = op_.trip_count(context).exact;
        if (count) op_.check_iterations(*count);
        return std::make_unique<LoopCall>(LoopSite{op_, site, parameters, count},
                                          body_->bind(parameters, site.threads));
    }

    bool finds_shapes() const override { return true; }
    std::unique_ptr<DynamicRun> make_dynamic_run() const override {
        return make_late_loop(op_, *body_);
    }

    std::span<const std::unique_ptr<Body>> bodies() const override { return {&body_, 1}; }

private:
    std::vector<TensorInfo> parameters_of(const InferContext& context, Infos inputs) const {
        std::vector<TensorInfo> parameters(op_.body().parameters().size());
        for (const auto& port : op_.body_ports().inputs) {
            TensorInfo& info = parameters[port.parameter];
            info = *inputs[port.input];
            if (port.slice || port.back_edge) info.value = {};
            if (!port.slice) continue;
            ops::plan_parts(context, *port.slice, context.shape(port.input),
                            "input " + std::to_string(port.input));
            info.shape[static_cast<std::size_t>(port.slice->axis)] =
                static_cast<std::size_t>(port.slice->part_size);
        }
        if (const auto iteration = op_.iteration_parameter()) {
            const Node& declared = *op_.body().parameters()[*iteration];
            parameters[*iteration] = {
                declared.output_type(0), declared.output_shape(0).to_shape(), {}, true};
        }
        return parameters;
    }

    // True if all loop-carried values keep their shapes.
    bool is_steady(const InferContext& context, const std::vector<TensorInfo>& results) const {
        const auto& inputs = op_.body_ports().inputs;
        return std::all_of(inputs.begin(), inputs.end(), [&](const ops::BodyInput& port) {
            return !port.back_edge ||
                   results[*port.back_edge].shape == context.shape(port.input).to_shape();
        });
    }

    Shape shape_without_iterations(const InferContext& context, const ops::BodyOutput& port,
                                   const Shape& result) const {
        if (!port.concat) {
            const ops::BodyInput* carried = op_.carried_by(port.result);
            return carried == nullptr ? result : context.shape(carried->input).to_shape();
        }
        InferContext own = context;
        op_.infer(own);
        return ops::shape_without_parts(own, own.outputs()[port.output].shape, port.output);
    }

    void add_missing(Infos inputs, std::vector<std::size_t>& missing) const {
        for (const auto& port : op_.body_ports().inputs) {
            const bool listed =
                std::find(missing.begin(), missing.end(), port.input) != missing.end();
            if (port.slice || port.back_edge || listed) continue;
            if (may_decide_shapes(*inputs[port.input])) missing.push_back(port.input);
        }
    }

    const ops::IteratedOp& op_;
    std::unique_ptr<Body> body_;
};

}  // namespace

std::unique_ptr<CpuNode> make_loop_node(const Node& node, const CompileContext& context) {
    return std::make_unique<LoopNode>(dynamic_cast<const ops::IteratedOp&>(node), context);
}

}  // namespace rondo::cpu
