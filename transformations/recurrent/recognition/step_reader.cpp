#include "transformations/recurrent/recognition/step_reader.hpp"

#include <algorithm>
#include <cstdint>
#include <span>

#include "core/graph/constants.hpp"
#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/movement/movement_ops.hpp"
#include "core/ops/product/matmul.hpp"
#include "transformations/analysis/slices.hpp"
#include "transformations/analysis/step_values.hpp"
#include "transformations/analysis/views.hpp"
#include "transformations/recurrent/recognition/op_formula.hpp"

namespace rondo::passes {
namespace {

using ops::ActivationKind;
using ops::BinaryFunction;
using ops::UnaryFunction;

// A step that takes more than this from its inputs to its results is no cell.
constexpr int kMaxDepth = 64;

// Rows of `units` numbers, all equal, as one.
MaybeFormula row_of(std::span<const float> numbers, std::size_t units) {
    const float* first = numbers.data();
    for (std::size_t row = units; row < numbers.size(); row += units) {
        if (!std::equal(first, first + units, first + row)) return {};
    }
    return GateAlgebra::numbers({first, first + units});
}

// Matrix `index` of a constant [..,K,N], or [..,N,K] where the product has it transposed.
GateMatrix matrix_of(const ops::MatMul& product, const Tensor& dense, std::size_t index) {
    const Shape& shape = dense.shape();
    GateMatrix matrix;
    matrix.rows = shape[shape.size() - 2];
    matrix.units = shape.back();
    matrix.data = dense.data<float>() + index * matrix.rows * matrix.units;
    matrix.transposed = product.transpose_b();
    matrix.lives = dense.data() == known_value(product.input(1)).data();
    if (matrix.transposed) std::swap(matrix.rows, matrix.units);
    matrix.k = matrix.rows;
    return matrix;
}

// The function of a node that is one of a cell's; nothing for others.
std::optional<ops::ActivationFunction> activation_of(const Node& node) {
    constexpr std::pair<UnaryFunction, ActivationKind> kFunctions[] = {
        {UnaryFunction::sigmoid, ActivationKind::sigmoid},
        {UnaryFunction::tanh, ActivationKind::tanh},
        {UnaryFunction::relu, ActivationKind::relu},
        {UnaryFunction::softsign, ActivationKind::softsign},
        {UnaryFunction::softplus, ActivationKind::softplus}};
    for (const auto& [function, kind] : kFunctions) {
        if (ops::is(node, function)) return ops::default_activation(kind);
    }
    return {};
}

// Views that leave the last axis as it is.
bool keeps_rows(const Node& node) {
    if (!node.traits().view) return false;
    const std::size_t before = units_of(node.input(0).shape());
    return before > 0 && before == units_of(node.output_shape(0));
}

// The input of a node with two beside which the other one is this number; empty where none is.
Output beside_number(const Node& node, double number) {
    for (const std::size_t i : {0U, 1U}) {
        if (constant_scalar(node.input(i)) == number) return node.input(1 - i);
    }
    return {};
}

bool is_known(const PartialShape& shape, std::size_t axis) {
    return shape.has_rank() && axis < shape.rank() && shape[axis].is_static();
}

}  // namespace

std::vector<GateFormula> StepReader::read_all(const std::vector<Output>& values) {
    std::vector<GateFormula> formulas;
    for (const Output& value : values) {
        auto formula = read(value);
        if (!formula) return {};
        formulas.push_back(*std::move(formula));
    }
    return formulas;
}

bool StepReader::has_rows(const Dimension& rows) const {
    return std::all_of(constant_rows_.begin(), constant_rows_.end(), [&](std::size_t own) {
        return rows == Dimension(static_cast<std::int64_t>(own));
    });
}

MaybeFormula StepReader::read(const Output& value) {
    const auto [place, is_new] =
        known_.emplace(std::pair(&value.node(), value.index()), MaybeFormula());
    if (!is_new) return place->second;
    if (depth_ >= kMaxDepth) return {};
    ++depth_;
    const MaybeFormula formula = read_now(value);
    if (!formula && unknown_ == nullptr) unknown_ = &value.node();
    --depth_;
    return place->second = formula;
}

MaybeFormula StepReader::read_now(const Output& value) {
    if (auto leaf = leaf_(value)) return leaf;
    if (value.element_type() != ElementType::f32) return {};
    const Tensor numbers = known_floats(value);
    if (!numbers || numbers.size() == 0) return read_node(value);
    const Shape& shape = numbers.shape();
    const std::size_t units = numbers.size() == 1 || shape.empty() ? 1 : shape.back();
    auto row = row_of({numbers.data<float>(), numbers.size()}, units);
    if (!row) return read_node(value);
    if (numbers.size() > units) constant_rows_.push_back(numbers.size() / units);
    return row;
}

MaybeFormula StepReader::read_node(const Output& value) {
    const Node& node = value.node();
    if (const auto function = activation_of(node)) {
        return algebra_.activation(*function, read(node.input(0)));
    }
    if (ops::is(node, UnaryFunction::negative)) {
        return algebra_.product(read(node.input(0)), MaybeFormula(GateAlgebra::numbers({-1})));
    }
    if (ops::is(node, BinaryFunction::maximum) || ops::is(node, BinaryFunction::minimum)) {
        return read_bound(node);
    }
    if (ops::is(node, BinaryFunction::divide)) return read_quotient(node);
    if (is_sum(node)) {
        const MaybeFormula a = read(node.input(0));
        return a ? combined(node, a, read(node.input(1))) : std::nullopt;
    }
    if (as_op<ops::Select>(node) != nullptr) return read_choice(node);
    if (const auto* product = as_op<ops::MatMul>(node)) return read_product(*product);
    if (keeps_rows(node)) return read(node.input(0));
    if (const auto* op = as_op<ops::RecurrentOp>(node)) return read_op(*op, value.index());
    return read_part(value);
}

// Y of one step is the first state's rows, but isn't read: the state is.
MaybeFormula StepReader::read_op(const ops::RecurrentOp& op, std::size_t output) {
    const std::size_t first = first_state_output(op);
    if (output < first) return {};
    return formula_of_op(algebra_, op, output - first,
                         {[this](const Output& value) { return read(value); },
                          [this](const Output& left, const GateMatrix& matrix) {
                              return product_with(left, matrix);
                          }});
}

MaybeFormula StepReader::combined(const Node& sum, const MaybeFormula& a, const MaybeFormula& b) {
    if (ops::is(sum, BinaryFunction::multiply)) {
        return algebra_.as_one_function(algebra_.product(a, b));
    }
    const float sign = ops::is(sum, BinaryFunction::subtract) ? -1 : 1;
    return algebra_.as_one_function(algebra_.sum(a, b, sign));
}

MaybeFormula StepReader::times(const MaybeFormula& value, float factor) {
    return algebra_.as_one_function(
        algebra_.product(value, MaybeFormula(GateAlgebra::numbers({factor}))));
}

MaybeFormula StepReader::function_of(ActivationKind kind, const MaybeFormula& argument) {
    return algebra_.activation(ops::default_activation(kind), argument);
}

// By a number, or what exponentials spell.
MaybeFormula StepReader::read_quotient(const Node& node) {
    const auto divisor = constant_scalar(node.input(1));
    if (divisor) return times(read(node.input(0)), static_cast<float>(1 / *divisor));
    const Node& below = node.input(1).node();
    if (!ops::is(below, BinaryFunction::add)) return {};
    if (const Output x = beside_number(below, 1)) return read_one_more(node.input(0), x);
    return read_exponentials(node.input(0), node.input(1));
}

// 1 / (1 + e^x) is sigmoid(-x), e^x / (1 + e^x) is sigmoid(x), and x / (1 + |x|) is softsign(x).
MaybeFormula StepReader::read_one_more(const Output& above, const Output& below) {
    const Node& exp = below.node();
    if (ops::is(exp, UnaryFunction::abs)) {
        const MaybeFormula x = read(above);
        const bool is_same = x && read(exp.input(0)) == x;
        return is_same ? function_of(ActivationKind::softsign, x) : std::nullopt;
    }
    if (!ops::is(exp, UnaryFunction::exp)) return {};
    const MaybeFormula x = read(exp.input(0));
    if (constant_scalar(above) == 1.0) return function_of(ActivationKind::sigmoid, times(x, -1));
    const Node& other = above.node();
    if (!ops::is(other, UnaryFunction::exp) || !x || read(other.input(0)) != x) return {};
    return function_of(ActivationKind::sigmoid, x);
}

// (e^x - e^y) / (e^x + e^y) is tanh((x - y) / 2).
MaybeFormula StepReader::read_exponentials(const Output& above, const Output& below) {
    if (!ops::is(above.node(), BinaryFunction::subtract)) return {};
    std::vector<MaybeFormula> exponents;
    for (const Output& part : {above, below}) {
        for (const std::size_t i : {0U, 1U}) {
            const Node& exp = part.node().input(i).node();
            if (!ops::is(exp, UnaryFunction::exp)) return {};
            exponents.push_back(read(exp.input(0)));
            if (!exponents.back()) return {};
        }
    }
    const bool same = (exponents[0] == exponents[2] && exponents[1] == exponents[3]) ||
                      (exponents[0] == exponents[3] && exponents[1] == exponents[2]);
    if (!same) return {};
    return function_of(ActivationKind::tanh,
                       times(algebra_.sum(*exponents[0], *exponents[1], -1), 0.5F));
}

// Reads a Select between two forms of one formula, or between x and, for x < 0, a x.
MaybeFormula StepReader::read_choice(const Node& node) {
    const Output& yes = node.input(1);
    const Output& no = node.input(2);
    const MaybeFormula x = read(no);
    const MaybeFormula other = x ? read(yes) : MaybeFormula();
    if (!other) return {};
    if (*x == *other) return x;
    const Node& condition = node.input(0).node();
    const Node& scaled = yes.node();
    const bool is_below_zero = ops::is(condition, ops::CompareFunction::less) &&
                               condition.input(0) == no &&
                               constant_scalar(condition.input(1)) == 0.0;
    if (!is_below_zero || !ops::is(scaled, BinaryFunction::multiply)) return {};
    for (const std::size_t i : {0U, 1U}) {
        const auto slope = constant_scalar(scaled.input(1 - i));
        if (!slope || !(scaled.input(i) == no)) continue;
        return algebra_.activation({ActivationKind::leaky_relu, static_cast<float>(*slope), 0}, x);
    }
    return {};
}

// max(x, 0) is relu, and min of that and n is n times hard_sigmoid(x / n); max of min(x, 1) and 0
// is hard_sigmoid too.
MaybeFormula StepReader::read_bound(const Node& node) {
    constexpr ops::ActivationFunction kHardSigmoid{ActivationKind::hard_sigmoid, 1, 0};
    const bool is_max = ops::is(node, BinaryFunction::maximum);
    const std::size_t bound = constant_scalar(node.input(1)) ? 1 : 0;
    const auto number = constant_scalar(node.input(bound));
    if (!number) return {};
    const Output& bounded = node.input(1 - bound);
    if (is_max && *number == 0) {
        const bool has_bound = ops::is(bounded.node(), BinaryFunction::minimum);
        const Output inside = has_bound ? beside_number(bounded.node(), 1) : Output();
        return inside ? algebra_.activation(kHardSigmoid, read(inside))
                      : function_of(ActivationKind::relu, read(bounded));
    }
    const MaybeFormula value = is_max ? MaybeFormula() : read(bounded);
    const bool is_one_term = value && value->is_sum_of_terms() && value->terms.size() == 1 &&
                             value->terms[0].atoms.size() == 1 &&
                             value->terms[0].factor == UnitNumbers{1};
    if (!is_one_term || *number <= 0) return {};
    const GateAtom atom = algebra_.atom(value->terms[0].atoms[0]);
    const bool is_relu =
        atom.kind == GateAtom::Kind::activation && atom.function.kind == ActivationKind::relu;
    if (!is_relu) return {};
    const auto top = static_cast<float>(*number);
    const MaybeFormula argument = algebra_.product(atom.argument, GateAlgebra::numbers({1 / top}));
    return algebra_.product(algebra_.activation(kHardSigmoid, argument),
                            MaybeFormula(GateAlgebra::numbers({top})));
}

MaybeFormula StepReader::read_product(const ops::MatMul& product) {
    const Tensor dense = known_floats(product.input(1));
    if (!dense || product.transpose_a()) return {};
    const Shape& shape = dense.shape();
    if (shape.size() < 2 || dense.size() != shape[shape.size() - 2] * shape.back()) return {};
    return product_with(product.input(0), matrix_of(product, dense, 0));
}

// If `left` joins values along its last axis, each of them has its own rows of the matrix.
MaybeFormula StepReader::product_with(const Output& left, const GateMatrix& matrix) {
    const auto* concat = as_op<ops::Concat>(left.node());
    if (concat == nullptr || !is_last_axis(concat->axis(), left.shape()) || leaf_(left)) {
        return algebra_.matrix_product(read(left), matrix);
    }
    std::vector<MaybeFormula> parts;
    std::size_t known = 0;  // rows of parts that are no zeros, whose number isn't known
    for (const Output& part : left.node().inputs()) {
        parts.push_back(read(part));
        if (!parts.back()) return {};
        if (!parts.back()->is_zero()) known += parts.back()->units;
    }
    MaybeFormula sum;
    std::size_t begin = 0;
    for (const MaybeFormula& value : parts) {
        if (known > matrix.k) return {};
        if (value->is_zero()) {
            begin += matrix.k - known;
            continue;
        }
        if (begin + value->units > matrix.k) return {};
        GateMatrix rows = matrix;
        rows.first = begin;
        rows.k = value->units;
        begin += value->units;
        const MaybeFormula product = algebra_.matrix_product(value, rows);
        sum = sum ? algebra_.sum(sum, product) : product;
        if (!sum) return {};
    }
    return begin == matrix.k ? sum : std::nullopt;
}

MaybeFormula StepReader::read_part(const Output& value) {
    const Node& node = value.node();
    const std::size_t units = units_of(value.shape());
    if (units == 0 || node.input_count() == 0) return {};
    // An element that keeps its axis is one of rows, unless that axis is the last.
    const auto part = axis_part(value);
    auto element = single_part(value);
    const bool keeps_axis = !element && part;
    if (keeps_axis) element = element_of(*part);
    if (element && !(keeps_axis && element->axis + 1 == element->source.shape().rank())) {
        auto gate =
            read(Element{element->source, element->axis, static_cast<std::size_t>(element->index)});
        if (gate) return gate;
    }
    const PartialShape& data = node.input(0).shape();
    const std::size_t of_data = units_of(data);
    if (of_data == 0) return {};
    if (part && part->axis + 1 == data.rank()) {
        return sliced(part->source, {static_cast<std::size_t>(part->start), units});
    }
    // Units with others between them.
    const bool is_slice = as_op<ops::Slice>(node) != nullptr;
    const auto requests = is_slice ? ops::slice_requests(context_of(node)) : std::nullopt;
    const bool cuts_units = requests && requests->size() == data.rank() &&
                            std::all_of(requests->begin(), requests->end() - 1, ops::takes_all);
    if (!cuts_units) return {};
    const ops::SliceRequest& last = requests->back();
    if (!last.start || !last.stop || !last.step || *last.step < 1) return {};
    const auto range = ops::resolve(last, static_cast<std::int64_t>(of_data));
    return sliced(node.input(0), {static_cast<std::size_t>(range.start), units,
                                  static_cast<std::size_t>(*last.step)});
}

MaybeFormula StepReader::sliced(const Output& value, const UnitRange& range) {
    const MaybeFormula whole = read(value);
    if (!whole || range.count == 0) return {};
    const bool is_number =
        whole->units == 1 && whole->is_affine() && whole->affine.products.empty();
    if (is_number) return whole;
    const std::size_t last = range.begin + (range.count - 1) * range.step;
    return last < whole->units ? algebra_.slice(*whole, range) : std::nullopt;
}

MaybeFormula StepReader::read(const Element& element) {
    const Output& source = element.source;
    if (source.element_type() != ElementType::f32 || element.rank() < 2) return {};
    if (known_value(source)) return read_numbers(element);
    const Node& node = source.node();
    if (const auto function = activation_of(node)) {
        return algebra_.activation(*function,
                                   read(Element{node.input(0), element.axis, element.index}));
    }
    if (is_sum(node)) {
        const MaybeFormula a = read_operand(element, node.input(0));
        return a ? combined(node, a, read_operand(element, node.input(1))) : std::nullopt;
    }
    if (auto order = order_of(node)) return read_transposed(element, *std::move(order));
    if (const auto* product = as_op<ops::MatMul>(node)) return read_product(element, *product);
    return node.traits().view ? read_view(element) : std::nullopt;
}

// What has no such axis, or only one element of it, is the same for all.
MaybeFormula StepReader::read_operand(const Element& element, const Output& operand) {
    const PartialShape& shape = operand.shape();
    if (!shape.has_rank() || shape.rank() > element.rank()) return {};
    const std::size_t missing = element.rank() - shape.rank();
    if (element.axis < missing) return read(operand);
    const Element part{operand, element.axis - missing, element.index};
    if (!is_known(shape, part.axis)) return {};
    if (part.extent() != 1) return read(part);
    return part.is_last() ? read(Element{operand, part.axis, 0}) : read(operand);
}

MaybeFormula StepReader::read_numbers(const Element& element) {
    const Tensor dense = known_floats(element.source);
    const Shape& shape = dense.shape();
    const std::size_t behind =
        element_count({shape.begin() + static_cast<std::ptrdiff_t>(element.axis) + 1, shape.end()});
    UnitNumbers numbers;
    for (std::size_t i = element.index * behind; i < dense.size(); i += element.extent() * behind) {
        const float* first = dense.data<float>() + i;
        numbers.insert(numbers.end(), first, first + behind);
    }
    if (numbers.empty()) return {};
    const std::size_t last = element.rank() - (element.is_last() ? 2 : 1);
    const std::size_t units = numbers.size() == 1 ? 1 : shape[last];
    auto row = row_of(numbers, units);
    if (row && numbers.size() > units) constant_rows_.push_back(numbers.size() / units);
    return row;
}

// [..,G,H] or [..,H,G], a view of [..,G*H].
MaybeFormula StepReader::read_view(const Element& element) {
    const PartialShape& shape = element.source.shape();
    const Output& whole = element.source.node().input(0);
    const std::size_t last = element.rank() - 1;
    const std::size_t units_axis = element.is_last() ? last - 1 : last;
    if (!is_known(shape, units_axis) || !is_known(whole.shape(), whole.shape().rank() - 1))
        return {};
    for (std::size_t axis = element.axis + 1; axis < last; ++axis) {
        if (shape[axis] != Dimension(1)) return {};
    }
    const auto units = static_cast<std::size_t>(shape[units_axis].length());
    const Dimension& row = whole.shape()[whole.shape().rank() - 1];
    if (row != Dimension(static_cast<std::int64_t>(units * element.extent()))) return {};
    if (!element.is_last()) return sliced(whole, {element.index * units, units});
    return sliced(whole, {element.index, units, element.extent()});
}

// The other axes must stay in order, except those of extent 1.
MaybeFormula StepReader::read_transposed(const Element& element, AxisOrder order) {
    const Output& data = element.source.node().input(0);
    const std::size_t axis = order[element.axis];
    order.erase(order.begin() + static_cast<std::ptrdiff_t>(element.axis));
    std::erase_if(order, [&](std::size_t at) { return data.shape()[at] == Dimension(1); });
    if (!std::is_sorted(order.begin(), order.end())) return {};
    return read(Element{data, axis, element.index});
}

// x [N,I] times [G,I,H], or [G,H,I] transposed.
MaybeFormula StepReader::read_product(const Element& element, const ops::MatMul& product) {
    const Tensor dense = known_floats(product.input(1));
    const PartialShape& left = product.input(0).shape();
    const bool is_batch = dense && dense.shape().size() == 3 &&
                          dense.shape()[0] == element.extent() &&
                          element.axis + 3 == element.rank();
    if (!is_batch || product.transpose_a() || !left.has_rank() || left.rank() < 2) return {};
    const bool has_one = left.rank() == 2 || left[left.rank() - 3] == Dimension(1);
    return has_one ? product_with(product.input(0), matrix_of(product, dense, element.index))
                   : std::nullopt;
}

}  // namespace rondo::passes
