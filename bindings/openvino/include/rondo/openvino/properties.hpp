// OpenVINO's names of properties, for rondo/openvino.hpp; docs/properties.md says what they do.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <ostream>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "rondo/openvino/any.hpp"
#include "rondo/openvino/names.hpp"
#include "rondo/properties.hpp"

namespace rondo::ov {

enum class PropertyMutability { RO, RW };

/// A property's name and the type of its values: `num_streams(2)` is a pair for AnyMap.
template <typename T, PropertyMutability mutability = PropertyMutability::RW>
class Property {
public:
    constexpr explicit Property(const char* name) : name_(name) {}

    const char* name() const { return name_; }

    /// Takes what T can be made of, or its text. Throws ov::Exception for other texts, and for
    /// numbers that a T can't hold.
    template <typename V>
    std::pair<std::string, Any> operator()(const V& value) const {
        static_assert(mutability == PropertyMutability::RW, "this property can only be read");
        if constexpr (std::is_convertible_v<V, std::string> && !std::is_same_v<T, std::string>) {
            return {name_, Any(AnyText<T>::read(value))};
        } else if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) {
            return {name_, Any(AnyText<T>::read(AnyText<V>::write(value)))};
        } else {
            return {name_, Any(static_cast<T>(value))};
        }
    }

    friend bool operator==(const std::string& name, const Property& property) {
        return name == property.name_;
    }
    friend std::ostream& operator<<(std::ostream& stream, const Property& property) {
        return stream << property.name_;
    }

private:
    const char* name_;
};

/// The name of a property that a device has.
class PropertyName : public std::string {
public:
    using std::string::string;
    PropertyName(const std::string& name) : std::string(name) {}  // NOLINT: implicit on purpose
    bool is_mutable() const { return !is_read_only(*this); }
};

using RO = std::integral_constant<PropertyMutability, PropertyMutability::RO>;
template <typename T>
using ReadOnlyProperty = Property<T, RO::value>;

/// What Rondo's functions take; leaves out what has no effect.
inline Properties properties_from(const AnyMap& map) {
    Properties properties;
    for (const auto& [name, value] : map) {
        if (!is_without_effect(name)) properties[name] = value.as<std::string>();
    }
    return properties;
}

inline constexpr ReadOnlyProperty<std::vector<PropertyName>> supported_properties{
    property::kSupportedProperties};
inline constexpr ReadOnlyProperty<std::vector<std::string>> available_devices{
    property::kAvailableDevices};
inline constexpr ReadOnlyProperty<std::string> model_name{property::kModelName};
inline constexpr ReadOnlyProperty<std::uint32_t> optimal_number_of_infer_requests{
    property::kOptimalNumberOfInferRequests};
inline constexpr ReadOnlyProperty<std::vector<std::string>> execution_devices{
    property::kExecutionDevices};
inline constexpr ReadOnlyProperty<bool> loaded_from_cache{property::kLoadedFromCache};
inline constexpr Property<bool> enable_profiling{property::kPerfCount};
inline constexpr Property<std::string> cache_dir{property::kCacheDir};
inline constexpr Property<std::int32_t> inference_num_threads{property::kInferenceNumThreads};
inline constexpr Property<std::int32_t> compilation_num_threads{"COMPILATION_NUM_THREADS"};
inline constexpr Property<bool> enable_mmap{"ENABLE_MMAP"};
inline constexpr Property<std::uint32_t> auto_batch_timeout{"AUTO_BATCH_TIMEOUT"};

namespace streams {

/// A number of streams; -1 leaves it to the device.
struct Num {
    constexpr Num() = default;
    constexpr Num(std::int32_t count) : num(count) {}        // NOLINT: implicit on purpose
    constexpr operator std::int32_t() const { return num; }  // NOLINT: implicit on purpose
    std::int32_t num = -1;
};

inline constexpr Num AUTO{-1};
inline constexpr Property<Num> num{property::kNumStreams};

}  // namespace streams

template <>
struct AnyText<streams::Num> {
    static std::string write(const streams::Num& value) {
        return value.num == -1 ? "AUTO" : std::to_string(value.num);
    }
    static streams::Num read(const std::string& text) {
        return text == "AUTO" ? streams::AUTO : streams::Num(AnyText<std::int32_t>::read(text));
    }
};

inline constexpr Property<streams::Num> num_streams{property::kNumStreams};

namespace hint {

enum class PerformanceMode { LATENCY, THROUGHPUT, CUMULATIVE_THROUGHPUT };
enum class ExecutionMode { PERFORMANCE, ACCURACY };
enum class SchedulingCoreType { ANY_CORE, PCORE_ONLY, ECORE_ONLY };

// Arduino has macros of names that OpenVINO gives priorities.
#pragma push_macro("LOW")
#undef LOW
#pragma push_macro("HIGH")
#undef HIGH
#pragma push_macro("DEFAULT")
#undef DEFAULT
enum class Priority { LOW, MEDIUM, HIGH, DEFAULT = MEDIUM };

inline std::array<std::pair<const char*, Priority>, 3> names_of(Priority) {
    return {{{"LOW", Priority::LOW}, {"MEDIUM", Priority::MEDIUM}, {"HIGH", Priority::HIGH}}};
}
#pragma pop_macro("DEFAULT")
#pragma pop_macro("HIGH")
#pragma pop_macro("LOW")

inline std::array<std::pair<const char*, PerformanceMode>, 3> names_of(PerformanceMode) {
    return {{{"LATENCY", PerformanceMode::LATENCY},
             {"THROUGHPUT", PerformanceMode::THROUGHPUT},
             {"CUMULATIVE_THROUGHPUT", PerformanceMode::CUMULATIVE_THROUGHPUT}}};
}
inline std::array<std::pair<const char*, ExecutionMode>, 2> names_of(ExecutionMode) {
    return {{{"PERFORMANCE", ExecutionMode::PERFORMANCE}, {"ACCURACY", ExecutionMode::ACCURACY}}};
}
inline std::array<std::pair<const char*, SchedulingCoreType>, 3> names_of(SchedulingCoreType) {
    return {{{"ANY_CORE", SchedulingCoreType::ANY_CORE},
             {"PCORE_ONLY", SchedulingCoreType::PCORE_ONLY},
             {"ECORE_ONLY", SchedulingCoreType::ECORE_ONLY}}};
}

inline std::ostream& operator<<(std::ostream& stream, PerformanceMode mode) {
    return stream << AnyText<PerformanceMode>::write(mode);
}

inline constexpr Property<PerformanceMode> performance_mode{property::kPerformanceHint};
inline constexpr Property<std::uint32_t> num_requests{property::kPerformanceHintNumRequests};
inline constexpr Property<element::Type> inference_precision{property::kInferencePrecisionHint};
inline constexpr Property<bool> enable_cpu_pinning{property::kEnableCpuPinning};
// Without effect: it is always f32, on any core.
inline constexpr Property<ExecutionMode> execution_mode{"EXECUTION_MODE_HINT"};
inline constexpr Property<Priority> model_priority{"MODEL_PRIORITY"};
inline constexpr Property<SchedulingCoreType> scheduling_core_type{"SCHEDULING_CORE_TYPE"};
inline constexpr Property<bool> enable_hyper_threading{"ENABLE_HYPER_THREADING"};
inline constexpr Property<bool> allow_auto_batching{"ALLOW_AUTO_BATCHING"};

}  // namespace hint

namespace device {
inline constexpr Property<std::string> id{property::kDeviceId};
inline constexpr ReadOnlyProperty<std::string> full_name{property::kFullDeviceName};
inline constexpr ReadOnlyProperty<std::vector<std::string>> capabilities{
    property::kOptimizationCapabilities};
}  // namespace device

namespace log {

// Curses, Objective-C and many programs have macros of names that OpenVINO gives levels.
#pragma push_macro("NO")
#undef NO
#pragma push_macro("ERR")
#undef ERR
#pragma push_macro("WARNING")
#undef WARNING
#pragma push_macro("INFO")
#undef INFO
#pragma push_macro("DEBUG")
#undef DEBUG
#pragma push_macro("TRACE")
#undef TRACE
/// ERR means the same as NO, as errors are thrown, and TRACE the same as DEBUG.
enum class Level { NO = -1, ERR = 0, WARNING = 1, INFO = 2, DEBUG = 3, TRACE = 4 };

inline std::array<std::pair<const char*, Level>, 6> names_of(Level) {
    return {{{"LOG_NONE", Level::NO},
             {"LOG_ERROR", Level::ERR},
             {"LOG_WARNING", Level::WARNING},
             {"LOG_INFO", Level::INFO},
             {"LOG_DEBUG", Level::DEBUG},
             {"LOG_TRACE", Level::TRACE}}};
}
#pragma pop_macro("TRACE")
#pragma pop_macro("DEBUG")
#pragma pop_macro("INFO")
#pragma pop_macro("WARNING")
#pragma pop_macro("ERR")
#pragma pop_macro("NO")

inline constexpr Property<Level> level{property::kLogLevel};

}  // namespace log

namespace intel_cpu {
inline constexpr Property<bool> denormals_optimization{property::kCpuDenormalsOptimization};
}  // namespace intel_cpu

}  // namespace rondo::ov
