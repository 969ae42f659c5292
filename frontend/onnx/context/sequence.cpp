#include "frontend/onnx/context/sequence.hpp"

#include <algorithm>
#include <span>

#include "core/graph/clonable.hpp"
#include "core/graph/origins.hpp"
#include "core/ops/movement/concat.hpp"
#include "core/ops/movement/squeeze.hpp"
#include "core/ops/source/constant.hpp"
#include "core/ops/source/parameter.hpp"
#include "frontend/onnx/messages/origins.hpp"
#include "rondo/error.hpp"

namespace rondo::onnx {

namespace {

Output joined(std::vector<Output> parts, const std::string& name, UniqueNames& names) {
    auto whole = make_node<ops::Concat>(std::move(parts), 0);
    whole->set_origin(origin_to_share(whole->input(0).node()));
    whole->set_name(names.take(name + "/rows"));
    return whole;
}

bool have_one_shape(std::span<const Output> tensors) {
    return std::all_of(tensors.begin(), tensors.end(), [&](const Output& tensor) {
        return tensor.shape().intersect(tensors[0].shape()).has_value();
    });
}

// Each tensor as a row of one.
Output stacked(std::span<const Output> tensors, const std::string& name, UniqueNames& names) {
    if (!have_one_shape(tensors)) {
        throw UnsupportedError(
            "tensors of different shapes are in one sequence; expected one shape where a run "
            "decides how many tensors there are");
    }
    std::vector<Output> rows;
    for (const Output& tensor : tensors) rows.push_back(with_extra_axis(tensor, 0, name, names));
    return rows.size() == 1 ? rows[0] : joined(std::move(rows), name, names);
}

OutputParts parts_of_list(const Growing& list, bool stacks, const std::string& name,
                          UniqueNames& names) {
    const AddedCounts& counts = list.counts();
    OutputParts parts{{BodyOutput::Form::growing, 0, 0, list.list(), counts}, list.inputs()};
    if (stacks) {
        if (list.list()->axis && !have_one_shape(parts.tensors)) throw ListIsRead{list.list()};
        const std::span<const Output> all = parts.tensors;
        const auto front = all.subspan(counts.last, counts.front);
        const auto back = all.subspan(counts.last + counts.front);
        std::vector<Output> results;
        if (counts.last > 0) results.push_back(counts.back > 0 ? back.back() : all[0]);
        if (counts.front > 0) results.push_back(stacked(front, name, names));
        if (counts.back > 0) results.push_back(stacked(back, name, names));
        parts.tensors = std::move(results);
    }
    parts.output.count = parts.tensors.size();
    return parts;
}

}  // namespace

bool is_tensor(const Output& value) {
    const Node& node = value.node();
    return !as_op<Sequence>(node) && !as_op<Rows>(node) && !as_op<Joined>(node) &&
           !as_op<Growing>(node) && !as_op<EmptyOptional>(node);
}

OutputParts parts_of(const Output& value, const BodyRequest& request, std::size_t index,
                     const std::string& name, UniqueNames& names) {
    using Form = BodyOutput::Form;
    const Node& node = value.node();
    if (is_tensor(value)) return {{Form::tensor}, {value}};
    if (as_op<Sequence>(node)) {
        if (!request.as_rows.contains(index)) {
            return {{Form::sequence, 0, node.input_count()}, node.inputs()};
        }
        if (node.input_count() == 0) throw UnsupportedError("it is an empty sequence");
        return {{Form::rows}, {stacked(node.inputs(), name, names)}};
    }
    if (as_op<Rows>(node)) return {{Form::rows}, node.inputs()};
    if (const auto* whole = as_op<Joined>(node); whole != nullptr && whole->list()) {
        return {{Form::joined, 0, 1, whole->list()}, node.inputs()};
    }
    const auto* list = as_op<Growing>(node);
    if (list == nullptr) {
        throw UnsupportedError("it is a sequence or optional value; expected a tensor");
    }
    return parts_of_list(*list, request.stacks_added, name, names);
}

Output with_extra_axis(const Output& value, std::int64_t axis, const std::string& name,
                       UniqueNames& names) {
    auto constant = ops::make_i64({axis}, names.take(name + "/axis"));
    auto part = make_node<ops::Unsqueeze>(value, constant);
    part->set_name(names.take(name + "/part"));
    give_origin(part, origin_to_share(value.node()));
    return part;
}

Output without_axis(const Output& value, std::int64_t axis, const std::string& name,
                    UniqueNames& names) {
    auto constant = ops::make_i64({axis}, names.take(name + "/axis"));
    auto part = make_node<ops::Squeeze>(value, constant);
    part->set_name(names.take(name + "/part"));
    give_origin(part, origin_to_share(value.node()));
    return part;
}

Output make_body_sequence(const std::string& name, const BodyValue& value, UniqueNames& names,
                          std::vector<NodePtr>& parameters) {
    using Form = BodyValue::Form;
    std::vector<Output> tensors;
    for (const BodyValue& tensor : value.tensors) {
        const auto parameter = make_node<ops::Parameter>(tensor.type, tensor.shape);
        parameter->set_name(names.take(name + "/" + std::to_string(tensors.size())));
        parameter->set_origin(input_origin(name));
        parameters.push_back(parameter);
        tensors.emplace_back(parameter);
    }
    if (value.form == Form::rows) return make_node<Rows>(tensors[0]);
    if (value.form == Form::joined) {
        return make_node<Joined>(tensors[0], *value.list->axis, value.list);
    }
    if (value.form == Form::growing) {
        const AddedCounts counts{tensors.size(), 0, 0};
        return make_node<Growing>(value.list, counts, std::move(tensors));
    }
    return make_node<Sequence>(std::move(tensors));
}

}  // namespace rondo::onnx

namespace rondo {

// keep-sorted
template class Clonable<onnx::EmptyOptional>;
template class Clonable<onnx::Growing>;
template class Clonable<onnx::Joined>;
template class Clonable<onnx::Rows>;
template class Clonable<onnx::Sequence>;

}  // namespace rondo
