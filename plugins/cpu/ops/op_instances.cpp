// What core/graph/clonable.hpp gives the op classes of this folder.
#include "core/graph/clonable.hpp"
#include "plugins/cpu/ops/compressed_matrix.hpp"
#include "plugins/cpu/ops/fused_op.hpp"
#include "plugins/cpu/ops/scaled_weights.hpp"
#include "plugins/cpu/ops/sequence_stack.hpp"
#include "plugins/cpu/ops/strided_sequence.hpp"

namespace rondo {

// keep-sorted
template class Clonable<cpu::CompressedMatrix, cpu::FusedOp>;
template class Clonable<cpu::FusedConvolution, cpu::FusedOp>;
template class Clonable<cpu::FusedElementwise, cpu::FusedOp>;
template class Clonable<cpu::FusedMatMul, cpu::FusedOp>;
template class Clonable<cpu::FusedMatMulInteger, cpu::FusedOp>;
template class Clonable<cpu::FusedMvn, cpu::FusedOp>;
template class Clonable<cpu::FusedReduction, cpu::FusedOp>;
template class Clonable<cpu::ScaledWeights>;
template class Clonable<cpu::SequenceStack>;
template class Clonable<cpu::StoredWeights, ops::Convert>;
template class Clonable<cpu::StridedSequence>;

}  // namespace rondo
