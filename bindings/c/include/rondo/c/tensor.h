// A block of typed memory with a shape: owning, borrowed, or kept by the caller until released.
#pragma once

#include "rondo/c/element_type.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Handles may share memory, which lives until the last of them is freed; a request keeps the
/// memory of its tensors alive.
typedef struct rondo_tensor rondo_tensor_t;

/// Owns zeroed memory, 64-byte aligned. `shape`: `rank` extents, outermost first; may be NULL for a
/// scalar, whose rank is 0.
RONDO_C_API rondo_status_t rondo_tensor_create(rondo_element_type_t type, const size_t* shape,
                                               size_t rank, rondo_tensor_t** tensor);

/// Borrows memory, which must outlive every use of the tensor by a request. `strides`: bytes
/// between neighbours, one an axis; NULL for row-major. `data` may be NULL if there are no
/// elements.
RONDO_C_API rondo_status_t rondo_tensor_create_borrowed(rondo_element_type_t type,
                                                        const size_t* shape, size_t rank,
                                                        void* data, const ptrdiff_t* strides,
                                                        rondo_tensor_t** tensor);

/// Called once, on any thread, when the memory is no longer used. Must not throw.
typedef void (*rondo_release_fn)(void* user_data);

/// Row-major memory that the caller keeps until `release(user_data)` is called. `release` isn't
/// called if this function fails.
RONDO_C_API rondo_status_t rondo_tensor_create_with_release(rondo_element_type_t type,
                                                            const size_t* shape, size_t rank,
                                                            void* data, rondo_release_fn release,
                                                            void* user_data,
                                                            rondo_tensor_t** tensor);

RONDO_C_API void rondo_tensor_free(rondo_tensor_t* tensor);

RONDO_C_API rondo_status_t rondo_tensor_element_type(const rondo_tensor_t* tensor,
                                                     rondo_element_type_t* type);
/// `*shape`: `*rank` extents that live as long as the handle; never NULL.
RONDO_C_API rondo_status_t rondo_tensor_shape(const rondo_tensor_t* tensor, const size_t** shape,
                                              size_t* rank);
/// `*strides`: bytes, one an axis, also for row-major tensors; lives as long as the handle.
RONDO_C_API rondo_status_t rondo_tensor_strides(const rondo_tensor_t* tensor,
                                                const ptrdiff_t** strides, size_t* rank);
/// The number of elements.
RONDO_C_API rondo_status_t rondo_tensor_size(const rondo_tensor_t* tensor, size_t* size);
/// The number of elements times their size.
RONDO_C_API rondo_status_t rondo_tensor_byte_size(const rondo_tensor_t* tensor, size_t* bytes);
/// 1 if the tensor is row-major without gaps, else 0.
RONDO_C_API rondo_status_t rondo_tensor_is_contiguous(const rondo_tensor_t* tensor,
                                                      int* contiguous);

/// The first byte of a contiguous tensor; RONDO_MODEL_ERROR for others.
RONDO_C_API rondo_status_t rondo_tensor_data(const rondo_tensor_t* tensor, void** data);
/// As rondo_tensor_data(), and checks that the elements have this type.
RONDO_C_API rondo_status_t rondo_tensor_data_as(const rondo_tensor_t* tensor,
                                                rondo_element_type_t type, void** data);
/// The first byte, whatever the strides are; see rondo_tensor_strides().
RONDO_C_API rondo_status_t rondo_tensor_strided_data(const rondo_tensor_t* tensor, void** data);

/// Copies the elements, honouring the strides of both. Types and shapes must be equal.
RONDO_C_API rondo_status_t rondo_tensor_copy_to(const rondo_tensor_t* tensor,
                                                rondo_tensor_t* target);
/// The same memory if it is contiguous, else a row-major copy.
RONDO_C_API rondo_status_t rondo_tensor_contiguous(const rondo_tensor_t* tensor,
                                                   rondo_tensor_t** result);
/// The elements as `type`: any number becomes a floating one, rounded to nearest even; integers and
/// booleans become each other if the type holds them. RONDO_MODEL_ERROR for others, and for a
/// finite number that would become infinite. `*rounded`: how many numbers changed; may be NULL.
RONDO_C_API rondo_status_t rondo_tensor_converted(const rondo_tensor_t* tensor,
                                                  rondo_element_type_t type, size_t* rounded,
                                                  rondo_tensor_t** result);
/// The same memory under another shape with as many elements.
RONDO_C_API rondo_status_t rondo_tensor_reshaped(const rondo_tensor_t* tensor, const size_t* shape,
                                                 size_t rank, rondo_tensor_t** result);

/// A tensor with the name of an input, a variable or a file; this struct never grows.
typedef struct rondo_named_tensor {
    const char* name;
    const rondo_tensor_t* tensor;
} rondo_named_tensor_t;

#ifdef __cplusplus
}
#endif
