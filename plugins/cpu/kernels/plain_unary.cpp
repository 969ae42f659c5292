#include "plugins/cpu/kernels/plain_kernels.hpp"
#include "plugins/cpu/kernels/plain_ops.hpp"
#include "plugins/cpu/kernels/vector_math.hpp"

namespace rondo::cpu {
namespace {

class PlainUnary final : public UnaryKernel {
public:
    explicit PlainUnary(const UnaryConfig& config) : config_(config) {}

    void run(const float* src, float* dst, std::int64_t n) const override {
        PlainOps ops;
        for (std::int64_t i = 0; i < n; ++i) {
            dst[i] = config_.kind == UnaryKind::exp
                         ? math::exp(ops, src[i])
                         : math::activate(ops, config_.activation, src[i]);
        }
    }

private:
    UnaryConfig config_;
};

}  // namespace

std::unique_ptr<UnaryKernel> make_plain_unary(const UnaryConfig& config) {
    return std::make_unique<PlainUnary>(config);
}

}  // namespace rondo::cpu
