// One walk through a graph that finds what each port holds along time, and makes the graph take its
// frames in chunks.
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
#include "transformations/pass/rewriter.hpp"
#include "transformations/streaming/alternatives.hpp"
#include "transformations/streaming/time_fact.hpp"

namespace rondo::passes {

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
    TimeWalk(Graph& graph, const TimeAxes& axes, Alternatives& alternatives);

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
    std::size_t choose(std::size_t options) { return alternatives_.take(options); }
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
    Alternatives& alternatives_;
    Rewriter rewriter_;
    std::map<std::pair<const Node*, std::size_t>, TimeFact> facts_;
    std::map<const Node*, std::vector<PartialShape>> original_;
    std::vector<NodePtr> nodes_;  ///< keeps those alive that fall out of the graph
    std::optional<std::int64_t> fixed_frames_;
    std::size_t carried_ = 0;
    std::vector<GivenState> given_states_;
};

}  // namespace rondo::passes
