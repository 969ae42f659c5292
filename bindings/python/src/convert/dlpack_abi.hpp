// The structures that arrays are handed over in between libraries, as the DLPack 1.0 specification
// lays them out (https://dmlc.github.io/dlpack).
#pragma once

#include <cstdint>

namespace rondo::python::dlpack {

inline constexpr std::int32_t kCpu = 1;
inline constexpr std::uint64_t kReadOnly = 1;  ///< a bit of VersionedTensor::flags

/// DLDataTypeCode.
enum Code : std::uint8_t { kInt = 0, kUnsigned = 1, kFloat = 2, kBfloat = 4, kBool = 6 };

/// DLDevice.
struct Device {
    std::int32_t type;
    std::int32_t id;
};

/// DLDataType.
struct DataType {
    std::uint8_t code;
    std::uint8_t bits;
    std::uint16_t lanes;
};

/// DLTensor. Strides count elements; null means row-major.
struct Array {
    void* data;
    Device device;
    std::int32_t rank;
    DataType type;
    std::int64_t* shape;
    std::int64_t* strides;
    std::uint64_t byte_offset;
};

/// DLManagedTensor: in a capsule named "dltensor".
struct ManagedTensor {
    Array array;
    void* context;
    void (*deleter)(ManagedTensor*);
};

/// DLPackVersion.
struct Version {
    std::uint32_t major;
    std::uint32_t minor;
};

/// DLManagedTensorVersioned: in a capsule named "dltensor_versioned".
struct VersionedTensor {
    Version version;
    void* context;
    void (*deleter)(VersionedTensor*);
    std::uint64_t flags;
    Array array;
};

}  // namespace rondo::python::dlpack
