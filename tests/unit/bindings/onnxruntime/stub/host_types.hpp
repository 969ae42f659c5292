// What the opaque types of onnxruntime's interface are in the tests' own host.
#pragma once

#include <rondo_onnx.pb.h>

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "bindings/onnxruntime/abi/onnxruntime.hpp"

namespace rondo::ort {

struct OrtStatus {
    OrtErrorCode code;
    std::string text;
};

struct OrtTensorTypeAndShapeInfo {
    int element_type = 0;
    bool has_shape = true;
    std::vector<std::int64_t> extents;
    std::vector<std::string> symbols;
};

struct OrtTypeInfo {
    bool is_tensor = true;
    OrtTensorTypeAndShapeInfo tensor;
};

/// A tensor; `outside` is memory of a caller's, else the bytes are here.
struct OrtValue {
    OrtTensorTypeAndShapeInfo form;
    std::vector<char> bytes;
    char* outside = nullptr;

    char* data() { return outside != nullptr ? outside : bytes.data(); }
};

struct OrtValueInfo {
    std::string name;
    OrtTypeInfo type;
    std::shared_ptr<OrtValue> constant;  ///< the value of an initializer that no input replaces
    bool is_from_outer_scope = false;
};

struct OrtOpAttr {
    rondo_onnx::AttributeProto message;
};

struct OrtNode {
    std::size_t id = 0;
    std::string name;
    std::string op;
    std::string domain;
    std::vector<const OrtValueInfo*> inputs;  ///< null: left out
    std::vector<const OrtValueInfo*> outputs;
    std::vector<const OrtValueInfo*> implicit_inputs;
    std::vector<OrtOpAttr> attributes;
    std::vector<std::pair<std::string, std::unique_ptr<OrtGraph>>> bodies;
    rondo_onnx::NodeProto made;  ///< what the plugin has made, if it has
};

struct OrtGraph {
    std::string name;
    const OrtNode* parent = nullptr;
    OrtGraph* outer = nullptr;
    std::map<std::string, std::int64_t> opsets;
    std::map<std::string, std::unique_ptr<OrtValueInfo>> values;
    std::vector<const OrtValueInfo*> inputs;
    std::vector<const OrtValueInfo*> outputs;
    std::vector<const OrtValueInfo*> initializers;
    std::vector<std::shared_ptr<OrtNode>> nodes;
};

struct OrtProfilingEvent {
    std::string name;
    std::int64_t begin = 0;  ///< in microseconds
    std::int64_t duration = 0;
    std::map<std::string, std::string> args;
};

struct OrtProfilingEventsContainer {
    std::vector<OrtProfilingEvent> events;
};

struct OrtKernelContext {
    std::vector<OrtValue*> inputs;
    std::vector<OrtValue> outputs;
    std::vector<int> output_types;
};

struct OrtKeyValuePairs {
    std::map<std::string, std::string> entries;
    std::vector<const char*> keys;
    std::vector<const char*> values;
};

struct OrtModelMetadata {
    std::string name;
};

struct OrtSessionOptions {
    std::map<std::string, std::string> entries;
    std::vector<const OrtEpDevice*> providers;
};

struct OrtLogger {
    OrtLoggingLevel least = ORT_LOGGING_LEVEL_VERBOSE;
    std::mutex mutex;
    std::vector<std::string> lines;
};

struct OrtHardwareDevice {
    unsigned type = 0;
};

struct OrtEpDevice {
    std::string name;
    OrtEpFactory* factory = nullptr;
};

struct OrtEnv {
    int references = 0;
    std::vector<std::string> libraries;  ///< registered, by path
    std::vector<std::unique_ptr<OrtEpDevice>> devices;
    std::vector<const OrtEpDevice*> list;
};

struct OrtEpGraphSupportInfo {
    std::vector<std::vector<const OrtNode*>> groups;
    bool drops_constants = true;
};

}  // namespace rondo::ort
