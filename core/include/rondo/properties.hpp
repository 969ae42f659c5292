// Settings of Core and of compiled models, under OpenVINO's names.
#pragma once

#include <cstddef>
#include <map>
#include <string>

#include "rondo/export.hpp"

namespace rondo {

/// Property name -> value as text. Booleans are "YES" / "NO".
using Properties = std::map<std::string, std::string>;

/// Names of Rondo's properties; docs/properties.md has values, defaults and effects.
namespace property {
inline constexpr const char* kPerformanceHint = "PERFORMANCE_HINT";  ///< LATENCY, THROUGHPUT
/// The largest number of requests: THROUGHPUT makes no more streams. 0: any number.
inline constexpr const char* kPerformanceHintNumRequests = "PERFORMANCE_HINT_NUM_REQUESTS";
inline constexpr const char* kNumStreams = "NUM_STREAMS";  ///< requests run at once
inline constexpr const char* kInferenceNumThreads =
    "INFERENCE_NUM_THREADS";  ///< 0: all cores, or the quota
inline constexpr const char* kInferencePrecisionHint = "INFERENCE_PRECISION_HINT";  ///< f32 or bf16
inline constexpr const char* kPerfCount = "PERF_COUNT";  ///< YES: profile each node
inline constexpr const char* kPerfTrace = "PERF_TRACE";  ///< YES: keep what each thread did
inline constexpr const char* kEnableCpuPinning = "ENABLE_CPU_PINNING";  ///< YES: a core a thread
/// YES: denormals count as zero while an inference runs. NO: they are kept.
inline constexpr const char* kCpuDenormalsOptimization = "CPU_DENORMALS_OPTIMIZATION";
inline constexpr const char* kCacheDir = "CACHE_DIR";  ///< folder of compiled models; empty: none
/// LOG_NONE, LOG_WARNING, LOG_INFO or LOG_DEBUG, for the whole process; see log.hpp.
inline constexpr const char* kLogLevel = "LOG_LEVEL";
inline constexpr const char* kDeviceId = "DEVICE_ID";  ///< of the one there is: empty or 0
/// YES: inputs of an ONNX model whose initializers are defaults that a caller may replace stay
/// inputs, which each inference needs. NO: they become constants.
inline constexpr const char* kKeepInputs = "KEEP_INPUTS";
// Limits: what exceeds one is refused by an error that names it. Numbers from 0.
inline constexpr const char* kMaxNodes = "MAX_NODES";               ///< of a model and its bodies
inline constexpr const char* kMaxDepth = "MAX_DEPTH";               ///< of bodies in bodies
inline constexpr const char* kMaxLoopDepth = "MAX_LOOP_DEPTH";      ///< of loops in loops
inline constexpr const char* kMaxIterations = "MAX_ITERATIONS";     ///< of one run of a loop
inline constexpr const char* kMaxCompileTime = "MAX_COMPILE_TIME";  ///< in ms; 0: any time
/// All constants of a model as they are read. 0: 64 MiB and 16 times its files.
inline constexpr const char* kMaxConstantBytes = "MAX_CONSTANT_BYTES";
/// By how many bytes constants that are computed while compiling enlarge a model; more are left to
/// inferences. 0: chosen by the model's size.
inline constexpr const char* kMaxFoldedBytes = "MAX_FOLDED_BYTES";
inline constexpr const char* kMaxTensorBytes = "MAX_TENSOR_BYTES";  ///< 0: the machine's memory
/// All tensors of an inference but inputs and weights. 0: the machine's memory.
inline constexpr const char* kMaxPlanBytes = "MAX_PLAN_BYTES";
// Read-only.
inline constexpr const char* kSupportedProperties = "SUPPORTED_PROPERTIES";
inline constexpr const char* kAvailableDevices = "AVAILABLE_DEVICES";
inline constexpr const char* kFullDeviceName = "FULL_DEVICE_NAME";
inline constexpr const char* kOptimizationCapabilities = "OPTIMIZATION_CAPABILITIES";
inline constexpr const char* kExecutionDevices = "EXECUTION_DEVICES";
inline constexpr const char* kOptimalNumberOfInferRequests = "OPTIMAL_NUMBER_OF_INFER_REQUESTS";
// Read-only, only of compiled models.
inline constexpr const char* kModelName = "NETWORK_NAME";
inline constexpr const char* kLoadedFromCache = "LOADED_FROM_CACHE";  ///< YES or NO
}  // namespace property

/// How many threads models get that are compiled from now on without INFERENCE_NUM_THREADS, in the
/// whole process: for programs that share a machine with others. 0, as at first: the cores, the
/// quota or OMP_NUM_THREADS, whichever is smallest. Throws ModelError for more than 1024.
RONDO_API void set_default_threads(std::size_t threads);
/// What was set last; 0 if nothing was.
RONDO_API std::size_t default_threads();

/// True for the names of properties that no one sets.
RONDO_API bool is_read_only(const std::string& name);

}  // namespace rondo
