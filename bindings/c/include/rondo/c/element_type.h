// The types that a tensor's elements can have.
#pragma once

#include "rondo/c/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The numbers are part of the ABI.
typedef enum rondo_element_type {
    RONDO_DYNAMIC = 0,  ///< not known yet; no tensor has it
    RONDO_BOOLEAN = 1,  ///< a byte, 0 or 1
    RONDO_F64 = 2,
    RONDO_F32 = 3,
    RONDO_F16 = 4,
    RONDO_BF16 = 5,
    RONDO_I64 = 6,
    RONDO_I32 = 7,
    RONDO_I16 = 8,
    RONDO_I8 = 9,
    RONDO_U64 = 10,
    RONDO_U32 = 11,
    RONDO_U16 = 12,
    RONDO_U8 = 13,
    RONDO_F8E4M3 = 14,  ///< this and the next ones can be stored, moved and converted alone
    RONDO_F8E5M2 = 15,
    RONDO_F8E4M3FNUZ = 16,
    RONDO_F8E5M2FNUZ = 17,
    RONDO_F8E8M0 = 18,
    RONDO_F4E2M1 = 19,  ///< this and the next ones are the lowest bits of a byte each
    RONDO_I4 = 20,
    RONDO_U4 = 21,
    RONDO_I2 = 22,
    RONDO_U2 = 23,
    RONDO_ELEMENT_TYPE_FORCE_INT = 0x7fffffff  ///< not a type: makes any int a valid value in C++
} rondo_element_type_t;

/// Bytes of one element; 0 for RONDO_DYNAMIC and for numbers that aren't types.
RONDO_C_API size_t rondo_element_size(rondo_element_type_t type);
/// "f32", "i64", "boolean", ...; "unknown type" for numbers that aren't types.
RONDO_C_API const char* rondo_element_type_name(rondo_element_type_t type);
/// The inverse, whatever the case; also reads names such as "FP32".
RONDO_C_API rondo_status_t rondo_element_type_from_name(const char* name,
                                                        rondo_element_type_t* type);

/// Between float and the bits of IEEE binary16 and bfloat16; rounds to nearest even.
RONDO_C_API float rondo_f16_to_float(uint16_t bits);
RONDO_C_API uint16_t rondo_f16_from_float(float value);
RONDO_C_API float rondo_bf16_to_float(uint16_t bits);
RONDO_C_API uint16_t rondo_bf16_from_float(float value);

#ifdef __cplusplus
}
#endif
