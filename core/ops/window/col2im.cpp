// Adds overlapping blocks to an image: the opposite of cutting it into blocks.
#include "core/ops/window/convolutions.hpp"

#include <array>
#include <string>

#include "core/graph/infer_context.hpp"
#include "core/ops/common/extents.hpp"
#include "core/ops/common/families.hpp"
#include "core/ops/common/independent_axes.hpp"
#include "core/support/limits.hpp"
#include "core/support/strings.hpp"

namespace rondo::ops {
namespace {

constexpr std::array kNames = {"data", "output_size", "kernel_size"};

// The product, if it stays below what a tensor can have.
std::int64_t checked_product(const InferContext& context, const std::vector<std::int64_t>& values) {
    std::int64_t product = 1;
    for (const std::int64_t value : values) {
        product = saturating_multiply(product, value);
        context.check(product <= static_cast<std::int64_t>(kMaxElements),
                      "an image or a block has too many elements");
    }
    return product;
}

}  // namespace

const OpType& Col2Im::op_type() const {
    if (input_count() < 3) return kType;
    const PartialShape& sizes = input(1).shape();
    const bool is_plane = !sizes.has_rank() || sizes.rank() != 1 || sizes[0].contains(2);
    return is_plane ? kType : kRondoType;
}

std::optional<std::vector<ConvolutionAxis>> Col2Im::axes(const InferContext& context) const {
    const auto image = context.ints(1);
    const auto kernel = context.ints(2);
    if (!image || !kernel) return std::nullopt;
    if (image->size() > kMaxSpatialAxes || image->empty()) {
        context.refuse("output_size has " + counted(image->size(), "element") +
                       "; expected 1 to 3");
    }
    context.check(image->size() == kernel->size(), "output_size and kernel_size differ in length");
    check_lists(context, attributes_, image->size());
    std::vector<ConvolutionAxis> axes;
    for (std::size_t i = 0; i < image->size(); ++i) {
        ConvolutionAxis axis = axis_of(attributes_, i);
        axis.input = (*image)[i];
        axis.kernel = (*kernel)[i];
        context.check(axis.input >= 0,
                      "output_size holds " + std::to_string(axis.input) + "; expected 0 or more");
        context.check(axis.kernel > 0,
                      "kernel_size holds " + std::to_string(axis.kernel) + "; expected 1 or more");
        check_extents(context, axis.input, axis.kernel);
        const std::int64_t rest = axis.input + axis.pad_begin + axis.pad_end - reach_of(axis);
        axis.output = rest < 0 ? 0 : rest / axis.stride + 1;
        axes.push_back(axis);
    }
    return axes;
}

void Col2Im::infer(InferContext& context) const {
    context.check_input_count(3, 3);
    check_type(context, TypeRule::number, context.type(0), "the data is");
    const auto spatial = common_length(context, 1, kNames);
    const PartialShape& data = context.shape(0);
    if (data.has_rank() && data.rank() != 2 && data.rank() != 3) {
        context.fail("data has shape " + to_string(data) + "; expected rank 2 or 3");
    }
    const auto axes = this->axes(context);
    const std::size_t batch = data.has_rank() && data.rank() == 3 ? 1 : 0;
    if (!data.has_rank() || !spatial) {
        context.set_output(0, context.type(0), {});
        return;
    }
    PartialShape result = PartialShape::of_rank(batch + 1 + *spatial);
    if (batch > 0) result[0] = data[0];
    if (!axes) {
        context.set_output(0, context.type(0), std::move(result));
        return;
    }
    std::vector<std::int64_t> image, kernel, blocks;
    for (std::size_t i = 0; i < axes->size(); ++i) {
        image.push_back((*axes)[i].input);
        kernel.push_back((*axes)[i].kernel);
        blocks.push_back((*axes)[i].output);
        result[batch + 1 + i] = (*axes)[i].input;
    }
    checked_product(context, image);
    const std::int64_t count = checked_product(context, blocks);
    const std::int64_t taps = checked_product(context, kernel);
    const auto channels = divide_extent(data[batch], taps);
    const bool fits = channels && data[batch + 1].contains(count);
    context.check(fits, "data has shape " + to_string(data) + "; expected a multiple of " +
                            std::to_string(taps) + " rows and " + std::to_string(count) +
                            " blocks");
    result[batch] = *channels;
    context.set_output(0, context.type(0), std::move(result));
}

std::optional<IndependentAxis> Col2Im::independent_axis(std::size_t, std::size_t axis) const {
    if (axis > 0 || input(0).shape().rank() != 3) return std::nullopt;
    return rows_of_data(*this, 0, 0);
}

}  // namespace rondo::ops
