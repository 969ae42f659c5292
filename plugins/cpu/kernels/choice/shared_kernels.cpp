#include "plugins/cpu/kernels/choice/shared_kernels.hpp"

#include <cmath>
#include <utility>
#include <vector>

#include "core/support/process.hpp"
#include "plugins/cpu/kernels/choice/jit_factories.hpp"

namespace rondo::cpu {
namespace {

// Those that are alive. What is made under the lock takes less than a millisecond.
template <typename Key, typename Kernel>
class Alive {
public:
    template <typename Make>
    std::shared_ptr<const Kernel> find_or_make(const Key& key, Make make) {
        const std::lock_guard lock(mutex_);
        std::erase_if(kernels_, [](const auto& entry) { return entry.second.expired(); });
        for (const auto& [known, kernel] : kernels_) {
            if (!(known == key)) continue;
            if (auto alive = kernel.lock()) return alive;
        }
        std::shared_ptr<const Kernel> made = make();
        kernels_.emplace_back(key, made);
        return made;
    }

private:
    ForkMutex mutex_;
    std::vector<std::pair<Key, std::weak_ptr<const Kernel>>> kernels_;
};

// Whether numbers are equal, also in the sign of a zero, which affects results.
bool same_numbers(const Activation& a, const Activation& b) {
    return a == b && std::signbit(a.alpha) == std::signbit(b.alpha) &&
           std::signbit(a.beta) == std::signbit(b.beta);
}

struct CellKey {
    const CellKernelEntry* entry;
    CellConfig config;

    bool operator==(const CellKey& other) const {
        const CellConfig& a = config;
        const CellConfig& b = other.config;
        return entry == other.entry && a == b && same_numbers(a.f, b.f) && same_numbers(a.g, b.g) &&
               same_numbers(a.h, b.h);
    }
};

}  // namespace

std::shared_ptr<const GemmKernel> shared_gemm_kernel(Isa isa, const WeightFormat& weights) {
    static Alive<const GemmKernelEntry*, GemmKernel> alive;
    const GemmKernelEntry& entry = choose_gemm_kernel(isa, weights);
    return alive.find_or_make(&entry, [&] { return entry.make(); });
}

std::shared_ptr<const ByteKernel> shared_byte_kernel(Isa isa, ElementType result) {
    static Alive<std::pair<Isa, ElementType>, ByteKernel> alive;
    return alive.find_or_make({isa, result}, [&] {
        const bool in_fours = isa == Isa::avx512 && cpu_features().vnni;
        return in_fours ? jit::make_bytes(result) : make_byte_pairs(isa, result);
    });
}

std::shared_ptr<const SparseKernel> shared_sparse_kernel(Isa isa, const WeightFormat& format) {
    static Alive<std::pair<Isa, WeightFormat>, SparseKernel> alive;
    return alive.find_or_make({isa, format}, [&] { return jit::make_sparse(isa, format); });
}

std::shared_ptr<const ElementwiseKernel> shared_elementwise_kernel(
    Isa isa, const ElementwiseProgram& program) {
    static Alive<std::pair<const ElementwiseKernelEntry*, ElementwiseProgram>, ElementwiseKernel>
        alive;
    const ElementwiseKernelEntry& entry = choose_elementwise_kernel(isa);
    return alive.find_or_make({&entry, program}, [&] { return entry.make(program); });
}

std::shared_ptr<const TapKernel> shared_tap_kernel(Isa isa, const TapConfig& config) {
    static Alive<std::pair<const TapKernelEntry*, TapConfig>, TapKernel> alive;
    const TapKernelEntry& entry = choose_tap_kernel(isa);
    return alive.find_or_make({&entry, config}, [&] { return entry.make(config); });
}

std::shared_ptr<const CellKernel> shared_cell_kernel(const CellKernelEntry& entry,
                                                     const CellConfig& config) {
    static Alive<CellKey, CellKernel> alive;
    return alive.find_or_make({&entry, config}, [&] { return entry.make(config); });
}

}  // namespace rondo::cpu
