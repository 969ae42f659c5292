#include "tests/random/model_maker.hpp"

#include <algorithm>

#include "tests/random/exact_ops.hpp"
#include "tests/support/tensors.hpp"

namespace rondo::test {

namespace {

PartialShape declared(const Extents& shape) {
    std::vector<Dimension> dimensions;
    for (const auto& extent : shape) {
        dimensions.push_back(extent.is_known() ? Dimension(extent.factor) : Dimension());
    }
    return PartialShape(std::move(dimensions));
}

}  // namespace

ModelMaker::ModelMaker(Rng& rng, std::int64_t opset) : rng_(rng), opset_(opset), model_(opset) {
    auto& import = *model_.message().add_opset_import();
    import.set_domain("com.microsoft");
    import.set_version(1);
}

ModelMaker ModelMaker::inside() const {
    ModelMaker body(rng_, opset_);
    body.values_ = values_;
    body.outer_values_ = values_.size();
    body.names_ = names_;
    body.depth_ = depth_ + 1;
    body.allow_empty(n_may_be_zero_, t_may_be_zero_);
    return body;
}

Value ModelMaker::add_input(const std::string& name, ElementType type, const Extents& shape) {
    model_.input(name, type, declared(shape));
    inputs_.push_back({name, type, shape, true, name == "k"});
    values_.push_back(inputs_.back());
    return inputs_.back();
}

Value ModelMaker::add_parameter(Value value) {
    value.name = new_name("p");
    const bool with_shape = !value.hidden && (value.type != ElementType::f32 || chance(0.5));
    model_.input(value.name, value.type, with_shape ? declared(value.shape) : PartialShape());
    values_.push_back(value);
    return value;
}

void ModelMaker::add_result(const Value& value) {
    auto& info = *model_.graph().add_output();
    info.set_name(value.name);
    auto& type = *info.mutable_type()->mutable_tensor_type();
    type.set_elem_type(to_onnx(value.type));
    if (value.hidden) return;
    auto& shape = *type.mutable_shape();
    for (const auto& extent : value.shape) {
        auto& dimension = *shape.add_dim();
        if (extent.is_known()) dimension.set_dim_value(extent.factor);
    }
}

Value ModelMaker::add_list_parameter() {
    Value list{new_name("l"), ElementType::dynamic, {}};
    auto& input = *model_.graph().add_input();
    input.set_name(list.name);
    auto& element = *input.mutable_type()->mutable_sequence_type()->mutable_elem_type();
    element.mutable_tensor_type()->set_elem_type(to_onnx(ElementType::f32));
    return list;
}

void ModelMaker::add_list_result(const Value& list) {
    auto& output = *model_.graph().add_output();
    output.set_name(list.name);
    auto& element = *output.mutable_type()->mutable_sequence_type()->mutable_elem_type();
    element.mutable_tensor_type()->set_elem_type(to_onnx(ElementType::f32));
}

Value ModelMaker::add_list(const std::string& op, const std::vector<Value>& inputs,
                           const std::function<void(NodeBuilder&)>& attributes) {
    const std::size_t before = values_.size();
    const Value list = add(op, inputs, {}, ElementType::dynamic, attributes);
    values_.resize(before);
    return list;
}

void ModelMaker::describe(const Value& value) {
    for (Value& known : values_) {
        if (known.name == value.name) known = value;
    }
}

Value ModelMaker::add(const std::string& op, const std::vector<Value>& inputs, const Extents& shape,
                      ElementType type, const std::function<void(NodeBuilder&)>& attributes) {
    return add_all(op, inputs, {shape}, type, attributes).front();
}

std::vector<Value> ModelMaker::add_all(const std::string& op, const std::vector<Value>& inputs,
                                       const std::vector<Extents>& shapes, ElementType type,
                                       const std::function<void(NodeBuilder&)>& attributes) {
    std::vector<std::string> sources;
    bool of_exact = true;
    for (const auto& input : inputs) {
        sources.push_back(input.name);
        of_exact = of_exact && (input.name.empty() || input.exact);
    }
    const bool exact = reads_shape_alone(op) || (of_exact && keeps_exactness(op));
    std::vector<Value> outputs;
    std::vector<std::string> targets;
    for (const auto& shape : shapes) {
        outputs.push_back({new_name("v"), type, shape, exact});
        targets.push_back(outputs.back().name);
    }
    NodeBuilder node = model_.node(op, sources, targets, new_name(op + "_"));
    if (attributes) attributes(node);
    values_.insert(values_.end(), outputs.begin(), outputs.end());
    return outputs;
}

Value ModelMaker::weights(const Shape& shape, double bound) {
    return constant(random_tensor(ElementType::f32, shape, rng_, -bound, bound));
}

Value ModelMaker::filled(const Shape& shape, float value) {
    return constant(tensor_of<float>(shape, std::vector<float>(element_count(shape), value)));
}

Value ModelMaker::ints(const std::vector<std::int64_t>& values) {
    return constant(tensor_of<std::int64_t>({values.size()}, values));
}

Value ModelMaker::int_scalar(std::int64_t value) {
    return constant(scalar_of<std::int64_t>(value));
}

Value ModelMaker::flag(bool value) { return constant(scalar_of<bool>(value)); }

Value ModelMaker::constant(const Tensor& tensor) {
    const std::string name = new_name("c");
    model_.initializer(name, tensor);
    Extents extents;
    for (const std::size_t extent : tensor.shape()) {
        extents.push_back(known(static_cast<std::int64_t>(extent)));
    }
    return {name, tensor.element_type(), extents, true};
}

std::optional<Value> ModelMaker::pick(const std::function<bool(const Value&)>& fits,
                                      ElementType type) {
    std::vector<const Value*> candidates;
    for (const auto& value : values_) {
        if (value.type == type && !value.hidden && fits(value)) candidates.push_back(&value);
    }
    if (candidates.empty()) return std::nullopt;
    const auto last = static_cast<std::int64_t>(candidates.size()) - 1;
    const std::int64_t least = chance(0.3) ? 0 : std::max<std::int64_t>(0, last - 3);
    return *candidates[static_cast<std::size_t>(number(least, last))];
}

std::optional<Value> ModelMaker::pick_sequence() {
    return pick([](const Value& value) {
        return value.rank() == 3 && value.last().is_known() && value.last().factor > 0;
    });
}

Value ModelMaker::projected(const Value& x, std::int64_t features) {
    Extents shape = x.shape;
    shape.back() = known(features);
    const Value matrix = weights({x.width(), static_cast<std::size_t>(features)}, 0.2);
    return bounded(add("MatMul", {x, matrix}, shape));
}

std::optional<Value> ModelMaker::pick_of_rank(std::size_t least, std::size_t most) {
    return pick([&](const Value& value) { return value.rank() >= least && value.rank() <= most; });
}

std::optional<Value> ModelMaker::pick_like(const Value& other, ElementType type) {
    return pick([&](const Value& value) { return value.shape == other.shape; }, type);
}

std::optional<Value> ModelMaker::pick_channels() {
    return pick([&](const Value& value) {
        return value.rank() == 3 && value.shape[1].is_known() && value.shape[1].factor > 0 &&
               is_filled(value.last());
    });
}

}  // namespace rondo::test
