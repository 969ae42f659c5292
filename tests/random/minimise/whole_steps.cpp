// Fewer runs, fewer outputs, and earlier outputs.
#include "tests/random/minimise/graph_parts.hpp"
#include "tests/random/minimise/steps.hpp"

namespace rondo::test {
namespace {

template <typename List>
void keep_alone(List& list, int at) {
    List kept;
    *kept.Add() = list.Get(at);
    list.Swap(&kept);
}

void end_at(Candidate& candidate, const std::string& value) {
    set_output(candidate, value);
    drop_unread(candidate);
}

bool is_shorter_with(const Candidate& candidate, const std::string& output) {
    Candidate changed = candidate;
    end_at(changed, output);
    return count_nodes(changed.graph()) < count_nodes(candidate.graph());
}

}  // namespace

std::vector<Edit> keep_one_run(Candidate candidate) {
    std::vector<Edit> edits;
    const std::size_t count = candidate.inputs.size();
    for (std::size_t run = 0; count > 1 && run < count; ++run) {
        edits.emplace_back([run](Candidate& changed) { changed.inputs = {changed.inputs[run]}; });
    }
    for (std::size_t run = 0; count > 2 && run < count; ++run) {
        edits.emplace_back([run](Candidate& changed) {
            changed.inputs.erase(changed.inputs.begin() + static_cast<std::ptrdiff_t>(run));
        });
    }
    return edits;
}

std::vector<Edit> keep_one_output(Candidate candidate) {
    std::vector<Edit> edits;
    const int count = candidate.graph().output_size();
    for (int output = 0; count > 1 && output < count; ++output) {
        edits.emplace_back([output](Candidate& changed) {
            keep_alone(*changed.graph().mutable_output(), output);
        });
    }
    for (int output = 0; count > 2 && output < count; ++output) {
        edits.emplace_back(
            [output](Candidate& changed) { erase_at(*changed.graph().mutable_output(), output); });
    }
    return edits;
}

std::vector<Edit> end_earlier(Candidate candidate) {
    std::vector<Edit> edits;
    for (const auto& node : candidate.graph().node()) {
        for (const auto& value : node.output()) {
            if (!value.empty() && is_shorter_with(candidate, value)) {
                edits.emplace_back([value](Candidate& changed) { end_at(changed, value); });
            }
        }
    }
    return edits;
}

}  // namespace rondo::test
