#include "plugins/cpu/plugin/run/body_forms.hpp"

namespace rondo::cpu {
namespace {

// Where it is open in the mask, any extent; else that of the shape.
std::optional<PartialShape> opened(const Shape& shape, const PartialShape& mask) {
    if (!mask.has_rank() || mask.rank() != shape.size()) return PartialShape();
    PartialShape form = shape;
    for (std::size_t i = 0; i < shape.size(); ++i) {
        if (!mask[i].is_static()) form[i] = Dimension();
    }
    if (form.is_static()) return std::nullopt;
    return form;
}

}  // namespace

void BodyForms::count(Misses& misses) {
    missed_ = true;
    ++misses.in_a_row;
    ++misses.altogether;
}

void BodyForms::open(PlanKey& key) {
    if (refused_) return;
    count(inputs_);
    const bool many = inputs_.in_a_row > kInARow || inputs_.altogether > kAltogether;
    if (many && !last_.empty()) widen(key);
    floats_ = floats_ || segments_.in_a_row > kSegmentsInARow || segments_.altogether > kAltogether;
    last_.clear();
    for (const PlanInput& input : key.inputs) last_.push_back(input.shape);
    for (std::size_t i = 0; i < forms_.size(); ++i) {
        PlanInput& input = key.inputs[i];
        input.form = opened(input.shape, forms_[i]);
        if (input.form) input.shape.clear();
    }
    key.floats = floats_;
}

// What differs from the last run's inputs is open from now on.
void BodyForms::widen(const PlanKey& key) {
    if (forms_.empty()) {
        for (const Shape& shape : last_) forms_.emplace_back(shape);
    }
    for (std::size_t i = 0; i < last_.size(); ++i) {
        const Shape& now = key.inputs[i].shape;
        PartialShape& form = forms_[i];
        if (now.size() != last_[i].size()) form = PartialShape();
        if (!form.has_rank() || form.rank() != now.size()) continue;
        for (std::size_t axis = 0; axis < now.size(); ++axis) {
            if (now[axis] != last_[i][axis]) form[axis] = Dimension();
        }
    }
    floats_ = true;
    inputs_ = {};
}

}  // namespace rondo::cpu
