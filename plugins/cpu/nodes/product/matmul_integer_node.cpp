// MatMulInteger: packs a constant right side once.
#include "core/ops/product/matmul.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>
#include <vector>

#include "plugins/cpu/kernels/choice/kernel_list.hpp"
#include "plugins/cpu/kernels/machine/shared_bytes.hpp"
#include "plugins/cpu/kernels/product/byte_gemm.hpp"
#include "plugins/cpu/kernels/threads/share.hpp"
#include "plugins/cpu/nodes/common/epilogue.hpp"
#include "plugins/cpu/nodes/common/extents.hpp"
#include "plugins/cpu/nodes/common/makers.hpp"
#include "plugins/cpu/nodes/product/matmul_sizes.hpp"
#include "plugins/cpu/ops/fused_op.hpp"

namespace rondo::cpu {
namespace {

constexpr std::int64_t kOpsWorthAThread = 1 << 18;
constexpr std::int64_t kResultBytes = 4;   // of i32 or f32
constexpr std::int64_t kRowsOfATile = 64;  // rows that are multiplied by one panel after another

// One product of the batch, [M,K] x [K,N], and how many zero points it has.
struct Sizes {
    std::int64_t m = 1;
    std::int64_t k = 1;
    std::int64_t n = 1;
    std::int64_t a_zeros = 1;  // 1 or M
    std::int64_t b_zeros = 1;  // 1 or N
};

std::int64_t extent_from_end(const Shape& shape, std::size_t from_end) {
    return shape.size() < from_end ? 1 : static_cast<std::int64_t>(shape[shape.size() - from_end]);
}

Sizes integer_sizes_of(std::span<const TensorInfo> inputs) {
    const Shape& a = inputs[0].shape;
    const Shape& b = inputs[1].shape;
    Sizes sizes;
    sizes.k = extent_from_end(a, 1);
    sizes.m = extent_from_end(a, 2);
    if (b.size() > 1) sizes.n = extent_from_end(b, 1);
    if (a.size() > 1) sizes.a_zeros = extent_from_end(inputs[2].shape, 2);
    if (b.size() > 1) sizes.b_zeros = extent_from_end(inputs[3].shape, 1);
    return sizes;
}

// The axes in front of the result's matrices; offsets count matrices of a, b, their zero points
// and the result.
NdLoop<5> integer_batch_loop(const CallSite& site) {
    const Shape& result = site.outputs[0].shape;
    std::array<Shape, 4> shapes;
    std::array<const Shape*, 4> pointers{};
    for (std::size_t i = 0; i < shapes.size(); ++i) {
        shapes[i] = batch_of(site.inputs[i].shape);
        pointers[i] = &shapes[i];
    }
    const std::size_t rank = std::max(shapes[0].size(), shapes[1].size());
    const Shape batch(result.begin(), result.begin() + static_cast<std::ptrdiff_t>(rank));
    return broadcast_loop<4>(pointers, batch);
}

bool is_signed(ElementType type) { return type == ElementType::i8; }

class ByteProduct {
public:
    // `packed`: b as constant panels, or null.
    ByteProduct(const ByteKernel& kernel, const void* packed, const CallSite& site)
        : kernel_(kernel),
          packed_(packed),
          a_signed_(is_signed(site.inputs[0].type)),
          b_signed_(is_signed(site.inputs[1].type)),
          sizes_(integer_sizes_of(site.inputs)),
          batch_(integer_batch_loop(site)) {
        if (element_count(site.outputs[0].shape) == 0) {  // beside 0 other extents can be huge
            sizes_ = {0, 0, 0};
            batch_ = NdLoop<5>({NdAxis<5>{0, {}}});
            return;
        }
        // One matrix on the right, and one zero point on the left: all rows are one product.
        const bool joins = site.inputs[1].shape.size() <= 2 && site.inputs[0].shape.size() > 2 &&
                           element_count(site.inputs[2].shape) == 1;
        if (!joins) return;
        sizes_.m *= count_of(batch_of(site.inputs[0].shape));
        batch_ = NdLoop<5>();
    }

    std::size_t scratch_bytes() const {
        return row_bytes() + 2 * sum_bytes() +
               (packed_ == nullptr ? kernel_.packed_bytes(sizes_.k, sizes_.n) : 0);
    }

    void run(const RunArgs& args, const EpilogueRun& epilogue) const {
        const auto& axis = batch_.run();
        batch_.for_each_run([&](const NdLoop<5>::Offsets& at) {
            NdLoop<5>::Offsets next = at;
            for (std::int64_t i = 0; i < axis.count; ++i) {
                one(args, next, epilogue);
                for (std::size_t k = 0; k < next.size(); ++k) next[k] += axis.steps[k];
            }
        });
    }

private:
    std::size_t row_bytes() const {
        return whole_lines(
            static_cast<std::size_t>(kernel_.rows_read(sizes_.m) * kernel_.row_bytes(sizes_.k)));
    }
    std::size_t sum_bytes() const {
        return whole_lines(static_cast<std::size_t>(sizes_.m) * sizeof(std::int32_t));
    }

    // A's rows, their sums and zero points at the start of the scratch.
    struct LoadedRows {
        std::byte* rows;
        std::int32_t* sums;
        std::int32_t* zeros;
    };

    LoadedRows load(const RunArgs& args, const NdLoop<5>::Offsets& at, void* scratch) const {
        auto* start = static_cast<std::byte*>(scratch);
        const LoadedRows to{start, reinterpret_cast<std::int32_t*>(start + row_bytes()),
                            reinterpret_cast<std::int32_t*>(start + row_bytes() + sum_bytes())};
        const ByteData a = ByteData{args.inputs[0], a_signed_}.from(at[0] * sizes_.m * sizes_.k);
        const ByteData zeros = ByteData{args.inputs[2], a_signed_}.from(at[2] * sizes_.a_zeros);
        share(args.team, sizes_.m, kOpsWorthAThread / (sizes_.k + 1) + 1,
              [&](std::int64_t begin, std::int64_t end) {
                  for (std::int64_t i = begin; i < end; ++i) {
                      const ByteRow row = kernel_.load_row(
                          a.from(i * sizes_.k), sizes_.k, zeros.at(sizes_.a_zeros == 1 ? 0 : i),
                          to.rows + i * kernel_.row_bytes(sizes_.k));
                      to.sums[i] = row.sum;
                      to.zeros[i] = row.zero;
                  }
              });
        return to;
    }

    const void* panels(const RunArgs& args, std::int64_t matrix, void* scratch) const {
        if (packed_ != nullptr) return packed_;
        const ByteData b = ByteData{args.inputs[1], b_signed_}.from(matrix * sizes_.k * sizes_.n);
        void* to = static_cast<std::byte*>(scratch) + row_bytes() + 2 * sum_bytes();
        share(args.team, byte_panels(sizes_.n), kOpsWorthAThread / (sizes_.k * kByteLanes + 1) + 1,
              [&](std::int64_t begin, std::int64_t end) {
                  kernel_.pack(b, sizes_.k, sizes_.n, to, {begin, end});
              });
        return to;
    }

    void one(const RunArgs& args, const NdLoop<5>::Offsets& at, const EpilogueRun& epilogue) const {
        ByteGemm gemm;
        const LoadedRows loaded = load(args, at, epilogue.scratch());
        gemm.rows = loaded.rows;
        gemm.sums = loaded.sums;
        gemm.row_zeros = loaded.zeros;
        gemm.panels = {panels(args, at[1], epilogue.scratch()), b_signed_};
        gemm.zero_points = ByteData{args.inputs[3], b_signed_}.from(at[3] * sizes_.b_zeros);
        gemm.zero_point_step = sizes_.b_zeros == 1 ? 0 : 1;
        const std::int64_t first = at[4] * sizes_.m * sizes_.n;
        gemm.c = static_cast<std::byte*>(epilogue.result()) + first * kResultBytes;
        gemm.k = sizes_.k;
        gemm.n = sizes_.n;
        if (!epilogue.by_blocks()) return multiply(gemm, args.team);
        if (args.team.size() == 1) return multiply_by_blocks(gemm, first, epilogue);
        multiply(gemm, args.team);
        share(args.team, sizes_.m * sizes_.n, static_cast<std::int64_t>(epilogue.grain()),
              [&](std::int64_t begin, std::int64_t end) {
                  epilogue.block(first + begin, first + end);
              });
    }

    // On the calling thread: the epilogue finds each tile of rows in the cache.
    void multiply_by_blocks(const ByteGemm& gemm, std::int64_t first,
                            const EpilogueRun& epilogue) const {
        for (std::int64_t row = 0; row < sizes_.m; row += kRowsOfATile) {
            const std::int64_t end = std::min(row + kRowsOfATile, sizes_.m);
            kernel_.run(gemm, {row, end}, {0, byte_panels(sizes_.n)});
            epilogue.block(first + row * sizes_.n, first + end * sizes_.n);
        }
    }

    // Tiles of rows times panels; the tiles of a thread read the same rows after each other.
    void multiply(const ByteGemm& gemm, Team& team) const {
        const std::int64_t columns = byte_panels(sizes_.n);
        const std::int64_t tiles = (sizes_.m + kRowsOfATile - 1) / kRowsOfATile;
        const std::int64_t ops = std::min(sizes_.m, kRowsOfATile) * sizes_.k * kByteLanes;
        share(team, tiles * columns, kOpsWorthAThread / (ops + 1) + 1,
              [&](std::int64_t begin, std::int64_t end) {
                  for (std::int64_t i = begin; i < end;) {
                      const std::int64_t tile = i / columns;
                      const std::int64_t last = std::min(end, (tile + 1) * columns);
                      const std::int64_t row = tile * kRowsOfATile;
                      kernel_.run(gemm, {row, std::min(row + kRowsOfATile, sizes_.m)},
                                  {i - tile * columns, last - tile * columns});
                      i = last;
                  }
              });
    }

    const ByteKernel& kernel_;
    const void* packed_;
    bool a_signed_;
    bool b_signed_;
    Sizes sizes_;
    NdLoop<5> batch_;
};

// B, if it is a constant and no batch.
Tensor constant_integers(const Node& node) {
    const Tensor b = known_value(node.input(1));
    return b && b.shape().size() <= 2 ? b.contiguous() : Tensor();
}

// The product of a fused one is f32; it is shown as the MatMulInteger.
class MatMulIntegerNode final : public CpuNode {
public:
    MatMulIntegerNode(const Node& node, Isa isa)
        : MatMulIntegerNode(
              node, isa,
              shared_byte_kernel(isa, is_fused(node) ? ElementType::f32 : ElementType::i32),
              constant_integers(node)) {}

    std::vector<ReadPort> packed() const override {
        if (packed_.data() == nullptr) return {};
        return {{&node(), 1}};
    }

    std::unique_ptr<Call> prepare(const CallSite& site) const override {
        return epilogues_.prepare(site, [&](const CallSite& own, std::optional<Epilogue> epilogue) {
            const ByteProduct product(*kernel_, packed_.data(), own);
            const auto run = [product](const RunArgs& args, const EpilogueRun& end) {
                product.run(args, end);
            };
            return make_call(std::move(epilogue), run, {product.scratch_bytes()});
        });
    }

private:
    static bool is_fused(const Node& node) { return as_op<FusedMatMulInteger>(node) != nullptr; }

    MatMulIntegerNode(const Node& node, Isa isa, std::shared_ptr<const ByteKernel> kernel,
                      const Tensor& b)
        : CpuNode(node, kernel->name(),
                  b ? "constant right side, packed once" : "right side packed in each run"),
          kernel_(std::move(kernel)),
          epilogues_(isa, node, FusedMatMulInteger::kProductParts) {
        show_parts();
        if (!b) return;
        const auto k = static_cast<std::int64_t>(b.shape()[0]);
        const auto n = b.shape().size() > 1 ? static_cast<std::int64_t>(b.shape()[1]) : 1;
        const auto fill = [&](std::byte* to) {
            kernel_->pack({b.data(), is_signed(b.element_type())}, k, n, to, {0, byte_panels(n)});
        };
        const auto describe = [&](Digester& source) {
            source.add_text(kernel_->name());
            source.add_text(to_string(b.element_type()));
            source.add_number(static_cast<std::uint64_t>(k));
            add_numbers(b.data(), k * n, 1, source);
        };
        packed_ = SharedBytes(kernel_->packed_bytes(k, n) + 1, fill, describe);
    }

    std::shared_ptr<const ByteKernel> kernel_;
    SharedBytes packed_;  // empty where the right side may change
    Epilogues epilogues_;
};

}  // namespace

std::unique_ptr<CpuNode> make_matmul_integer_node(const Node& node, const CompileContext& context) {
    return std::make_unique<MatMulIntegerNode>(node, context.isa);
}

}  // namespace rondo::cpu
