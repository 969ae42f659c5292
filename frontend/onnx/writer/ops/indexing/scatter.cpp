// Writes ScatterElementsUpdate and ScatterNDUpdate.
#include <limits>
#include <optional>

#include "core/ops/indexing/scatters.hpp"
#include "core/support/errors.hpp"
#include "core/support/visit_type.hpp"
#include "frontend/onnx/writer/context/write_context.hpp"
#include "frontend/onnx/writer/ops/indexing/writers.hpp"

namespace rondo::onnx {
namespace {

using ops::ScatterReduction;

const char* name_of(ScatterReduction reduction) {
    switch (reduction) {
        case ScatterReduction::none: return "none";
        case ScatterReduction::sum:
        case ScatterReduction::sub:
        case ScatterReduction::mean: return "add";
        case ScatterReduction::prod: return "mul";
        case ScatterReduction::min: return "min";
        case ScatterReduction::max: return "max";
    }
    internal_error("a reduction without a name");
}

// A sum or maximum of booleans is "or", a product or minimum "and": the extremes of 0 and 1.
ScatterReduction of_flags(ScatterReduction reduction) {
    if (reduction == ScatterReduction::sum) return ScatterReduction::max;
    return reduction == ScatterReduction::prod ? ScatterReduction::min : reduction;
}

// What a reduction starts from where the element itself doesn't count.
Tensor neutral_number(ScatterReduction reduction, ElementType type) {
    Tensor number = number_tensor(type, reduction == ScatterReduction::prod ? 1 : 0);
    if (reduction != ScatterReduction::min && reduction != ScatterReduction::max) return number;
    const bool greatest = reduction == ScatterReduction::min;
    if (is_floating(type)) {
        const double infinity = std::numeric_limits<double>::infinity();
        return number_tensor(type, greatest ? infinity : -infinity);
    }
    visit_integer(type, [&](auto tag) {
        using T = tag_type<decltype(tag)>;
        using Limits = std::numeric_limits<T>;
        *number.data<T>() = greatest ? Limits::max() : Limits::min();
    });
    return number;
}

// Both ops as calls of one operator on the same indices.
class Scatter {
public:
    Scatter(WriteContext& context, const char* name, ScatterReduction reduction)
        : context_(context), name_(name), reduction_(reduction), type_(context.type(0)) {
        if (type_ == ElementType::boolean && reduction != ScatterReduction::none) {
            type_ = ElementType::i32;
            reduction_ = of_flags(reduction);
        }
        data_ = context.input_as(0, type_);
        updates_ = context.input_as(2, type_);
        indices_ = context.input_as(1, ElementType::i64);
        if (reduction == ScatterReduction::sub) {
            updates_ = context.emit("Sub", {context.number(type_, 0), updates_});
        }
    }

    void set_axis(std::int64_t axis) { axis_ = axis; }
    /// The elements that updates meet don't count.
    void skip_elements() {
        if (reduction_ == ScatterReduction::none) return;
        data_ = call(data_, repeated(neutral_number(reduction_, type_)), "none");
        skips_ = true;
    }

    std::string write() {
        std::string result = call(data_, updates_, name_of(reduction_));
        if (reduction_ == ScatterReduction::mean) {
            result = context_.emit("Div", {result, counts()});
        }
        return context_.cast(result, type_, context_.type(0));
    }

private:
    std::string call(const std::string& data, const std::string& updates, const char* reduction) {
        NewNode node = context_.emit(name_, {data, indices_, updates});
        if (axis_) node.with_int("axis", *axis_);
        return node.with_text("reduction", reduction);
    }

    std::string repeated(const Tensor& number) {
        return context_.emit("Expand",
                             {context_.constant(number, "neutral"), context_.shape_of(updates_)});
    }

    // How many numbers each sum has; 1 where no update meets the element.
    std::string counts() {
        const std::string one = context_.number(type_, 1);
        const std::string ones = context_.emit("Expand", {one, context_.shape_of(data_)});
        const std::string updates = repeated(number_tensor(type_, 1));
        if (!skips_) return call(ones, updates, "add");
        return call(call(ones, repeated(number_tensor(type_, 0)), "none"), updates, "add");
    }

    WriteContext& context_;
    const char* name_;
    ScatterReduction reduction_;
    ElementType type_;
    bool skips_ = false;
    std::string data_;
    std::string indices_;
    std::string updates_;
    std::optional<std::int64_t> axis_;
};

}  // namespace

Names write_scatter_elements(WriteContext& context) {
    const auto& op = context.op<ops::ScatterElementsUpdate>();
    Scatter scatter(context, "ScatterElements", op.reduction());
    scatter.set_axis(context.known_ints(3, "the axis").at(0));
    if (!op.use_init_val()) scatter.skip_elements();
    return {scatter.write()};
}

Names write_scatter_nd(WriteContext& context) {
    return {Scatter(context, "ScatterND", context.op<ops::ScatterNDUpdate>().reduction()).write()};
}

}  // namespace rondo::onnx
