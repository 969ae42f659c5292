#include "plugins/cpu/nodes/control/loop_call.hpp"

#include <algorithm>
#include <cstring>

#include "core/support/errors.hpp"
#include "core/support/strings.hpp"
#include "plugins/cpu/nodes/common/extents.hpp"
#include "plugins/cpu/nodes/control/iteration_values.hpp"
#include "rondo/error.hpp"

namespace rondo::cpu {
namespace {

std::size_t bytes_of(const TensorInfo& info) {
    return element_count(info.shape) * size_of(info.type);
}

std::size_t rounded(std::size_t bytes) {
    constexpr std::size_t kLine = 64;
    return (bytes + kLine - 1) / kLine * kLine;
}

std::ptrdiff_t signed_of(std::size_t value) { return static_cast<std::ptrdiff_t>(value); }

}  // namespace

LoopCall::LoopCall(const LoopSite& loop, std::unique_ptr<BoundBody> body)
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

void LoopCall::add_feeds(const LoopSite& loop) {
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

void LoopCall::add_part(const LoopSite& loop, const ops::BodyInput& port, Feed& feed) {
    const TensorInfo& whole = loop.site.inputs[port.input];
    const TensorInfo& part = loop.parameters[port.parameter];
    const ops::PartPlan plan = ops::plan_parts(context_of(node_, loop.site), *port.slice,
                                               whole.shape, "input " + std::to_string(port.input));
    const std::int64_t element = element_bytes(whole.type);
    const Strides strides = dense_strides(whole.shape, element);
    feed.sliced = true;
    feed.parts = plan.parts;
    feed.first = plan.first * strides[plan.axis];
    feed.step = plan.step * strides[plan.axis];
    if (is_block(whole.shape, plan.axis)) return;
    feed.staging = layout_.take(bytes_of(part));
    feed.copy =
        StridedCopy({element, extents_of(part.shape), strides, dense_strides(part.shape, element)});
}

void LoopCall::add_outputs(const LoopSite& loop) {
    for (const auto& port : loop.op.body_ports().outputs) {
        if (port.concat) {
            add_joined(loop, port);
            continue;
        }
        const ops::BodyInput* carried = loop.op.carried_by(port.result);
        Last last{port.result, port.output, bytes_of(loop.site.outputs[port.output]), {}, false};
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
        home.bytes = rounded(bytes_of(body_->outputs()[i]));
        if (home.kind == Home::Kind::staging) home.offset = layout_.take(home.bytes);
        if (home.kind == Home::Kind::turns) home.offset = layout_.take(2 * home.bytes);
    }
}

void LoopCall::add_joined(const LoopSite& loop, const ops::BodyOutput& port) {
    internal_check(counters_.planned.has_value(), "parts are joined, but their number isn't known");
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
    join.copy =
        StridedCopy({element, extents_of(part.shape), dense_strides(part.shape, element), strides});
    joins_.push_back(std::move(join));
}

bool LoopCall::starts(const RunArgs& args) const {
    return counters_.count_type == ElementType::dynamic || read_flag(args.inputs[1]);
}

std::size_t LoopCall::limit(const RunArgs& args) const {
    return counters_.count_type == ElementType::dynamic
               ? counters_.planned.value_or(0)
               : read_trip_count(args.inputs[0], counters_.count_type);
}

void LoopCall::run(const RunArgs& args) const {
    char* scratch = static_cast<char*>(args.scratch);
    const Tables tables{scratch, reinterpret_cast<const void**>(scratch + offsets_.inputs),
                        reinterpret_cast<void**>(scratch + offsets_.outputs)};
    StepProfile* profile = args.profiles.empty() ? nullptr : args.profiles[0];
    body_->start(scratch + offsets_.body, profile);
    const std::size_t most = limit(args);
    bool goes_on = starts(args);
    std::size_t count = 0;
    for (; goes_on && count < most; ++count) {
        if (args.cancelled != nullptr && args.cancelled->load(std::memory_order_relaxed)) {
            throw CancelledError("the inference was cancelled");
        }
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

void LoopCall::feed(const RunArgs& args, std::size_t iteration, const Tables& tables) const {
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

void* LoopCall::buffer_of(std::size_t result, std::size_t iteration, char* scratch) const {
    const Home& home = homes_[result];
    return scratch + home.offset + (iteration % 2) * home.bytes;
}

void LoopCall::aim(const RunArgs& args, std::size_t iteration, const Tables& tables) const {
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

void LoopCall::finish(const RunArgs& args, std::size_t count, const Tables& tables) const {
    for (const Last& last : lasts_) {
        if (count == 0 && !last.initial) {
            throw ModelError(describe(node_) + ": output " + std::to_string(last.output) +
                             " has no value, since there was no iteration");
        }
        if (last.bytes == 0 || (count > 0 && last.in_place)) continue;
        const void* value = count == 0 ? args.inputs[*last.initial] : tables.outputs[last.result];
        std::memcpy(args.outputs[last.output], value, last.bytes);
    }
}

}  // namespace rondo::cpu
