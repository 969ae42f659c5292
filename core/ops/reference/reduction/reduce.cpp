// The reduce family: one row a function, each a start value, a step and an end.
#include "core/ops/reduction/reduce.hpp"

#include <cmath>
#include <limits>

#include "core/graph/infer_context.hpp"
#include "core/ops/reference/common/booleans.hpp"
#include "core/ops/reference/common/doubles.hpp"
#include "core/ops/reference/common/walk.hpp"
#include "core/ops/reference/common/words.hpp"
#include "core/ops/reference/reduction/evaluators.hpp"
#include "rondo/error.hpp"

namespace rondo::reference {
namespace {

using ops::ReduceFunction;
using Word = std::uint64_t;

// What the functions of integers ask about their node.
struct Integers {
    const Node& node;
    bool is_signed;
    int bits;

    std::int64_t as_signed(Word x) const { return static_cast<std::int64_t>(x); }
    bool less(Word a, Word b) const { return is_signed ? as_signed(a) < as_signed(b) : a < b; }
    Word least() const { return is_signed ? ~Word{0} << (bits - 1) : 0; }
    Word greatest() const { return ~Word{0} >> (64 - bits + (is_signed ? 1 : 0)); }
};

struct OfFloats {
    double start;
    double (*step)(double so_far, double x);
    double (*end)(double so_far, double count);
};

struct OfWords {
    Word (*start)(const Integers& of);
    Word (*step)(Word so_far, Word x, const Integers& of);
    Word (*end)(Word so_far, std::size_t count, const Integers& of);
};

struct ReduceRow {
    ReduceFunction function;
    OfFloats floats;
    OfWords words;
};

constexpr double kInfinity = std::numeric_limits<double>::infinity();

double as_it_is(double so_far, double) { return so_far; }
double add(double so_far, double x) { return so_far + x; }
double larger(double so_far, double x) { return x > so_far || std::isnan(x) ? x : so_far; }
double smaller(double so_far, double x) { return x < so_far || std::isnan(x) ? x : so_far; }

Word zero(const Integers&) { return 0; }
Word one(const Integers&) { return 1; }
Word keep_word(Word so_far, std::size_t, const Integers&) { return so_far; }
Word add_word(Word so_far, Word x, const Integers&) { return so_far + x; }
Word square_word(Word so_far, Word x, const Integers&) { return so_far + x * x; }

Word mean_word(Word sum, std::size_t count, const Integers& of) {
    if (count == 0) {
        throw ModelError(describe(of.node) +
                         ": the mean of no integers has no value; expected extents above 0");
    }
    if (!of.is_signed) return sum / count;
    return static_cast<Word>(of.as_signed(sum) / static_cast<std::int64_t>(count));
}

// Towards zero; a double's root of a word may be off by one.
Word root_word(Word sum, std::size_t, const Integers&) {
    auto root = static_cast<Word>(std::sqrt(static_cast<long double>(sum)));
    while (root > 0 && root > sum / root) --root;
    while (root + 1 <= sum / (root + 1)) ++root;
    return root;
}

constexpr OfFloats kNoFloats{0, nullptr, nullptr};
constexpr ReduceRow kRows[] = {
    {ReduceFunction::l1,
     {0, [](double so_far, double x) { return so_far + std::fabs(x); }, as_it_is},
     {zero,
      [](Word so_far, Word x, const Integers& of) { return so_far + (of.less(x, 0) ? 0 - x : x); },
      keep_word}},
    {ReduceFunction::l2,
     {0, [](double so_far, double x) { return so_far + x * x; },
      [](double so_far, double) { return std::sqrt(so_far); }},
     {zero, square_word, root_word}},
    {ReduceFunction::logical_and,
     kNoFloats,
     {one, [](Word so_far, Word x, const Integers&) { return so_far & x; }, keep_word}},
    {ReduceFunction::logical_or,
     kNoFloats,
     {zero, [](Word so_far, Word x, const Integers&) { return so_far | x; }, keep_word}},
    {ReduceFunction::max,
     {-kInfinity, larger, as_it_is},
     {[](const Integers& of) { return of.least(); },
      [](Word so_far, Word x, const Integers& of) { return of.less(so_far, x) ? x : so_far; },
      keep_word}},
    {ReduceFunction::mean,
     {0, add, [](double so_far, double count) { return so_far / count; }},
     {zero, add_word, mean_word}},
    {ReduceFunction::min,
     {kInfinity, smaller, as_it_is},
     {[](const Integers& of) { return of.greatest(); },
      [](Word so_far, Word x, const Integers& of) { return of.less(x, so_far) ? x : so_far; },
      keep_word}},
    {ReduceFunction::prod,
     {1, [](double so_far, double x) { return so_far * x; }, as_it_is},
     {one, [](Word so_far, Word x, const Integers&) { return so_far * x; }, keep_word}},
    {ReduceFunction::sum, {0, add, as_it_is}, {zero, add_word, keep_word}},
};
static_assert(ops::in_order_of_functions(kRows) && std::size(kRows) == std::size(ops::kReduceOps));

// Where the results go: the data's shape with the reduced axes shrunk to 1, and elements a result.
struct Groups {
    Shape kept;
    std::size_t size = 1;
};

Groups groups_of(const Node& node, const Tensor& data, const Tensor& axes) {
    const InferContext context(node.name(), node.type_name(), {});
    const auto reduced = ops::reduced_axes(context, to_int64_vector(axes), data.shape().size());
    Groups groups{data.shape()};
    for (std::size_t i = 0; i < reduced.size(); ++i) {
        if (!reduced[i]) continue;
        groups.size *= groups.kept[i];
        groups.kept[i] = 1;
    }
    return groups;
}

// Calls `step(result, element)` for every element and the result that it goes to.
template <typename Number, typename Step>
std::vector<Number> reduced(const std::vector<Number>& values, const Shape& shape,
                            const Shape& kept, Number start, Step step) {
    std::vector<Number> results(element_count(kept), start);
    walk(shape, broadcast_strides(shape, shape), broadcast_strides(kept, shape),
         [&](std::size_t from, std::size_t to) { results[to] = step(results[to], values[from]); });
    return results;
}

void reduce_floats(const OfFloats& of, const Tensor& data, const Groups& groups, Tensor& output) {
    auto results = reduced(to_doubles(data), data.shape(), groups.kept, of.start, of.step);
    for (double& result : results) result = of.end(result, static_cast<double>(groups.size));
    from_doubles(results, output);
}

void reduce_words(const ReduceRow& row, const Node& node, const Tensor& data, const Groups& groups,
                  Tensor& output) {
    const ElementType type = data.element_type();
    const Integers of{node, is_signed(type), static_cast<int>(8 * size_of(type))};
    const auto step = [&](Word so_far, Word x) { return row.words.step(so_far, x, of); };
    auto results =
        reduced(to_words_or_bits(data), data.shape(), groups.kept, row.words.start(of), step);
    for (Word& result : results) result = row.words.end(result, groups.size, of);
    type == ElementType::boolean ? to_booleans(results, output) : from_words(results, output);
}

}  // namespace

void reduce(const Node& node, std::span<const Tensor> inputs, std::span<Tensor> outputs) {
    const ReduceRow& row =
        kRows[static_cast<int>(static_cast<const ops::Reduce&>(node).function())];
    const Groups groups = groups_of(node, inputs[0], inputs[1]);
    if (is_floating(inputs[0].element_type())) {
        reduce_floats(row.floats, inputs[0], groups, outputs[0]);
    } else {
        reduce_words(row, node, inputs[0], groups, outputs[0]);
    }
}

}  // namespace rondo::reference
