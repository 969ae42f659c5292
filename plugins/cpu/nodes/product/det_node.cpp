// Det: a matrix after another.
#include "plugins/cpu/kernels/product/determinant.hpp"
#include "plugins/cpu/kernels/threads/share.hpp"
#include "plugins/cpu/nodes/common/extents.hpp"
#include "plugins/cpu/nodes/common/makers.hpp"

namespace rondo::cpu {
namespace {

constexpr std::int64_t kDeterminantGrain = 1 << 14;  // multiplications that are worth a thread

std::unique_ptr<Call> prepare_det(const CallSite& site) {
    const auto n = static_cast<std::int64_t>(site.inputs[0].shape.back());
    const SliceScratch scratch(static_cast<std::size_t>(n * n) * sizeof(double), site.threads);
    const auto run = [n, scratch, type = site.inputs[0].type,
                      count = count_of(site.outputs[0].shape)](const RunArgs& args) {
        scratch.share(args.team, count, kDeterminantGrain / (n * n * n + 1) + 1, args.scratch,
                      [&](std::int64_t begin, std::int64_t end, std::byte* matrix) {
                          write_determinants({type, args.inputs[0], args.outputs[0], n, begin, end,
                                              reinterpret_cast<double*>(matrix)});
                      });
    };
    return make_call(run, {scratch.bytes()});
}

}  // namespace

std::unique_ptr<CpuNode> make_det_node(const Node& node, const CompileContext&) {
    return make_function_node(node, {"determinant", "elimination in double, a matrix a thread"},
                              prepare_det);
}

}  // namespace rondo::cpu
