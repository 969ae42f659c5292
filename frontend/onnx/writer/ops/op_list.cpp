#include "frontend/onnx/writer/ops/op_list.hpp"

#include <span>

#include "frontend/onnx/writer/ops/control/writers.hpp"
#include "frontend/onnx/writer/ops/elementwise/writers.hpp"
#include "frontend/onnx/writer/ops/indexing/writers.hpp"
#include "frontend/onnx/writer/ops/movement/writers.hpp"
#include "frontend/onnx/writer/ops/product/writers.hpp"
#include "frontend/onnx/writer/ops/quantization/writers.hpp"
#include "frontend/onnx/writer/ops/recurrent/writers.hpp"
#include "frontend/onnx/writer/ops/reduction/writers.hpp"
#include "frontend/onnx/writer/ops/source/writers.hpp"
#include "frontend/onnx/writer/ops/spectral/writers.hpp"
#include "frontend/onnx/writer/ops/window/writers.hpp"

namespace rondo::onnx {
namespace {

using List = std::span<const OpWriter> (*)();

// keep-sorted
constexpr List kLists[] = {
    along_axis_writers,    binary_writers,
    block_move_writers,    compare_writers,
    convert_writers,       convolution_writers,
    gather_writers,        if_writers,
    loop_writers,          mvn_writers,
    pad_writers,           pick_writers,
    pool_writers,          product_writers,
    quantization_writers,  recurrent_writers,
    reduce_writers,        repeat_writers,
    sample_writers,        scatter_writers,
    slice_writers,         source_writers,
    spectral_writers,      split_writers,
    strided_slice_writers, transposed_convolution_writers,
    unary_writers,         view_writers,
};

}  // namespace

const OpWriter* find_op_writer(std::string_view type) {
    for (const List list : kLists) {
        for (const OpWriter& writer : list()) {
            if (writer.type == type) return &writer;
        }
    }
    return nullptr;
}

}  // namespace rondo::onnx
