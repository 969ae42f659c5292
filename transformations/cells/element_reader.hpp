// Reads gates that are elements of an axis of their own.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <utility>

#include "core/graph/node.hpp"
#include "transformations/cells/gate_algebra.hpp"

namespace rondo::passes {

/// How values without such an axis are read.
struct RowReader {
    std::function<std::optional<GateFormula>(const Output&)> read;
    std::function<std::optional<GateFormula>(const Output&, const UnitRange&)> slice;
    std::function<std::optional<GateFormula>(const Output&, const GateMatrix&)> product;
    /// Takes the number of rows of a constant that has several, all equal.
    std::function<void(std::size_t)> saw_rows;
};

/// Follows one element of an axis from [N,G,H], [G,N,H] or [N,H,G] through sums, products,
/// activations and transposes up to a view of [N,G*H], a constant, or a product with [G,I,H].
class ElementReader {
public:
    ElementReader(GateAlgebra& algebra, RowReader rows)
        : algebra_(algebra), rows_(std::move(rows)) {}

    /// The formula of a value that is one element of an axis; nothing for other values, or where
    /// its units aren't units of a row.
    std::optional<GateFormula> read(const Output& value) const;

private:
    using Formula = std::optional<GateFormula>;
    struct Element {
        Output source;
        std::size_t axis = 0;
        std::size_t index = 0;

        std::size_t rank() const { return source.shape().rank(); }
        std::size_t extent() const {
            return static_cast<std::size_t>(source.shape()[axis].length());
        }
        bool is_last() const { return axis + 1 == rank(); }
    };

    static std::optional<Element> element_of(const Output& value);
    Formula read(const Element& element) const;
    Formula read_operand(const Element& element, const Output& operand) const;
    Formula read_numbers(const Element& element) const;
    Formula read_view(const Element& element) const;
    Formula read_transpose(const Element& element) const;
    Formula read_product(const Element& element) const;

    GateAlgebra& algebra_;
    RowReader rows_;
};

}  // namespace rondo::passes
