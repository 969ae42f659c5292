// MatMul, alone or with a bias and an epilogue: packs a constant right side once.
#include "core/ops/product/matmul.hpp"

#include <algorithm>
#include <optional>

#include "plugins/cpu/kernels/choice/shared_kernels.hpp"
#include "plugins/cpu/kernels/movement/strided_copy.hpp"
#include "plugins/cpu/kernels/product/few_rows.hpp"
#include "plugins/cpu/nodes/common/epilogue.hpp"
#include "plugins/cpu/nodes/common/shown_parts.hpp"
#include "plugins/cpu/nodes/common/widened_call.hpp"
#include "plugins/cpu/nodes/product/column_call.hpp"
#include "plugins/cpu/nodes/product/makers.hpp"
#include "plugins/cpu/nodes/product/matmul_sizes.hpp"
#include "plugins/cpu/nodes/product/rounded_weights.hpp"
#include "plugins/cpu/ops/fused_op.hpp"

namespace rondo::cpu {
namespace {

MatrixView view_of(const void* b, const MatMulSizes& sizes) {
    return sizes.b_transposed ? transposed(b, sizes.k, sizes.n) : row_major(b, sizes.k, sizes.n);
}

// C is dense, and its first element is number `first` of the result.
void run_product(const GemmKernel& kernel, const PackedView& b, const GemmArgs& gemm, Team& team,
                 const EpilogueRun& epilogue, std::int64_t first = 0) {
    if (!epilogue.by_blocks()) return kernel.run(b, gemm, team);
    const auto done = [&](Range rows, Range columns) {
        if (columns.size() == b.n) {
            return epilogue.block(first + rows.begin * b.n, first + rows.end * b.n);
        }
        for (std::int64_t row = rows.begin; row < rows.end; ++row) {
            const std::int64_t start = first + row * b.n;
            epilogue.block(start + columns.begin, start + columns.end);
        }
    };
    kernel.run(b, gemm, team, {done, kFlopsWorthAThread / epilogue.grain()});
}

// B packed at compile time, one matrix for all of A's rows.
class PackedCall final : public Call {
public:
    PackedCall(const GemmKernel& kernel, const PackedView& b, std::int64_t rows,
               std::optional<Epilogue> epilogue)
        : kernel_(kernel), b_(b), rows_(rows), epilogue_(std::move(epilogue)) {}

    std::size_t scratch_bytes() const override {
        return epilogue_ ? epilogue_->scratch_bytes() : 0;
    }

    void run(const RunArgs& args) const override {
        const EpilogueRun epilogue(epilogue_ ? &*epilogue_ : nullptr, args);
        GemmArgs gemm;
        gemm.m = rows_;
        gemm.a = args.inputs[0];
        gemm.a_stride = b_.k;
        gemm.c = epilogue.result();
        gemm.c_stride = b_.n;
        run_product(kernel_, b_, gemm, args.team, epilogue);
        epilogue.finish();
    }

private:
    const GemmKernel& kernel_;
    const PackedView& b_;
    std::int64_t rows_;
    std::optional<Epilogue> epilogue_;
};

bool suits_few_rows(const MatMulSizes& sizes) {
    const bool as_it_lies = !sizes.b_transposed && (!sizes.a_transposed || sizes.m == 1);
    return as_it_lies && FewRows::suits({sizes.m, sizes.k, sizes.n});
}

// Few rows, any batch and origin of B, which is read as it lies.
class FewRowsCall final : public Call {
public:
    FewRowsCall(const TapKernel& kernel, Precision precision, const MatMulSizes& sizes,
                const CallSite& site, std::optional<Epilogue> epilogue)
        : sizes_(sizes),
          element_(static_cast<std::int64_t>(bytes_of(precision))),
          rows_(kernel, precision, {sizes.m, sizes.k, sizes.n}, site.threads),
          batch_(batch_loop(site)),
          epilogue_(std::move(epilogue)) {}

    std::size_t scratch_bytes() const override {
        return rows_.scratch_bytes() + (epilogue_ ? epilogue_->scratch_bytes() : 0);
    }
    std::string detail() const override { return "B as it lies"; }

    void run(const RunArgs& args) const override {
        const EpilogueRun epilogue(epilogue_ ? &*epilogue_ : nullptr, args);
        for_each_matrix(batch_, [&](std::int64_t a, std::int64_t b, std::int64_t c) {
            const std::int64_t first = c * sizes_.m * sizes_.n;
            const auto finish = [&](Range done) {
                epilogue.block(first + done.begin, first + done.end);
            };
            const FunctionRef<void(Range)> done(finish);
            rows_.run({at(args.inputs[0], a * sizes_.m * sizes_.k * element_),
                       at(args.inputs[1], b * sizes_.k * sizes_.n * element_),
                       at(epilogue.result(), first * element_), epilogue.scratch(),
                       epilogue.by_blocks() ? &done : nullptr},
                      args.team);
        });
        epilogue.finish();
    }

private:
    MatMulSizes sizes_;
    std::int64_t element_;  // bytes
    FewRows rows_;
    NdLoop<3> batch_;
    std::optional<Epilogue> epilogue_;
};

// Any batch, transposition and origin of B: packs B, and A where it is transposed, into scratch.
class GeneralCall final : public Call {
public:
    GeneralCall(const GemmKernel& kernel, const MatMulSizes& sizes, const CallSite& site,
                std::optional<Epilogue> epilogue)
        : kernel_(kernel),
          sizes_(sizes),
          element_(kernel.scalar_bytes()),
          batch_(batch_loop(site)),
          epilogue_(std::move(epilogue)) {
        if (!sizes.a_transposed) return;
        transpose_a_ = StridedCopy({element_,
                                    {sizes.m, sizes.k},
                                    {element_, sizes.m * element_},
                                    {sizes.k * element_, element_}});
    }

    std::size_t scratch_bytes() const override {
        return packed_bytes() + a_bytes() + (epilogue_ ? epilogue_->scratch_bytes() : 0);
    }

    void run(const RunArgs& args) const override {
        const EpilogueRun epilogue(epilogue_ ? &*epilogue_ : nullptr, args);
        for_each_matrix(batch_, [&](std::int64_t a, std::int64_t b, std::int64_t c) {
            one(args, epilogue, {a, b, c});
        });
        epilogue.finish();
    }

private:
    std::size_t packed_bytes() const {
        return whole_lines(kernel_.packed_bytes(sizes_.k, sizes_.n));
    }
    std::size_t a_bytes() const {
        if (!sizes_.a_transposed) return 0;
        return whole_lines(static_cast<std::size_t>(sizes_.m * sizes_.k * element_));
    }

    struct Matrices {
        std::int64_t a, b, c;  // numbers
    };

    void one(const RunArgs& args, const EpilogueRun& epilogue, const Matrices& number) const {
        const void* a = at(args.inputs[0], number.a * sizes_.m * sizes_.k * element_);
        const void* b = at(args.inputs[1], number.b * sizes_.k * sizes_.n * element_);
        const std::int64_t first = number.c * sizes_.m * sizes_.n;
        const PackedView view = kernel_.pack_into(view_of(b, sizes_), nullptr, epilogue.scratch());
        GemmArgs gemm;
        gemm.m = sizes_.m;
        gemm.a = a;
        if (sizes_.a_transposed) {
            void* rows = static_cast<char*>(epilogue.scratch()) + packed_bytes();
            transpose_a_.run(a, rows, args.team);
            gemm.a = rows;
        }
        gemm.a_stride = sizes_.k;
        gemm.c = at(epilogue.result(), first * element_);
        gemm.c_stride = sizes_.n;
        run_product(kernel_, view, gemm, args.team, epilogue, first);
    }

    const GemmKernel& kernel_;
    MatMulSizes sizes_;
    std::int64_t element_;  // bytes
    NdLoop<3> batch_;
    StridedCopy transpose_a_;
    std::optional<Epilogue> epilogue_;
};

Tensor constant_input(const Node& node, std::size_t input) {
    const Tensor value = known_value(node.input(input));
    return value ? value.contiguous() : Tensor();
}

// B, if it is a constant and no batch.
Tensor constant_matrix(const Node& node) {
    const Tensor b = constant_input(node, FusedMatMul::kB);
    return b && b.shape().size() > 2 ? Tensor() : b;
}

// Floating types; 16-bit ones are computed in f32. A constant right side keeps its 16 bits.
class MatMulNode : public CpuNode {
public:
    // `node` runs the product of `op`, which may be a part of it. `b` and `bias`: constants, or
    // empty; a bias needs a constant b.
    MatMulNode(const Node& node, const ops::MatMul& op, const CompileContext& context,
               const Tensor& b, const Tensor& bias)
        : CpuNode(node, name_of_kernel(op, context, b), reason_of(b, bias)),
          op_(op),
          isa_(context.isa),
          has_bias_(bias) {
        const bool is_double = op.output_type(0) == ElementType::f64;
        kernel_ = shared_gemm_kernel(isa_, is_double ? ElementType::f64 : ElementType::f32);
        if (!b) {
            weighted_sum_ = shared_tap_kernel(
                isa_, {TapFunction::weighted_sum, precision_of(kernel_->weights())});
        }
        if (!b) return;
        const MatMulSizes sizes = sizes_of(op, {numbers_of_row(op, b)}, b.shape());
        const bool rounds = rounds_to_bf16(op, context, b);
        const Tensor weights = rounds ? rounded_to_bf16(b) : b;
        packed_kernel_ = shared_gemm_kernel(isa_, rounds ? kBf16 : WeightFormat(b.element_type()));
        packed_ =
            packed_kernel_->pack(view_of(weights.data(), sizes), bias ? bias.data() : nullptr);
        is_always_packed_ = !op.transpose_a() && (sizes.n > 1 || !may_be_column());
    }

    std::vector<ReadPort> packed() const override {
        if (!is_always_packed_) return {};
        return {{&node(), FusedMatMul::kB}};
    }

    std::unique_ptr<Call> prepare(const CallSite& site) const override {
        const auto make_it = [&](const CallSite& wide) { return make(wide, {}); };
        if (size_of(site.inputs[0].type) != 2) return make_it(site);
        if (!is_packed(site)) return make_widened_call(site, isa_, make_it);
        return make_widened_call({site.inputs.first(1), site.outputs, site.threads}, isa_, make_it);
    }

protected:
    // The outputs of the site are those of the product alone.
    std::unique_ptr<Call> make(const CallSite& site, std::optional<Epilogue> epilogue) const {
        if (const auto sizes = column_sizes(site)) {
            return make_column_call(*kernel_, site, *sizes, std::move(epilogue));
        }
        return is_packed(site) ? make_packed(site, std::move(epilogue))
                               : make_general(site, std::move(epilogue));
    }

private:
    bool is_packed(const CallSite& site) const {
        return packed_kernel_ != nullptr && (site.inputs[0].shape.size() < 2 || !op_.transpose_a());
    }

    // A bias and a column of 16 bits are packed with it.
    bool may_be_column() const {
        return !has_bias_ && (packed_kernel_ == nullptr || packed_kernel_ == kernel_);
    }

    // The sizes where there is one column.
    std::optional<MatMulSizes> column_sizes(const CallSite& site) const {
        if (!may_be_column() || site.inputs.size() < 2) return {};
        const MatMulSizes sizes = sizes_of(op_, site.inputs[0].shape, site.inputs[1].shape);
        return suits_column(site, sizes) ? std::optional(sizes) : std::nullopt;
    }

    static std::size_t numbers_of_row(const ops::MatMul& op, const Tensor& b) {
        return b.shape().size() > 1 && op.transpose_b() ? b.shape()[1] : b.shape()[0];
    }

    static bool rounds_to_bf16(const ops::MatMul& op, const CompileContext& context,
                               const Tensor& b) {
        return context.bf16 && b && !op.transpose_a() && op.output_type(0) != ElementType::f64 &&
               numbers_of_row(op, b) <= static_cast<std::size_t>(kMaxQuantized);
    }

    static std::string name_of_kernel(const ops::MatMul& op, const CompileContext& context,
                                      const Tensor& b) {
        if (!rounds_to_bf16(op, context, b)) {
            return "gemm_" + kernel_suffix(context.isa, op.output_type(0));
        }
        return std::string("gemm_") + name_of(context.isa) + "_" + name_of(kBf16);
    }

    static std::string reason_of(const Tensor& b, const Tensor& bias) {
        if (!b) return "right side packed in each run, or read as it lies by few rows";
        return bias ? "constant right side, packed once with the bias"
                    : "constant right side, packed once";
    }

    std::unique_ptr<Call> make_general(const CallSite& site,
                                       std::optional<Epilogue> epilogue) const {
        const MatMulSizes sizes = sizes_of(op_, site.inputs[0].shape, site.inputs[1].shape);
        if (weighted_sum_ && suits_few_rows(sizes)) {
            return std::make_unique<FewRowsCall>(*weighted_sum_, precision_of(kernel_->weights()),
                                                 sizes, site, std::move(epilogue));
        }
        return std::make_unique<GeneralCall>(*kernel_, sizes, site, std::move(epilogue));
    }

    std::unique_ptr<Call> make_packed(const CallSite& site,
                                      std::optional<Epilogue> epilogue) const {
        const Shape& a = site.inputs[0].shape;
        std::int64_t rows = 1;
        for (std::size_t i = 0; i + 1 < a.size(); ++i) rows *= static_cast<std::int64_t>(a[i]);
        return std::make_unique<PackedCall>(*packed_kernel_, packed_.view, rows,
                                            std::move(epilogue));
    }

    const ops::MatMul& op_;
    Isa isa_;
    bool has_bias_;
    std::shared_ptr<const GemmKernel> kernel_;
    std::shared_ptr<const TapKernel> weighted_sum_;    // null where the right side is a constant
    std::shared_ptr<const GemmKernel> packed_kernel_;  // null where the right side may change
    PackedMatrix packed_;
    bool is_always_packed_ = false;  // for all sizes
};

// Shown as the product.
class FusedMatMulNode final : public MatMulNode {
public:
    FusedMatMulNode(const FusedMatMul& op, const ops::MatMul& product,
                    const CompileContext& context)
        : MatMulNode(op, product, context, constant_matrix(op),
                     op.has_bias() ? constant_input(op, FusedMatMul::kBias) : Tensor()),
          op_(op),
          parts_(parts_behind_first(op, kernel_name())) {
        if (op.has_program()) {
            epilogue_ = make_epilogue_kernel(context.isa, op, op.product_parts());
        }
    }

    ShownOp shown() const override { return shown_first(op_); }
    std::span<const NodePart> parts() const override { return parts_; }

    std::unique_ptr<Call> prepare(const CallSite& site) const override {
        if (!epilogue_) return MatMulNode::prepare(site);
        const TensorInfo result = result_of(op_, op_.product_parts(), site);
        return make({site.inputs, {&result, 1}, site.threads}, Epilogue(*epilogue_, site, result));
    }

private:
    const FusedMatMul& op_;
    std::optional<EpilogueKernel> epilogue_;  // of the parts behind the product
    std::vector<NodePart> parts_;
};

}  // namespace

std::unique_ptr<CpuNode> make_matmul_node(const Node& node, const CompileContext& context) {
    const auto& op = dynamic_cast<const ops::MatMul&>(node);
    if (is_integral(node.output_type(0))) return make_integer_matmul_node(op);
    return std::make_unique<MatMulNode>(node, op, context, constant_matrix(node), Tensor());
}

std::unique_ptr<CpuNode> make_fused_matmul_node(const Node& node, const CompileContext& context) {
    const auto& op = dynamic_cast<const FusedMatMul&>(node);
    const auto& product = dynamic_cast<const ops::MatMul&>(*op.parts()[0].op);
    return std::make_unique<FusedMatMulNode>(op, product, context);
}

}  // namespace rondo::cpu
