// Ops and properties that OpenVINO's programs name, and what they mean to Rondo.
#pragma once

#include <string>

namespace rondo::ov {

/// The name of the class that an op of the IR is in OpenVINO: Constant for Const.
inline std::string class_name_of(const std::string& op) {
    // OpenVINO writes them to the IR under other names; all other ops are called as their classes.
    constexpr const char* kNames[][2] = {
        {"Const", "Constant"}, {"PReLU", "PRelu"}, {"ReLU", "Relu"}, {"SoftMax", "Softmax"}};
    for (const auto& [in_ir, in_program] : kNames) {
        if (op == in_ir) return in_program;
    }
    return op;
}

/// True for goals and limits of OpenVINO's that change nothing here: they are accepted and not
/// kept.
inline bool is_without_effect(const std::string& property) {
    // keep-sorted
    constexpr const char* kNames[] = {
        "ALLOW_AUTO_BATCHING",
        "AUTO_BATCH_TIMEOUT",
        "CACHE_MODE",
        "COMPILATION_NUM_THREADS",
        "CPU_SPARSE_WEIGHTS_DECOMPRESSION_RATE",
        "DYNAMIC_QUANTIZATION_GROUP_SIZE",
        "ENABLE_CPU_RESERVATION",
        "ENABLE_HYPER_THREADING",
        "ENABLE_MMAP",
        "ENABLE_TENSOR_PARALLEL",
        "EXECUTION_MODE_HINT",
        "FORCE_TBB_TERMINATE",
        "KEY_CACHE_GROUP_SIZE",
        "KEY_CACHE_PRECISION",
        "KV_CACHE_PRECISION",
        "MODEL_DISTRIBUTION_POLICY",
        "MODEL_PRIORITY",
        "MULTI_DEVICE_PRIORITIES",
        "SCHEDULING_CORE_TYPE",
        "TBB_PARTITIONER",
        "VALUE_CACHE_GROUP_SIZE",
        "VALUE_CACHE_PRECISION",
    };
    for (const char* const name : kNames) {
        if (property == name) return true;
    }
    return false;
}

}  // namespace rondo::ov
