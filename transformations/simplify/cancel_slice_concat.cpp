#include "transformations/simplify/passes.hpp"

#include <algorithm>
#include <vector>

#include "core/ops/movement/movement_ops.hpp"
#include "transformations/analysis/named_axes.hpp"
#include "transformations/analysis/slices.hpp"
#include "transformations/pass/rewriter.hpp"

namespace rondo::passes {
namespace {

Output make_part(Rewriter& rewriter, const AxisPart& part, const std::string& name) {
    const auto ints = [&](const char* suffix, std::int64_t value) {
        return rewriter.make_ints(name + suffix, {value});
    };
    return rewriter.make<ops::Slice>(name, part.source, ints("/start", part.start),
                                     ints("/stop", part.stop), ints("/step", 1),
                                     ints("/axis", static_cast<std::int64_t>(part.axis)));
}

// Joins the inputs of one Concat.
class InputJoiner {
public:
    InputJoiner(Rewriter& rewriter, ops::Concat& concat) : rewriter_(rewriter), concat_(concat) {}

    void join() {
        const auto axis = named_axis(concat_);
        if (!axis || concat_.input_count() < 2) return;
        std::vector<Output> inputs;
        for (std::size_t begin = 0; begin < concat_.input_count();) {
            std::size_t end = begin + 1;
            const auto part = run_from(begin, *axis, end);
            if (end == begin + 1 || !pays(*part, begin, end)) {
                end = begin + 1;
                inputs.push_back(concat_.input(begin));
            } else {
                inputs.push_back(part->is_whole()
                                     ? part->source
                                     : make_part(rewriter_, *part, concat_.name() + "/part"));
            }
            begin = end;
        }
        if (inputs.size() == concat_.input_count()) return;
        replace(std::move(inputs));
    }

private:
    // The longest run of neighbours from input `begin` on; `end` becomes the number of the input
    // after it.
    std::optional<AxisPart> run_from(std::size_t begin, std::size_t axis, std::size_t& end) const {
        auto run = axis_part(concat_.input(begin));
        while (run && run->axis == axis && end < concat_.input_count()) {
            const auto next = axis_part(concat_.input(end));
            const auto joined = next ? joined_parts(*run, *next) : std::nullopt;
            if (!joined) break;
            run = joined;
            ++end;
        }
        return run;
    }

    // All that the cuts give goes into this run.
    bool pays(const AxisPart& part, std::size_t begin, std::size_t end) const {
        if (part.is_whole()) return true;
        for (std::size_t i = begin; i < end; ++i) {
            const Node& cut = concat_.input(i).node();
            for (std::size_t output = 0; output < cut.output_count(); ++output) {
                for (const Consumer& reader : cut.consumers(output)) {
                    const bool is_own =
                        reader.node == &concat_ && reader.input >= begin && reader.input < end;
                    if (!is_own) return false;
                }
            }
        }
        return true;
    }

    void replace(std::vector<Output> inputs) {
        const Output old = concat_.output(0);
        if (inputs.size() > 1) {
            rewriter_.replace(old, rewriter_.clone(concat_, std::move(inputs)));
        } else if (rewriter_.can_replace(old, inputs.front())) {
            rewriter_.replace(old, inputs.front());
        }
    }

    Rewriter& rewriter_;
    ops::Concat& concat_;
};

// Where a part of the Concat ends. Returns nothing if that depends on an open extent.
std::optional<std::int64_t> end_of(const ops::Concat& concat, const AxisPart& part) {
    const Dimension& extent = concat.output_shape(0)[part.axis];
    if (part.start < 0 || part.stop < part.start) return {};
    if (part.stop != AxisPart::kEnd) return part.stop;
    return extent.is_static() ? std::optional(extent.length()) : std::nullopt;
}

// The input of the Concat that a part lies in, as a part of that input.
std::optional<AxisPart> part_of_input(const ops::Concat& concat, const AxisPart& part) {
    const auto end = end_of(concat, part);
    if (!end) return {};
    std::int64_t start = 0;
    for (const Output& input : concat.inputs()) {
        const Dimension& extent = input.shape()[part.axis];
        if (!extent.is_static()) return {};
        const std::int64_t stop = start + extent.length();
        if (part.start >= start && part.start < stop) {
            if (*end > stop) return {};
            return AxisPart{input, part.axis, part.start - start,
                            *end == stop ? AxisPart::kEnd : *end - start};
        }
        start = stop;
    }
    return {};
}

void take_from_input(const ops::Concat& concat, const Output& value, Rewriter& rewriter) {
    const auto part = axis_part(value);
    if (!part || named_axis(concat) != part->axis) return;
    const auto own = part_of_input(concat, *part);
    if (!own) return;
    if (!own->is_whole()) {
        rewriter.replace(value, make_part(rewriter, *own, value.node().name()));
    } else if (rewriter.can_replace(value, own->source)) {
        rewriter.replace(value, own->source);
    }
}

}  // namespace

bool cancel_slice_concat(Graph& graph) {
    Rewriter rewriter(graph);
    rewriter.for_each<Node>([&](const auto& node) {
        if (node->input_count() == 0) return;
        const auto concat = as<ops::Concat>(node->input(0));
        for (std::size_t i = 0; concat && i < node->output_count(); ++i) {
            if (!node->consumers(i).empty()) take_from_input(*concat, node->output(i), rewriter);
        }
    });
    rewriter.for_each<ops::Concat>([&](const auto& node) { InputJoiner(rewriter, *node).join(); });
    return rewriter.changed();
}

}  // namespace rondo::passes
