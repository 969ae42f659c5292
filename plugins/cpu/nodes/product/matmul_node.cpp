// MatMul, alone or with a bias and an epilogue: packs a constant right side once.
#include "core/ops/product/matmul.hpp"

#include <algorithm>
#include <cstring>
#include <optional>

#include "core/ops/elementwise/elementwise_ops.hpp"
#include "plugins/cpu/kernels/choice/shared_kernels.hpp"
#include "plugins/cpu/kernels/elementwise/narrow_convert.hpp"
#include "plugins/cpu/kernels/movement/strided_copy.hpp"
#include "plugins/cpu/kernels/product/compressed_gemm.hpp"
#include "plugins/cpu/kernels/product/few_rows.hpp"
#include "plugins/cpu/nodes/common/epilogue.hpp"
#include "plugins/cpu/nodes/common/shown_parts.hpp"
#include "plugins/cpu/nodes/common/widened_call.hpp"
#include "plugins/cpu/nodes/product/column_call.hpp"
#include "plugins/cpu/nodes/product/makers.hpp"
#include "plugins/cpu/nodes/product/matmul_sizes.hpp"
#include "plugins/cpu/nodes/product/rounded_weights.hpp"
#include "plugins/cpu/ops/compressed_matrix.hpp"
#include "plugins/cpu/ops/fused_op.hpp"
#include "transformations/common/compressed_weights.hpp"

namespace rondo::cpu {
namespace {

MatrixView view_of(const void* b, const MatMulSizes& sizes) {
    return sizes.b_transposed ? transposed(b, sizes.k, sizes.n) : row_major(b, sizes.k, sizes.n);
}

// Calls run(what follows a block, or null). C is dense, of n columns, and its first element is
// number `first` of the result.
template <typename Run>
void with_epilogue(std::int64_t n, const EpilogueRun& epilogue, std::int64_t first, Run run) {
    if (!epilogue.by_blocks()) return run(nullptr);
    const auto done = [&](Range rows, Range columns) {
        if (columns.size() == n) {
            return epilogue.block(first + rows.begin * n, first + rows.end * n);
        }
        for (std::int64_t row = rows.begin; row < rows.end; ++row) {
            const std::int64_t start = first + row * n;
            epilogue.block(start + columns.begin, start + columns.end);
        }
    };
    const BlockWork work{done, kFlopsWorthAThread / epilogue.grain()};
    run(&work);
}

void run_product(const GemmKernel& kernel, const PackedView& b, const GemmArgs& gemm, Team& team,
                 const EpilogueRun& epilogue, std::int64_t first = 0) {
    with_epilogue(b.n, epilogue, first, [&](const BlockWork* work) {
        work == nullptr ? kernel.run(b, gemm, team) : kernel.run(b, gemm, team, *work);
    });
}

GemmArgs dense_rows(std::int64_t rows, const void* a, std::int64_t k, void* c, std::int64_t n) {
    GemmArgs gemm;
    gemm.m = rows;
    gemm.a = a;
    gemm.a_stride = k;
    gemm.c = c;
    gemm.c_stride = n;
    return gemm;
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
        run_product(kernel_, b_, dense_rows(rows_, args.inputs[0], b_.k, epilogue.result(), b_.n),
                    args.team, epilogue);
        epilogue.finish();
    }

private:
    const GemmKernel& kernel_;
    const PackedView& b_;
    std::int64_t rows_;
    std::optional<Epilogue> epilogue_;
};

// The same with a B that is compressed.
class CompressedCall final : public Call {
public:
    CompressedCall(const CompressedGemm& product, std::int64_t rows, int threads,
                   std::optional<Epilogue> epilogue)
        : product_(product),
          rows_(rows),
          widened_bytes_(product.scratch_bytes(rows, threads)),
          epilogue_(std::move(epilogue)) {}

    std::size_t scratch_bytes() const override {
        return widened_bytes_ + (epilogue_ ? epilogue_->scratch_bytes() : 0);
    }
    std::string detail() const override {
        return widened_bytes_ == 0 ? "B widened in registers" : "B widened in the cache";
    }

    void run(const RunArgs& args) const override {
        const EpilogueRun epilogue(epilogue_ ? &*epilogue_ : nullptr, args);
        const std::int64_t n = product_.n();
        const GemmArgs gemm = dense_rows(rows_, args.inputs[0], product_.k(), epilogue.result(), n);
        with_epilogue(n, epilogue, 0, [&](const BlockWork* work) {
            product_.run(gemm, args.team, work, epilogue.scratch());
        });
        epilogue.finish();
    }

private:
    const CompressedGemm& product_;
    std::int64_t rows_;
    std::size_t widened_bytes_;
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
        if (sizes_.a_transposed) {
            void* rows = static_cast<char*>(epilogue.scratch()) + packed_bytes();
            transpose_a_.run(a, rows, args.team);
            a = rows;
        }
        void* c = at(epilogue.result(), first * element_);
        run_product(kernel_, view, dense_rows(sizes_.m, a, sizes_.k, c, sizes_.n), args.team,
                    epilogue, first);
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

// B: a constant that is no batch, or a matrix that stays compressed; else nothing.
struct RightSide {
    Tensor constant;
    const CompressedMatrix* compressed = nullptr;

    explicit operator bool() const { return constant || compressed != nullptr; }
    Shape shape() const {
        return compressed != nullptr ? compressed->output_shape(0).to_shape() : constant.shape();
    }
};

// A compressed matrix that is to be rounded to bf16 becomes a constant.
RightSide right_side(const Node& node, const CompileContext& context) {
    const auto* compressed = as_op<CompressedMatrix>(node.input(FusedMatMul::kB).node());
    if (compressed == nullptr) {
        const Tensor b = constant_input(node, FusedMatMul::kB);
        return {b && b.shape().size() > 2 ? Tensor() : b};
    }
    if (!context.bf16) return {{}, compressed};
    std::vector<Tensor> inputs;
    for (const Output& input : compressed->inputs()) inputs.push_back(known_value(input));
    std::vector<Tensor> result{Tensor(ElementType::f32, compressed->output_shape(0).to_shape())};
    compressed->evaluate(inputs, result);
    return {result.front()};
}

// Without the chain.
passes::CompressedWeights weights_of(const CompressedMatrix& matrix) {
    const bool has_zero = is(*matrix.parts()[1].op, ops::BinaryFunction::subtract);
    passes::CompressedWeights weights;
    weights.integers = known_value(matrix.input(0));
    if (has_zero) weights.zero_point = matrix.input(1);
    weights.scale = matrix.input(has_zero ? 2 : 1);
    weights.computed = matrix.parts()[0].op->output_type(0);
    return weights;
}

// As u8: those that are signed plus 128, and their zero points, too.
Tensor bytes_of_integers(const Tensor& integers, std::vector<float>& zeros) {
    const ElementType type = integers.element_type();
    if (type == ElementType::u8) return integers;
    const bool is_signed =
        type == ElementType::i8 || type == ElementType::i4 || type == ElementType::i2;
    Tensor bytes(ElementType::u8, integers.shape());
    auto* to = bytes.data<std::uint8_t>();
    if (type == ElementType::i8) {
        std::memcpy(to, integers.data(), integers.byte_size());
    } else {
        NarrowConvert(type, is_signed ? ElementType::i8 : ElementType::u8, {})
            .run(integers.data(), to, static_cast<std::int64_t>(integers.size()));
    }
    if (!is_signed) return bytes;
    constexpr std::uint8_t kOffset = 128;
    std::for_each(to, to + bytes.size(), [](std::uint8_t& byte) { byte ^= kOffset; });
    for (float& zero : zeros) zero += kOffset;
    return bytes;
}

std::unique_ptr<CompressedGemm> compressed_product(const CompressedMatrix& matrix, bool transposed,
                                                   const Tensor& bias, Isa isa,
                                                   std::shared_ptr<const GemmKernel> kernel) {
    const passes::CompressedWeights weights = weights_of(matrix);
    auto layout = passes::layout_of(weights, matrix.output_shape(0).to_shape(), transposed);
    internal_check(layout.has_value(), "a compressed matrix without a layout");
    const Tensor values = bytes_of_integers(weights.integers.contiguous(), layout->zeros);
    return std::make_unique<CompressedGemm>(
        isa, std::move(kernel),
        CompressedBytes{layout->n, layout->k, layout->group, transposed ? layout->k : 1,
                        transposed ? 1 : layout->n, values.data<std::uint8_t>(),
                        layout->zeros.data(), layout->scales.data(),
                        weights.computed == ElementType::f16},
        bias ? bias.data<float>() : nullptr);
}

// Floating types; 16-bit ones are computed in f32. A constant right side keeps its 16 bits.
class MatMulNode : public CpuNode {
public:
    // `node` runs the product of `op`, which may be a part of it. `bias`: a constant, or empty; one
    // needs a right side that is known.
    MatMulNode(const Node& node, const ops::MatMul& op, const CompileContext& context,
               const RightSide& right, const Tensor& bias)
        : CpuNode(node, name_of_kernel(op, context, right), reason_of(right, bias)),
          op_(op),
          isa_(context.isa),
          has_bias_(bias) {
        const bool is_double = op.output_type(0) == ElementType::f64;
        kernel_ = shared_gemm_kernel(isa_, is_double ? ElementType::f64 : ElementType::f32);
        if (!right) {
            weighted_sum_ = shared_tap_kernel(
                isa_, {TapFunction::weighted_sum, precision_of(kernel_->weights())});
            return;
        }
        if (right.compressed != nullptr) {
            compressed_ =
                compressed_product(*right.compressed, op.transpose_b(), bias, isa_, kernel_);
            is_always_packed_ = true;
            return;
        }
        const Tensor& b = right.constant;
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
        if (compressed_ != nullptr) return true;
        return packed_kernel_ != nullptr && (site.inputs[0].shape.size() < 2 || !op_.transpose_a());
    }

    // A bias and a column of 16 bits are packed with it.
    bool may_be_column() const {
        if (compressed_ != nullptr) return false;
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
                                      const RightSide& right) {
        if (!rounds_to_bf16(op, context, right.constant)) {
            return "gemm_" + kernel_suffix(context.isa, op.output_type(0));
        }
        return std::string("gemm_") + name_of(context.isa) + "_" + name_of(kBf16);
    }

    static std::string reason_of(const RightSide& right, const Tensor& bias) {
        if (right.compressed != nullptr) {
            return "the right side stays compressed, a byte each number";
        }
        if (!right) return "right side packed in each run, or read as it lies by few rows";
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
        if (compressed_ != nullptr) {
            return std::make_unique<CompressedCall>(*compressed_, rows, site.threads,
                                                    std::move(epilogue));
        }
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
    std::unique_ptr<CompressedGemm> compressed_;  // instead
    bool is_always_packed_ = false;               // for all sizes
};

// Shown as the product.
class FusedMatMulNode final : public MatMulNode {
public:
    FusedMatMulNode(const FusedMatMul& op, const ops::MatMul& product,
                    const CompileContext& context)
        : MatMulNode(op, product, context, right_side(op, context),
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
    return std::make_unique<MatMulNode>(node, op, context, right_side(node, context), Tensor());
}

std::unique_ptr<CpuNode> make_fused_matmul_node(const Node& node, const CompileContext& context) {
    const auto& op = dynamic_cast<const FusedMatMul&>(node);
    const auto& product = dynamic_cast<const ops::MatMul&>(*op.parts()[0].op);
    return std::make_unique<FusedMatMulNode>(op, product, context);
}

}  // namespace rondo::cpu
