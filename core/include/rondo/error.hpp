// The kinds of error that Rondo throws, all deriving from rondo::Error.
#pragma once

#include <stdexcept>
#include <string>

#include "rondo/export.hpp"

namespace rondo {

/// Base of everything Rondo throws. The message says where, what, got and expected, in one line.
/// An Error of no other kind reports that the system refused something, such as another thread, or
/// that a device which register_plugin() loaded has failed.
class RONDO_API Error : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
    ~Error() override;
};

/// The caller's file or argument is wrong.
class RONDO_API ModelError : public Error {
public:
    using Error::Error;
    ~ModelError() override;
};

/// The input is valid, but Rondo can't do it.
class RONDO_API UnsupportedError : public Error {
public:
    using Error::Error;
    ~UnsupportedError() override;
};

/// A bug in Rondo; the message holds file and line.
class RONDO_API InternalError : public Error {
public:
    using Error::Error;
    ~InternalError() override;
};

/// The system refused memory that the call needs. If there is none for this error either,
/// std::bad_alloc leaves the call.
class RONDO_API OutOfMemoryError : public Error {
public:
    using Error::Error;
    ~OutOfMemoryError() override;
};

/// The queue of a stream is full, or the stream pool has as many streams as it may have.
class RONDO_API QueueFullError : public Error {
public:
    using Error::Error;
    ~QueueFullError() override;
};

/// The inference was cancelled through InferRequest::cancel(), or a stream's step before it began.
class RONDO_API CancelledError : public Error {
public:
    using Error::Error;
    ~CancelledError() override;
};

}  // namespace rondo
