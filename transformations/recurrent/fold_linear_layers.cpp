#include "transformations/recurrent/passes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "core/graph/rt_info_keys.hpp"
#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/movement/transpose.hpp"
#include "core/ops/product/matmul.hpp"
#include "core/ops/recurrent/recurrent_op.hpp"
#include "transformations/common/views.hpp"
#include "transformations/pass/constants.hpp"
#include "transformations/pass/rewriter.hpp"

namespace rondo::passes {
namespace {

using ops::BinaryFunction;
using ops::RecurrentOp;

constexpr std::size_t kMostProducts = std::size_t{1} << 27;  // tens of milliseconds
constexpr double kMostAdded = 256;  // to a sum: rounded to f32, it is off by 1.5e-5

// One op between x and X, on vectors of features.
struct LinearStep {
    enum class Kind { add, scale, product, transpose };
    Kind kind = Kind::transpose;
    std::vector<double> numbers = {};  // product: [in,out]
    std::size_t in = 0;                // product
    NodePtr node = nullptr;            // transpose
};

struct LinearChain {
    Output x;                       // in front of all
    std::vector<LinearStep> steps;  // from X up
};

std::vector<double> numbers_of(const Tensor& tensor) {
    const Tensor plain = tensor.contiguous();
    const auto* data = plain.data<float>();
    return {data, data + plain.size()};
}

// Reads the chain above X op by op, and where the features are among the axes.
class ChainReader {
public:
    explicit ChainReader(const Output& x)
        : chain_{x, {}}, features_(extent_of(x, ops::kRankOfX - 1)) {}

    LinearChain read() {
        while (features_ != 0 && has_sole_consumer(chain_.x) && take(chain_.x.node())) {
        }
        // Transposes that no linear op stands before stay where they are.
        while (!chain_.steps.empty() && chain_.steps.back().kind == LinearStep::Kind::transpose) {
            chain_.x = chain_.steps.back().node->output(0);
            chain_.steps.pop_back();
        }
        return std::move(chain_);
    }

private:
    // 0 where it isn't known.
    static std::size_t extent_of(const Output& value, std::size_t axis) {
        const PartialShape& shape = value.shape();
        const bool is_known =
            shape.has_rank() && shape.rank() == ops::kRankOfX && shape[axis].is_static();
        return is_known ? static_cast<std::size_t>(shape[axis].length()) : 0;
    }

    bool take(Node& node) {
        if (const auto* op = as_op<ops::Transpose>(node)) return transpose(node, *op);
        if (const auto* op = as_op<ops::MatMul>(node)) return product(*op);
        const auto* op = as_op<ops::Binary>(node);
        if (op == nullptr || op->function() == BinaryFunction::power) return false;
        if (take_numbers(*op, 1)) return true;
        const bool commutes =
            op->function() == BinaryFunction::add || op->function() == BinaryFunction::multiply;
        return commutes && take_numbers(*op, 0);
    }

    bool transpose(Node& node, const ops::Transpose& op) {
        const auto order = order_of(op);
        if (!order || order->size() != ops::kRankOfX) return false;
        axis_ = (*order)[axis_];
        go_up(node.input(0), {LinearStep::Kind::transpose, {}, 0, node.shared_from_this()});
        return true;
    }

    bool product(const ops::MatMul& op) {
        const Tensor matrix = known_value(op.input(1));
        const std::size_t in = extent_of(op.input(0), ops::kRankOfX - 1);
        const bool is_plain = axis_ == ops::kRankOfX - 1 && !op.transpose_a() && matrix &&
                              matrix.element_type() == ElementType::f32 &&
                              matrix.shape().size() == 2;
        if (!is_plain || in == 0 || in > features_ || in * features_ > kMostProducts) return false;
        std::vector<double> numbers = numbers_of(matrix);
        if (op.transpose_b()) numbers = turned(numbers, features_, in);
        go_up(op.input(0), {LinearStep::Kind::product, std::move(numbers), in});
        features_ = in;
        return true;
    }

    static std::vector<double> turned(const std::vector<double>& matrix, std::size_t rows,
                                      std::size_t columns) {
        std::vector<double> result(matrix.size());
        for (std::size_t i = 0; i < rows; ++i) {
            for (std::size_t k = 0; k < columns; ++k) {
                result[k * rows + i] = matrix[i * columns + k];
            }
        }
        return result;
    }

    // The other input is one number, or one for each feature.
    bool take_numbers(const ops::Binary& op, std::size_t port) {
        const Output& data = op.input(1 - port);
        const Tensor value = known_value(op.input(port));
        if (!value || value.element_type() != ElementType::f32 ||
            value.shape().size() > ops::kRankOfX || extent_of(data, axis_) != features_) {
            return false;
        }
        const std::size_t from_end = ops::kRankOfX - axis_;
        for (std::size_t i = 0; i < value.shape().size(); ++i) {
            const bool is_feature = i + from_end == value.shape().size();
            if (value.shape()[i] != 1 && !is_feature) return false;
        }
        std::vector<double> numbers = numbers_of(value);
        if (numbers.size() == 1) numbers.assign(features_, numbers.front());
        return add_numbers(op.function(), std::move(numbers), data);
    }

    bool add_numbers(BinaryFunction function, std::vector<double> numbers, const Output& data) {
        using Kind = LinearStep::Kind;
        Kind kind = Kind::scale;
        if (function == BinaryFunction::add || function == BinaryFunction::subtract) {
            kind = Kind::add;
        } else if (function != BinaryFunction::multiply && function != BinaryFunction::divide) {
            return false;
        }
        for (double& number : numbers) {
            if (function == BinaryFunction::subtract) number = -number;
            if (function == BinaryFunction::divide) number = 1 / number;
            if (!std::isfinite(number)) return false;
        }
        go_up(data, {kind, std::move(numbers)});
        return true;
    }

    void go_up(const Output& data, LinearStep step) {
        chain_.steps.push_back(std::move(step));
        chain_.x = data;
    }

    LinearChain chain_;
    std::size_t features_;
    std::size_t axis_ = ops::kRankOfX - 1;
};

// W and B while the chain's ops go into them. W: [rows, features] of all directions.
class FoldedWeights {
public:
    FoldedWeights(std::vector<double> w, std::size_t rows)
        : w_(std::move(w)), added_(rows), features_(w_.size() / rows) {}

    /// False where what is added is so large that its rounding would show in the sums: x - mean
    /// is exact where x is near the mean, and W x - W mean isn't.
    bool take_in(const LinearStep& step) {
        using Kind = LinearStep::Kind;
        if (step.kind == Kind::add && !add(step.numbers)) return false;
        if (step.kind == Kind::scale) scale(step.numbers);
        if (step.kind == Kind::product) multiply(step.numbers, step.in);
        return true;
    }

    const std::vector<double>& w() const { return w_; }
    /// What a row's bias grows by.
    const std::vector<double>& added() const { return added_; }
    std::size_t features() const { return features_; }

private:
    bool add(const std::vector<double>& numbers) {
        for (std::size_t row = 0; row < added_.size(); ++row) {
            double magnitude = 0;
            for (std::size_t i = 0; i < features_; ++i) {
                const double product = w_[row * features_ + i] * numbers[i];
                added_[row] += product;
                magnitude += std::abs(product);
            }
            if (!(magnitude <= kMostAdded)) return false;
        }
        return true;
    }

    void scale(const std::vector<double>& numbers) {
        for (std::size_t i = 0; i < w_.size(); ++i) w_[i] *= numbers[i % features_];
    }

    // W [rows,out] by A^T [out,in].
    void multiply(const std::vector<double>& a, std::size_t in) {
        std::vector<double> product(added_.size() * in);
        for (std::size_t row = 0; row < added_.size(); ++row) {
            for (std::size_t i = 0; i < in; ++i) {
                double sum = 0;
                for (std::size_t k = 0; k < features_; ++k) {
                    sum += w_[row * features_ + k] * a[i * features_ + k];
                }
                product[row * in + i] = sum;
            }
        }
        w_ = std::move(product);
        features_ = in;
    }

    std::vector<double> w_;
    std::vector<double> added_;
    std::size_t features_;
};

bool is_f32(const Tensor& tensor) { return tensor && tensor.element_type() == ElementType::f32; }

// Empty where a number is too large, or too small for its digits.
Tensor rounded(const std::vector<double>& numbers, Shape shape) {
    Tensor tensor(ElementType::f32, std::move(shape));
    auto* data = tensor.data<float>();
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        using Limits = std::numeric_limits<float>;
        const double magnitude = std::abs(numbers[i]);
        const bool fits = magnitude == 0 || magnitude >= Limits::min();
        if (!fits || !(magnitude <= Limits::max())) return {};
        data[i] = static_cast<float>(numbers[i]);
    }
    return tensor;
}

class LinearFolder {
public:
    LinearFolder(Rewriter& rewriter, RecurrentOp& op) : rewriter_(rewriter), op_(op) {}

    void fold() {
        const Tensor w = known_value(op_.input(op_.w_port()));
        const Tensor b = known_value(op_.input(op_.b_port()));
        const bool rounds_x = op_.rt_info().contains(kDynamicQuantization);
        if (!op_.is_sequence() || rounds_x || !is_f32(w) || !is_f32(b) || w.size() == 0) return;
        const LinearChain chain = ChainReader(op_.input(op_.x_port())).read();
        const std::size_t rows = w.shape()[0] * w.shape()[1];
        if (chain.steps.empty() || rows * w.shape()[2] > kMostProducts) return;
        FoldedWeights folded(numbers_of(w), rows);
        for (const LinearStep& step : chain.steps) {
            if (rows * folded.features() * std::max<std::size_t>(step.in, 1) > kMostProducts)
                return;
            if (!folded.take_in(step)) return;
        }
        const Tensor new_w = rounded(folded.w(), {w.shape()[0], w.shape()[1], folded.features()});
        const Tensor new_b = rounded(bias(b, folded.added(), w.shape()[1]), b.shape());
        if (new_w && new_b) replace(chain, new_w, new_b);
    }

private:
    // A GRU with linear_before_reset has a bias of R behind those of W.
    static std::vector<double> bias(const Tensor& old, const std::vector<double>& added,
                                    std::size_t rows) {
        std::vector<double> result = numbers_of(old);
        const std::size_t width = old.shape()[1];
        for (std::size_t i = 0; i < added.size(); ++i) {
            result[i / rows * width + i % rows] += added[i];
        }
        return result;
    }

    void replace(const LinearChain& chain, const Tensor& w, const Tensor& b) {
        std::vector<Output> inputs = op_.inputs();
        Output x = chain.x;
        for (auto step = chain.steps.rbegin(); step != chain.steps.rend(); ++step) {
            if (!step->node) continue;
            x = rewriter_.clone(*step->node, {x, step->node->input(1)});
        }
        inputs[op_.x_port()] = x;
        inputs[op_.w_port()] = rewriter_.make_constant(op_.name() + "/W", w);
        inputs[op_.b_port()] = rewriter_.make_constant(op_.name() + "/B", b);
        const NodePtr old = op_.shared_from_this();
        const NodePtr made = rewriter_.clone(op_, std::move(inputs));
        for (std::size_t i = 0; i < op_.output_count(); ++i) {
            if (!op_.consumers(i).empty()) rewriter_.replace(op_.output(i), made->output(i));
        }
        rewriter_.inherit_name(old, *made);
    }

    Rewriter& rewriter_;
    RecurrentOp& op_;
};

}  // namespace

bool fold_linear_layers(Graph& graph) {
    Rewriter rewriter(graph);
    rewriter.for_each<RecurrentOp>([&](const auto& op) { LinearFolder(rewriter, *op).fold(); });
    return rewriter.changed();
}

}  // namespace rondo::passes
