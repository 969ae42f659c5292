// Replaces generated kernels and AVX loops if RONDO_JIT is off. The CPU's features then name no
// instruction set except plain, so that nothing here is called.
#include "core/support/errors.hpp"
#include "plugins/cpu/kernels/choice/kernel_list.hpp"
#include "plugins/cpu/kernels/product/avx_loops.hpp"
#include "plugins/cpu/kernels/quantization/quantize_bytes.hpp"
#include "plugins/cpu/kernels/reduction/reduce.hpp"
#include "plugins/cpu/kernels/window/windows.hpp"

namespace rondo::cpu {
namespace {

[[noreturn]] void lacks() { internal_error("this library has plain kernels alone"); }

}  // namespace

namespace jit {

std::unique_ptr<CellKernel> make_cell(Isa, const CellConfig&) { lacks(); }
std::unique_ptr<GemmKernel> make_gemm(Isa, const WeightFormat&) { lacks(); }
std::unique_ptr<ByteKernel> make_bytes(ElementType) { lacks(); }
std::unique_ptr<SparseKernel> make_sparse(Isa, const WeightFormat&) { lacks(); }
std::unique_ptr<ElementwiseKernel> make_elementwise(Isa, const ElementwiseProgram&) { lacks(); }
std::unique_ptr<TapKernel> make_taps(Isa, const TapConfig&) { lacks(); }

}  // namespace jit

namespace avx {

void widen(const float16*, float*, std::int64_t) { lacks(); }
void widen(const bfloat16*, float*, std::int64_t) { lacks(); }
void narrow(const float*, float16*, std::int64_t) { lacks(); }
void narrow(const float*, bfloat16*, std::int64_t) { lacks(); }
void add_products(Isa, const CompressedPanel*, const float*, float* const*) { lacks(); }
void widen(Isa, const CompressedPanel&, float*) { lacks(); }
ByteBlock byte_block(Isa, bool) { lacks(); }
std::uint32_t load_bytes(const ByteData&, std::int64_t, std::uint8_t*) { lacks(); }
RowScale quantize_row(Isa, int, int, const float*, std::int64_t, void*) { lacks(); }
void round_to_bf16(Isa, int, const float*, std::int64_t, void*) { lacks(); }
ByteRange byte_range(const float*, std::int64_t) { lacks(); }
void quantize_bytes(const float*, std::int64_t, const ByteScale&, std::uint8_t*) { lacks(); }
void add_rows(const float*, std::int64_t, std::int64_t, double*) { lacks(); }
void gather_taps(const float*, std::int64_t, std::int64_t, std::span<const GatheredTap>, int,
                 float*) {
    lacks();
}
void copy_every_second(const float*, std::int64_t, float*) { lacks(); }

}  // namespace avx
}  // namespace rondo::cpu
