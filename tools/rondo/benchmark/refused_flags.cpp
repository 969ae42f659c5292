#include "benchmark/refused_flags.hpp"

namespace rondo::tool {
namespace {

constexpr const char* kNoExtensions =
    "there are no extensions; a device may come from a library: -plugin NAME=FILE";
constexpr const char* kNoGpu = "there are no GPU kernels to configure";
constexpr const char* kNoTypes =
    "inputs and outputs have the model's types; pictures' preprocessing isn't done";
constexpr const char* kNoPictures =
    "pictures' preprocessing isn't done; give values as the model takes them, in files: -i";
constexpr const char* kNoDeviceMemory = "the CPU has no memory of its own";

struct Refusal {
    const char* flag;
    const char* reason;
};

// keep-sorted
constexpr Refusal kRefusals[] = {
    {"c", kNoGpu},
    {"extensions", kNoExtensions},
    {"input_output_precision", kNoTypes},
    {"input_precision", kNoTypes},
    {"iop", kNoTypes},
    {"ip", kNoTypes},
    {"mean_values", kNoPictures},
    {"op", kNoTypes},
    {"output_precision", kNoTypes},
    {"path_to_cldnn_config", kNoGpu},
    {"scale_values", kNoPictures},
    {"use_device_mem", kNoDeviceMemory},
};

}  // namespace

std::string refusal_of(const std::string& flag) {
    for (const Refusal& refusal : kRefusals) {
        if (flag == refusal.flag) return refusal.reason;
    }
    return "";
}

}  // namespace rondo::tool
