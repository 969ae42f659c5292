// Broadcast: a copy that repeats elements.
#include "core/ops/movement/broadcast.hpp"

#include <utility>

#include "core/support/visit_type.hpp"
#include "plugins/cpu/nodes/common/copy_call.hpp"
#include "plugins/cpu/nodes/common/extents.hpp"
#include "plugins/cpu/nodes/movement/makers.hpp"
#include "rondo/error.hpp"

namespace rondo::cpu {
namespace {

// An explicit axes_mapping whose elements are only known when the call runs.
class MappedCall final : public Call {
    // Above run(): clang 14 leaves out what a generic lambda calls further down.
    template <typename Index>
    void map(const Index* mapping, std::span<CopyAxis> axes) const {
        std::int64_t last = -1;
        for (std::size_t i = 0; i < data_.size(); ++i) {
            if (std::cmp_less(mapping[i], 0) || std::cmp_greater_equal(mapping[i], axes.size())) {
                fail("axes_mapping names axis " + std::to_string(mapping[i]) +
                     ", but the target has rank " + std::to_string(axes.size()));
            }
            const auto axis = static_cast<std::int64_t>(mapping[i]);
            if (axis <= last) fail("axes_mapping must grow from element to element");
            last = axis;
            CopyAxis& to = axes[static_cast<std::size_t>(axis)];
            if (data_[i] != 1 && data_[i] != to.count) {
                fail("data has an extent " + std::to_string(data_[i]) +
                     " where the target shape has " + std::to_string(to.count) +
                     "; expected the same or 1");
            }
            if (data_[i] != 1) to.steps[0] = from_[i];
        }
    }

    [[noreturn]] void fail(const std::string& message) const {
        throw ModelError(describe(node_) + ": " + message);
    }

public:
    MappedCall(const Node& node, const CallSite& site)
        : node_(node),
          type_(site.inputs[2].type),
          element_(element_bytes(site.inputs[0].type)),
          data_(extents_of(site.inputs[0].shape)),
          from_(dense_strides(site.inputs[0].shape, element_)),
          result_(extents_of(site.outputs[0].shape)),
          to_(dense_strides(site.outputs[0].shape, element_)),
          is_empty_(element_count(site.outputs[0].shape) == 0) {
        if (count_of(site.inputs[2].shape) != static_cast<std::int64_t>(data_.size())) {
            throw ModelError(describe(node) + ": axes_mapping has shape " +
                             to_string(site.inputs[2].shape) + ", but data has shape " +
                             to_string(site.inputs[0].shape));
        }
    }

    std::size_t scratch_bytes() const override { return result_.size() * sizeof(CopyAxis); }

    void run(const RunArgs& args) const override {
        const std::span<CopyAxis> axes(static_cast<CopyAxis*>(args.scratch), result_.size());
        for (std::size_t i = 0; i < axes.size(); ++i) axes[i] = {result_[i], {0, to_[i]}};
        visit_integer(type_, [&](auto tag) {
            map(static_cast<const tag_type<decltype(tag)>*>(args.inputs[2]), axes);
        });
        if (!is_empty_) copy_once(axes, element_, args.inputs[0], args.outputs[0]);
    }

private:
    const Node& node_;
    ElementType type_;  // of axes_mapping
    std::int64_t element_;
    Extents data_;
    Strides from_;
    Extents result_;
    Strides to_;
    bool is_empty_;
};

// A target that decides no extent, and whose elements are only known when the call runs.
class CheckedCall final : public Call {
    template <typename Extent>
    void check(const Extent* target) const {
        const bool takes_one = op_.mode() == ops::BroadcastMode::bidirectional;
        for (std::size_t i = 0; i < count_; ++i) {
            const std::size_t extent = result_[result_.size() - count_ + i];
            if (std::cmp_equal(target[i], extent) || (takes_one && target[i] == 1)) continue;
            throw ModelError(describe(op_) + ": data of shape " + to_string(data_) +
                             " doesn't fit the target shape, which holds " +
                             std::to_string(target[i]) + "; expected " + std::to_string(extent));
        }
    }

public:
    CheckedCall(const ops::Broadcast& op, const CallSite& site, std::unique_ptr<Call> copy)
        : op_(op),
          type_(site.inputs[1].type),
          data_(site.inputs[0].shape),
          result_(site.outputs[0].shape),
          count_(static_cast<std::size_t>(count_of(site.inputs[1].shape))),
          copy_(std::move(copy)) {}

    void run(const RunArgs& args) const override {
        visit_integer(type_, [&](auto tag) {
            check(static_cast<const tag_type<decltype(tag)>*>(args.inputs[1]));
        });
        copy_->run(args);
    }

private:
    const ops::Broadcast& op_;
    ElementType type_;  // of the target
    Shape data_, result_;
    std::size_t count_;
    std::unique_ptr<Call> copy_;
};

class BroadcastNode final : public CopyNode {
public:
    explicit BroadcastNode(const Node& node)
        : CopyNode(node, "repeating copy", "where nothing repeats") {}

    std::unique_ptr<Call> prepare(const CallSite& site) const override {
        const auto& op = dynamic_cast<const ops::Broadcast&>(node());
        const TensorInfo& data = site.inputs[0];
        const Shape& result = site.outputs[0].shape;
        const auto axes = ops::broadcast_axes(context_of(op, site), op.mode(), result.size());
        if (!axes) return std::make_unique<MappedCall>(op, site);
        const std::int64_t element = element_bytes(data.type);
        const Strides strides = dense_strides(data.shape, element);
        CopyPart part;
        part.layout = {element, extents_of(result), Strides(result.size()),
                       dense_strides(result, element)};
        for (std::size_t i = 0; i < data.shape.size(); ++i) {
            if (data.shape[i] != 1) part.layout.from[(*axes)[i]] = strides[i];
        }
        if (site.inputs[1].value) return make_view_or_copy(part);
        return std::make_unique<CheckedCall>(op, site, make_copy_call({part}));
    }
};

}  // namespace

std::unique_ptr<CpuNode> make_broadcast_node(const Node& node, const CompileContext&) {
    return std::make_unique<BroadcastNode>(node);
}

}  // namespace rondo::cpu
