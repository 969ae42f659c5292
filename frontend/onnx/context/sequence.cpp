#include "frontend/onnx/context/sequence.hpp"

#include "core/ops/movement/squeeze.hpp"
#include "core/ops/movement/unsqueeze.hpp"
#include "core/ops/source/constant.hpp"
#include "core/ops/source/parameter.hpp"
#include "rondo/error.hpp"

namespace rondo::onnx {

bool is_tensor(const Output& value) {
    const Node& node = value.node();
    return !as_op<Sequence>(node) && !as_op<Rows>(node) && !as_op<Growing>(node) &&
           !as_op<EmptyOptional>(node);
}

OutputParts parts_of(const Output& value) {
    using Form = BodyOutput::Form;
    const Node& node = value.node();
    if (is_tensor(value)) return {{Form::tensor}, {value}};
    if (as_op<Sequence>(node)) {
        return {{Form::sequence, 0, node.input_count()}, node.inputs()};
    }
    if (as_op<Rows>(node)) return {{Form::rows}, node.inputs()};
    const auto* growing = as_op<Growing>(node);
    if (growing == nullptr || growing->slot() == Growing::kForeign) {
        throw UnsupportedError("it is a sequence or optional value; expected a tensor");
    }
    return {{Form::growing, 0, node.input_count(), growing->slot()}, node.inputs()};
}

Output with_extra_axis(const Output& value, std::int64_t axis, const std::string& name,
                       UniqueNames& names) {
    auto constant = ops::make_i64({axis}, names.take(name + "/axis"));
    auto part = make_node<ops::Unsqueeze>(value, constant);
    part->set_name(names.take(name + "/part"));
    return part;
}

Output without_axis(const Output& value, std::int64_t axis, const std::string& name,
                    UniqueNames& names) {
    auto constant = ops::make_i64({axis}, names.take(name + "/axis"));
    auto part = make_node<ops::Squeeze>(value, constant);
    part->set_name(names.take(name + "/part"));
    return part;
}

Output make_body_sequence(const std::string& name, const BodyValue& value, UniqueNames& names,
                          std::vector<NodePtr>& parameters) {
    if (value.form == BodyValue::Form::growing) return make_node<Growing>(value.slot);
    std::vector<Output> tensors;
    for (const BodyValue& tensor : value.tensors) {
        const auto parameter = make_node<ops::Parameter>(tensor.type, tensor.shape);
        parameter->set_name(names.take(name + "/" + std::to_string(tensors.size())));
        parameters.push_back(parameter);
        tensors.emplace_back(parameter);
    }
    return make_node<Sequence>(std::move(tensors));
}

}  // namespace rondo::onnx
