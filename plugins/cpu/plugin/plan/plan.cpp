#include "plugins/cpu/plugin/plan/plan.hpp"

#include <algorithm>
#include <cstring>

namespace rondo::cpu {
namespace {

bool same_elements(const Tensor& a, const Tensor& b) {
    if (!a || !b) return !a && !b;
    return a.element_type() == b.element_type() && a.shape() == b.shape() &&
           (a.byte_size() == 0 || std::memcmp(a.data(), b.data(), a.byte_size()) == 0);
}

}  // namespace

bool operator==(const PlanKey& a, const PlanKey& b) {
    return a.before == b.before && a.inputs == b.inputs && a.variables == b.variables &&
           a.found == b.found && a.types == b.types &&
           std::equal(a.values.begin(), a.values.end(), b.values.begin(), b.values.end(),
                      same_elements) &&
           std::equal(a.known_inputs.begin(), a.known_inputs.end(), b.known_inputs.begin(),
                      b.known_inputs.end(), same_elements);
}

}  // namespace rondo::cpu
