#include "frontend/onnx/ops/recurrent/recurrent.hpp"

#include <algorithm>

#include "core/graph/rt_info_keys.hpp"
#include "core/ops/movement/movement_ops.hpp"
#include "core/support/limits.hpp"
#include "core/support/strings.hpp"
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

Output required_input(NodeContext& by, std::size_t index, const std::string& name) {
    if (by.has_input(index)) return by.input(index);
    throw ModelError("input " + std::to_string(index) + " (" + name + ") is missing");
}

RecurrentSource read_recurrent_source(NodeContext& by) {
    RecurrentSource source;
    source.w = required_input(by, 1, "W");
    source.r = required_input(by, 2, "R");
    if (by.opset() >= kLayoutSince) {
        source.batch_first = by.attribute("layout", false);
    } else if (by.opset() < kNoOutputSequenceSince) {
        // 0 allows an exporter to leave Y out; a node that names Y gets it anyway.
        by.attribute("output_sequence", false);
    }
    return source;
}

RecurrentReader::RecurrentReader(NodeContext& by, ops::CellType cell, RecurrentSource source)
    : by_(by),
      cell_(cell),
      attributes_(read_recurrent_attributes(by, cell)),
      source_(std::move(source)),
      gates_(ops::info_of(cell).gates),
      directions_(attributes_.direction == ops::Direction::bidirectional ? 2 : 1) {
    required_input(by, 0, "X");
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
        {"X", by_.input(0)},
        {"W", w()},
        {"R", r()},
        {"B", by_.optional_input(kLayerBias)},
        {"initial_h", by_.optional_input(kInitialH)}};
    if (cell_ == ops::CellType::lstm) {
        values.emplace_back("initial_c", by_.optional_input(kInitialC));
        values.emplace_back("P", by_.optional_input(kPeepholes));
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
    const Output lengths = by_.optional_input(kLengths);
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
    // Open if hidden_size is: the op checks the sizes when R's shape is known.
    const auto times_h = [&](std::int64_t factor) {
        return attributes_.hidden_size == 0 ? Dimension()
                                            : Dimension(factor * attributes_.hidden_size);
    };
    const Dimension h = times_h(1);
    const Dimension d(directions_);
    const Dimension gates = times_h(gates_);
    check_shape(r(), "R", {d, gates, h});
    check_shape(w(), "W", {d, gates, Dimension()});
    check_shape(by_.optional_input(kLayerBias), "B", {d, times_h(2 * gates_)});

    const Output x = by_.input(0);
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
    check_shape(by_.optional_input(kInitialH), "initial_h", state, directions_axis);
    if (cell_ == ops::CellType::lstm) {
        check_shape(by_.optional_input(kInitialC), "initial_c", state, directions_axis);
        check_shape(by_.optional_input(kPeepholes), "P", {d, times_h(3)});
    }
    if (by_.has_input(kLengths)) {
        NodeContext::check_shape(by_.input(kLengths), {n}, "sequence_lens");
    }
}

Output RecurrentReader::x() {
    const Output x = by_.input(0);
    return source_.batch_first ? x : by_.transpose(x, {1, 0, 2});
}

// An extent of X, as i64 [1].
Output RecurrentReader::extent(std::int64_t axis) { return by_.run_extent(by_.input(0), axis); }

// Each vector says one extent.
Output RecurrentReader::zeros(ElementType type, const std::vector<Output>& extents) {
    return by_.broadcast(by_.number(type, 0), by_.concat(extents, 0));
}

Output RecurrentReader::initial_state(std::size_t input) {
    if (const Output given = by_.optional_input(input)) {
        return source_.batch_first ? given : by_.transpose(given, {1, 0, 2});
    }
    const Output x = by_.input(0);
    const ElementType type =
        NodeContext::known_type(x.element_type() == ElementType::dynamic ? w() : x, "X and W");
    return zeros(type, {extent(batch_axis()), by_.ints({directions_}), hidden(1)});
}

Output RecurrentReader::lengths() {
    if (const Output given = by_.optional_input(kLengths)) return given;
    return by_.broadcast(extent(time_axis()), extent(batch_axis()));
}

Output RecurrentReader::b() {
    const Output given = by_.optional_input(kLayerBias);
    if (!given || !has_16_bits(given)) return given;
    if (!wide_b_) wide_b_ = by_.convert(given, ElementType::f32);
    return wide_b_;
}

// W and R keep their type in files and in memory: the mark prevents folding.
void RecurrentReader::widen_inputs(ops::RecurrentOp& op) {
    for (std::size_t i = 0; i < op.input_count(); ++i) {
        const Output input = op.input(i);
        if (!has_16_bits(input)) continue;
        const Output wide = by_.convert(input, ElementType::f32);
        if (i == op.w_port() || i == op.r_port()) wide.node().rt_info()[kDecompression] = "";
        op.set_input(i, wide);
    }
}

Output RecurrentReader::summed_bias() {
    const auto halves = by_.split(b(), 1, 2);
    return by_.add(halves[0], halves[1]);
}

Output RecurrentReader::hidden(std::int64_t times) {
    if (attributes_.hidden_size != 0) return by_.ints({times * attributes_.hidden_size});
    const Output one = by_.run_extent(r(), 2);
    Output sum = one;
    for (std::int64_t i = 1; i < times; ++i) sum = by_.add(sum, one);
    return sum;
}

Output RecurrentReader::zero_bias(std::int64_t width) {
    const ElementType type = NodeContext::known_type(w(), "W");
    const Shape shape = {static_cast<std::size_t>(directions_),
                         static_cast<std::size_t>(width * attributes_.hidden_size)};
    const bool is_constant = attributes_.hidden_size != 0 && element_count(shape) <= kMaxZeros;
    return is_constant ? by_.constant(filled_tensor(type, shape, 0))
                       : zeros(type, {by_.ints({directions_}), hidden(width)});
}

Output RecurrentReader::reorder(const Output& value, std::span<const std::size_t> order) {
    const auto parts = by_.split(value, 1, static_cast<std::int64_t>(order.size()));
    std::vector<Output> ordered;
    for (const std::size_t part : order) ordered.push_back(parts[part]);
    return by_.concat(ordered, 1);
}

std::vector<Output> RecurrentReader::finish(const std::shared_ptr<ops::RecurrentOp>& op) {
    if (!source_.precision_fact.empty()) op->rt_info()[kPrecision] = source_.precision_fact;
    if (source_.quantizes) op->rt_info()[kDynamicQuantization] = "";
    if (wide_b_) widen_inputs(*op);
    by_.finish(op, "");
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
        if (!by_.has_output(i)) continue;
        if (wide_b_) outputs[i] = by_.convert(outputs[i], by_.input(kLayerBias).element_type());
        if (i == 0) {  // [N,D,T,H]
            const Ints order = source_.batch_first ? Ints{0, 2, 1, 3} : Ints{2, 1, 0, 3};
            outputs[i] = by_.make<ops::Transpose>(names[i], outputs[i], by_.ints(order));
        } else if (!source_.batch_first) {  // [N,D,H]
            outputs[i] = by_.make<ops::Transpose>(names[i], outputs[i], by_.ints({1, 0, 2}));
        }
    }
    return outputs;
}

namespace {

using ops::ActivationFunction;

// GRU-1 writes its default "foward"; tools that write defaults out repeat it.
bool is_forward(const std::string& name, ops::CellType cell, std::int64_t opset) {
    return name == "forward" || (name == "foward" && cell == ops::CellType::gru && opset < 3);
}

ops::Direction direction_of(NodeContext& by, ops::CellType cell) {
    const std::string name = by.attribute("direction", "forward");
    if (is_forward(name, cell, by.opset())) return ops::Direction::forward;
    std::vector<std::string> names;
    for (const auto& [known, direction] : ops::kDirectionNames) {
        if (name == known) return direction;
        names.emplace_back(known);
    }
    throw ModelError("attribute 'direction' is '" + name + "'; expected " + quoted_list(names));
}

void check_count(std::size_t count, std::size_t set, std::size_t directions) {
    if (count == set * directions) return;
    const std::string each = directions == 2 ? " (" + std::to_string(set) + " a direction)" : "";
    throw ModelError("attribute 'activations' has " + std::to_string(count) +
                     " entries; expected " + std::to_string(set * directions) + each);
}

// Writes the functions out with all their parameters, defaults too.
void set_activations(const std::vector<ActivationFunction>& functions,
                     ops::RecurrentAttributes& attributes) {
    for (const auto& function : functions) {
        const ops::ActivationInfo& info = ops::info_of(function.kind);
        attributes.activations.emplace_back(info.name);
        if (info.takes_alpha) attributes.activations_alpha.push_back(function.alpha);
        if (info.takes_beta) attributes.activations_beta.push_back(function.beta);
    }
}

// ONNX lists a set of functions for each direction; alphas and betas are consumed in order by those
// that take one, through both directions.
void read_activations(NodeContext& by, std::size_t set, std::size_t directions,
                      ops::RecurrentAttributes& attributes) {
    Attributes& from = by.attributes();
    auto names = from.find_strings("activations");
    const bool is_default_of_rnn =
        set == 1 && directions == 1 && names == std::vector<std::string>{"Tanh", "Tanh"};
    if (is_default_of_rnn) names->pop_back();  // written out, it has an entry for each direction
    const auto alpha = from.find_floats("activation_alpha").value_or(std::vector<float>());
    const auto beta = from.find_floats("activation_beta").value_or(std::vector<float>());
    if (!names || names->empty()) return;  // the defaults take neither
    check_count(names->size(), set, directions);
    auto functions = ops::resolve_activations(*names, alpha, beta, "activation");
    const auto second = functions.begin() + static_cast<std::ptrdiff_t>(set);
    if (directions == 2 && std::equal(functions.begin(), second, second)) {
        functions.resize(set);
    }
    set_activations(functions, attributes);
}

}  // namespace

ops::RecurrentAttributes read_recurrent_attributes(NodeContext& by, ops::CellType cell) {
    ops::RecurrentAttributes attributes;
    attributes.direction = direction_of(by, cell);
    const auto hidden_size = by.attributes().find_int("hidden_size");
    if (hidden_size && *hidden_size < 1) {
        throw ModelError("hidden_size is " + std::to_string(*hidden_size) + "; expected 1 or more");
    }
    attributes.hidden_size = hidden_size.value_or(0);
    attributes.clip = by.attribute("clip", 0.0F);
    if (!(attributes.clip >= 0)) {
        throw ModelError("attribute 'clip' is " + std::to_string(attributes.clip) +
                         "; expected 0 (no clip) or more");
    }
    const std::size_t directions = attributes.direction == ops::Direction::bidirectional ? 2 : 1;
    const auto functions = static_cast<std::size_t>(ops::info_of(cell).functions);
    read_activations(by, functions, directions, attributes);
    return attributes;
}

}  // namespace rondo::onnx
