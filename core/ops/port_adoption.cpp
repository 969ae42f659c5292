#include "core/ops/op_list.hpp"

#include <algorithm>
#include <optional>
#include <vector>

#include "core/graph/infer_context.hpp"
#include "core/graph/port_forms.hpp"
#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/movement/movement_ops.hpp"
#include "core/ops/source/source_ops.hpp"

namespace rondo::ops {
namespace {

// The shape that the elements get; empty if they fit or can't.
std::optional<Shape> adopted_shape(PortRank rank, const PartialShape& shape) {
    if (rank == PortRank::scalar) {
        // If the rank is unknown, the run shows whether it is one element.
        const bool may_be_one = !shape.has_rank() || (shape.rank() == 1 && shape[0].contains(1));
        return may_be_one ? std::optional<Shape>(Shape{}) : std::nullopt;
    }
    const bool is_scalar = shape.has_rank() && shape.rank() == 0;
    return rank == PortRank::vector && is_scalar ? std::optional<Shape>(Shape{1}) : std::nullopt;
}

bool needs_type(PortType type, ElementType given) {
    return !takes(type, given) && type == PortType::index && is_integral(given);
}

Tensor as_i64(const Tensor& value) {
    Tensor result(ElementType::i64, value.shape());
    const auto elements = to_int64_vector(value);
    std::copy(elements.begin(), elements.end(), result.data<std::int64_t>());
    return result;
}

// Else inference refuses them.
bool fits_i64(const Tensor& value) {
    if (value.element_type() != ElementType::u64) return true;
    const auto elements = to_int64_vector(value);
    return std::none_of(elements.begin(), elements.end(), [](std::int64_t e) { return e < 0; });
}

class PortAdopter {
public:
    PortAdopter(const PortForm& form, FunctionRef<std::string(std::string_view)> name)
        : form_(form), name_(name) {}

    Output adopted(const Output& value) {
        const auto shape = adopted_shape(form_.rank, value.shape());
        const bool gets_type = needs_type(form_.type, value.element_type());
        if (!shape && !gets_type) return value;
        if (const Tensor known = known_value(value)) {
            if (gets_type && !fits_i64(known)) return value;
            const Tensor typed = gets_type ? as_i64(known) : known;
            return made<Constant>("", shape ? typed.reshaped(*shape) : typed);
        }
        Output result = value;
        if (gets_type) result = made<Convert>("_i64", result, ElementType::i64);
        if (!shape) return result;
        const std::vector<std::int64_t> pattern(shape->begin(), shape->end());
        const Output constant = make_i64(pattern, name_(std::string(form_.name) + "_shape"));
        return made<Reshape>("", result, constant);
    }

private:
    template <typename T, typename... Args>
    Output made(const std::string& suffix, Args&&... args) {
        const auto node = make_node<T>(std::forward<Args>(args)...);
        node->set_name(name_(std::string(form_.name) + suffix));
        return node;
    }

    const PortForm& form_;
    FunctionRef<std::string(std::string_view)> name_;
};

}  // namespace

void adopt_ports(Node& node, FunctionRef<std::string(std::string_view port)> name) {
    for (const PortForm& form : port_forms_of(node.type_name())) {
        if (form.input >= node.input_count()) continue;
        const Output given = node.input(form.input);
        const Output adopted = PortAdopter(form, name).adopted(given);
        if (!(adopted == given)) node.set_input(form.input, adopted);
    }
}

}  // namespace rondo::ops
