// Rondo's C API: reads, compiles and runs models. C99, and the same in C++.
//
// - Every function that can fail returns a rondo_status_t; rondo_last_error_message() says why.
// - Results come through the last parameter. If a call fails, a handle it would have made is
//   NULL. A null handle or pointer is RONDO_INVALID_ARGUMENT unless the function says otherwise.
// - The caller frees what a function makes, with the function named there; every _free
//   function accepts NULL. Handles keep alive what they need: they may be freed in any order.
// - Text is UTF-8 and ends in 0. A `const char*` belongs to the handle it came from.
// - The library makes structs whose name ends in _info_t, and fields may be appended to them:
//   read them where they are, don't copy them whole.
#pragma once

#include "rondo/c/compiled_model.h"
#include "rondo/c/core.h"
#include "rondo/c/element_type.h"
#include "rondo/c/infer_request.h"
#include "rondo/c/log.h"
#include "rondo/c/model.h"
#include "rondo/c/status.h"
#include "rondo/c/stream_pool.h"
#include "rondo/c/tensor.h"
#include "rondo/c/variable_state.h"
#include "rondo/version.hpp"
