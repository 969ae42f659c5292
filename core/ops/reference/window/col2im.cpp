// Evaluates Col2Im.
#include "core/ops/window/col2im.hpp"

#include <vector>

#include "core/ops/reference/common/context.hpp"
#include "core/ops/reference/common/numbers.hpp"
#include "core/ops/reference/window/evaluators.hpp"
#include "core/ops/reference/window/spatial.hpp"

namespace rondo::reference {

void col2im(const Node& node, std::span<const Tensor> inputs, std::span<Tensor> outputs) {
    const auto& op = static_cast<const ops::Col2Im&>(node);
    const Axes3 axes = three_axes(op.axes(known_context(node, inputs)).value());
    const Index3 image = extents_of(axes, &ops::ConvolutionAxis::input);
    const Index3 kernel = extents_of(axes, &ops::ConvolutionAxis::kernel);
    const Index3 blocks = extents_of(axes, &ops::ConvolutionAxis::output);
    if (inputs[0].size() == 0) return;
    const std::size_t planes = inputs[0].size() / (volume(kernel) * volume(blocks));
    compute_numbers(inputs[0], inputs[0], outputs[0],
                    [&](const auto& data, const auto&, auto& result) {
                        std::size_t from = 0;
                        for (std::size_t plane = 0; plane < planes; ++plane) {
                            for_each_index(kernel, [&](const Index3& tap) {
                                for_each_index(blocks, [&](const Index3& block) {
                                    const auto number = data[from++];
                                    Index3 to{};
                                    if (!meets(axes, block, tap, to)) return;
                                    result[plane * volume(image) + place(to, image)] += number;
                                });
                            });
                        }
                    });
}

}  // namespace rondo::reference
