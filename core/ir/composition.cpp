#include "core/ir/composition.hpp"

#include "core/ops/op_list.hpp"
#include "core/ops/reduction/reduction_ops.hpp"
#include "core/support/strings.hpp"

namespace rondo::ir {

void Composition::check_input_count(std::size_t min, std::size_t max) const {
    if (input_count() >= min && input_count() <= max) return;
    const std::string least = std::to_string(min);
    throw ModelError("it has " + counted(input_count(), "input") + "; expected " +
                     (min == max ? least : least + " to " + std::to_string(max)));
}

ElementType Composition::type() const {
    const ElementType type = input(0).element_type();
    if (type != ElementType::dynamic) return type;
    throw UnsupportedError("the type of input 0 isn't known");
}

ElementType Composition::floating_type() const {
    if (is_floating(type())) return type();
    throw UnsupportedError("input 0 is " + std::string(to_string(type())) +
                           "; expected a floating type");
}

std::size_t Composition::rank_of(std::size_t input) const {
    const PartialShape& shape = this->input(input).shape();
    if (shape.has_rank()) return shape.rank();
    throw UnsupportedError("the rank of input " + std::to_string(input) + " isn't known");
}

void Composition::adopt(const NodePtr& node) {
    const auto name = [&] { return layer_.names.take_numbered(layer_.name + "/part"); };
    node->set_name(name());
    ops::adopt_ports(*node, [&](std::string_view) { return name(); });
    node->validate();
}

Output Composition::single(const Output& value) {
    const PartialShape& shape = value.shape();
    const bool is_single = shape.has_rank() && shape.rank() == 1 && shape[0] == Dimension(1);
    return is_single ? scalar(value) : value;
}

Output Composition::sum_along_axes(const Output& value, const Output& axes) {
    return make<ops::Reduce>(ops::ReduceFunction::sum, value, axes, true);
}

FloatingFormula::FloatingFormula(Composition& by)
    : by_(by),
      type_(by.floating_type()),
      wide_(ops::arithmetic_type(type_)),
      x_(by.convert(by.input(0), wide_)) {}

}  // namespace rondo::ir
