// Chooses boxes by their scores and leaves out those that overlap a better one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>

#include "core/graph/node.hpp"
#include "core/support/function_ref.hpp"

namespace rondo::ops {

/// Boxes [batches, boxes, 4], scores [batches, classes, boxes].
struct BoxSizes {
    std::int64_t batches = 0;
    std::int64_t classes = 0;
    std::int64_t boxes = 0;
};

struct BoxRule {
    bool has_centers = false;  ///< centre and extents, else two opposite corners
    std::int64_t most = 0;     ///< of a batch and class
    float iou = 0;             ///< boxes that overlap by more of their union are left out
    float score = 0;           ///< boxes with a score above it are looked at
};

struct SelectedBox {
    std::int64_t batch = 0;
    std::int64_t box_class = 0;
    std::int64_t box = 0;
    float score = 0;
};

/// Visits the chosen boxes: batch by batch, class by class, the best one first; among equal scores
/// the first box is better. `order`: memory for an entry a box.
void select_boxes(const BoxSizes& sizes, const BoxRule& rule, const float* boxes,
                  const float* scores, std::span<std::int64_t> order,
                  FunctionRef<void(const SelectedBox&)> visit);

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
