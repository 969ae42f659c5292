// Settings of Core and of compiled models, under OpenVINO's names.
#pragma once

#include <map>
#include <string>

namespace rondo {

/// Property name -> value as text. Booleans are "YES" / "NO".
using Properties = std::map<std::string, std::string>;

/// Names of the properties that Rondo knows.
namespace property {
inline constexpr const char* kPerformanceHint = "PERFORMANCE_HINT";  ///< LATENCY, THROUGHPUT
inline constexpr const char* kNumStreams = "NUM_STREAMS";            ///< requests run at once
inline constexpr const char* kInferenceNumThreads = "INFERENCE_NUM_THREADS";  ///< 0: all cores
inline constexpr const char* kInferencePrecisionHint = "INFERENCE_PRECISION_HINT";  ///< f32
inline constexpr const char* kPerfCount = "PERF_COUNT";              ///< YES: profile each node
// Read-only.
inline constexpr const char* kSupportedProperties = "SUPPORTED_PROPERTIES";
inline constexpr const char* kFullDeviceName = "FULL_DEVICE_NAME";
inline constexpr const char* kOptimizationCapabilities = "OPTIMIZATION_CAPABILITIES";
inline constexpr const char* kExecutionDevices = "EXECUTION_DEVICES";
inline constexpr const char* kOptimalNumberOfInferRequests = "OPTIMAL_NUMBER_OF_INFER_REQUESTS";
inline constexpr const char* kModelName = "NETWORK_NAME";
}  // namespace property

}  // namespace rondo
