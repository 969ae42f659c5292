// Converts values with a batch axis from one form to another.
#pragma once

#include <cstdint>
#include <vector>

#include "rondo/shape.hpp"
#include "transformations/batching/vmap/lifted_value.hpp"
#include "transformations/pass/formula.hpp"
#include "transformations/pass/rewriter.hpp"

namespace rondo::passes {

/// Makes each form once, by a view where a value has another form.
class LiftForms {
public:
    LiftForms(Rewriter& rewriter, const Dimension& batch) : by_(rewriter, "rows"), batch_(batch) {}

    /// A tensor [N,...], from which an open N is known.
    void count_from(const Output& rows) { counted_ = rows; }
    bool can_count() const { return batch_.is_static() || counted_; }
    /// N as a vector of one i64.
    Output rows();

    /// [N,B,...], also of a value that is the same for all rows.
    const Output& apart(LiftedValue& value);
    /// [N*B,...] of a value that has rows and an axis 0.
    const Output& merged(LiftedValue& value);
    /// N copies of `plain`, one after another along one of its axes.
    Output tiled(const Output& plain, std::size_t axis);
    /// `plain` with a new axis 0 of extent N.
    Output repeated(const Output& plain);
    /// A scalar in all elements of [N,...]; open extents of the shape are as small as allowed.
    Output filled(const Output& value, const PartialShape& shape);

    /// The extents of a tensor as a vector of i64: a constant where they are known.
    Output extents(const Output& tensor);
    /// The vectors, one after another.
    Output joined(const std::vector<Output>& vectors);

    Rewriter& rewriter() { return by_.rewriter(); }
    const Dimension& batch() const { return batch_; }

private:
    Output merge(const Output& apart, const PartialShape& shape);
    Output separate(const Output& merged, const PartialShape& shape);
    Output first_row();
    Output places(std::int64_t count);
    Output elements_from(const Output& extents, std::int64_t first);
    Output elements_at(const Output& extents, const std::vector<std::int64_t>& places);

    Formula by_;
    Dimension batch_;
    Output counted_;
    Output rows_;
    Output first_row_;
};

}  // namespace rondo::passes
