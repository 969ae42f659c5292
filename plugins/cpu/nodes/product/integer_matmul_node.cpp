// MatMul of integers.
#include "plugins/cpu/kernels/product/integer_gemm.hpp"
#include "plugins/cpu/kernels/threads/share.hpp"
#include "plugins/cpu/nodes/common/extents.hpp"
#include "plugins/cpu/nodes/product/makers.hpp"
#include "plugins/cpu/nodes/product/matmul_sizes.hpp"

namespace rondo::cpu {
namespace {

class IntegerCall final : public Call {
public:
    IntegerCall(const MatMulSizes& sizes, const CallSite& site)
        : type_(site.inputs[0].type),
          element_(element_bytes(site.inputs[0].type)),
          batch_(batch_loop(site)) {
        gemm_.m = sizes.m;
        gemm_.k = sizes.k;
        gemm_.n = sizes.n;
        gemm_.a_row = sizes.a_transposed ? 1 : sizes.k;
        gemm_.a_column = sizes.a_transposed ? sizes.m : 1;
        gemm_.b_row = sizes.b_transposed ? 1 : sizes.n;
        gemm_.b_column = sizes.b_transposed ? sizes.k : 1;
    }

    void run(const RunArgs& args) const override {
        for_each_matrix(batch_, [&](std::int64_t a, std::int64_t b, std::int64_t c) {
            IntegerGemm gemm = gemm_;
            gemm.a = at(args.inputs[0], a * gemm.m * gemm.k * element_);
            gemm.b = at(args.inputs[1], b * gemm.k * gemm.n * element_);
            gemm.c = at(args.outputs[0], c * gemm.m * gemm.n * element_);
            share(args.team, gemm.m, kGrain / (gemm.k * gemm.n + 1) + 1,
                  [&](std::int64_t begin, std::int64_t end) {
                      integer_gemm(type_, gemm, begin, end);
                  });
        });
    }

private:
    static constexpr std::int64_t kGrain = 1 << 16;  // products that are worth a thread

    ElementType type_;
    std::int64_t element_;  // bytes
    NdLoop<3> batch_;
    IntegerGemm gemm_;  // without pointers
};

class IntegerMatMulNode final : public CpuNode {
public:
    explicit IntegerMatMulNode(const ops::MatMul& op)
        : CpuNode(op, "gemm_plain", "integers, in plain loops"), op_(op) {}

    std::unique_ptr<Call> prepare(const CallSite& site) const override {
        const MatMulSizes sizes = sizes_of(op_, site.inputs[0].shape, site.inputs[1].shape);
        return std::make_unique<IntegerCall>(sizes, site);
    }

private:
    const ops::MatMul& op_;
};

}  // namespace

std::unique_ptr<CpuNode> make_integer_matmul_node(const ops::MatMul& op) {
    return std::make_unique<IntegerMatMulNode>(op);
}

}  // namespace rondo::cpu
