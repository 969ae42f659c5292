#include "frontend/onnx/ops/recurrent/recurrent.hpp"

#include "core/graph/rt_info_keys.hpp"
#include "core/ops/elementwise/convert.hpp"
#include "core/support/limits.hpp"
#include "frontend/onnx/ops/common/building_blocks.hpp"
#include "rondo/error.hpp"

namespace rondo::onnx {
namespace {

constexpr std::int64_t kLayoutSince = 14;
constexpr std::int64_t kNoOutputSequenceSince = 7;
// Larger blocks of zeros are made at run time, so that no file contains them.
constexpr std::size_t kMaxZeros = std::size_t{1} << 24;

constexpr std::size_t kLayerBias = 3;
constexpr std::size_t kLengths = 4;
constexpr std::size_t kInitialH = 5;
constexpr std::size_t kInitialC = 6;
constexpr std::size_t kPeepholes = 7;

bool has_16_bits(const Output& value) {
    return value.element_type() == ElementType::f16 || value.element_type() == ElementType::bf16;
}

}  // namespace

Output required_input(NodeContext& context, std::size_t index, const std::string& name) {
    if (context.has_input(index)) return context.input(index);
    throw ModelError("input " + std::to_string(index) + " (" + name + ") is missing");
}

RecurrentSource read_recurrent_source(NodeContext& context) {
    RecurrentSource source;
    source.w = required_input(context, 1, "W");
    source.r = required_input(context, 2, "R");
    if (context.opset() >= kLayoutSince) {
        source.batch_first = context.attributes().flag("layout", false);
    } else if (context.opset() < kNoOutputSequenceSince) {
        // 0 allows an exporter to leave Y out; a node that names Y gets it anyway.
        context.attributes().flag("output_sequence", false);
    }
    return source;
}

RecurrentReader::RecurrentReader(NodeContext& context, ops::CellType cell, RecurrentSource source)
    : context_(context),
      cell_(cell),
      attributes_(read_recurrent_attributes(context, cell)),
      source_(std::move(source)),
      gates_(ops::info_of(cell).gates),
      directions_(attributes_.direction == ops::Direction::bidirectional ? 2 : 1) {
    required_input(context, 0, "X");
    check_types();
    find_hidden_size();
    check_shapes();
}

void RecurrentReader::find_hidden_size() {
    const PartialShape& shape = r().shape();
    if (attributes_.hidden_size == 0) {
        NodeContext::check_shape(r(), PartialShape::of_rank(3), "R");
        if (!shape.has_rank() || !shape[2].is_static()) return;  // it follows R when that comes
        attributes_.hidden_size = shape[2].length();
    }
    if (attributes_.hidden_size < 1 || attributes_.hidden_size > kMaxHiddenSize) {
        throw ModelError("hidden_size is " + std::to_string(attributes_.hidden_size) +
                         "; expected 1 to " + std::to_string(kMaxHiddenSize));
    }
}

// All but the lengths share one floating type.
void RecurrentReader::check_types() {
    std::vector<std::pair<std::string, Output>> values = {
        {"X", context_.input(0)},
        {"W", w()},
        {"R", r()},
        {"B", context_.optional_input(kLayerBias)},
        {"initial_h", context_.optional_input(kInitialH)}};
    if (cell_ == ops::CellType::lstm) {
        values.emplace_back("initial_c", context_.optional_input(kInitialC));
        values.emplace_back("P", context_.optional_input(kPeepholes));
    }
    const std::pair<std::string, Output>* first = nullptr;
    for (const auto& value : values) {
        if (!value.second || value.second.element_type() == ElementType::dynamic) continue;
        const ElementType type = value.second.element_type();
        const std::string got = value.first + " has type " + std::string(to_string(type));
        if (!is_floating(type)) throw ModelError(got + "; expected f32, f64, f16 or bf16");
        if (first == nullptr) first = &value;
        const ElementType expected = first->second.element_type();
        if (type == expected) continue;
        throw ModelError(got + "; expected " + std::string(to_string(expected)) + " as " +
                         first->first + " has");
    }
    check_lengths_type();
}

// ONNX has only int32; exporters also write int64.
void RecurrentReader::check_lengths_type() {
    const Output lengths = context_.optional_input(kLengths);
    const ElementType type = lengths ? lengths.element_type() : ElementType::dynamic;
    if (type == ElementType::dynamic || type == ElementType::i32 || type == ElementType::i64) {
        return;
    }
    throw ModelError("sequence_lens has type " + std::string(to_string(type)) +
                     "; expected i32 or i64");
}

void RecurrentReader::check_shape(const Output& value, const std::string& name,
                                  const std::vector<Dimension>& expected,
                                  std::size_t directions_axis) const {
    if (!value) return;
    const PartialShape& shape = value.shape();
    const bool wrong_directions =
        shape.has_rank() && shape.rank() > directions_axis &&
        !shape[directions_axis].intersect(expected[directions_axis]).has_value();
    const std::string hidden = attributes_.hidden_size == 0
                                   ? "hidden_size is absent"
                                   : "hidden_size is " + std::to_string(attributes_.hidden_size);
    const std::string because =
        wrong_directions ? "num_directions is " + std::to_string(directions_) : hidden;
    NodeContext::check_shape(value, PartialShape(expected), because + " but " + name);
}

void RecurrentReader::check_shapes() {
    // Open where hidden_size is: the op checks the sizes when R's shape is known.
    const auto times_h = [&](std::int64_t factor) {
        return attributes_.hidden_size == 0 ? Dimension()
                                            : Dimension(factor * attributes_.hidden_size);
    };
    const Dimension h = times_h(1);
    const Dimension d(directions_);
    const Dimension gates = times_h(gates_);
    check_shape(r(), "R", {d, gates, h});
    check_shape(w(), "W", {d, gates, Dimension()});
    check_shape(context_.optional_input(kLayerBias), "B", {d, times_h(2 * gates_)});

    const Output x = context_.input(0);
    NodeContext::check_shape(x, PartialShape::of_rank(3), "X");
    Dimension n;
    if (x.shape().has_rank()) {
        n = x.shape()[static_cast<std::size_t>(batch_axis())];
        NodeContext::check_shape(w(), {d, gates, x.shape()[2]},
                                 "X has shape " + to_string(x.shape()) + " but W");
    }
    const std::vector<Dimension> state =
        source_.batch_first ? std::vector<Dimension>{n, d, h} : std::vector<Dimension>{d, n, h};
    const std::size_t directions_axis = source_.batch_first ? 1 : 0;
    check_shape(context_.optional_input(kInitialH), "initial_h", state, directions_axis);
    if (cell_ == ops::CellType::lstm) {
        check_shape(context_.optional_input(kInitialC), "initial_c", state, directions_axis);
        check_shape(context_.optional_input(kPeepholes), "P", {d, times_h(3)});
    }
    if (context_.has_input(kLengths)) {
        NodeContext::check_shape(context_.input(kLengths), {n}, "sequence_lens");
    }
}

Output RecurrentReader::x() {
    const Output x = context_.input(0);
    return source_.batch_first ? x : make_transpose(context_, "X", x, {1, 0, 2});
}

// An extent of X, as i64 [1].
Output RecurrentReader::extent(const std::string& role, std::int64_t axis) {
    if (!x_shape_) x_shape_ = make_shape_of(context_, "X_shape", context_.input(0));
    return make_element(context_, role, x_shape_, axis);
}

Output RecurrentReader::initial_state(std::size_t input, const std::string& name) {
    if (const Output given = context_.optional_input(input)) {
        return source_.batch_first ? given : make_transpose(context_, name, given, {1, 0, 2});
    }
    const Output shape = make_concat(
        context_, name + "/shape",
        {extent(name + "/batch", batch_axis()),
         make_ints(context_, name + "/directions", {directions_}), hidden(name + "/hidden", 1)},
        0);
    const Output x = context_.input(0);
    const ElementType type =
        NodeContext::known_type(x.element_type() == ElementType::dynamic ? w() : x, "X and W");
    return make_broadcast(context_, name, make_filled(context_, name + "/zero", type, {}, 0),
                          shape);
}

Output RecurrentReader::lengths() {
    if (const Output given = context_.optional_input(kLengths)) return given;
    return make_broadcast(context_, "sequence_lens", extent("sequence_lens/time", time_axis()),
                          extent("sequence_lens/batch", batch_axis()));
}

Output RecurrentReader::b() {
    const Output given = context_.optional_input(kLayerBias);
    if (!given || !has_16_bits(given)) return given;
    if (!wide_b_) wide_b_ = context_.make<ops::Convert>("B/f32", given, ElementType::f32);
    return wide_b_;
}

// W and R keep their type in files and in memory: the mark prevents folding.
void RecurrentReader::widen_inputs(ops::RecurrentOp& op) {
    for (std::size_t i = 0; i < op.input_count(); ++i) {
        const Output input = op.input(i);
        if (!has_16_bits(input)) continue;
        const std::string role = "input_" + std::to_string(i) + "/f32";
        const auto wide = context_.make<ops::Convert>(role, input, ElementType::f32);
        if (i == op.w_port() || i == op.r_port()) wide->rt_info()[kDecompression] = "";
        op.set_input(i, wide);
    }
}

Output RecurrentReader::narrowed(const std::string& role, const Output& value) {
    const ElementType type = context_.input(kLayerBias).element_type();
    return context_.make<ops::Convert>(role + "/narrow", value, type);
}

Output RecurrentReader::summed_bias() {
    const auto halves = make_split(context_, "B/halves", b(), 1, 2);
    return make_sum(context_, "B/sum", halves[0], halves[1]);
}

Output RecurrentReader::hidden(const std::string& role, std::int64_t times) {
    if (attributes_.hidden_size != 0) {
        return make_ints(context_, role, {times * attributes_.hidden_size});
    }
    if (!r_shape_) r_shape_ = make_shape_of(context_, "R_shape", r());
    const Output one = make_element(context_, role + "/one", r_shape_, 2);
    Output sum = one;
    for (std::int64_t i = 1; i < times; ++i) {
        sum = make_sum(context_, role + "/" + std::to_string(i + 1), sum, one);
    }
    return sum;
}

Output RecurrentReader::zero_bias(std::int64_t width) {
    if (attributes_.hidden_size == 0) {
        const Output shape = make_concat(
            context_, "B/shape",
            {make_ints(context_, "B/directions", {directions_}), hidden("B/width", width)}, 0);
        const ElementType known = NodeContext::known_type(w(), "W");
        return make_broadcast(context_, "B", make_filled(context_, "B/zero", known, {}, 0), shape);
    }
    const std::int64_t size = width * attributes_.hidden_size;
    const ElementType type = NodeContext::known_type(w(), "W");
    const Shape shape = {static_cast<std::size_t>(directions_), static_cast<std::size_t>(size)};
    if (element_count(shape) <= kMaxZeros) return make_filled(context_, "B", type, shape, 0);
    return make_broadcast(context_, "B", make_filled(context_, "B/zero", type, {}, 0),
                          make_ints(context_, "B/shape", {directions_, size}));
}

Output RecurrentReader::reorder(const std::string& role, const Output& value,
                                const std::vector<std::size_t>& order) {
    const auto parts =
        make_split(context_, role + "/parts", value, 1, static_cast<std::int64_t>(order.size()));
    std::vector<Output> ordered;
    for (const std::size_t part : order) ordered.push_back(parts[part]);
    return make_concat(context_, role, std::move(ordered), 1);
}

std::vector<Output> RecurrentReader::finish(const std::shared_ptr<ops::RecurrentOp>& op) {
    if (!source_.precision_fact.empty()) op->rt_info()[kPrecision] = source_.precision_fact;
    if (source_.quantizes) op->rt_info()[kDynamicQuantization] = "";
    if (wide_b_) widen_inputs(*op);
    context_.finish(op, "");
    // Other inputs may say what R doesn't; then the op has a standard form.
    if (op->attributes().hidden_size == 0 && op->hidden_size() != 0) {
        auto attributes = op->attributes();
        attributes.hidden_size = op->hidden_size();
        op->set_attributes(std::move(attributes));
    }
    std::vector<Output> outputs = outputs_of(op);
    const std::string names[] = {"Y", "Y_h", "Y_c"};
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        // An output without a name needs no Transpose.
        if (!context_.has_output(i)) continue;
        if (wide_b_) outputs[i] = narrowed(names[i], outputs[i]);
        if (i == 0) {  // [N,D,T,H]
            const std::vector<std::int64_t> order = source_.batch_first
                                                        ? std::vector<std::int64_t>{0, 2, 1, 3}
                                                        : std::vector<std::int64_t>{2, 1, 0, 3};
            outputs[i] = make_transpose(context_, names[i], outputs[i], order);
        } else if (!source_.batch_first) {  // [N,D,H]
            outputs[i] = make_transpose(context_, names[i], outputs[i], {1, 0, 2});
        }
    }
    return outputs;
}

}  // namespace rondo::onnx
