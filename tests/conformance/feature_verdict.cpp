#include "tests/conformance/feature_verdict.hpp"

#include <algorithm>
#include <vector>

#include "core/support/strings.hpp"
#include "tests/conformance/run_node.hpp"

namespace rondo::test {
namespace {

// Something to compare with where there is no right answer.
ReferenceResult zeros(const RecurrentNode& node) {
    ReferenceResult result;
    for (std::size_t k = 0; k < node.output_count(); ++k) {
        result.outputs.emplace_back(ElementType::f64, node.output_shape(k));
    }
    return result;
}

std::string verdict_of(const RecurrentNode& node, bool must_fail) {
    const ReferenceResult reference = must_fail ? zeros(node) : onnx_reference(node);
    for (const char* device : {"CPU", "REFERENCE"}) {
        const Verdict verdict = run_node(node, reference, device).verdict;
        if (must_fail && verdict != Verdict::refused) return "WRONG";
        if (must_fail || verdict == Verdict::agrees) continue;
        return verdict == Verdict::refused ? "refused" : "WRONG";
    }
    return "yes";
}

}  // namespace

std::string rondo_verdict(const Feature& feature) {
    std::vector<std::string> verdicts, named;
    for (const auto& node : feature.nodes) {
        verdicts.push_back(verdict_of(node, feature.must_fail));
        named.push_back(node.op_type + ": " + verdicts.back());
    }
    const bool same = std::all_of(verdicts.begin(), verdicts.end(),
                                  [&](const auto& verdict) { return verdict == verdicts[0]; });
    return same ? verdicts[0] : join(named, ", ");
}

}  // namespace rondo::test
