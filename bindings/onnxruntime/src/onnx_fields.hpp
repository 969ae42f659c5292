// Numbers of fields and of types in ONNX's messages. Source: onnx.proto of ONNX.
#pragma once

namespace rondo::ort {

namespace model_field {
enum { ir_version = 1, producer_name = 2, graph = 7, opset_import = 8 };
}
namespace opset_field {
enum { domain = 1, version = 2 };
}
namespace graph_field {
enum { node = 1, name = 2, initializer = 5, input = 11, output = 12, value_info = 13 };
}
namespace node_field {
enum { input = 1, output = 2, name = 3, op_type = 4, attribute = 5, domain = 7 };
}
namespace attribute_field {
enum { name = 1, f = 2, i = 3, s = 4, t = 5, g = 6, floats = 7, ints = 8, strings = 9, type = 20 };
}
/// AttributeProto.AttributeType.
namespace attribute_type {
enum { real = 1, integer = 2, text = 3, tensor = 4, graph = 5, reals = 6, integers = 7, texts = 8 };
}
namespace tensor_field {
enum { dims = 1, data_type = 2, name = 8, raw_data = 9, external_data = 13, data_location = 14 };
}
/// TensorProto.DataLocation.
namespace data_location {
enum { external = 1 };
}
/// TensorProto.DataType, as far as it is used by name; element_types.hpp has the others.
namespace data_type {
enum { text = 8 };
}
/// StringStringEntryProto.
namespace entry_field {
enum { key = 1, value = 2 };
}
/// ValueInfoProto.
namespace value_field {
enum { name = 1, type = 2 };
}
namespace type_field {
enum { tensor_type = 1 };
}
namespace tensor_type_field {
enum { elem_type = 1, shape = 2 };
}
namespace shape_field {
enum { dim = 1 };
}
namespace dim_field {
enum { dim_value = 1, dim_param = 2 };
}

}  // namespace rondo::ort
