// Converts BatchNormalization: a factor and a shift for each channel.
#include <numeric>
#include <string>
#include <tuple>

#include "core/ops/movement/squeeze.hpp"
#include "core/ops/reduction/reduce.hpp"
#include "frontend/onnx/ops/common/building_blocks.hpp"
#include "frontend/onnx/ops/common/legacy.hpp"
#include "frontend/onnx/ops/common/normalization.hpp"
#include "frontend/onnx/ops/reduction/converters.hpp"
#include "rondo/error.hpp"

namespace rondo::onnx {
namespace {

using ops::BinaryFunction;

constexpr std::int64_t kNoTestFlagSince = 7;
constexpr std::int64_t kNoSpatialFlagSince = 9;
constexpr std::int64_t kTrainingFlagSince = 14;

// Whether the batch's own mean and variance are used; throws where that isn't supported.
bool trains(NodeContext& context) {
    skip_consumed_inputs(context);
    if (context.opset() < kNoTestFlagSince && !context.attributes().flag("is_test", false)) {
        throw UnsupportedError("is_test is 0: training isn't supported before opset 14");
    }
    if (context.opset() >= kTrainingFlagSince) {
        return context.attributes().flag("training_mode", false);
    }
    for (std::size_t i = 1; i < context.output_count(); ++i) {
        if (context.has_output(i)) {
            throw UnsupportedError("output " + std::to_string(i) +
                                   " is used: training isn't supported before opset 14");
        }
    }
    return false;
}

// Puts the parameters where they meet X: one a channel, or one for each element of an image.
class Parameters {
public:
    Parameters(NodeContext& context, ElementType type)
        : context_(context), type_(type), x_(context.input(0)) {
        rank_of_x(x_, 1);
        by_channel_ =
            context.opset() >= kNoSpatialFlagSince || context.attributes().flag("spatial", true);
        if (!by_channel_) return;
        x_ =
            with_channels(context, "x_channels", x_,
                          {context.input(1), context.input(2), context.input(3), context.input(4)});
    }

    /// X, known to have as many channels as the parameters.
    const Output& x() const { return x_; }

    Output read(std::size_t input, const std::string& name) const {
        const Output value = make_converted(context_, name, context_.input(input), type_);
        if (by_channel_) return make_exact_channels(context_, name + "/exact", value, x_, name);
        std::vector<Dimension> image = x_.shape().dimensions();
        image.erase(image.begin());
        NodeContext::check_shape(value, image, name);
        return value;
    }
    Output placed(const std::string& role, const Output& value) const {
        if (by_channel_) return make_channel_vector(context_, role, value, x_, "scale");
        return context_.make<ops::Unsqueeze>(role, value, make_ints(context_, role + "/axis", {0}));
    }

private:
    NodeContext& context_;
    ElementType type_;
    Output x_;
    bool by_channel_ = true;
};

struct Statistics {
    Output mean;
    Output variance;
};

// Those of the batch, one a channel.
Statistics batch_statistics(NodeContext& context, const Output& x) {
    std::vector<std::int64_t> axes(rank_of_x(x, 2));
    std::iota(axes.begin(), axes.end(), 0);
    axes.erase(axes.begin() + 1);
    const Output all = make_ints(context, "batch_axes", axes);
    const auto mean_of = [&](const char* role, const Output& value, bool keep) -> Output {
        return context.make<ops::Reduce>(role, ops::ReduceFunction::mean, value, all, keep);
    };
    const Output square = make_binary(context, "square", BinaryFunction::squared_difference, x,
                                      mean_of("batch_mean_kept", x, true));
    return {mean_of("batch_mean", x, false), mean_of("batch_variance", square, false)};
}

// running * momentum + current * (1 - momentum).
Output running(NodeContext& context, const std::string& role, const Output& before,
               const Output& current, float momentum) {
    const ElementType type = current.element_type();
    const auto part = [&](const char* name, const Output& value, float factor) {
        return make_binary(context, role + name, BinaryFunction::multiply, value,
                           make_filled(context, role + name + "/factor", type, {}, factor));
    };
    return make_binary(context, role, BinaryFunction::add, part("/before", before, momentum),
                       part("/current", current, 1 - momentum));
}

}  // namespace

// y = x * factor + shift with factor = scale / sqrt(variance + epsilon), shift = B - mean * factor.
std::vector<Output> convert_batch_normalization(NodeContext& context) {
    const bool is_training = trains(context);
    const ElementType type = NodeContext::known_type(context.input(0), "X");
    const ElementType arithmetic = arithmetic_type(type);
    const float epsilon = context.attributes().find_float("epsilon").value_or(1e-5F);
    const float momentum = context.attributes().find_float("momentum").value_or(0.9F);
    const Parameters parameters(context, arithmetic);
    const Output& x = parameters.x();
    const Output scale = parameters.read(1, "scale"), bias = parameters.read(2, "B");
    const Statistics given{parameters.read(3, "mean"), parameters.read(4, "variance")};
    const Output wide = make_converted(context, "wide", x, arithmetic);
    const auto [mean, variance] = is_training ? batch_statistics(context, wide) : given;

    const Output factor = make_binary(context, "factor", BinaryFunction::divide, scale,
                                      make_root(context, "deviation", variance, epsilon));
    const Output shift =
        make_binary(context, "shift", BinaryFunction::subtract, bias,
                    make_binary(context, "shifted", BinaryFunction::multiply, mean, factor));
    const bool converts = type != arithmetic;
    const Output scaled = make_binary(context, "scaled", BinaryFunction::multiply, wide,
                                      parameters.placed("factors", factor));
    const Output y = make_binary(context, converts ? "sum" : "", BinaryFunction::add, scaled,
                                 parameters.placed("shifts", shift));
    std::vector<Output> outputs{make_converted(context, "", y, type)};
    if (!is_training) return outputs;
    const ElementType kept = NodeContext::known_type(context.input(3), "mean");
    for (const auto& [role, before, current] :
         {std::tuple("running_mean", given.mean, mean),
          std::tuple("running_variance", given.variance, variance)}) {
        const Output value = running(context, role, before, current, momentum);
        outputs.push_back(make_converted(context, std::string(role) + "/out", value, kept));
    }
    return outputs;
}

}  // namespace rondo::onnx
