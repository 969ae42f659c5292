#include "rondo/error.hpp"

namespace rondo {

// Out of line, so that the types have one home and cross library borders.
Error::~Error() = default;
ModelError::~ModelError() = default;
UnsupportedError::~UnsupportedError() = default;
InternalError::~InternalError() = default;
OutOfMemoryError::~OutOfMemoryError() = default;
QueueFullError::~QueueFullError() = default;
CancelledError::~CancelledError() = default;

}  // namespace rondo
