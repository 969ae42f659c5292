#include "transformations/lowering/needs_lowering.hpp"

#include "transformations/shapes/lengths_are_full.hpp"

namespace rondo::passes {

bool needs_lowering(const ops::RecurrentOp& op) {
    const PartialShape& x = op.input(op.x_port()).shape();
    if (!x.has_rank()) return false;
    if (!op.is_standard()) return true;
    return op.is_sequence() && !x.is_static() && !lengths_are_full(op);
}

}  // namespace rondo::passes
