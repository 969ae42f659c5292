// Writes Slice, and StridedSlice as Slice, Gather and Unsqueeze.
#include <algorithm>
#include <limits>

#include "core/ops/movement/slice.hpp"
#include "core/ops/movement/strided_slice.hpp"
#include "frontend/onnx/writer/context/write_context.hpp"
#include "frontend/onnx/writer/ops/movement/writers.hpp"
#include "rondo/error.hpp"

namespace rondo::onnx {

// The IR's inputs are data, start, stop, step and axes; ONNX's axes come before the steps.
Names write_slice(WriteContext& context) {
    const auto input = [&](std::size_t i) { return context.input_as(i, ElementType::i64); };
    const std::string axes = context.has_input(4) ? input(4) : "";
    return {context.emit("Slice", {context.input(0), input(1), input(2), axes, input(3)})};
}

namespace {

constexpr std::int64_t kFirst = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kLast = std::numeric_limits<std::int64_t>::max();

bool flag_at(const Ints& mask, std::size_t i) { return i < mask.size() && mask[i] != 0; }

// What the elements of begin, end and strides ask of data's axes, in turn.
struct Cuts {
    Ints axes{};
    Names starts{};  // vectors of one element
    Names stops{};
    Ints steps{};
    Ints shrunk{};   // axes of data that are removed
    Names places{};  // of the elements that stay of these: scalars
    Ints added{};    // axes of the output
};

class Reader {
public:
    explicit Reader(WriteContext& context)
        : context_(context), masks_(context.op<ops::StridedSlice>().masks()) {}

    Cuts read() {
        const std::size_t count = element_count();
        steps_ = context_.has_input(3) ? context_.known_ints(3, "the strides") : Ints(count, 1);
        std::size_t taken = 0;  // axes that elements name
        for (std::size_t i = 0; i < count; ++i) {
            if (!flag_at(masks_.ellipsis, i) && !flag_at(masks_.new_axis, i)) ++taken;
        }
        for (std::size_t i = 0; i < count; ++i) read_element(i, taken);
        return std::move(cuts_);
    }

private:
    std::size_t element_count() const {
        for (const std::size_t input : {std::size_t{1}, std::size_t{2}, std::size_t{3}}) {
            if (!context_.has_input(input)) continue;
            const PartialShape& shape = context_.shape(input);
            if (shape.has_rank() && shape.rank() == 1 && shape[0].is_static()) {
                return static_cast<std::size_t>(shape[0].length());
            }
        }
        throw UnsupportedError("the number of its bounds isn't known");
    }

    void read_element(std::size_t i, std::size_t taken) {
        if (flag_at(masks_.ellipsis, i)) {
            const auto skipped = static_cast<std::int64_t>(context_.rank(0) - taken);
            axis_ += skipped;
            output_axis_ += skipped;
        } else if (flag_at(masks_.new_axis, i)) {
            cuts_.added.push_back(output_axis_++);
        } else if (flag_at(masks_.shrink_axis, i)) {
            cuts_.shrunk.push_back(axis_++);
            cuts_.places.push_back(flag_at(masks_.begin, i) ? context_.scalar(0)
                                                            : element(1, i, true));
        } else {
            read_cut(i);
        }
    }

    void read_cut(std::size_t i) {
        const bool down = steps_[i] < 0;
        const bool from_edge = flag_at(masks_.begin, i);
        const bool to_edge = flag_at(masks_.end, i);
        if (!from_edge || !to_edge || steps_[i] != 1) {
            cuts_.axes.push_back(axis_);
            cuts_.steps.push_back(steps_[i]);
            cuts_.starts.push_back(from_edge ? context_.ints({down ? kLast : 0})
                                             : element(1, i, false));
            cuts_.stops.push_back(to_edge ? context_.ints({down ? kFirst : kLast})
                                          : element(2, i, false));
        }
        ++axis_;
        ++output_axis_;
    }

    std::string element(std::size_t input, std::size_t i, bool scalar) {
        if (const auto known = context_.find_ints(input)) {
            return scalar ? context_.scalar((*known)[i]) : context_.ints({(*known)[i]});
        }
        const std::string vector = context_.input_as(input, ElementType::i64);
        const auto index = static_cast<std::int64_t>(i);
        const std::string place = scalar ? context_.scalar(index) : context_.ints({index});
        return context_.emit("Gather", {vector, place}).with_int("axis", 0);
    }

    WriteContext& context_;
    const ops::StridedSliceMasks& masks_;
    Ints steps_;
    Cuts cuts_;
    std::int64_t axis_ = 0;
    std::int64_t output_axis_ = 0;
};

}  // namespace

Names write_strided_slice(WriteContext& context) {
    const Cuts cuts = Reader(context).read();
    std::string data = context.input(0);
    if (!cuts.axes.empty()) {
        data = context.emit("Slice", {data, context.joined(cuts.starts), context.joined(cuts.stops),
                                      context.ints(cuts.axes), context.ints(cuts.steps)});
    }
    for (std::size_t i = cuts.shrunk.size(); i-- > 0;) {
        data = context.emit("Gather", {data, cuts.places[i]}).with_int("axis", cuts.shrunk[i]);
    }
    if (!cuts.added.empty()) return {context.unsqueeze(data, cuts.added)};
    return {data == context.input(0) ? std::string(context.emit("Identity", {data})) : data};
}

}  // namespace rondo::onnx
