#include "plugins/cpu/nodes/common/broadcast_loop.hpp"

namespace rondo::cpu {
namespace {

// Elements between neighbours along each axis of `result`; 0 where the operand repeats.
std::vector<std::int64_t> steps_of(const Shape& operand, const Shape& result) {
    std::vector<std::int64_t> steps(result.size());
    const std::size_t shift = result.size() - operand.size();
    std::int64_t step = 1;
    for (std::size_t i = operand.size(); i-- > 0;) {
        if (operand[i] != 1) steps[i + shift] = step;
        step *= static_cast<std::int64_t>(operand[i]);
    }
    return steps;
}

}  // namespace

BroadcastLoop::BroadcastLoop(const Shape& a, const Shape& b, const Shape& result) {
    const auto a_steps = steps_of(a, result);
    const auto b_steps = steps_of(b, result);
    for (std::size_t i = 0; i < result.size(); ++i) {
        if (result[i] == 1) continue;
        add_axis({static_cast<std::int64_t>(result[i]), a_steps[i], b_steps[i]});
    }
    if (!loops_.empty()) {
        run_ = {loops_.back().count, loops_.back().a_step, loops_.back().b_step};
        loops_.pop_back();
    }
    for (const Loop& loop : loops_) runs_ *= loop.count;
    if (run_.count == 0) runs_ = 0;
}

// An axis that goes on where the one outside it steps to becomes part of it.
void BroadcastLoop::add_axis(const Loop& axis) {
    if (!loops_.empty() && loops_.back().a_step == axis.a_step * axis.count &&
        loops_.back().b_step == axis.b_step * axis.count) {
        loops_.back() = {loops_.back().count * axis.count, axis.a_step, axis.b_step};
    } else {
        loops_.push_back(axis);
    }
}

BroadcastLoop::Start BroadcastLoop::start(std::int64_t index) const {
    Start at;
    for (std::size_t i = loops_.size(); i-- > 0;) {
        const std::int64_t place = index % loops_[i].count;
        index /= loops_[i].count;
        at.a += place * loops_[i].a_step;
        at.b += place * loops_[i].b_step;
    }
    return at;
}

}  // namespace rondo::cpu
