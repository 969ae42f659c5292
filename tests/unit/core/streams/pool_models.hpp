// Small models whose steps are easy to foresee, for the tests of stream pools.
#pragma once

#include <vector>

#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/movement/movement_ops.hpp"
#include "rondo/core.hpp"
#include "rondo/model.hpp"
#include "rondo/stream_pool.hpp"
#include "tests/support/graph_builder.hpp"

namespace rondo::test {

/// x f32[?,2] -> y = sum, the sum of all x of the stream so far; or of another shape than [?,2].
inline Model running_sum(const char* shape = "[?,2]") {
    GraphBuilder b;
    const Output x = b.input("x", shape);
    const Output sum =
        b.make<ops::Binary>("sum", ops::BinaryFunction::add, b.read("sum", shape), x);
    b.assign("sum", sum);
    b.output("y", sum);
    return Model(b.graph());
}

/// As running_sum(), but x is multiplied by "factor" f32[] first, which has no rows.
inline Model scaled_sum() {
    GraphBuilder b;
    const Output x = b.input("x", "[?,2]");
    const Output factor = b.input("factor", "[]");
    const Output scaled = b.make<ops::Binary>("scaled", ops::BinaryFunction::multiply, x, factor);
    const Output sum =
        b.make<ops::Binary>("sum", ops::BinaryFunction::add, b.read("sum", "[?,2]"), scaled);
    b.assign("sum", sum);
    b.output("y", sum);
    return Model(b.graph());
}

/// row i64[?] -> y: that row of a table of 4, plus the sum of those before. Another row than 0 to 3
/// is an error.
inline Model looked_up_sum() {
    GraphBuilder b;
    const Output row = b.input("row", "[?]", ElementType::i64);
    const Output table = b.constant(tensor_of<float>({4, 2}, {1, 2, 10, 20, 100, 200, 1000, 2000}));
    const Output axis = b.constant(tensor_of<std::int64_t>({}, {0}));
    const Output found = b.make<ops::Gather>("found", table, row, axis);
    const Output sum =
        b.make<ops::Binary>("sum", ops::BinaryFunction::add, b.read("sum", "[?,2]"), found);
    b.assign("sum", sum);
    b.output("y", sum);
    return Model(b.graph());
}

inline Tensor row_of(float a, float b) { return tensor_of<float>({1, 2}, {a, b}); }

/// A pool of the model on a device.
inline StreamPool pool_of(const Model& model, const StreamPoolOptions& options = {},
                          const char* device = "CPU") {
    return Core().compile_model(model, device).create_stream_pool(options);
}

}  // namespace rondo::test
