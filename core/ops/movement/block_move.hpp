// What DepthToSpace and SpaceToDepth have in common.
#pragma once

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "core/graph/node.hpp"

namespace rondo::ops {

/// How a channel says its place in a block, from the slowest to the fastest: blocks_first
/// [b1, .., bK, channel], depth_first [channel, b1, .., bK].
enum class BlockMode : std::uint8_t { blocks_first, depth_first };

inline constexpr std::pair<std::string_view, BlockMode> kBlockModes[] = {
    {"blocks_first", BlockMode::blocks_first},
    {"depth_first", BlockMode::depth_first},
};

/// Elements move between channels and blocks of K spatial axes, each of which has `block_size`
/// places in a block: depth [N, b^K * C, S1, .., SK] and space [N, C, S1 * b, .., SK * b].
class BlockMove : public Node {
public:
    BlockMove() = default;
    BlockMove(const Output& data, std::int64_t block_size, BlockMode mode)
        : Node({data}), block_size_(block_size), mode_(mode) {}

    std::int64_t block_size() const { return block_size_; }
    BlockMode mode() const { return mode_; }

    OpTraits traits() const override { return OpTraits::movement_op(); }
    static void visit_attributes(auto& self, auto& visitor) {
        visitor.on("block_size", self.block_size_);
        visitor.on_enum("mode", self.mode_, kBlockModes);
    }
    /// The rows of the batch.
    std::optional<IndependentAxis> independent_axis(std::size_t output,
                                                    std::size_t axis) const override;

protected:
    /// b^K for data of that rank. Throws through `context` for a block size or a rank that the op
    /// doesn't have.
    std::int64_t block_elements(const InferContext& context, std::size_t rank) const;

private:
    std::int64_t block_size_ = 1;
    BlockMode mode_ = BlockMode::blocks_first;
};

/// The elements as an array [N, C, S1, b1, .., SK, bK], in elements between neighbours.
struct BlockAxes {
    std::vector<std::int64_t> extents;
    std::vector<std::int64_t> space;  ///< strides on the side of space
    std::vector<std::int64_t> depth;  ///< and of depth
};

/// `space`: the shape on that side, whose spatial extents are multiples of `block_size`.
BlockAxes block_axes(const Shape& space, std::int64_t block_size, BlockMode mode);

/// Input: data [N, b^K * C, S1, .., SK], K from 1 on. Output [N, C, S1 * b, .., SK * b].
class DepthToSpace final : public Op<DepthToSpace, BlockMove> {
public:
    static constexpr OpType kType{"DepthToSpace", 1};
    using Op::Op;

    void infer(InferContext& context) const override;
};

/// Input: data [N, C, S1 * b, .., SK * b], K from 1 on. Output [N, b^K * C, S1, .., SK].
class SpaceToDepth final : public Op<SpaceToDepth, BlockMove> {
public:
    static constexpr OpType kType{"SpaceToDepth", 1};
    using Op::Op;

    void infer(InferContext& context) const override;
};

}  // namespace rondo::ops
