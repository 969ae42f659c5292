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

bool same_input(const PlanInput& a, const PlanInput& b) {
    return a.shape == b.shape && a.form == b.form && a.type == b.type &&
           same_elements(a.value, b.value);
}

}  // namespace

bool operator==(const PlanKey& a, const PlanKey& b) {
    return a.before == b.before && a.variables == b.variables && a.extents == b.extents &&
           a.found == b.found && a.floats == b.floats &&
           std::equal(a.inputs.begin(), a.inputs.end(), b.inputs.begin(), b.inputs.end(),
                      same_input) &&
           std::equal(a.values.begin(), a.values.end(), b.values.begin(), b.values.end(),
                      same_elements);
}

}  // namespace rondo::cpu
