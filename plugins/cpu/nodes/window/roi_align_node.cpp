// ROIAlign: regions and channels are independent.
#include "core/ops/window/roi_align.hpp"

#include <atomic>
#include <string>

#include "core/support/visit_type.hpp"
#include "plugins/cpu/kernels/product/row_converter.hpp"
#include "plugins/cpu/kernels/threads/share.hpp"
#include "plugins/cpu/kernels/window/roi_align.hpp"
#include "plugins/cpu/nodes/common/copy_call.hpp"
#include "plugins/cpu/nodes/common/extents.hpp"
#include "plugins/cpu/nodes/common/widened_call.hpp"
#include "plugins/cpu/nodes/window/makers.hpp"
#include "rondo/error.hpp"

namespace rondo::cpu {
namespace {

class RoiAlignCall final : public Call {
public:
    RoiAlignCall(const Node& node, const RoiSizes& sizes, const CallSite& site)
        : node_(node),
          sizes_(sizes),
          loop_(roi_loop(site.inputs[0].type)),
          index_type_(site.inputs[2].type),
          element_(element_bytes(site.inputs[0].type)),
          images_(static_cast<std::int64_t>(site.inputs[0].shape[0])),
          regions_(static_cast<std::int64_t>(site.outputs[0].shape[0])) {}

    void run(const RunArgs& args) const override {
        for (std::int64_t i = 0; i < regions_; ++i) check_image(args.inputs[2], i);
        std::atomic<std::int64_t> too_large = -1;
        const std::int64_t bins = sizes_.bins_y * sizes_.bins_x;
        share(args.team, regions_, 1, [&](std::int64_t begin, std::int64_t end) {
            for (std::int64_t i = begin; i < end; ++i) {
                const std::int64_t plane = sizes_.channels * sizes_.height * sizes_.width;
                const RoiArgs roi{
                    at(args.inputs[0], image_of(args.inputs[2], i) * plane),
                    at(args.inputs[1], 4 * i),
                    static_cast<char*>(args.outputs[0]) + i * sizes_.channels * bins * element_, 0,
                    sizes_.channels};
                if (!loop_(sizes_, roi)) too_large.store(i, std::memory_order_relaxed);
            }
        });
        if (too_large < 0) return;
        throw ModelError(describe(node_) + ": region " + std::to_string(too_large.load()) +
                         " is too large");
    }

private:
    const void* at(const void* base, std::int64_t index) const {
        return static_cast<const char*>(base) + index * element_;
    }

    std::int64_t image_of(const void* indices, std::int64_t index) const {
        return visit_integer(index_type_, [&](auto tag) {
            using T = tag_type<decltype(tag)>;
            return static_cast<std::int64_t>(static_cast<const T*>(indices)[index]);
        });
    }

    void check_image(const void* indices, std::int64_t index) const {
        const std::int64_t image = image_of(indices, index);
        if (image >= 0 && image < images_) return;
        throw ModelError(describe(node_) + ": batch index " + std::to_string(image) +
                         " is out of range for " + std::to_string(images_) + " images");
    }

    const Node& node_;
    RoiSizes sizes_;
    RoiLoop loop_;
    ElementType index_type_;
    std::int64_t element_;  // bytes
    std::int64_t images_;
    std::int64_t regions_;
};

class RoiAlignNode final : public CpuNode {
public:
    RoiAlignNode(const ops::RoiAlign& op, const CompileContext& context)
        : CpuNode(op, "roi_align", "the places of a sample serve 16 channels"),
          op_(op),
          isa_(context.isa) {}

    std::unique_ptr<Call> prepare(const CallSite& site) const override {
        if (element_count(site.outputs[0].shape) == 0) return make_zero_call(site.outputs[0]);
        const auto& attributes = op_.attributes();
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
        const auto make = [&](const CallSite& own) {
            return std::make_unique<RoiAlignCall>(op_, sizes, own);
        };
        return is_half(site.inputs[0].type) ? make_widened_call(site, isa_, make) : make(site);
    }

private:
    const ops::RoiAlign& op_;
    Isa isa_;
};

}  // namespace

std::unique_ptr<CpuNode> make_roi_align_node(const Node& node, const CompileContext& context) {
    return std::make_unique<RoiAlignNode>(dynamic_cast<const ops::RoiAlign&>(node), context);
}

}  // namespace rondo::cpu
