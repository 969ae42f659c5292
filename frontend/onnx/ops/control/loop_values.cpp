#include "frontend/onnx/ops/control/loop_values.hpp"

#include "core/ops/control/body_op.hpp"
#include "core/support/strings.hpp"
#include "frontend/onnx/context/sequence.hpp"
#include "rondo/error.hpp"

namespace rondo::onnx {
namespace {

// Extents that differ become open at once; after some rounds even the rank does.
PartialShape widened(const PartialShape& before, const PartialShape& after, bool give_up) {
    if (give_up || !before.has_rank() || !after.has_rank() || before.rank() != after.rank()) {
        return {};
    }
    std::vector<Dimension> extents;
    for (std::size_t i = 0; i < before.rank(); ++i) {
        extents.push_back(before[i] == after[i] ? before[i] : Dimension());
    }
    return {std::move(extents)};
}

// Whether the tensor that goes round has the shape that its first one has; else widens it.
bool holds(BodyValue& value, const Graph& body, std::size_t result, bool give_up) {
    const PartialShape& shape = body.results()[result]->output_shape(0);
    if (ops::covers(value.shape, shape)) return true;
    value.shape = widened(value.shape, shape, give_up);
    return false;
}

// The next form of a sequence that isn't what it was when the iteration began.
void change_form(BodyValue& value, const BodyOutput& output, std::size_t index,
                 std::set<std::size_t>& as_rows) {
    using Form = BodyValue::Form;
    const bool is_list_of_other = output.list && output.list != value.list;
    if (is_list_of_other) throw ListIsRead{output.list};
    if (value.form == Form::tensor || output.form == Form::tensor) {
        throw UnsupportedError("output " + std::to_string(index) +
                               " of the body is a tensor where a sequence goes round, or a "
                               "sequence where a tensor does");
    }
    if (value.form == Form::sequence) {
        value.form = Form::growing;
        value.tensors.clear();
        return;
    }
    if (output.form == Form::sequence) as_rows.insert(index);
    if (value.form != Form::rows) make_rows(value);
}

// The same for any form.
bool holds(BodyValue& value, const BodyGraph& body, const BodyOutput& output, bool give_up) {
    using Form = BodyValue::Form;
    if (value.form == Form::tensor) return holds(value, *body.graph, output.first, give_up);
    bool all = true;
    for (std::size_t i = 0; i < value.tensors.size(); ++i) {
        all = holds(value.tensors[i], *body.graph, output.first + i, give_up) && all;
    }
    return all;
}

bool has_same_form(const BodyValue& value, const BodyOutput& output) {
    using Form = BodyValue::Form;
    if (value.form != output.form) return false;
    if (output.list && output.list != value.list) return false;
    return value.form != Form::sequence || output.count == value.tensors.size();
}

// Which forms and shapes the values have that go round.
class RoundValues {
public:
    RoundValues(std::size_t first, std::size_t first_result, std::size_t count)
        : first_(first), first_result_(first_result), count_(count) {}

    /// Whether all are what they were; else changes the request.
    bool hold(const BodyGraph& body, BodyRequest& request) {
        check_output_count(body, first_result_ + count_, body.outputs.size());
        if (!have_forms(body, request)) return false;
        if (++rounds_ > 2 * kMaxRounds) {
            throw UnsupportedError("the values that go round keep changing their shapes");
        }
        bool all = true;
        for (std::size_t i = 0; i < count_; ++i) {
            all = holds(request.inputs[first_ + i], body, body.outputs[first_result_ + i],
                        rounds_ >= kMaxRounds) &&
                  all;
        }
        return all;
    }

private:
    static constexpr int kMaxRounds = 4;

    bool have_forms(const BodyGraph& body, BodyRequest& request) {
        bool all = true;
        for (std::size_t i = 0; i < count_; ++i) {
            BodyValue& value = request.inputs[first_ + i];
            const BodyOutput& output = body.outputs[first_result_ + i];
            if (!has_same_form(value, output)) {
                change_form(value, output, first_result_ + i, request.as_rows);
                all = false;
            } else if (value.form == BodyValue::Form::growing && is_ragged(*value.list)) {
                make_joined(value);
                all = false;
            }
        }
        return all;
    }

    std::size_t first_;
    std::size_t first_result_;
    std::size_t count_;
    int rounds_ = 0;
};

}  // namespace

BodyGraph read_loop_body(NodeContext& context, BodyRequest request, std::size_t first,
                         std::size_t first_result, std::size_t count) {
    RoundValues values(first, first_result, count);
    return context.read_body(
        "body", std::move(request),
        [&](const BodyGraph& body, BodyRequest& next) { return values.hold(body, next); });
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
