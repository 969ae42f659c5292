// Writes DepthToSpace and SpaceToDepth; for other ranks and orders than ONNX's as transposed views.
#include "core/ops/movement/block_move.hpp"
#include "frontend/onnx/writer/context/write_context.hpp"
#include "frontend/onnx/writer/ops/movement/writers.hpp"

namespace rondo::onnx {
namespace {

// A space [N, C, S1, .., SK] or the depth [N, b^K C, S1 / b, .., SK / b] of an open shape.
class BlockViews {
public:
    explicit BlockViews(WriteContext& context)
        : context_(context),
          op_(context.op<ops::BlockMove>()),
          spatial_(static_cast<std::int64_t>(context.rank(0)) - 2),
          shape_(context.shape_of(context.input(0))) {}

    // [N, b.., C, S..] or [N, C, b.., S..] becomes [N, C, S1, b, ..].
    std::string to_space() {
        const std::string channels = divided(extent(1), volume());
        Names split{extent(0)};
        append_blocks(split, channels);
        Names joined{extent(0), channels};
        for (std::int64_t i = 0; i < spatial_; ++i) {
            split.push_back(extent(2 + i));
            joined.push_back(context_.emit("Mul", {extent(2 + i), block()}));
        }
        return reshaped(context_.transpose(reshaped(context_.input(0), split), space_order()),
                        joined);
    }

    std::string to_depth() {
        Names split{extent(0), extent(1)};
        Names joined{extent(0), context_.emit("Mul", {extent(1), volume()})};
        for (std::int64_t i = 0; i < spatial_; ++i) {
            const std::string part = divided(extent(2 + i), block());
            split.push_back(part);
            split.push_back(block());
            joined.push_back(part);
        }
        return reshaped(
            context_.transpose(reshaped(context_.input(0), split), inverse_order(space_order())),
            joined);
    }

private:
    std::string extent(std::int64_t axis) { return context_.elements(shape_, {axis}); }
    std::string block() { return context_.ints({op_.block_size()}); }
    std::string volume() {
        std::int64_t product = 1;
        for (std::int64_t i = 0; i < spatial_; ++i) product *= op_.block_size();
        return context_.ints({product});
    }
    std::string divided(const std::string& a, const std::string& b) {
        return context_.emit("Div", {a, b});
    }
    std::string reshaped(const std::string& value, const Names& extents) {
        return context_.emit("Reshape", {value, context_.joined(extents)}).with_int("allowzero", 1);
    }

    bool blocks_first() const { return op_.mode() == ops::BlockMode::blocks_first; }

    void append_blocks(Names& extents, const std::string& channels) {
        if (!blocks_first()) extents.push_back(channels);
        for (std::int64_t i = 0; i < spatial_; ++i) extents.push_back(block());
        if (blocks_first()) extents.push_back(channels);
    }

    // The split depth's axes in the order N, C, S1, b1, S2, b2 ...
    Ints space_order() const {
        Ints order{0, blocks_first() ? spatial_ + 1 : 1};
        for (std::int64_t i = 0; i < spatial_; ++i) {
            order.push_back(spatial_ + 2 + i);
            order.push_back(i + (blocks_first() ? 1 : 2));
        }
        return order;
    }

    WriteContext& context_;
    const ops::BlockMove& op_;
    std::int64_t spatial_;
    std::string shape_;
};

constexpr std::size_t kImageRank = 4;

}  // namespace

Names write_depth_to_space(WriteContext& context) {
    const auto& op = context.op<ops::DepthToSpace>();
    if (context.rank(0) != kImageRank) return {BlockViews(context).to_space()};
    const bool blocks_first = op.mode() == ops::BlockMode::blocks_first;
    return {context.emit("DepthToSpace", {context.input(0)})
                .with_int("blocksize", op.block_size())
                .with_text("mode", blocks_first ? "DCR" : "CRD")};
}

Names write_space_to_depth(WriteContext& context) {
    const auto& op = context.op<ops::SpaceToDepth>();
    if (context.rank(0) != kImageRank || op.mode() != ops::BlockMode::blocks_first) {
        return {BlockViews(context).to_depth()};
    }
    return {
        context.emit("SpaceToDepth", {context.input(0)}).with_int("blocksize", op.block_size())};
}

}  // namespace rondo::onnx
