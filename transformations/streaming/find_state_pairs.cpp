#include "transformations/streaming/find_state_pairs.hpp"

#include <algorithm>
#include <iterator>
#include <string>
#include <vector>

#include "core/runtime/ports.hpp"
#include "transformations/streaming/state_starts.hpp"
#include "transformations/streaming/state_uses.hpp"

namespace rondo::passes {
namespace {

using Places = std::vector<std::size_t>;

struct Port {
    PortInfo info;
    Output value;  ///< what its Parameter holds, or its Result reads
    StateUses uses;

    // Whether it holds a state for certain: a Concat may join any rows.
    bool holds_state() const {
        return std::any_of(uses.begin(), uses.end(),
                           [](const StateUse& use) { return use.kind != StateUse::Kind::window; });
    }
};

StateUses common(const StateUses& a, const StateUses& b) {
    StateUses both;
    std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::inserter(both, both.end()));
    return both;
}

bool fits(const Port& in, const Port& out) {
    const bool same_type = in.info.element_type == out.info.element_type &&
                           in.info.element_type != ElementType::dynamic;
    return same_type && in.info.shape.has_rank() && out.info.shape.intersect(in.info.shape);
}

bool have_one_stem(const Port& in, const Port& out) {
    for (const std::string& a : in.info.names) {
        const std::string stem = stem_of(a);
        if (stem.empty()) continue;
        for (const std::string& b : out.info.names) {
            if (stem == stem_of(b)) return true;
        }
    }
    return false;
}

bool is_named_as_state(const Port& port) {
    return std::any_of(port.info.names.begin(), port.info.names.end(),
                       [](const std::string& name) { return sounds_like_state(name); });
}

bool are_one_by_name(const Port& in, const Port& out) {
    if (in.holds_state() && out.holds_state()) return false;  // of different layers
    return have_one_stem(in, out) && (is_named_as_state(in) || is_named_as_state(out));
}

// The layer or loop of a common use that runs backwards, if there is one.
const Node* backward_layer(const Port& in, const Port& out) {
    for (const StateUse& use : common(in.uses, out.uses)) {
        if (runs_backwards(*use.op)) return use.op;
    }
    return nullptr;
}

class PairFinder {
public:
    explicit PairFinder(const Graph& graph);

    StateSearch find();

private:
    Places outputs_for(const Port& in) const;
    Places likeliest(const Port& in, Places places) const;
    std::string why_input_stays(const Port& in, const Places& found) const;
    std::string why_output_stays(std::size_t out) const;
    std::string text(const Port& port, const char* kind) const { return describe(port.info, kind); }

    const Graph& graph_;
    std::vector<Port> inputs_;
    std::vector<Port> outputs_;
    std::vector<Places> claims_;  ///< of each output: the inputs that it fits best
};

PairFinder::PairFinder(const Graph& graph) : graph_(graph) {
    for (auto& info : input_ports(graph)) {
        const Output value = graph.parameters()[inputs_.size()]->output(0);
        inputs_.push_back({std::move(info), value, uses_of_input(value)});
    }
    for (auto& info : output_ports(graph)) {
        const Output value = graph.results()[outputs_.size()]->input(0);
        outputs_.push_back({std::move(info), value, uses_of_output(graph, value)});
    }
    claims_.resize(outputs_.size());
}

// Those with most common uses, and of these the ones of the same stem, if there are any.
Places PairFinder::likeliest(const Port& in, Places places) const {
    const auto strength = [&](std::size_t out) {
        return common(in.uses, outputs_[out].uses).size();
    };
    std::size_t most = 0;
    for (const std::size_t out : places) most = std::max(most, strength(out));
    std::erase_if(places, [&](std::size_t out) { return strength(out) < most; });
    Places named = places;
    std::erase_if(named, [&](std::size_t out) { return !have_one_stem(in, outputs_[out]); });
    return named.empty() ? places : named;
}

Places PairFinder::outputs_for(const Port& in) const {
    Places by_use, by_name;
    MatchedCell cell(graph_, in.value);
    for (std::size_t out = 0; out < outputs_.size(); ++out) {
        const Port& port = outputs_[out];
        if (!fits(in, port)) continue;
        if (!common(in.uses, port.uses).empty() || cell.ends_in(port.value)) {
            by_use.push_back(out);
        } else if (are_one_by_name(in, port)) {
            by_name.push_back(out);
        }
    }
    return likeliest(in, by_use.empty() ? by_name : by_use);
}

std::string PairFinder::why_input_stays(const Port& in, const Places& found) const {
    const std::string start = text(in, "input") + ": ";
    if (found.size() > 1) {
        return start + text(outputs_[found[0]], "output") + " and " +
               text(outputs_[found[1]], "output") + " both fit it";
    }
    if (found.size() == 1) {
        const Port& out = outputs_[found[0]];
        if (const Node* layer = backward_layer(in, out)) {
            return start + describe(*layer) + " needs later steps first";
        }
        for (const std::size_t other : claims_[found[0]]) {
            if (&inputs_[other] == &in) continue;
            return start + text(inputs_[other], "input") + " fits " + text(out, "output") + " too";
        }
    }
    const bool any_fits = std::any_of(outputs_.begin(), outputs_.end(),
                                      [&](const Port& out) { return fits(in, out); });
    return start + (any_fits ? "no output comes from where it goes to, or has a name like its own"
                             : "no output has its type and shape");
}

std::string PairFinder::why_output_stays(std::size_t out) const {
    const std::string start = text(outputs_[out], "output") + ": ";
    if (claims_[out].size() > 1) {
        return start + text(inputs_[claims_[out][0]], "input") + " and " +
               text(inputs_[claims_[out][1]], "input") + " both fit it";
    }
    const bool any_fits = std::any_of(inputs_.begin(), inputs_.end(),
                                      [&](const Port& in) { return fits(in, outputs_[out]); });
    return start + (any_fits ? "no input goes to where it comes from, or has a name like its own"
                             : "no input has its type and shape");
}

StateSearch PairFinder::find() {
    std::vector<Places> found;
    for (std::size_t in = 0; in < inputs_.size(); ++in) {
        found.push_back(outputs_for(inputs_[in]));
        if (found[in].size() == 1) claims_[found[in][0]].push_back(in);
    }
    StateSearch result;
    std::vector<bool> is_paired(outputs_.size());
    for (std::size_t in = 0; in < inputs_.size(); ++in) {
        const Port& port = inputs_[in];
        const bool only = found[in].size() == 1 && claims_[found[in][0]].size() == 1;
        if (only && backward_layer(port, outputs_[found[in][0]]) == nullptr) {
            const Port& out = outputs_[found[in][0]];
            result.pairs.emplace_back(port.info.any_name(), out.info.any_name());
            is_paired[found[in][0]] = true;
        } else if (port.holds_state() || is_named_as_state(port) || !found[in].empty()) {
            result.unpaired.push_back(why_input_stays(port, found[in]));
        }
    }
    for (std::size_t out = 0; out < outputs_.size(); ++out) {
        const Port& port = outputs_[out];
        if (is_paired[out] || (!port.holds_state() && !is_named_as_state(port))) continue;
        result.unpaired.push_back(why_output_stays(out));
    }
    return result;
}

}  // namespace

StateSearch find_state_pairs(const Graph& graph) { return PairFinder(graph).find(); }

}  // namespace rondo::passes
