// Chooses boxes by their scores and leaves out those that overlap a better one.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <utility>

#include "core/graph/node.hpp"
#include "core/ops/indexing/box_selection.hpp"

namespace rondo::ops {

/// Two opposite corners y, x, y, x; or centre x, y and extents x, y.
enum class BoxEncoding : std::uint8_t { corner, center };
inline constexpr std::pair<std::string_view, BoxEncoding> kBoxEncodings[] = {
    {"center", BoxEncoding::center},
    {"corner", BoxEncoding::corner},
};

/// Inputs: f32 boxes [N, B, 4] and scores [N, C, B]; then, optional and 0 where absent, the most
/// boxes of a batch and class (an integer), the overlap (0 to 1) and the score that must be
/// exceeded (f32). Outputs: a row [batch, class, box] for each chosen box, as `output_type`; the
/// same in f32 with the score as the last number; how many rows there are, [1].
class NonMaxSuppression final : public Op<NonMaxSuppression> {
public:
    static constexpr OpType kType{"NonMaxSuppression", 9};

    NonMaxSuppression() = default;
    NonMaxSuppression(std::vector<Output> inputs, BoxEncoding encoding, bool sorts_all)
        : Op(std::move(inputs)), encoding_(encoding), sorts_all_(sorts_all) {}

    BoxEncoding encoding() const { return encoding_; }
    /// Whether rows are in the order of scores; else batch by batch and class by class.
    bool sorts_all() const { return sorts_all_; }
    ElementType output_type() const { return output_type_; }

    static void visit_attributes(auto& self, auto& visitor) {
        visitor.on_enum("box_encoding", self.encoding_, kBoxEncodings);
        visitor.on("sort_result_descending", self.sorts_all_);
        visitor.on("output_type", self.output_type_);
    }
    void infer(InferContext& context) const override;

private:
    BoxEncoding encoding_ = BoxEncoding::corner;
    bool sorts_all_ = true;
    ElementType output_type_ = ElementType::i64;
};

/// The rule from the op and the elements of its inputs behind the scores, in memory. Throws
/// ModelError naming the op where they are not what it allows.
BoxRule box_rule(const NonMaxSuppression& op, std::span<const void* const> inputs,
                 ElementType count_type);

}  // namespace rondo::ops
