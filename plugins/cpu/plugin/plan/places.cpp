#include "plugins/cpu/plugin/plan/places.hpp"

#include "core/support/errors.hpp"

namespace rondo::cpu {

PlaceFinder::PlaceFinder(const PlaceInputs& inputs)
    : in_(inputs), given_(inputs.walk.values.size()) {
    const Program& program = in_.program;
    for (std::size_t i = 0; i < program.parameters.size(); ++i) {
        given_[program.parameters[i]] = {Place::Base::input, i, 0, nullptr};
    }
    for (std::size_t i = 0; i < program.read.size(); ++i) {
        if (!in_.key.variables[i]) continue;
        given_[program.read[i]] = {Place::Base::variable, i, 0, nullptr};
    }
    for (ValueId id = 0; id < given_.size(); ++id) {
        if (in_.walk.values[id].packed) given_[id] = {Place::Base::fixed, 0, 0, nullptr};
        if (in_.walk.floating[id]) given_[id].base = Place::Base::floating;
    }
    if (!in_.key.before) return;
    place_found(in_.key.before->end);
    for (const CarriedValue& carried : in_.key.before->end.values) {
        given_[carried.value] = carried.place;
    }
}

void PlaceFinder::place_found(const OpenEnd& end) {
    std::size_t index = end.late_outputs - in_.key.found.size();
    for (const LateStep& late : end.late_steps) {
        for (const ValueId id : in_.program.steps[late.step].outputs) {
            given_[id] = {Place::Base::late, index++, 0, nullptr};
        }
    }
}

Place PlaceFinder::place_of(ValueId id) {
    const Alias& alias = in_.prepared.aliases[id];
    if (const auto buffer = in_.buffers.of_value[alias.root];
        buffer && *buffer >= in_.buffers.kept_count) {
        return place_of_buffer(*buffer).at(alias.offset);
    }
    if (const Tensor& value = in_.walk.values[alias.root].value) {
        known_.push_back(value);
        return {Place::Base::fixed, 0, alias.offset, value.data()};
    }
    const Place& given = given_[alias.root];
    internal_check(given.base != Place::Base::none, "a value that nothing computes");
    return given.at(alias.offset);
}

Place PlaceFinder::place_of_scratch(std::size_t call) const {
    return place_of_buffer(in_.buffers.first_scratch + call);
}

std::optional<std::size_t> PlaceFinder::buffer_of(ValueId id) const {
    const auto buffer = in_.buffers.of_value[in_.prepared.aliases[id].root];
    if (!buffer || in_.buffers.list[*buffer].target.base != Place::Base::none) return std::nullopt;
    return buffer;
}

Place PlaceFinder::place_of_buffer(std::size_t buffer) const {
    const Place& target = in_.buffers.list[buffer].target;
    if (target.base != Place::Base::none) return target;
    return {Place::Base::arena, 0, in_.layout.offsets[buffer], nullptr};
}

std::vector<Lifetime> lifetimes_of(const Buffers& buffers) {
    std::vector<Lifetime> lifetimes;
    for (const Buffer& buffer : buffers.list) {
        lifetimes.push_back(buffer.lifetime);
        if (buffer.target.base != Place::Base::none) lifetimes.back().bytes = 0;
    }
    return lifetimes;
}

}  // namespace rondo::cpu
