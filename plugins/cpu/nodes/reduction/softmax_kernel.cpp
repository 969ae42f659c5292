#include "plugins/cpu/nodes/reduction/softmax_kernel.hpp"

#include "core/ops/reduction/normalization.hpp"
#include "plugins/cpu/kernels/choice/shared_kernels.hpp"
#include "plugins/cpu/kernels/reduction/softmax.hpp"

namespace rondo::cpu {

std::unique_ptr<const RowKernel> make_softmax_kernel(const Node& node, Isa isa,
                                                     Precision precision) {
    const auto kernel = [&](const ElementwiseProgram& program) {
        return shared_elementwise_kernel(isa, program);
    };
    if (as_op<ops::LogSoftmax>(node) != nullptr) {
        return std::make_unique<LogSoftmaxKernel>(kernel(SoftmaxKernel::exponential(precision)),
                                                  kernel(LogSoftmaxKernel::logarithm(precision)),
                                                  kernel(LogSoftmaxKernel::difference(precision)));
    }
    return std::make_unique<SoftmaxKernel>(kernel(SoftmaxKernel::exponential(precision)),
                                           kernel(SoftmaxKernel::quotient(precision)));
}

}  // namespace rondo::cpu
