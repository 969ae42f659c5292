#include "transformations/recurrent/passes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "core/graph/constants.hpp"
#include "core/graph/rt_info_keys.hpp"
#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/product/matmul.hpp"
#include "core/ops/recurrent/recurrent_op.hpp"
#include "transformations/analysis/step_values.hpp"
#include "transformations/analysis/views.hpp"
#include "transformations/pass/formula.hpp"

namespace rondo::passes {
namespace {

using ops::BinaryFunction;
using ops::RecurrentOp;

constexpr std::size_t kMostProducts = std::size_t{1} << 27;  // tens of milliseconds
constexpr double kMostAdded = 256;  // to a sum: rounded to f32, it is off by 1.5e-5

std::vector<double> numbers_of(const Tensor& tensor) {
    const auto* data = tensor.data<float>();
    return {data, data + tensor.size()};
}

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

// W and B while the ops above X go into them. W: [rows, features] of all directions.
class FoldedWeights {
public:
    FoldedWeights(const Tensor& w, const Tensor& b)
        : old_w_(w),
          old_b_(b),
          rows_(w.shape()[0] * w.shape()[1]),
          features_(w.shape()[2]),
          added_(rows_) {}

    std::size_t features() const { return features_; }
    /// Whether as many products as for each of `in` features aren't too many.
    bool is_small(std::size_t in = 1) const { return rows_ * features_ * in <= kMostProducts; }

    /// Before the first op is taken in: most layers have none.
    void read() {
        if (w_.empty()) w_ = numbers_of(old_w_);
    }

    /// False where what is added is so large that its rounding would show in the sums: x - mean
    /// is exact where x is near the mean, and W x - W mean isn't.
    bool add(const std::vector<double>& numbers) {
        for (std::size_t row = 0; row < rows_; ++row) {
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

    /// W [rows,out] by A^T [out,in].
    void multiply(const std::vector<double>& a, std::size_t in) {
        std::vector<double> product(rows_ * in);
        for (std::size_t row = 0; row < rows_; ++row) {
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

    /// Empty where rounding would lose too much.
    Tensor w() const { return rounded(w_, {old_w_.shape()[0], old_w_.shape()[1], features_}); }
    /// A GRU with linear_before_reset also has a bias of R, after the biases of W.
    Tensor b() const {
        std::vector<double> numbers = numbers_of(old_b_);
        const std::size_t rows = old_w_.shape()[1], width = old_b_.shape()[1];
        for (std::size_t i = 0; i < rows_; ++i) numbers[i / rows * width + i % rows] += added_[i];
        return rounded(numbers, old_b_.shape());
    }

private:
    const Tensor old_w_, old_b_;
    const std::size_t rows_;
    std::size_t features_;
    std::vector<double> w_;
    std::vector<double> added_;  // what a row's bias grows by
};

// Takes in the ops above X one by one, and knows where the features are among the axes.
class LinearFolder {
public:
    LinearFolder(Rewriter& rewriter, RecurrentOp& op)
        : rewriter_(rewriter), op_(op), x_(op.input(op.x_port())) {}

    void fold() {
        const Tensor w = known_floats(op_.input(op_.w_port()));
        const Tensor b = known_floats(op_.input(op_.b_port()));
        const bool rounds_x = op_.rt_info().contains(kDynamicQuantization);
        if (!op_.is_sequence() || rounds_x || !w || !b || w.size() == 0) return;
        if (!has_sole_consumer(x_) || extent_of(x_, axis_) != w.shape()[2]) return;
        weights_.emplace(w, b);
        while (!refuses_ && has_sole_consumer(x_) && take(x_.node())) {
        }
        if (refuses_ || !folded_) return;
        const Tensor new_w = weights_->w(), new_b = weights_->b();
        if (new_w && new_b) replace(new_w, new_b);
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
        if (const auto order = order_of(node)) return transpose(node, *order);
        if (const auto* op = as_op<ops::MatMul>(node)) return product(*op);
        const bool commutes =
            ops::is(node, BinaryFunction::add) || ops::is(node, BinaryFunction::multiply);
        const bool is_linear = commutes || ops::is(node, BinaryFunction::subtract) ||
                               ops::is(node, BinaryFunction::divide);
        return is_linear && (take_numbers(node, 1) || (commutes && take_numbers(node, 0)));
    }

    bool transpose(Node& node, const AxisOrder& order) {
        if (order.size() != ops::kRankOfX) return false;
        axis_ = order[axis_];
        above_.push_back(node.shared_from_this());
        x_ = node.input(0);
        return true;
    }

    bool product(const ops::MatMul& op) {
        const Tensor matrix = known_floats(op.input(1));
        const std::size_t in = extent_of(op.input(0), ops::kRankOfX - 1);
        const std::size_t out = weights_->features();
        const bool is_plain =
            axis_ == ops::kRankOfX - 1 && !op.transpose_a() && matrix && matrix.shape().size() == 2;
        if (!is_plain || in == 0 || in > out || in * out > kMostProducts) return false;
        std::vector<double> numbers = numbers_of(matrix);
        if (op.transpose_b()) numbers = turned(numbers, out, in);
        if (!begin(op.input(0), in)) return true;
        weights_->multiply(numbers, in);
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
    bool take_numbers(const Node& node, std::size_t port) {
        const Output& data = node.input(1 - port);
        const Tensor value = known_floats(node.input(port));
        const std::size_t features = weights_->features();
        if (!value || value.shape().size() > ops::kRankOfX || extent_of(data, axis_) != features) {
            return false;
        }
        const std::size_t from_end = ops::kRankOfX - axis_;
        for (std::size_t i = 0; i < value.shape().size(); ++i) {
            const bool is_feature = i + from_end == value.shape().size();
            if (value.shape()[i] != 1 && !is_feature) return false;
        }
        std::vector<double> numbers = numbers_of(value);
        if (numbers.size() == 1) numbers.assign(features, numbers.front());
        for (double& number : numbers) {
            if (ops::is(node, BinaryFunction::subtract)) number = -number;
            if (ops::is(node, BinaryFunction::divide)) number = 1 / number;
            if (!std::isfinite(number)) return false;
        }
        if (!begin(data, 1)) return true;
        if (ops::is(node, BinaryFunction::add) || ops::is(node, BinaryFunction::subtract)) {
            refuses_ = !weights_->add(numbers);
        } else {
            weights_->scale(numbers);
        }
        return true;
    }

    // Folds a linear op on `data` into the weights: the Transposes below the op then read `data`.
    bool begin(const Output& data, std::size_t in) {
        refuses_ = !weights_->is_small(in);
        weights_->read();
        x_ = folded_ = data;
        transposes_.insert(transposes_.end(), above_.begin(), above_.end());
        above_.clear();
        return !refuses_;
    }

    void replace(const Tensor& w, const Tensor& b) {
        std::vector<Output> inputs = op_.inputs();
        Output x = folded_;
        for (auto node = transposes_.rbegin(); node != transposes_.rend(); ++node) {
            x = rewriter_.clone(**node, {x, (*node)->input(1)});
        }
        inputs[op_.x_port()] = x;
        inputs[op_.w_port()] = rewriter_.make_constant(op_.name() + "/W", w);
        inputs[op_.b_port()] = rewriter_.make_constant(op_.name() + "/B", b);
        take_place(rewriter_, op_, *rewriter_.clone(op_, std::move(inputs)));
    }

    Rewriter& rewriter_;
    RecurrentOp& op_;
    std::optional<FoldedWeights> weights_;
    Output x_;                         // what isn't read yet
    Output folded_;                    // what the ops that are taken in read; empty: none is
    std::vector<NodePtr> transposes_;  // below `folded_`, from X up
    std::vector<NodePtr> above_;       // further ones, which stay where no linear op follows
    std::size_t axis_ = ops::kRankOfX - 1;
    bool refuses_ = false;
};

}  // namespace

bool fold_linear_layers(Graph& graph) {
    Rewriter rewriter(graph);
    rewriter.for_each<RecurrentOp>([&](const auto& op) { LinearFolder(rewriter, *op).fold(); });
    return rewriter.changed();
}

}  // namespace rondo::passes
