#include "tests/random/minimise/minimise.hpp"

#include <array>

#include "rondo/error.hpp"
#include "tests/random/minimise/failure_kind.hpp"
#include "tests/random/minimise/graph_parts.hpp"
#include "tests/random/minimise/steps.hpp"

namespace rondo::test {
namespace {

// What makes most of a model fall out comes first.
constexpr auto kSteps =
    std::to_array<Step>({keep_one_run, keep_one_output, end_earlier, drop_results, count_iterations,
                         inline_branches, inline_iterations, cut_into_inputs, drop_nodes,
                         bypass_nodes, replace_nodes, hoist_nodes, cut_into_constants});

class Minimiser {
public:
    Minimiser(const RandomModel& model, const Failure& failure, const MinimiseLimits& limits)
        : failure_(failure),
          limits_(limits),
          end_(std::chrono::steady_clock::now() + limits.time),
          candidate_(model),
          text_(failure(model)),
          kind_(failure_kind(text_)) {}

    void run() {
        if (text_.empty()) return;
        bool changed = true;
        while (changed && may_go_on()) {
            // Where the fault is in a node that nothing reads, such nodes stay at first.
            changed = !drops_unread_ && accept(drop_unread);
            drops_unread_ = drops_unread_ || changed;
            for (const Step step : kSteps) changed = take(step) || changed;
        }
    }

    Minimised result() const {
        return {candidate_.model(), text_, count_nodes(candidate_.graph()), trials_};
    }

private:
    bool may_go_on() const {
        return trials_ < limits_.trials && std::chrono::steady_clock::now() < end_;
    }

    // The list is made again where an edit was accepted: what it names may be gone.
    bool take(Step step) {
        bool changed = false;
        std::size_t at = 0;
        std::vector<Edit> edits = step(candidate_);
        while (at < edits.size() && may_go_on()) {
            if (accept(edits[at])) {
                edits = step(candidate_);
                changed = true;
            } else {
                ++at;
            }
        }
        return changed;
    }

    bool accept(const Edit& edit) {
        Candidate changed = candidate_;
        edit(changed);
        if (drops_unread_) drop_unread(changed);
        const std::string text = text_of(changed);
        if (text.empty() || failure_kind(text) != kind_) return false;
        candidate_ = std::move(changed);
        text_ = text;
        return true;
    }

    std::string text_of(const Candidate& candidate) {
        ++trials_;
        try {
            return failure_(candidate.model());
        } catch (const Error&) {
            return {};
        }
    }

    const Failure& failure_;
    MinimiseLimits limits_;
    std::chrono::steady_clock::time_point end_;
    Candidate candidate_;
    std::string text_;
    std::string kind_;
    bool drops_unread_ = false;
    std::size_t trials_ = 0;
};

}  // namespace

Minimised minimise(const RandomModel& model, const Failure& failure, const MinimiseLimits& limits) {
    Minimiser minimiser(model, failure, limits);
    minimiser.run();
    return minimiser.result();
}

}  // namespace rondo::test
