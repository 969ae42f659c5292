#include "frontend/onnx/ops/control/loop_values.hpp"

#include <algorithm>

#include "core/ops/control/control_ops.hpp"
#include "core/ops/movement/movement_ops.hpp"
#include "core/ops/source/source_ops.hpp"
#include "core/support/errors.hpp"
#include "core/support/strings.hpp"
#include "frontend/onnx/ops/control/joined.hpp"
#include "rondo/error.hpp"

namespace rondo::onnx {
namespace {

using Kind = SequenceForm::Kind;

// Extents that differ become open at once.
PartialShape widened(const PartialShape& before, const PartialShape& after) {
    if (!before.has_rank() || !after.has_rank() || before.rank() != after.rank()) return {};
    std::vector<Dimension> extents;
    for (std::size_t i = 0; i < before.rank(); ++i) {
        extents.push_back(before[i] == after[i] ? before[i] : Dimension());
    }
    return {std::move(extents)};
}

// Whether the carried tensor has the shape that its first one has; else widens it. After some
// rounds even the rank of `most` is given up.
bool holds(BodyValue& value, const PartialShape& after, bool give_up,
           const PartialShape& most = {}) {
    if (ops::covers(value.shape, after)) return true;
    value.shape = give_up ? most : widened(value.shape, after);
    return false;
}

// The parameter that holds the last tensor, if the body reads no other one of a sequence that
// has tensors from the start; else empty.
Output last_tensor(NodeContext& context, const Output& whole, const BodyOutput& output,
                   const LoopList& list) {
    const Sequence& start = *find_sequence(list.start);
    if (!start.is_list() || start.input_count() == 0) return {};
    std::vector<NodePtr> reads;
    for (const Consumer& reader : whole.consumers()) {
        if (reader.node == &output.value.node()) continue;
        const auto* gather = as_op<ops::Gather>(*reader.node);
        if (gather == nullptr || gather->input(1).shape() != PartialShape(Shape{})) return {};
        if (NodeContext::known_ints(gather->input(1)) != std::vector<std::int64_t>{-1}) return {};
        reads.push_back(reader.node->shared_from_this());
    }
    const Output tensor = reads.at(0)->output(0);
    const Output last = context.make<ops::Parameter>("last", tensor.element_type(), tensor.shape());
    for (const NodePtr& read : reads) {
        read->output(0).set_names({});
        read->output(0).replace_with(last);
    }
    return last;
}

// Which forms and shapes the carried values have.
class CarriedValues {
public:
    CarriedValues(NodeContext& context, std::size_t first, std::size_t first_result,
                  std::size_t count)
        : context_(context), first_(first), first_result_(first_result), count_(count) {}

    /// Whether all are what they were; else changes the request.
    bool hold(BodyGraph& body, BodyRequest& request) {
        check_output_count(body, first_result_ + count_, body.outputs.size());
        bool all = true;
        for (std::size_t i = 0; i < count_; ++i) {
            all = has_form(request.inputs[first_ + i], body, first_result_ + i) && all;
        }
        if (!all) return false;
        if (++rounds_ > 2 * kMaxRounds) {
            throw UnsupportedError("the values that go round keep changing their shapes");
        }
        std::size_t parameter = first_;
        for (std::size_t i = 0; i < count_; ++i) {
            BodyValue& value = request.inputs[first_ + i];
            all = has_shape(value, body.outputs[first_result_ + i],
                            body.graph->parameters()[parameter]) &&
                  all;
            parameter += value.form ? value.tensors.size() : 1;
        }
        return all;
    }

private:
    static constexpr int kMaxRounds = 4;

    // A list whose number of tensors changes becomes a joined sequence.
    static bool has_form(BodyValue& value, const BodyGraph& body, std::size_t index) {
        const Sequence* sequence = find_sequence(body.outputs[index].value);
        if (value.form.has_value() != (sequence != nullptr)) {
            throw UnsupportedError("output " + std::to_string(index) +
                                   " of the body is a tensor where a sequence goes round, or a "
                                   "sequence where a tensor does");
        }
        if (!value.form || value.form->kind == Kind::joined) return true;
        if (sequence->is_list() && sequence->input_count() == value.tensors.size()) return true;
        value.form->kind = Kind::joined;
        value.tensors = {whole_of(*value.form)};
        return false;
    }

    bool has_shape(BodyValue& value, BodyOutput& output, const Output& parameter) {
        const bool give_up = rounds_ >= kMaxRounds;
        if (!value.form) return holds(value, output.value.shape(), give_up);
        if (value.form->kind == Kind::joined) return whole_holds(value, output, parameter, give_up);
        bool all = true;
        const Sequence& list = *find_sequence(output.value);
        for (std::size_t i = 0; i < value.tensors.size(); ++i) {
            all = holds(value.tensors[i], list.input(i).shape(), give_up) && all;
        }
        return all;
    }

    // A body that reads nothing of a sequence and only adds tensors to it need not get it.
    bool whole_holds(BodyValue& value, BodyOutput& output, const Output& parameter, bool give_up) {
        const Sequence& sequence = *find_sequence(output.value);
        const bool only_adds =
            sequence.is_joined() && sequence.whole() == parameter && have_known_extents(sequence);
        if (only_adds && is_unread(parameter, output.value)) return true;
        BodyValue& whole = value.tensors[0];
        const BodyValue known = known_whole_of(*value.form);
        if (!whole.shape.has_rank() || whole.type == ElementType::dynamic) {
            whole = known;
            return false;
        }
        const PartialShape most = PartialShape::of_rank(whole.shape.rank());
        if (!holds(whole, known.shape, give_up, most)) return false;
        if (only_adds) {
            output.last = last_tensor(context_, parameter, output, *value.form->list);
            if (output.last) return true;
        }
        at_place([&] { return "output '" + output.name + "'"; },
                 [&] { output.whole = joined(context_, sequence, *value.form); });
        return holds(whole, output.whole.shape(), give_up, most);
    }

    // Whether a loop can join what its iterations add.
    static bool have_known_extents(const Sequence& sequence) {
        const auto fits = [&](std::span<const Output> added) {
            return added.empty() || joined_extent(added, sequence.form()).value_or(0) > 0;
        };
        return fits(sequence.front()) && fits(sequence.back());
    }

    NodeContext& context_;
    std::size_t first_;
    std::size_t first_result_;
    std::size_t count_;
    int rounds_ = 0;
};

bool is_needed(const Node& parameter) {
    return std::ranges::any_of(parameter.consumers(0), [](const Consumer& reader) {
        return as_op<Sequence>(*reader.node) == nullptr;
    });
}

}  // namespace

BodyGraph read_loop_body(NodeContext& context, BodyRequest& request, std::size_t first,
                         std::size_t first_result, std::size_t count) {
    CarriedValues values(context, first, first_result, count);
    return context.read_body("body", request, [&](BodyGraph& body, BodyRequest& next) {
        return values.hold(body, next);
    });
}

bool is_unread(const Output& tensor, const Output& sequence) {
    return std::ranges::all_of(tensor.consumers(), [&](const Consumer& reader) {
        return reader.node == &sequence.node();
    });
}

void set_ends(BodyGraph& body, std::vector<NodePtr> parameters, std::vector<NodePtr> results) {
    const std::vector<NodePtr>& all = body.graph->parameters();
    const std::size_t own = all.size() - body.captured.size();
    std::vector<Output> captured;
    for (std::size_t i = 0; i < body.captured.size(); ++i) {
        if (!is_needed(*all[own + i])) continue;
        parameters.push_back(all[own + i]);
        captured.push_back(body.captured[i]);
    }
    body.captured = std::move(captured);
    body.graph->set_ends(std::move(parameters), std::move(results), {});
}

void add_captured(const BodyGraph& body, std::vector<Output>& inputs, ops::BodyPorts& ports) {
    const std::size_t own = body.graph->parameters().size() - body.captured.size();
    for (std::size_t i = 0; i < body.captured.size(); ++i) {
        ports.inputs.push_back({inputs.size(), own + i, {}, {}});
        inputs.push_back(body.captured[i]);
    }
}

void check_output_count(const BodyGraph& body, std::size_t min, std::size_t max) {
    const std::size_t count = body.outputs.size();
    if (count >= min && count <= max) return;
    throw ModelError("the body has " + counted(count, "output") + "; expected " +
                     (min == max ? "" : "at least ") + std::to_string(min));
}

}  // namespace rondo::onnx
