#include "frontend/onnx/ops/spectral/complex_parts.hpp"

#include "core/ops/movement/pad.hpp"
#include "frontend/onnx/ops/common/building_blocks.hpp"
#include "rondo/error.hpp"

namespace rondo::onnx {

Dimension parts_of(const Output& data, std::size_t least, const char* what) {
    if (!data.shape().has_rank()) {
        throw UnsupportedError(std::string(what) + ": its rank isn't known");
    }
    const auto& extents = data.shape().dimensions();
    if (extents.size() < least || !(extents.back().contains(1) || extents.back().contains(2))) {
        throw ModelError(std::string(what) + " has shape " + to_string(data.shape()) +
                         "; expected rank " + std::to_string(least) +
                         " or more with a last axis of 1 (real) or 2 (complex)");
    }
    return extents.back();
}

Output with_two_parts(NodeContext& context, Arithmetic& by, const Output& data) {
    const Dimension parts = data.shape().dimensions().back();
    if (parts == Dimension(2)) return data;
    std::vector<std::int64_t> pads(data.shape().rank());
    const Output begin = make_ints(context, by.role(), pads);
    pads.back() = 1;
    const Output end = make_ints(context, by.role(), pads);
    const Output padded = context.make<ops::Pad>(by.role(), std::vector<Output>{data, begin, end},
                                                 ops::PadMode::constant);
    // Complex data loses the pad again.
    return parts == Dimension(1) ? padded : by.slice(padded, 0, 2, -1);
}

}  // namespace rondo::onnx
