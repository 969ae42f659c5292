// Writes the formula of a composed op: each part gets a name.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/graph/infer_context.hpp"
#include "core/ops/builder.hpp"
#include "core/support/unique_names.hpp"
#include "rondo/error.hpp"

namespace rondo::ir {

/// What a layer of a composed op says.
struct ComposedLayer {
    std::string name;
    std::vector<Output> inputs;
    AttributeReader& attributes;
    UniqueNames& names;  ///< of the graph: takes those of the parts, "<name>/part_1" and so on
};

class Composition : public ops::Builder {
public:
    explicit Composition(ComposedLayer& layer) : layer_(layer) {}

    std::size_t input_count() const { return layer_.inputs.size(); }
    /// Throws ModelError unless there are so many.
    void check_input_count(std::size_t min, std::size_t max) const;
    const std::vector<Output>& inputs() const { return layer_.inputs; }
    const Output& input(std::size_t index) const { return layer_.inputs[index]; }
    /// The type of input 0; throws UnsupportedError if it is open.
    ElementType type() const;
    /// The same, if it is floating; throws UnsupportedError otherwise.
    ElementType floating_type() const;

    /// The rank of an input; throws UnsupportedError if it isn't known.
    std::size_t rank_of(std::size_t input) const;

    template <typename T>
    T attribute(std::string_view name, T otherwise) {
        layer_.attributes.on(name, otherwise);
        return otherwise;
    }
    AttributeReader& attributes() { return layer_.attributes; }

    /// A vector of one element as a scalar, so that it adds no axis to what it meets; else `value`.
    Output single(const Output& value);
    /// The sum along the axes, which stay with extent 1.
    Output sum_along_axes(const Output& value, const Output& axes);

private:
    void adopt(const NodePtr& node) override;

    ComposedLayer& layer_;
};

/// A formula over x in f32 or f64: types of 16 bits are widened and rounded once.
class FloatingFormula {
public:
    explicit FloatingFormula(Composition& by);

    const Output& x() const { return x_; }
    /// Another operand in the formula's type.
    Output wide(const Output& value) { return by_.convert(value, wide_); }
    /// An input that is one number, in the formula's type.
    Output parameter(std::size_t input) { return wide(by_.single(by_.input(input))); }
    Output number(double value) { return by_.number(wide_, value); }
    /// In the type of x.
    Output result(const Output& value) { return by_.convert(value, type_); }

private:
    Composition& by_;
    ElementType type_;
    ElementType wide_;
    Output x_;
};

}  // namespace rondo::ir
