// Names ONNX's messages without their definition, which only the readers of messages include.
#pragma once

namespace rondo_onnx {
class AttributeProto;
class FunctionProto;
class GraphProto;
class ModelProto;
class NodeProto;
class SparseTensorProto;
class TensorProto;
class ValueInfoProto;
}  // namespace rondo_onnx
