#include "plugins/cpu/nodes/common/copy_call.hpp"

#include <cstring>

#include "plugins/cpu/nodes/common/extents.hpp"

namespace rondo::cpu {
std::unique_ptr<Call> make_copy_call(const std::vector<CopyPart>& parts) {
    struct Part {
        CopyPart from;
        StridedCopy copy;
    };
    std::vector<Part> copies;
    for (const auto& part : parts) copies.push_back({part, StridedCopy(part.layout)});
    return make_call([copies = std::move(copies)](const RunArgs& args) {
        for (const auto& [part, copy] : copies) {
            copy.run(at(args.inputs[part.input], part.from_offset),
                     at(args.outputs[part.output], part.to_offset), args.team);
        }
    });
}

std::unique_ptr<Call> make_view_or_copy(const CopyPart& part) {
    if (!StridedCopy(part.layout).is_plain()) return make_copy_call({part});
    return make_view_call({part.input, static_cast<std::size_t>(part.from_offset)});
}

std::unique_ptr<Call> make_zero_call(const TensorInfo& output) {
    const std::size_t bytes = element_count(output.shape) * size_of(output.type);
    return make_call([bytes](const RunArgs& args) {
        if (bytes > 0) std::memset(args.outputs[0], 0, bytes);
    });
}

std::unique_ptr<Call> make_value_call(const Tensor& value) {
    return make_call([value = value.contiguous()](const RunArgs& args) {
        if (value.size() > 0) std::memcpy(args.outputs[0], value.data(), value.byte_size());
    });
}

}  // namespace rondo::cpu
