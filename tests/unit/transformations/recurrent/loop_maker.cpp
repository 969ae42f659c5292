#include "tests/unit/transformations/recurrent/loop_maker.hpp"

#include <utility>
#include <vector>

#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/movement/movement_ops.hpp"
#include "core/ops/source/source_ops.hpp"
#include "tests/support/bodies.hpp"
#include "tests/support/tensors.hpp"

namespace rondo::test {
namespace {

class LoopMaker {
public:
    LoopMaker(const CellSpelling& spelling, LoopForm form)
        : spelling_(spelling), form_(std::move(form)) {}

    std::shared_ptr<Graph> make() {
        x_ = builder_.input("x", form_.x);
        form_.by_slices ? add_part() : add_loop_inputs();
        std::vector<Output> now;
        for (std::size_t i = 0; i < spelling_.states; ++i) now.push_back(add_state(i));
        const std::vector<Output> next = spelling_.next(step_, part_, now);
        for (std::size_t i = 0; i < next.size(); ++i) body_.output(name("next", i), next[i]);
        const auto axis = static_cast<std::int64_t>(form_.time_axis);
        body_.output("row", body_.unsqueeze(next[0], {axis}));
        const std::size_t first = form_.by_slices ? 0 : 1;
        for (std::size_t i = 0; i < next.size(); ++i) {
            ports_.outputs.push_back({i, first + i, {}});
            ports_.inputs[state_ports_[i]].back_edge = first + i;
        }
        ops::PartRange range =
            form_.reversed ? ops::PartRange{axis, -1, -1, 1, 0} : ops::PartRange{axis};
        ports_.outputs.push_back({next.size(), first + next.size(), range});
        if (form_.own_counter) {
            ports_.inputs[counter_port_].back_edge = first + next.size() + 1;
            body_.output("next_count", next_count_);
        }
        if (form_.reads_more || form_.reads_cell) {
            const Output& read = next[form_.reads_cell ? 1 : 0];
            const Output more = step_.sum(step_.matmul(read, "more", 4), now[0]);
            body_.output("more", body_.unsqueeze(more, {axis}));
            body_.output("last_of_more", more);
            const std::size_t count = ports_.outputs.size();
            const std::size_t result = first + count + (form_.own_counter ? 1 : 0);
            ports_.outputs.push_back({count, result, range});
            ports_.outputs.push_back({count + 1, result + 1, {}});
        }
        if (form_.gives_number) {
            const std::size_t count = ports_.outputs.size();
            body_.output("number", body_.unsqueeze(step_.weights("number", {2, 4}), {axis}));
            ports_.outputs.push_back({count, first + count + (form_.own_counter ? 1 : 0), range});
        }
        const auto loop = made();
        for (std::size_t i = 0; i < loop->output_count(); ++i) {
            builder_.output(name("y", i), loop->output(i));
        }
        return builder_.graph();
    }

private:
    static std::string name(const char* role, std::size_t i) { return role + std::to_string(i); }

    std::shared_ptr<Node> made() {
        if (form_.by_slices) {
            return builder_.make<ops::TensorIterator>("loop", inputs_, body_.graph(), ports_);
        }
        return builder_.make<ops::Loop>("loop", inputs_, body_.graph(), ports_,
                                        ops::LoopPorts{0, 0});
    }

    std::size_t parameters_ = 0;

    Output add_port(const std::string& role, const Output& input, std::string_view shape,
                    ElementType type = ElementType::f32) {
        ports_.inputs.push_back({inputs_.size(), parameters_++, {}, {}});
        inputs_.push_back(input);
        return body_.input(role, shape, type);
    }

    void add_part() {
        const auto axis = static_cast<std::int64_t>(form_.time_axis);
        const Output part = add_port("part", x_, form_.time_axis == 0 ? "1,?,3" : "?,1,3");
        ports_.inputs.back().slice =
            form_.reversed ? ops::PartRange{axis, -1, -1, 1, 0} : ops::PartRange{axis};
        part_ = body_.squeeze(part, {axis});
    }

    // The extent of the time axis.
    Output steps() {
        const auto shape = builder_.make<ops::ShapeOf>("shape", x_);
        const Output extent = builder_.make<ops::Gather>(
            "T", shape, i64(builder_, static_cast<std::int64_t>(form_.time_axis)),
            i64(builder_, 0));
        return form_.less_steps == 0 ? extent
                                     : add(builder_, extent, i64(builder_, -form_.less_steps));
    }

    void add_loop_inputs() {
        const Output count = steps();
        inputs_ = {form_.has_trip_count ? count : i64(builder_, -1), flag(builder_, true)};
        Output number = body_.input("i", "", ElementType::i64);
        parameters_ = 1;
        if (form_.own_counter) {
            number = add_port("count", i64(builder_, 0), "", ElementType::i64);
            counter_port_ = ports_.inputs.size() - 1;
            next_count_ = add(body_, number, i64(body_, form_.count_by));
        }
        Output goes_on = flag(body_, true);
        if (form_.has_condition) {
            const Output bound = add_port("bound", count, "", ElementType::i64);
            goes_on = body_.make<ops::Compare>("goes_on", ops::CompareFunction::less,
                                               add(body_, number, i64(body_, 1)), bound);
        }
        const Output x = add_port("all_x", x_, form_.x);
        part_ = body_.make<ops::Gather>("part", x, number,
                                        i64(body_, static_cast<std::int64_t>(form_.time_axis)));
        body_.output("more", goes_on);
    }

    // Given, or zeros for each row of x.
    Output add_state(std::size_t i) {
        Output first =
            form_.given_states ? builder_.input(name("state", i), form_.states) : zeros();
        const Output state = add_port(name("now", i), first, "?,4");
        state_ports_.push_back(ports_.inputs.size() - 1);
        return state;
    }

    Output zeros() {
        const auto shape = builder_.make<ops::ShapeOf>("", x_);
        const auto batch = static_cast<std::int64_t>(1 - form_.time_axis);
        const Output rows =
            builder_.make<ops::Gather>("", shape, builder_.ints({batch}), i64(builder_, 0));
        const Output target =
            builder_.make<ops::Concat>("", std::vector<Output>{rows, builder_.ints({4})}, 0);
        return builder_.make<ops::Broadcast>("", builder_.constant(scalar_of(0.0F)), target);
    }

    const CellSpelling& spelling_;
    LoopForm form_;
    GraphBuilder builder_, body_;
    StepWriter step_{body_};
    Output x_, part_, next_count_;
    std::vector<Output> inputs_;
    ops::BodyPorts ports_;
    std::vector<std::size_t> state_ports_;
    std::size_t counter_port_ = 0;
};

}  // namespace

std::shared_ptr<Graph> loop_over(const CellSpelling& spelling, LoopForm form) {
    return LoopMaker(spelling, std::move(form)).make();
}

}  // namespace rondo::test
