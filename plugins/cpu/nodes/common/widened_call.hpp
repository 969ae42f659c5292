// Runs a call on f16 or bf16 tensors in f32; rounds constants to bf16.
#pragma once

#include <memory>

#include "core/support/function_ref.hpp"
#include "core/support/visit_type.hpp"
#include "plugins/cpu/kernels/machine/cpu_features.hpp"
#include "plugins/cpu/nodes/common/cpu_node.hpp"

namespace rondo::cpu {

/// Makes the call for a site whose 16-bit tensors are f32.
using MakeCall = FunctionRef<std::unique_ptr<Call>(const CallSite& site)>;

/// A call whose 16-bit floating inputs are widened to f32 in scratch, and whose outputs are rounded
/// once on the way back; make(site) where input 0 isn't one of them. Other tensors stay as they
/// are. `make` is called once, here; values of widened inputs are hidden from it, and its outputs
/// must not be views of them.
std::unique_ptr<Call> make_widened_call(const CallSite& site, Isa isa, MakeCall make);

/// make(TypeTag<T>(), site), where T is double for f64 and float for all others: 16-bit types are
/// widened around a call of f32. The type is that of output 0.
template <typename Make>
std::unique_ptr<Call> make_floating_call(const CallSite& site, Isa isa, Make make) {
    switch (site.outputs[0].type) {
        case ElementType::f64: return make(TypeTag<double>(), site);
        case ElementType::f32: return make(TypeTag<float>(), site);
        default: break;
    }
    return make_widened_call(site, isa,
                             [&](const CallSite& wide) { return make(TypeTag<float>(), wide); });
}

/// A dense constant of f32, f16 or bf16 as weights of kBf16: see round_to_bf16().
Tensor rounded_to_bf16(const Tensor& weights);

}  // namespace rondo::cpu
