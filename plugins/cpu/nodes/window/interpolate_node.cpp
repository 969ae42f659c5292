// Interpolate: tables of places and weights for each axis that is resized.
#include "core/ops/window/interpolate.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include "core/support/rounding.hpp"
#include "core/support/visit_type.hpp"
#include "plugins/cpu/kernels/movement/pick_places.hpp"
#include "plugins/cpu/kernels/product/row_converter.hpp"
#include "plugins/cpu/kernels/threads/share.hpp"
#include "plugins/cpu/kernels/window/resize.hpp"
#include "plugins/cpu/nodes/common/copy_call.hpp"
#include "plugins/cpu/nodes/common/extents.hpp"
#include "plugins/cpu/nodes/common/widened_call.hpp"
#include "plugins/cpu/nodes/window/makers.hpp"
#include "rondo/error.hpp"

namespace rondo::cpu {
namespace {

constexpr std::int64_t kGrainBytes = 1 << 17;  // that are worth a thread

// An element of any type.
using Element = std::array<std::byte, 8>;

Element element_of(ElementType type, double number) {
    Element element{};
    visit_type(type, [&](auto tag) {
        using T = tag_type<decltype(tag)>;
        T value{};
        if constexpr (std::is_same_v<T, bool>) {
            value = number != 0;
        } else if constexpr (std::is_integral_v<T>) {
            value = saturated<T>(number);
        } else if constexpr (std::is_floating_point_v<T>) {
            value = static_cast<T>(number);
        } else {
            value = T(static_cast<float>(number));
        }
        std::memcpy(element.data(), &value, sizeof(T));
    });
    return element;
}

class PickCall final : public Call {
public:
    PickCall(PickPlaces places, const Element& extrapolation)
        : places_(std::move(places)), extrapolation_(extrapolation) {}

    void run(const RunArgs& args) const override {
        static constexpr Element kZero{};
        const PickArgs pick{args.inputs[0], {kZero.data(), extrapolation_.data()}, args.outputs[0]};
        share(args.team, places_.rows(), kGrainBytes / places_.row_bytes() + 1,
              [&](std::int64_t begin, std::int64_t end) { places_.run(pick, begin, end); });
    }

private:
    PickPlaces places_;
    Element extrapolation_;
};

class ResizeCall final : public Call {
public:
    explicit ResizeCall(const ResizeConfig& config) : resize_(make_resize(config)) {}

    std::size_t scratch_bytes() const override { return resize_->scratch_bytes(); }
    void run(const RunArgs& args) const override {
        resize_->run({args.inputs[0], args.outputs[0], args.scratch}, args.team);
    }

private:
    std::unique_ptr<Resize> resize_;
};

class InterpolateNode final : public CpuNode {
public:
    InterpolateNode(const ops::Interpolate& op, const CompileContext& context)
        : CpuNode(op, op.is_nearest() ? "interpolate_nearest" : "interpolate_weighted",
                  op.is_nearest() ? "copies elements by tables of places"
                                  : "one axis after another, by tables of places and weights"),
          op_(op),
          isa_(context.isa) {}

    std::unique_ptr<Call> prepare(const CallSite& site) const override {
        if (element_count(site.outputs[0].shape) == 0) return make_zero_call(site.outputs[0]);
        const auto found = op_.axes(context_of(op_, site));
        // Only of a scalar the shape is known before the sizes are.
        if (!found) throw UnsupportedError(describe(op_) + ": a scalar's sizes come with the run");
        const auto& axes = *found;
        const auto extrapolation = static_cast<double>(op_.attributes().extrapolation_value);
        if (op_.is_nearest()) return make_pick(axes, extrapolation, site.inputs[0].type);
        // The data has pads alone.
        if (element_count(site.inputs[0].shape) == 0) return make_zero_call(site.outputs[0]);
        return make_weighted(axes, extrapolation, site);
    }

private:
    std::unique_ptr<Call> make_pick(const std::vector<ops::ResizedAxis>& axes, double extrapolation,
                                    ElementType type) const {
        std::vector<PickAxis> picks;
        for (const auto& axis : axes) {
            picks.push_back({axis.input, ops::taps_of(op_.attributes().rule, axis).places});
        }
        return std::make_unique<PickCall>(PickPlaces(picks, element_bytes(type)),
                                          element_of(type, extrapolation));
    }

    std::unique_ptr<Call> make_weighted(const std::vector<ops::ResizedAxis>& axes,
                                        double extrapolation, const CallSite& site) const {
        ResizeConfig config;
        config.extrapolation = extrapolation;
        config.threads = site.threads;
        bool changes = false;
        for (const auto& axis : axes) {
            config.axes.push_back(
                {axis.input, axis.output, ops::taps_of(op_.attributes().rule, axis)});
            if (config.axes.back().taps.is_identity(axis.input)) {
                config.axes.back().taps = {};
            } else {
                changes = true;
            }
        }
        if (!changes) return std::make_unique<ViewCall>(std::vector<View>{{0, 0}});
        const auto make = [&](const CallSite& own) -> std::unique_ptr<Call> {
            config.type = own.inputs[0].type;
            return std::make_unique<ResizeCall>(config);
        };
        const CallSite data{site.inputs.first(1), site.outputs, site.threads};
        return is_half(site.inputs[0].type) ? make_widened_call(data, isa_, make) : make(data);
    }

    const ops::Interpolate& op_;
    Isa isa_;
};

}  // namespace

std::unique_ptr<CpuNode> make_interpolate_node(const Node& node, const CompileContext& context) {
    return std::make_unique<InterpolateNode>(dynamic_cast<const ops::Interpolate&>(node), context);
}

}  // namespace rondo::cpu
