// MatMul, and MatMul that starts from a bias: packs a constant right side once.
#include "core/ops/product/matmul.hpp"

#include "plugins/cpu/kernels/choice/shared_kernels.hpp"
#include "plugins/cpu/kernels/movement/strided_copy.hpp"
#include "plugins/cpu/nodes/common/extents.hpp"
#include "plugins/cpu/nodes/common/reference_node.hpp"
#include "plugins/cpu/nodes/nodes.hpp"
#include "plugins/cpu/ops/fused_matmul.hpp"

namespace rondo::cpu {
namespace {

// One product of the batch, [M,K] x [K,N].
struct Sizes {
    std::int64_t m = 1;
    std::int64_t k = 1;
    std::int64_t n = 1;
    bool a_transposed = false;
    bool b_transposed = false;
};

Sizes sizes_of(const ops::MatMul& op, const Shape& a, const Shape& b) {
    Sizes sizes;
    const auto extent = [](const Shape& shape, std::size_t from_end) {
        return static_cast<std::int64_t>(shape[shape.size() - from_end]);
    };
    sizes.a_transposed = a.size() > 1 && op.transpose_a();
    sizes.b_transposed = b.size() > 1 && op.transpose_b();
    sizes.k = extent(a, sizes.a_transposed ? 2 : 1);
    if (a.size() > 1) sizes.m = extent(a, sizes.a_transposed ? 1 : 2);
    if (b.size() > 1) sizes.n = extent(b, sizes.b_transposed ? 2 : 1);
    return sizes;
}

Shape batch_of(const Shape& shape) {
    return shape.size() < 3 ? Shape{} : Shape(shape.begin(), shape.end() - 2);
}

MatrixView view_of(const float* b, const Sizes& sizes) {
    return sizes.b_transposed ? transposed(b, sizes.k, sizes.n) : row_major(b, sizes.k, sizes.n);
}

// B packed at compile time, one matrix for all of A's rows.
class PackedCall final : public Call {
public:
    PackedCall(const GemmKernel& kernel, const PackedView& b, std::int64_t rows)
        : kernel_(kernel), b_(b), rows_(rows) {}

    void run(const RunArgs& args) const override {
        GemmArgs gemm;
        gemm.m = rows_;
        gemm.a = static_cast<const float*>(args.inputs[0]);
        gemm.a_stride = b_.k;
        gemm.c = static_cast<float*>(args.outputs[0]);
        gemm.c_stride = b_.n;
        kernel_.run(b_, gemm, args.team);
    }

private:
    const GemmKernel& kernel_;
    const PackedView& b_;
    std::int64_t rows_;
};

// Any batch, transposition and origin of B: packs B, and A where it is transposed, into scratch.
class GeneralCall final : public Call {
public:
    GeneralCall(const GemmKernel& kernel, const Sizes& sizes, const CallSite& site)
        : kernel_(kernel),
          sizes_(sizes),
          batch_(batch_loop(site)) {
        if (!sizes.a_transposed) return;
        constexpr std::int64_t kElement = sizeof(float);
        transpose_a_ = StridedCopy({kElement,
                                    {sizes.m, sizes.k},
                                    {kElement, sizes.m * kElement},
                                    {sizes.k * kElement, kElement}});
    }

    std::size_t scratch_bytes() const override { return packed_bytes() + a_bytes(); }

    void run(const RunArgs& args) const override {
        const auto& run = batch_.run();
        batch_.for_each_run([&](const NdLoop<3>::Offsets& at) {
            for (std::int64_t i = 0; i < run.count; ++i) {
                one(args, at[0] + i * run.steps[0], at[1] + i * run.steps[1],
                    at[2] + i * run.steps[2]);
            }
        });
    }

private:
    static Shape broadcast_batch(const CallSite& site) {
        const Shape& wide = site.inputs[0].shape.size() > site.inputs[1].shape.size()
                                ? site.inputs[0].shape
                                : site.inputs[1].shape;
        const std::size_t rank = wide.size() < 3 ? 0 : wide.size() - 2;
        const Shape& result = site.outputs[0].shape;
        return Shape(result.begin(), result.begin() + static_cast<std::ptrdiff_t>(rank));
    }

    // Offsets count matrices.
    static NdLoop<3> batch_loop(const CallSite& site) {
        const Shape a = batch_of(site.inputs[0].shape), b = batch_of(site.inputs[1].shape);
        return broadcast_loop<2>({&a, &b}, broadcast_batch(site));
    }

    std::size_t packed_bytes() const {
        return whole_lines(kernel_.packed_bytes(sizes_.k, sizes_.n));
    }
    std::size_t a_bytes() const {
        const auto floats = static_cast<std::size_t>(sizes_.m * sizes_.k);
        return sizes_.a_transposed ? whole_lines(floats * sizeof(float)) : 0;
    }

    void one(const RunArgs& args, std::int64_t a, std::int64_t b, std::int64_t c) const {
        const auto* from = static_cast<const float*>(args.inputs[0]) + a * sizes_.m * sizes_.k;
        const auto* matrix = static_cast<const float*>(args.inputs[1]) + b * sizes_.k * sizes_.n;
        const PackedView view = kernel_.pack_into(view_of(matrix, sizes_), nullptr, args.scratch);
        GemmArgs gemm;
        gemm.m = sizes_.m;
        gemm.a = from;
        if (sizes_.a_transposed) {
            void* rows = static_cast<char*>(args.scratch) + packed_bytes();
            transpose_a_.run(from, rows, args.team);
            gemm.a = static_cast<const float*>(rows);
        }
        gemm.a_stride = sizes_.k;
        gemm.c = static_cast<float*>(args.outputs[0]) + c * sizes_.m * sizes_.n;
        gemm.c_stride = sizes_.n;
        kernel_.run(view, gemm, args.team);
    }

    const GemmKernel& kernel_;
    Sizes sizes_;
    NdLoop<3> batch_;
    StridedCopy transpose_a_;
};

Tensor constant_input(const Node& node, std::size_t input) {
    const Output& source = node.input(input);
    const Tensor value = source.node().known_value(source.index());
    return value ? value.contiguous() : Tensor();
}

class MatMulNode : public CpuNode {
public:
    // `node` runs the product of `op`, which may be a part of it. `b` and `bias`: constants, or
    // empty; a bias needs a constant b.
    MatMulNode(const Node& node, const ops::MatMul& op, const CompileContext& context,
               const Tensor& b, const Tensor& bias)
        : CpuNode(node, f32_kernel_name("gemm", context.isa), reason_of(b, bias)),
          op_(op),
          kernel_(shared_gemm_kernel(context.isa)) {
        if (!b) return;
        const Sizes sizes =
            sizes_of(op, {b.shape().size() > 1 && op.transpose_b() ? b.shape()[1] : b.shape()[0]},
                     b.shape());
        packed_ =
            kernel_->pack(view_of(b.data<float>(), sizes), bias ? bias.data<float>() : nullptr);
        has_packed_ = true;
    }

    std::unique_ptr<Call> prepare(const CallSite& site) const override {
        const Shape& a = site.inputs[0].shape;
        const Sizes sizes = sizes_of(op_, a, site.inputs[1].shape);
        if (has_packed_ && !sizes.a_transposed) {
            std::size_t rows = 1;
            for (std::size_t i = 0; i + 1 < a.size(); ++i) rows *= a[i];
            return std::make_unique<PackedCall>(*kernel_, packed_.view,
                                                static_cast<std::int64_t>(rows));
        }
        return std::make_unique<GeneralCall>(*kernel_, sizes, site);
    }

private:
    static std::string reason_of(const Tensor& b, const Tensor& bias) {
        if (!b) return "right side packed in each run";
        return bias ? "constant right side, packed once with the bias"
                    : "constant right side, packed once";
    }

    const ops::MatMul& op_;
    std::shared_ptr<const GemmKernel> kernel_;
    PackedMatrix packed_;
    bool has_packed_ = false;
};

class FusedMatMulNode final : public MatMulNode {
public:
    FusedMatMulNode(const FusedMatMul& op, const ops::MatMul& product,
                    const CompileContext& context)
        : MatMulNode(op, product, context, constant_input(op, FusedMatMul::kB),
                     constant_input(op, FusedMatMul::kBias)),
          product_(product),
          parts_{{*op.parts()[1].op, kernel_name()}} {}

    ShownOp shown() const override { return {product_.name(), product_.type_name()}; }
    std::span<const NodePart> parts() const override { return parts_; }

private:
    const ops::MatMul& product_;
    std::vector<NodePart> parts_;
};

}  // namespace

std::unique_ptr<CpuNode> make_matmul_node(const Node& node, const CompileContext& context) {
    if (!all_f32(node, 0, 2)) return make_reference_node(node, "the kernel takes f32 only");
    const auto& op = dynamic_cast<const ops::MatMul&>(node);
    Tensor b = constant_input(node, 1);
    if (b && b.shape().size() > 2) b = {};
    return std::make_unique<MatMulNode>(node, op, context, b, Tensor());
}

std::unique_ptr<CpuNode> make_fused_matmul_node(const Node& node, const CompileContext& context) {
    const auto& op = dynamic_cast<const FusedMatMul&>(node);
    const auto& product = dynamic_cast<const ops::MatMul&>(*op.parts()[0].op);
    return std::make_unique<FusedMatMulNode>(op, product, context);
}

}  // namespace rondo::cpu
