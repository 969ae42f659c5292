// MatMul, alone or with a bias and an epilogue: packs a constant right side once. Integers are
// multiplied in plain loops.
#include "core/ops/product/matmul.hpp"

#include <algorithm>
#include <cstring>
#include <optional>

#include "core/ops/elementwise/elementwise_ops.hpp"
#include "plugins/cpu/kernels/choice/kernel_list.hpp"
#include "plugins/cpu/kernels/elementwise/narrow_convert.hpp"
#include "plugins/cpu/kernels/movement/strided_copy.hpp"
#include "plugins/cpu/kernels/product/compressed_gemm.hpp"
#include "plugins/cpu/kernels/product/few_rows.hpp"
#include "plugins/cpu/kernels/product/integer_gemm.hpp"
#include "plugins/cpu/kernels/product/row_converter.hpp"
#include "plugins/cpu/kernels/threads/share.hpp"
#include "plugins/cpu/nodes/common/epilogue.hpp"
#include "plugins/cpu/nodes/common/extents.hpp"
#include "plugins/cpu/nodes/common/makers.hpp"
#include "plugins/cpu/nodes/common/widened_call.hpp"
#include "plugins/cpu/nodes/product/matmul_sizes.hpp"
#include "plugins/cpu/ops/compressed_matrix.hpp"
#include "plugins/cpu/ops/fused_op.hpp"
#include "transformations/simplify/compressed_weights.hpp"

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

std::int64_t rows_of(const Shape& a) { return extents_product(a, 0, a.empty() ? 0 : a.size() - 1); }

// B packed at compile time, one matrix for all of A's rows.
std::unique_ptr<Call> make_packed_call(const GemmKernel& kernel, const PackedView& b,
                                       std::int64_t rows, std::optional<Epilogue> epilogue) {
    return make_call(
        std::move(epilogue), [&kernel, &b, rows](const RunArgs& args, const EpilogueRun& own) {
            run_product(kernel, b, dense_rows(rows, args.inputs[0], b.k, own.result(), b.n),
                        args.team, own);
        });
}

// The same with a B that is compressed.
std::unique_ptr<Call> make_compressed_call(const CompressedGemm& product, std::int64_t rows,
                                           int threads, std::optional<Epilogue> epilogue) {
    const std::size_t widened = product.scratch_bytes(rows, threads);
    const auto run = [&product, rows](const RunArgs& args, const EpilogueRun& own) {
        const std::int64_t n = product.n();
        const GemmArgs gemm = dense_rows(rows, args.inputs[0], product.k(), own.result(), n);
        with_epilogue(n, own, 0, [&](const BlockWork* work) {
            product.run(gemm, args.team, work, own.scratch());
        });
    };
    return make_call(std::move(epilogue), run,
                     {widened, widened == 0 ? "B widened in registers" : "B widened in the cache"});
}

bool suits_few_rows(const MatMulSizes& sizes) {
    const bool as_it_lies = !sizes.b_transposed && (!sizes.a_transposed || sizes.m == 1);
    return as_it_lies && FewRows::suits({sizes.m, sizes.k, sizes.n});
}

// Few rows, any batch and origin of B, which is read as it lies.
std::unique_ptr<Call> make_few_rows_call(const TapKernel& kernel, Precision precision,
                                         const MatMulSizes& sizes, const CallSite& site,
                                         std::optional<Epilogue> epilogue) {
    const FewRows rows(kernel, precision, {sizes.m, sizes.k, sizes.n}, site.threads);
    const auto run = [rows, sizes, batch = batch_loop(site),
                      element = static_cast<std::int64_t>(bytes_of(precision))](
                         const RunArgs& args, const EpilogueRun& own) {
        for_each_matrix(batch, [&](std::int64_t a, std::int64_t b, std::int64_t c) {
            const std::int64_t first = c * sizes.m * sizes.n;
            const auto finish = [&](Range done) {
                own.block(first + done.begin, first + done.end);
            };
            const FunctionRef<void(Range)> done(finish);
            rows.run({at(args.inputs[0], a * sizes.m * sizes.k * element),
                      at(args.inputs[1], b * sizes.k * sizes.n * element),
                      at(own.result(), first * element), own.scratch(),
                      own.by_blocks() ? &done : nullptr},
                     args.team);
        });
    };
    return make_call(std::move(epilogue), run, {rows.scratch_bytes(), "B as it lies"});
}

// Any batch, transposition and origin of B: packs B, and A where it is transposed, into scratch.
std::unique_ptr<Call> make_general_call(const GemmKernel& kernel, const MatMulSizes& sizes,
                                        const CallSite& site, std::optional<Epilogue> epilogue) {
    const std::int64_t element = kernel.scalar_bytes();
    const std::size_t packed_bytes = whole_lines(kernel.packed_bytes(sizes.k, sizes.n));
    std::size_t a_bytes = 0;
    StridedCopy transpose_a;
    if (sizes.a_transposed) {
        a_bytes = whole_lines(static_cast<std::size_t>(sizes.m * sizes.k * element));
        transpose_a = StridedCopy({element,
                                   {sizes.m, sizes.k},
                                   {element, sizes.m * element},
                                   {sizes.k * element, element}});
    }
    const auto run = [&kernel, sizes, element, packed_bytes, transpose_a, batch = batch_loop(site)](
                         const RunArgs& args, const EpilogueRun& own) {
        for_each_matrix(batch, [&](std::int64_t a_number, std::int64_t b_number, std::int64_t c) {
            const void* a = at(args.inputs[0], a_number * sizes.m * sizes.k * element);
            const void* b = at(args.inputs[1], b_number * sizes.k * sizes.n * element);
            const PackedView view = kernel.pack_into(view_of(b, sizes), nullptr, own.scratch());
            if (sizes.a_transposed) {
                void* rows = static_cast<char*>(own.scratch()) + packed_bytes;
                transpose_a.run(a, rows, args.team);
                a = rows;
            }
            const std::int64_t first = c * sizes.m * sizes.n;
            void* to = at(own.result(), first * element);
            run_product(kernel, view, dense_rows(sizes.m, a, sizes.k, to, sizes.n), args.team, own,
                        first);
        });
    };
    return make_call(std::move(epilogue), run, {packed_bytes + a_bytes});
}

constexpr std::int64_t kFewestRows = 8;
constexpr std::int64_t kPackedElements = 1 << 13;  // that stay in the first-level cache
constexpr std::int64_t kElementsWorthAThread = 1 << 15;

// True for products of all rows of input 0 with one column, the same for all, where vectors of
// columns would stay empty but rows fill them.
bool suits_column(const CallSite& site, const MatMulSizes& sizes) {
    if (site.inputs.size() < 2 || sizes.n != 1 || sizes.a_transposed) return false;
    return site.inputs[1].shape.size() <= 2 && rows_of(site.inputs[0].shape) >= kFewestRows;
}

// Some rows at a time are packed as if they were columns of a right side. The inputs have the
// kernel's precision. The sums are those of any other call.
std::unique_ptr<Call> make_column_call(const GemmKernel& kernel, const CallSite& site,
                                       std::int64_t k, std::optional<Epilogue> epilogue) {
    const std::int64_t in_block =  // rows
        std::clamp<std::int64_t>(kPackedElements / std::max<std::int64_t>(k, 1), kernel.lanes(),
                                 8 * kernel.lanes());
    const SliceScratch scratch(kernel.packed_bytes(k, in_block), site.threads);
    const auto run = [&kernel, k, in_block, scratch, rows = rows_of(site.inputs[0].shape)](
                         const RunArgs& args, const EpilogueRun& own) {
        const std::int64_t bytes = kernel.scalar_bytes();
        const auto block = [&](std::int64_t begin, std::int64_t end, void* memory) {
            const void* some = at(args.inputs[0], begin * k * bytes);
            const GemmArgs gemm =
                dense_rows(1, args.inputs[1], k, at(own.result(), begin * bytes), end - begin);
            kernel.run(kernel.pack_into(transposed(some, k, end - begin), nullptr, memory), gemm);
        };
        scratch.share(args.team, rows, kElementsWorthAThread / (k + 1) + 1, own.scratch(),
                      [&](std::int64_t begin, std::int64_t end, void* memory) {
                          for (; begin < end; begin += in_block) {
                              const std::int64_t stop = std::min(begin + in_block, end);
                              block(begin, stop, memory);
                              if (own.by_blocks()) own.block(begin, stop);
                          }
                      });
    };
    return make_call(std::move(epilogue), run, {scratch.bytes(), "one column"});
}

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

Tensor bias_of(const Node& node) {
    const auto* fused = as_op<FusedMatMul>(node);
    return fused != nullptr && fused->has_bias() ? constant_input(node, FusedMatMul::kBias)
                                                 : Tensor();
}

std::size_t product_parts_of(const Node& node) {
    const auto* fused = as_op<FusedMatMul>(node);
    return fused == nullptr ? 1 : fused->product_parts();
}

// Floating types; 16-bit ones are computed in f32. A constant right side keeps its 16 bits. A fused
// one is shown as the product.
class MatMulNode final : public CpuNode {
public:
    MatMulNode(const Node& node, const CompileContext& context)
        : MatMulNode(node, context, right_side(node, context), bias_of(node)) {}

    std::vector<ReadPort> packed() const override {
        if (!is_always_packed_) return {};
        return {{&node(), FusedMatMul::kB}};
    }

    std::unique_ptr<Call> prepare(const CallSite& site) const override {
        return epilogues_.prepare(site, [&](const CallSite& own, std::optional<Epilogue> epilogue) {
            const auto make_it = [&](const CallSite& wide) {
                return make(wide, std::move(epilogue));
            };
            if (!is_half(own.inputs[0].type) || !is_packed(own)) {
                return make_widened_call(own, isa_, make_it);
            }
            return make_widened_call({own.inputs.first(1), own.outputs, own.threads}, isa_,
                                     make_it);
        });
    }

private:
    // `bias`: a constant, or empty; one needs a right side that is known.
    MatMulNode(const Node& node, const CompileContext& context, const RightSide& right,
               const Tensor& bias)
        : CpuNode(node, name_of_kernel(product_of<ops::MatMul>(node), context, right),
                  reason_of(right, bias)),
          op_(product_of<ops::MatMul>(node)),
          isa_(context.isa),
          has_bias_(bias),
          epilogues_(context.isa, node, product_parts_of(node)) {
        show_parts();
        const bool is_double = op_.output_type(0) == ElementType::f64;
        kernel_ = shared_gemm_kernel(isa_, is_double ? ElementType::f64 : ElementType::f32);
        if (!right) {
            weighted_sum_ = shared_tap_kernel(
                isa_, {TapFunction::weighted_sum, precision_of(kernel_->weights())});
            return;
        }
        if (right.compressed != nullptr) {
            compressed_ =
                compressed_product(*right.compressed, op_.transpose_b(), bias, isa_, kernel_);
            is_always_packed_ = true;
            return;
        }
        const Tensor& b = right.constant;
        const MatMulSizes sizes = matmul_sizes_of(op_, {numbers_of_row(op_, b)}, b.shape());
        const bool rounds = rounds_to_bf16(op_, context, b);
        const Tensor weights = rounds ? rounded_to_bf16(b) : b;
        packed_kernel_ = shared_gemm_kernel(isa_, rounds ? kBf16 : WeightFormat(b.element_type()));
        packed_ =
            packed_kernel_->pack(view_of(weights.data(), sizes), bias ? bias.data() : nullptr);
        is_always_packed_ = !op_.transpose_a() && (sizes.n > 1 || !may_be_column());
    }

    // The outputs of the site are those of the product alone.
    std::unique_ptr<Call> make(const CallSite& site, std::optional<Epilogue> epilogue) const {
        if (const auto sizes = column_sizes(site)) {
            return make_column_call(*kernel_, site, sizes->k, std::move(epilogue));
        }
        return is_packed(site) ? make_packed(site, std::move(epilogue))
                               : make_general(site, std::move(epilogue));
    }

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
        const MatMulSizes sizes = matmul_sizes_of(op_, site.inputs[0].shape, site.inputs[1].shape);
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
        const MatMulSizes sizes = matmul_sizes_of(op_, site.inputs[0].shape, site.inputs[1].shape);
        if (weighted_sum_ && suits_few_rows(sizes)) {
            return make_few_rows_call(*weighted_sum_, precision_of(kernel_->weights()), sizes, site,
                                      std::move(epilogue));
        }
        return make_general_call(*kernel_, sizes, site, std::move(epilogue));
    }

    std::unique_ptr<Call> make_packed(const CallSite& site,
                                      std::optional<Epilogue> epilogue) const {
        const std::int64_t rows = rows_of(site.inputs[0].shape);
        if (compressed_ == nullptr) {
            return make_packed_call(*packed_kernel_, packed_.view, rows, std::move(epilogue));
        }
        return make_compressed_call(*compressed_, rows, site.threads, std::move(epilogue));
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
    Epilogues epilogues_;
};

std::unique_ptr<Call> prepare_integer_product(const ops::MatMul& op, const CallSite& site) {
    constexpr std::int64_t kGrain = 1 << 16;  // products that are worth a thread
    const MatMulSizes sizes = matmul_sizes_of(op, site.inputs[0].shape, site.inputs[1].shape);
    IntegerGemm product;  // without pointers
    product.m = sizes.m;
    product.k = sizes.k;
    product.n = sizes.n;
    product.a_row = sizes.a_transposed ? 1 : sizes.k;
    product.a_column = sizes.a_transposed ? sizes.m : 1;
    product.b_row = sizes.b_transposed ? 1 : sizes.n;
    product.b_column = sizes.b_transposed ? sizes.k : 1;
    return make_call([product, type = site.inputs[0].type, batch = batch_loop(site),
                      element = element_bytes(site.inputs[0].type)](const RunArgs& args) {
        for_each_matrix(batch, [&](std::int64_t a, std::int64_t b, std::int64_t c) {
            IntegerGemm gemm = product;
            gemm.a = at(args.inputs[0], a * gemm.m * gemm.k * element);
            gemm.b = at(args.inputs[1], b * gemm.k * gemm.n * element);
            gemm.c = at(args.outputs[0], c * gemm.m * gemm.n * element);
            share(args.team, gemm.m, kGrain / (gemm.k * gemm.n + 1) + 1,
                  [&](std::int64_t begin, std::int64_t end) {
                      integer_gemm(type, gemm, begin, end);
                  });
        });
    });
}

}  // namespace

std::unique_ptr<CpuNode> make_matmul_node(const Node& node, const CompileContext& context) {
    const auto& op = product_of<ops::MatMul>(node);
    if (!is_integral(op.output_type(0))) return std::make_unique<MatMulNode>(node, context);
    return make_function_node(op, {"gemm_plain", "integers, in plain loops"},
                              prepare_integer_product);
}

}  // namespace rondo::cpu
