#include "plugins/cpu/passes/passes.hpp"

#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/movement/movement_ops.hpp"
#include "core/ops/product/matmul.hpp"
#include "transformations/pass/rewriter.hpp"

namespace rondo::cpu {
namespace {

using passes::Rewriter;

bool is_state(LoopValue value) { return value == LoopValue::state; }

// Rows [first, first + count) of the matrix that a product multiplies with, as it is stored.
Tensor rows_of(const Tensor& matrix, bool transposed, std::size_t first, std::size_t count) {
    const std::size_t rows = matrix.shape()[0], columns = matrix.shape()[1];
    const auto* from = static_cast<const float*>(matrix.data());
    Tensor part(ElementType::f32, transposed ? Shape{rows, count} : Shape{count, columns});
    auto* to = static_cast<float*>(part.data());
    if (!transposed) {
        std::memcpy(to, from + first * columns, count * columns * sizeof(float));
        return part;
    }
    for (std::size_t row = 0; row < rows; ++row) {
        std::memcpy(to + row * count, from + row * columns + first, count * sizeof(float));
    }
    return part;
}

// A run of neighbours in the Concat that are all states, or all none.
struct Side {
    std::vector<Output> values;
    std::size_t first = 0;
    std::size_t size = 0;
    bool is_state = false;
};

// The sides of a Concat: empty if their sizes aren't known, or if there is only one.
std::vector<Side> sides_of(const ops::Concat& joined, const LoopValues& values) {
    std::vector<Side> sides;
    std::size_t first = 0;
    for (const Output& value : joined.inputs()) {
        const Dimension& extent = value.shape()[value.shape().rank() - 1];
        if (!extent.is_static()) return {};
        const bool state = is_state(values.of(value));
        if (sides.empty() || sides.back().is_state != state) sides.push_back({{}, first, 0, state});
        const auto size = static_cast<std::size_t>(extent.length());
        sides.back().values.push_back(value);
        sides.back().size += size;
        first += size;
    }
    return sides.size() > 1 ? sides : std::vector<Side>();
}

bool joins_last_axis(const ops::Concat& joined) {
    const PartialShape& shape = joined.output_shape(0);
    if (!shape.has_rank() || shape.rank() < 2) return false;
    const auto rank = static_cast<std::int64_t>(shape.rank());
    return joined.axis() == -1 || joined.axis() == rank - 1;
}

// Parts that have other rows than each other are an error, as they were in the Concat.
Output sum_of(const std::string& name, const Output& a, const Output& b, Rewriter& rewriter) {
    auto sum = std::make_shared<ops::Binary>(ops::BinaryFunction::add, a, b);
    sum->set_auto_broadcast(ops::AutoBroadcast::none);
    sum->set_name(name);
    sum->validate();
    return rewriter.clone(*sum, sum->inputs());
}

void split(const std::shared_ptr<ops::MatMul>& product, const LoopValues& values,
           Rewriter& rewriter) {
    const auto joined = as<ops::Concat>(product->input(0));
    const Tensor matrix = known_value(product->input(1));
    if (!joined || !matrix || product->transpose_a() || !joins_last_axis(*joined)) return;
    if (matrix.element_type() != ElementType::f32 || matrix.shape().size() != 2) return;
    Output sum;
    for (const Side& side : sides_of(*joined, values)) {
        const std::string name = product->name() + "/" + std::to_string(side.first);
        const Output left = side.values.size() == 1
                                ? side.values[0]
                                : Output(rewriter.make<ops::Concat>(name, side.values, -1));
        const Tensor rows =
            rows_of(matrix.contiguous(), product->transpose_b(), side.first, side.size);
        const auto part =
            std::make_shared<ops::MatMul>(left, rewriter.make_constant(name + "/rows", rows));
        part->set_transpose_b(product->transpose_b());
        part->set_name(name);
        part->validate();
        const Output own = rewriter.clone(*part, part->inputs());
        sum = sum ? sum_of(product->name(), sum, own, rewriter) : own;
    }
    if (sum) rewriter.replace(product->output(0), sum);
}

}  // namespace

bool split_products(Graph& body, const LoopValues& values) {
    Rewriter rewriter(body);
    rewriter.for_each<ops::MatMul>([&](const auto& product) { split(product, values, rewriter); });
    return rewriter.changed();
}

}  // namespace rondo::cpu
