# Refuses processors that Rondo has no right answers for, and says what this one has.
# rondo_processor: x86_64 or aarch64.

# Tensors, weights and files are little-endian in memory, and nothing swaps their bytes.
if(CMAKE_CXX_BYTE_ORDER STREQUAL "BIG_ENDIAN")
    message(FATAL_ERROR "Rondo can't be built for '${CMAKE_SYSTEM_PROCESSOR}', which is big-endian: "
        "models' weights are little-endian and are used as they lie in memory.")
endif()
if(NOT CMAKE_SIZEOF_VOID_P EQUAL 8)
    message(FATAL_ERROR "Rondo can't be built for 32-bit programs: models and tensors may be larger "
        "than their memory.")
endif()
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|amd64|AMD64)$")
    set(rondo_processor x86_64)
elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "^(aarch64|arm64|ARM64)$")
    set(rondo_processor aarch64)
else()
    message(FATAL_ERROR "Rondo can't be built for '${CMAKE_SYSTEM_PROCESSOR}': how it makes denormals "
        "zero is known for x86_64 and aarch64 alone (kernels/machine/flush_denormals.hpp).")
endif()

if(rondo_processor STREQUAL "x86_64")
    set(rondo_has_jit ON)
else()
    set(rondo_has_jit OFF)
endif()
option(RONDO_JIT "Generate code for AVX2 and AVX-512; else kernels are plain C++" ${rondo_has_jit})
if(RONDO_JIT AND NOT rondo_has_jit)
    message(FATAL_ERROR "RONDO_JIT=ON generates code for x86_64; this is '${CMAKE_SYSTEM_PROCESSOR}'.")
endif()
