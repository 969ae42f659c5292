// Walks through a graph along time: finds what each port holds of the frames, and tries the ways to
// read a graph that allows several readings.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/graph/graph.hpp"
#include "transformations/analysis/search.hpp"
#include "transformations/pass/rewriter.hpp"

namespace rondo::passes {

// What a port of a graph holds along the time axis.

/// Let T be the number of frames of a sequence. In the call that gets the whole sequence, a port of
/// `frames` holds T + extra + missing of them. In the call of a stream that gets the frames [a, b),
/// it holds b - a + extra frames, from frame a on. So ports with equal facts hold the same frames,
/// whatever the values.
struct TimeFact {
    /// In this order: a value of several kinds is of the last of them.
    enum class Kind : std::uint8_t {
        constant,  ///< the same in every call
        extent,    ///< depends on T, not on the frames
        given,     ///< an input without a time axis, and what is computed from such inputs
        state,     ///< a variable, as the call before left it
        last,      ///< what holds after the last frame: a new state
        frames,    ///< a row a frame, along `axis`
    };

    Kind kind = Kind::constant;
    std::size_t axis = 0;
    std::int64_t extra = 0;    ///< frames at the end for which there is no new frame; 0 or more
    std::int64_t missing = 0;  ///< frames at the end that only the whole sequence has; 0 or more
    /// Timeless values: whether what a call starts from is among them, and whether anything but
    /// moves made them. Such a value isn't what the last of several calls gives.
    bool is_old = false;
    bool is_computed = false;
    std::string cause = {};  ///< the node that made `extra` or `missing`, as errors name it
    /// The rank isn't that of the original model: time has become an axis of its own.
    bool reshaped = false;
    std::size_t home = 0;  ///< the axis of time before that

    bool is_frames() const { return kind == Kind::frames; }
    static TimeFact of(Kind kind) { return {.kind = kind}; }
    static TimeFact along(std::size_t axis) { return {.kind = Kind::frames, .axis = axis}; }
};

/// The time axis of each parameter that has one, by the parameter's index.
using TimeAxes = std::map<std::size_t, std::size_t>;

class TimeWalk;

/// Sets the facts of the node's outputs, validates it, and changes it where chunks need that.
/// Throws UnsupportedError naming the node.
using TimeRule = void (*)(TimeWalk& walk, const NodePtr& node);

/// The rule of a node's family, or null where no input depends on time: then its outputs don't.
using FindTimeRule = TimeRule (*)(const Node& node, const TimeWalk& walk);

/// Producers come first. Each node is validated on what its inputs have become; the rule of its
/// family says what its outputs hold, and changes it where a chunk needs that.
class TimeWalk {
public:
    /// `search`: the ways to read a graph that allows several readings.
    TimeWalk(Graph& graph, const TimeAxes& axes, Search& search);

    /// Changes the graph on the way. Throws UnsupportedError naming the node that needs the future
    /// or all frames at once; the graph is then of no use.
    void run(FindTimeRule find_rule);

    /// Values that go from call to call, made here or found in the graph.
    std::size_t carried() const { return carried_; }

    // For the rules:

    const TimeFact& fact(const Output& output) const;
    void set(const Output& output, TimeFact fact);
    /// The same for all outputs.
    void set_all(const NodePtr& node, const TimeFact& fact);
    Rewriter& rewriter() { return rewriter_; }
    std::size_t choose(std::size_t options) { return search_.choose(options); }
    /// The fact of outputs that no frame takes part in, from those of the inputs.
    TimeFact timeless(const Node& node) const;
    /// T where the original model fixes it: its frames are given one call after another, and what
    /// is opened here means the same calls at once.
    std::optional<std::int64_t> fixed_frames() const { return fixed_frames_; }
    /// Extent of a port of frames along time in the original model, where that fixes it.
    std::optional<std::int64_t> original_extent(const TimeFact& fact) const;
    /// The shape that the original model has at an output of one of its nodes.
    const PartialShape& original_shape(const Node& node, std::size_t output) const;
    /// "node 'name' (Type): reason".
    [[noreturn]] void refuse(const Node& node, const std::string& reason) const;

    /// A new variable of the graph: reads `id` (made unique), which starts as `init`, or as zeros.
    Output add_variable(const std::string& id, std::vector<Output> init, const Output& like,
                        const PartialShape& shape);
    /// What a variable made by add_variable() holds after the call.
    void assign(const Output& variable, const Output& value);
    /// Notes that a node goes on from a state that is carried already, in a variable or by the
    /// caller. The next chunk goes on from one of `next`, or from what isn't known if there are
    /// none.
    void follow(const TimeFact& state, const Node& node, std::vector<Output> next = {});

private:
    void open_parameters(const TimeAxes& axes);
    void visit(const NodePtr& node, TimeRule rule);
    void check_end() const;
    using Place = std::pair<const Node*, std::size_t>;  // a node's output
    static Place place_of(const Output& output) { return {&output.node(), output.index()}; }
    std::set<Place> shown_at_the_end() const;

    // A state that is an input of the model.
    struct GivenState {
        std::string reader;
        std::vector<Output> next;
    };

    Graph& graph_;
    Search& search_;
    Rewriter rewriter_;
    std::map<std::pair<const Node*, std::size_t>, TimeFact> facts_;
    std::map<const Node*, std::vector<PartialShape>> original_;
    std::vector<NodePtr> nodes_;  ///< keeps those alive that fall out of the graph
    std::optional<std::int64_t> fixed_frames_;
    std::size_t carried_ = 0;
    std::vector<GivenState> given_states_;
};

}  // namespace rondo::passes
