#include "transformations/cells/step_reader.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>

#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/movement/concat.hpp"
#include "core/ops/movement/slice.hpp"
#include "core/ops/movement/split.hpp"
#include "core/ops/product/matmul.hpp"
#include "transformations/cells/element_reader.hpp"
#include "transformations/cells/op_formula.hpp"
#include "transformations/pass/constants.hpp"

namespace rondo::passes {
namespace {

using ops::ActivationKind;
using ops::BinaryFunction;
using ops::UnaryFunction;
using Formula = std::optional<GateFormula>;

// A step that takes more than this from its inputs to its results is no cell.
constexpr int kMaxDepth = 64;

// The known extent of the last axis; 0 if it isn't known.
std::size_t units_of(const PartialShape& shape) {
    if (!shape.has_rank() || shape.rank() == 0) return 0;
    const Dimension& last = shape[shape.rank() - 1];
    return last.is_static() ? static_cast<std::size_t>(last.length()) : 0;
}

// A constant of one number, or of equal rows.
Formula numbers_of(const Output& value) {
    const Tensor known = known_value(value);
    if (!known || known.element_type() != ElementType::f32 || known.size() == 0) return {};
    const Shape& shape = known.shape();
    const std::size_t units = known.size() == 1 || shape.empty() ? 1 : shape.back();
    const Tensor dense = known.contiguous();
    const float* first = dense.data<float>();
    for (std::size_t row = units; row < dense.size(); row += units) {
        if (!std::equal(first, first + units, first + row)) return {};
    }
    return GateAlgebra::numbers({first, first + units});
}

// Views that leave the last axis as it is.
bool keeps_rows(const Node& node) {
    if (!node.traits().view) return false;
    const std::size_t before = units_of(node.input(0).shape());
    return before > 0 && before == units_of(node.output_shape(0));
}

bool is_last(std::int64_t axis, const PartialShape& shape) {
    if (!shape.has_rank()) return axis == -1;
    const auto rank = static_cast<std::int64_t>(shape.rank());
    return axis == -1 || axis == rank - 1;
}

// x of min(x, 1), or nothing.
Output below_one(const Output& value) {
    const Node& node = value.node();
    if (!ops::is(node, BinaryFunction::minimum)) return {};
    for (const std::size_t bound : {0U, 1U}) {
        if (constant_scalar(node.input(bound)) == 1.0) return node.input(1 - bound);
    }
    return {};
}

// Whether an axis that the request doesn't cut short stays whole, whatever its extent. A stop of
// 2^31 - 1 means the end in exporters' files.
bool is_whole(const ops::SliceRequest& request) {
    constexpr std::int64_t kEnd = std::numeric_limits<std::int32_t>::max();
    return request.start == 0 && request.step == 1 && request.stop && *request.stop >= kEnd;
}

}  // namespace

Formula StepReader::read(const Output& value) {
    const auto [place, is_new] = known_.emplace(std::pair(&value.node(), value.index()), Formula());
    if (!is_new) return place->second;
    if (depth_ >= kMaxDepth) return {};
    ++depth_;
    const Formula formula = read_now(value);
    if (!formula && unknown_ == nullptr) unknown_ = &value.node();
    --depth_;
    return place->second = formula;
}

Formula StepReader::read_now(const Output& value) {
    if (auto leaf = leaf_(value)) return leaf;
    if (value.element_type() != ElementType::f32) return {};
    if (auto numbers = numbers_of(value)) {
        const std::size_t rows = known_value(value).size() / numbers->units;
        if (rows > 1) constant_rows_.push_back(rows);
        return numbers;
    }
    return read_node(value);
}

Formula StepReader::read_node(const Output& value) {
    const Node& node = value.node();
    if (const auto function = activation_of(node)) {
        const Formula argument = read(node.input(0));
        return argument ? std::optional(algebra_.activation(*function, *argument)) : std::nullopt;
    }
    if (ops::is(node, UnaryFunction::negative)) {
        const Formula argument = read(node.input(0));
        return argument ? algebra_.product(*argument, GateAlgebra::numbers({-1})) : std::nullopt;
    }
    if (as_op<ops::Binary>(node) != nullptr) return read_binary(node);
    if (as_op<ops::Select>(node) != nullptr) return read_choice(node);
    if (as_op<ops::MatMul>(node) != nullptr) return read_product(node);
    if (keeps_rows(node)) return read(node.input(0));
    if (const auto* op = dynamic_cast<const ops::RecurrentOp*>(&node)) {
        return read_op(*op, value.index());
    }
    return read_part(value);
}

// Y of one step is the first state's rows, but isn't read: the state is.
Formula StepReader::read_op(const ops::RecurrentOp& op, std::size_t output) {
    const std::size_t first = first_state_output(op);
    if (output < first) return {};
    return formula_of_op(algebra_, op, output - first,
                         {[this](const Output& value) { return read(value); },
                          [this](const Output& left, const GateMatrix& matrix) {
                              return product_with(left, matrix);
                          }});
}

Formula StepReader::read_binary(const Node& node) {
    const auto function = as_op<ops::Binary>(node)->function();
    if (function == BinaryFunction::maximum || function == BinaryFunction::minimum) {
        return read_bound(node);
    }
    if (function == BinaryFunction::divide) return read_quotient(node);
    const Formula a = read(node.input(0));
    const Formula b = a ? read(node.input(1)) : Formula();
    return b ? combined(algebra_, function, *a, *b) : std::nullopt;
}

Formula StepReader::times(const Formula& value, float factor) {
    if (!value) return {};
    Formula result = algebra_.product(*value, GateAlgebra::numbers({factor}));
    return result ? std::optional(algebra_.as_one_function(*std::move(result))) : std::nullopt;
}

Formula StepReader::function_of(ActivationKind kind, const Formula& argument) {
    if (!argument) return {};
    return algebra_.activation(ops::default_activation(kind), *argument);
}

// By a number, or what exponentials spell.
Formula StepReader::read_quotient(const Node& node) {
    const auto divisor = constant_scalar(node.input(1));
    if (divisor) return times(read(node.input(0)), static_cast<float>(1 / *divisor));
    const Node& below = node.input(1).node();
    if (!ops::is(below, BinaryFunction::add)) return {};
    for (const std::size_t one : {0U, 1U}) {
        if (constant_scalar(below.input(one)) == 1.0) {
            return read_one_more(node.input(0), below.input(1 - one));
        }
    }
    return read_exponentials(node.input(0), node.input(1));
}

// 1 / (1 + e^x) is sigmoid(-x), e^x / (1 + e^x) is sigmoid(x), and x / (1 + |x|) is softsign(x).
Formula StepReader::read_one_more(const Output& above, const Output& below) {
    const Node& exp = below.node();
    if (ops::is(exp, UnaryFunction::abs)) {
        const Formula x = read(above);
        const bool is_same = x && read(exp.input(0)) == x;
        return is_same ? function_of(ActivationKind::softsign, x) : std::nullopt;
    }
    if (!ops::is(exp, UnaryFunction::exp)) return {};
    const Formula x = read(exp.input(0));
    if (constant_scalar(above) == 1.0) return function_of(ActivationKind::sigmoid, times(x, -1));
    const Node& other = above.node();
    if (!ops::is(other, UnaryFunction::exp) || !x || read(other.input(0)) != x) return {};
    return function_of(ActivationKind::sigmoid, x);
}

// (e^x - e^y) / (e^x + e^y) is tanh((x - y) / 2).
Formula StepReader::read_exponentials(const Output& above, const Output& below) {
    if (!ops::is(above.node(), BinaryFunction::subtract)) return {};
    std::vector<Formula> exponents;
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

// Two spellings of one formula, or x and a x where x < 0.
Formula StepReader::read_choice(const Node& node) {
    const Output& yes = node.input(1);
    const Output& no = node.input(2);
    const Formula x = read(no);
    const Formula other = x ? read(yes) : Formula();
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
        return algebra_.activation({ActivationKind::leaky_relu, static_cast<float>(*slope), 0}, *x);
    }
    return {};
}

// max(x, 0) is relu, and min of that and n is n times hard_sigmoid(x / n); max of min(x, 1) and 0
// is hard_sigmoid too.
Formula StepReader::read_bound(const Node& node) {
    const bool is_max = ops::is(node, BinaryFunction::maximum);
    const std::size_t bound = constant_scalar(node.input(1)) ? 1 : 0;
    const auto number = constant_scalar(node.input(bound));
    if (!number) return {};
    if (const Output inside =
            is_max && *number == 0 ? below_one(node.input(1 - bound)) : Output()) {
        const Formula argument = read(inside);
        if (!argument) return {};
        return algebra_.activation({ActivationKind::hard_sigmoid, 1, 0}, *argument);
    }
    const Formula value = read(node.input(1 - bound));
    if (!value) return {};
    if (is_max && *number == 0) {
        return function_of(ActivationKind::relu, value);
    }
    const bool is_one_term = value->is_sum_of_terms() && value->terms.size() == 1 &&
                             value->terms[0].atoms.size() == 1 &&
                             value->terms[0].factor == UnitNumbers{1};
    if (is_max || *number <= 0 || !is_one_term) return {};
    const GateAtom atom = algebra_.atom(value->terms[0].atoms[0]);
    const bool is_relu =
        atom.kind == GateAtom::Kind::activation && atom.function.kind == ActivationKind::relu;
    if (!is_relu) return {};
    const auto bound_number = static_cast<float>(*number);
    const Formula argument =
        algebra_.product(atom.argument, GateAlgebra::numbers({1 / bound_number}));
    if (!argument) return {};
    return algebra_.product(algebra_.activation({ActivationKind::hard_sigmoid, 1, 0}, *argument),
                            GateAlgebra::numbers({bound_number}));
}

Formula StepReader::read_product(const Node& node) {
    const auto* matmul = as_op<ops::MatMul>(node);
    const Tensor known = known_value(node.input(1));
    if (!known || known.element_type() != ElementType::f32 || matmul->transpose_a()) return {};
    const Shape& shape = known.shape();
    if (shape.size() < 2 || element_count(shape) != shape[shape.size() - 2] * shape.back()) {
        return {};
    }
    const Tensor dense = known.contiguous();
    GateMatrix matrix;
    matrix.data = dense.data<float>();
    matrix.rows = shape[shape.size() - 2];
    matrix.units = shape.back();
    matrix.transposed = matmul->transpose_b();
    matrix.lives = dense.data() == known.data();
    if (matrix.transposed) std::swap(matrix.rows, matrix.units);
    matrix.k = matrix.rows;
    return product_with(node.input(0), matrix);
}

// Where values stand side by side, each has its own rows of the matrix.
Formula StepReader::product_with(const Output& left, const GateMatrix& matrix) {
    const auto* concat = as_op<ops::Concat>(left.node());
    if (concat == nullptr || !is_last(concat->axis(), left.shape()) || leaf_(left)) {
        const Formula value = read(left);
        return value ? algebra_.matrix_product(*value, matrix) : std::nullopt;
    }
    std::vector<Formula> parts;
    std::size_t known = 0;  // rows of parts that are no zeros, whose number isn't known
    for (const Output& part : left.node().inputs()) {
        parts.push_back(read(part));
        if (!parts.back()) return {};
        if (!parts.back()->is_zero()) known += parts.back()->units;
    }
    Formula sum;
    std::size_t begin = 0;
    for (const Formula& value : parts) {
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
        Formula product = algebra_.matrix_product(*value, rows);
        if (!product) return {};
        sum = sum ? algebra_.sum(*sum, *product) : std::move(product);
        if (!sum) return {};
    }
    return begin == matrix.k ? sum : std::nullopt;
}

Formula StepReader::sliced(const Output& value, const UnitRange& range) {
    const Formula whole = read(value);
    if (!whole || range.count == 0) return {};
    const bool is_number =
        whole->units == 1 && whole->is_affine() && whole->affine.products.empty();
    if (is_number) return whole;
    const std::size_t last = range.begin + (range.count - 1) * range.step;
    return last < whole->units ? algebra_.slice(*whole, range) : std::nullopt;
}

Formula StepReader::read_element(const Output& value) {
    return ElementReader(algebra_, {[this](const Output& row) { return read(row); },
                                    [this](const Output& row, const UnitRange& range) {
                                        return sliced(row, range);
                                    },
                                    [this](const Output& left, const GateMatrix& matrix) {
                                        return product_with(left, matrix);
                                    },
                                    [this](std::size_t rows) { constant_rows_.push_back(rows); }})
        .read(value);
}

Formula StepReader::read_part(const Output& value) {
    const Node& node = value.node();
    const std::size_t units = units_of(value.shape());
    if (units == 0 || node.input_count() == 0) return {};
    if (auto gate = read_element(value)) return gate;
    const PartialShape& data = node.input(0).shape();
    if (as_op<ops::Split>(node) != nullptr || as_op<ops::VariadicSplit>(node) != nullptr) {
        const auto axis = constant_ints(node.input(1));
        if (!axis || axis->size() != 1 || !is_last(axis->front(), data)) return {};
        std::size_t begin = 0;
        for (std::size_t i = 0; i < value.index(); ++i) begin += units_of(node.output_shape(i));
        return sliced(node.input(0), {begin, units});
    }
    if (as_op<ops::Slice>(node) == nullptr || !data.has_rank()) return {};
    const auto requests = ops::slice_requests(context_of(node));
    if (!requests || units_of(data) == 0) return {};
    for (std::size_t i = 0; i + 1 < requests->size(); ++i) {
        if (!is_whole((*requests)[i])) return {};
    }
    const ops::SliceRequest& last = requests->back();
    if (!last.start || !last.stop || !last.step || *last.step < 1) return {};
    const auto range = ops::resolve(last, static_cast<std::int64_t>(units_of(data)));
    return sliced(node.input(0), {static_cast<std::size_t>(range.start), units,
                                  static_cast<std::size_t>(*last.step)});
}

}  // namespace rondo::passes
