// Nodes that read data at computed places or add to them: Col2Im, DeformableConvolution, GridSample
// and ROIAlign.
#include <algorithm>
#include <atomic>
#include <string>

#include "core/ops/window/convolutions.hpp"
#include "core/ops/window/samplers.hpp"
#include "core/support/visit_type.hpp"
#include "plugins/cpu/kernels/product/row_converter.hpp"
#include "plugins/cpu/kernels/threads/share.hpp"
#include "plugins/cpu/kernels/window/col2im.hpp"
#include "plugins/cpu/kernels/window/deformable_convolution.hpp"
#include "plugins/cpu/kernels/window/grid_sample.hpp"
#include "plugins/cpu/kernels/window/roi_align.hpp"
#include "plugins/cpu/nodes/common/copy_call.hpp"
#include "plugins/cpu/nodes/common/extents.hpp"
#include "plugins/cpu/nodes/common/makers.hpp"
#include "plugins/cpu/nodes/common/widened_call.hpp"
#include "plugins/cpu/nodes/window/convolution_kernels.hpp"
#include "rondo/error.hpp"

namespace rondo::cpu {
namespace {

constexpr std::int64_t kColumnGrain = 1 << 15;  // elements that are worth a thread

// Planes are independent.
std::unique_ptr<Call> prepare_col2im(const ops::Col2Im& op, Isa isa, const CallSite& site) {
    const std::int64_t elements = count_of(site.inputs[0].shape);
    if (element_count(site.outputs[0].shape) == 0 || elements == 0) {
        return make_zero_call(site.outputs[0]);
    }
    const auto axes = window_axes<3>(op.axes(context_of(op, site)).value());
    std::int64_t planes = count_of(site.outputs[0].shape);
    for (const WindowAxis& axis : axes) planes /= axis.input;
    const std::int64_t grain = kColumnGrain / (elements / planes + 1) + 1;
    return make_widened_call(site, isa, [&](const CallSite& own) {
        return make_call(
            [axes, planes, grain, loop = col2im_loop(own.inputs[0].type)](const RunArgs& args) {
                share(args.team, planes, grain, [&](std::int64_t begin, std::int64_t end) {
                    loop(axes, {args.inputs[0], args.outputs[0], begin, end});
                });
            });
    });
}

std::unique_ptr<Call> prepare_deformable(const ops::DeformableConvolution& op, Isa isa,
                                         const CallSite& site) {
    const Shape &data = site.inputs[0].shape, &filters = site.inputs[2].shape;
    if (element_count(site.outputs[0].shape) == 0 || element_count(data) == 0) {
        return make_zero_call(site.outputs[0]);
    }
    DeformableSizes sizes;
    sizes.batch = static_cast<std::int64_t>(data[0]);
    sizes.groups = op.group();
    sizes.channels = static_cast<std::int64_t>(filters[1]);
    sizes.filters = static_cast<std::int64_t>(filters[0]) / op.group();
    sizes.offset_groups = op.offset_group();
    sizes.pads_by_zero = op.pads_by_zero();
    sizes.axes = window_axes<2>(op.axes(data, filters));
    return make_widened_call(site, isa, [&](const CallSite& own) {
        const int slices = std::max(own.threads, 1);
        const ElementType type = own.inputs[0].type;
        const auto run = [type, sizes, slices](const RunArgs& args) {
            const void* factors = args.inputs.size() > 3 ? args.inputs[3] : nullptr;
            run_deformable(type, sizes,
                           {args.inputs[0], args.inputs[1], args.inputs[2], factors,
                            args.outputs[0], args.scratch},
                           slices, args.team);
        };
        return make_call(run, {deformable_scratch(type, sizes) * static_cast<std::size_t>(slices)});
    });
}

std::unique_ptr<Call> prepare_grid_sample(const ops::GridSample& op, Isa isa,
                                          const CallSite& site) {
    const Shape &data = site.inputs[0].shape, &output = site.outputs[0].shape;
    if (element_count(output) == 0) return make_zero_call(site.outputs[0]);
    GridSizes sizes;
    sizes.batch = static_cast<std::int64_t>(output[0]);
    sizes.channels = static_cast<std::int64_t>(output[1]);
    sizes.points = extents_product(output, 2, output.size());
    sizes.spatial = static_cast<std::int64_t>(data.size()) - 2;
    for (std::size_t i = 2; i < data.size(); ++i) {
        sizes.extents[i - 2] = static_cast<std::int64_t>(data[i]);
    }
    const ops::GridRule rule = op.rule();
    const auto make = [&](const CallSite& own) {
        std::shared_ptr<GridSampler> sampler =
            make_grid_sampler(own.inputs[0].type, own.inputs[1].type, rule, sizes);
        return make_call([sampler](const RunArgs& args) {
            sampler->run({args.inputs[0], args.inputs[1], args.outputs[0]}, args.team);
        });
    };
    return rule.mode == ops::GridMode::nearest ? make(site) : make_widened_call(site, isa, make);
}

// Regions and channels are independent.
std::unique_ptr<Call> make_roi_align(const Node& node, const RoiSizes& sizes,
                                     const CallSite& site) {
    return make_call(
        [&node, sizes, loop = roi_loop(site.inputs[0].type), index_type = site.inputs[2].type,
         element = element_bytes(site.inputs[0].type),
         images = static_cast<std::int64_t>(site.inputs[0].shape[0]),
         regions = static_cast<std::int64_t>(site.outputs[0].shape[0])](const RunArgs& args) {
            const auto image_of = [&](std::int64_t index) {
                return visit_integer(index_type, [&](auto tag) {
                    using T = tag_type<decltype(tag)>;
                    return static_cast<std::int64_t>(static_cast<const T*>(args.inputs[2])[index]);
                });
            };
            for (std::int64_t i = 0; i < regions; ++i) {
                const std::int64_t image = image_of(i);
                if (image >= 0 && image < images) continue;
                throw ModelError(describe(node) + ": batch index " + std::to_string(image) +
                                 " is out of range for " + std::to_string(images) + " images");
            }
            std::atomic<std::int64_t> too_large = -1;
            const std::int64_t plane = sizes.channels * sizes.height * sizes.width * element;
            const std::int64_t region = sizes.channels * sizes.bins_y * sizes.bins_x * element;
            share(args.team, regions, 1, [&](std::int64_t begin, std::int64_t end) {
                for (std::int64_t i = begin; i < end; ++i) {
                    const RoiArgs roi{
                        static_cast<const char*>(args.inputs[0]) + image_of(i) * plane,
                        static_cast<const char*>(args.inputs[1]) + 4 * i * element,
                        static_cast<char*>(args.outputs[0]) + i * region, 0, sizes.channels};
                    if (!loop(sizes, roi)) too_large.store(i, std::memory_order_relaxed);
                }
            });
            if (too_large < 0) return;
            throw ModelError(describe(node) + ": region " + std::to_string(too_large.load()) +
                             " is too large");
        });
}

std::unique_ptr<Call> prepare_roi_align(const ops::RoiAlign& op, Isa isa, const CallSite& site) {
    if (element_count(site.outputs[0].shape) == 0) return make_zero_call(site.outputs[0]);
    const auto& attributes = op.attributes();
    const Shape& data = site.inputs[0].shape;
    RoiSizes sizes;
    sizes.channels = static_cast<std::int64_t>(data[1]);
    sizes.height = static_cast<std::int64_t>(data[2]);
    sizes.width = static_cast<std::int64_t>(data[3]);
    sizes.bins_y = attributes.pooled_h;
    sizes.bins_x = attributes.pooled_w;
    sizes.ratio = attributes.sampling_ratio;
    sizes.scale = attributes.spatial_scale;
    sizes.mode = attributes.mode;
    sizes.alignment = attributes.alignment;
    return make_widened_call(site, isa,
                             [&](const CallSite& own) { return make_roi_align(op, sizes, own); });
}

}  // namespace

std::unique_ptr<CpuNode> make_col2im_node(const Node& node, const CompileContext& context) {
    return make_function_node(node, {"col2im", "each tap's blocks are added line by line"},
                              context.isa, prepare_col2im);
}

std::unique_ptr<CpuNode> make_deformable_convolution_node(const Node& node,
                                                          const CompileContext& context) {
    return make_function_node(
        node, {"deformable_convolution", "moved data of 64 positions, then products"}, context.isa,
        prepare_deformable);
}

std::unique_ptr<CpuNode> make_grid_sample_node(const Node& node, const CompileContext& context) {
    return make_function_node(node,
                              {"grid_sample", "the taps of a block of points serve all channels"},
                              context.isa, prepare_grid_sample);
}

std::unique_ptr<CpuNode> make_roi_align_node(const Node& node, const CompileContext& context) {
    return make_function_node(node, {"roi_align", "the places of a sample serve 16 channels"},
                              context.isa, prepare_roi_align);
}

}  // namespace rondo::cpu
