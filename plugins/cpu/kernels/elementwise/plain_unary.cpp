#include "plugins/cpu/kernels/elementwise/plain_unary.hpp"
#include "plugins/cpu/kernels/math/plain_ops.hpp"
#include "plugins/cpu/kernels/math/vector_math.hpp"

namespace rondo::cpu {
namespace {

template <typename T>
class PlainUnary final : public UnaryKernel {
public:
    explicit PlainUnary(const UnaryConfig& config) : config_(config) {}

    void run(const void* src, void* dst, std::int64_t n) const override {
        const T* from = static_cast<const T*>(src);
        T* to = static_cast<T*>(dst);
        PlainOps<T> ops;
        for (std::int64_t i = 0; i < n; ++i) {
            to[i] = config_.kind == UnaryKind::exp
                        ? math::exp(ops, from[i])
                        : math::activate(ops, config_.activation, from[i]);
        }
    }

private:
    UnaryConfig config_;
};

}  // namespace

std::unique_ptr<UnaryKernel> make_plain_unary(const UnaryConfig& config) {
    if (config.precision == Precision::f64) return std::make_unique<PlainUnary<double>>(config);
    return std::make_unique<PlainUnary<float>>(config);
}

}  // namespace rondo::cpu
