// Changes the lists of a message in place.
#pragma once

#include <rondo_onnx.pb.h>

#include <string>

namespace rondo::onnx {

/// The name of an initializer.
inline const std::string& name_of(const rondo_onnx::TensorProto& tensor) { return tensor.name(); }
inline const std::string& name_of(const rondo_onnx::SparseTensorProto& tensor) {
    return tensor.values().name();
}

/// Keeps the elements for whose index `is_kept` holds, in their order.
template <typename Element, typename IsKept>
void keep_if(google::protobuf::RepeatedPtrField<Element>& list, const IsKept& is_kept) {
    int kept = 0;
    for (int i = 0; i < list.size(); ++i) {
        if (!is_kept(i)) continue;
        if (i != kept) list.SwapElements(i, kept);
        ++kept;
    }
    list.DeleteSubrange(kept, list.size() - kept);
}

}  // namespace rondo::onnx
