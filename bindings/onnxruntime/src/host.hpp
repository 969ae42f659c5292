// The onnxruntime that has loaded the plugin: its functions, its errors as exceptions, its log.
#pragma once

#include <exception>
#include <stdexcept>
#include <string>

#include "bindings/onnxruntime/abi/onnxruntime.hpp"
#include "rondo/error.hpp"

namespace rondo::ort {

/// What a function of onnxruntime has reported.
class HostError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// The tables of functions that one onnxruntime gives. They stay as long as the process.
class Host {
public:
    /// Throws std::runtime_error that names both versions if onnxruntime is older than 1.23.
    explicit Host(const OrtApiBase& base);

    const OrtApi* operator->() const { return api_; }
    const OrtEpApi& ep() const { return *api_->GetEpApi(); }
    /// Throws UnsupportedError if this onnxruntime was built without it.
    const OrtModelEditorApi& editor() const;
    /// Only if has_profilers().
    const OrtEpApi25& profiling() const { return reinterpret_cast<const OrtEpApi25&>(ep()); }
    /// Null if onnxruntime is older than 1.24.
    const OrtApi24* newer() const {
        return minor_ < 24 ? nullptr : reinterpret_cast<const OrtApi24*>(api_);
    }
    /// Whether the type says a shape; nothing is known of it if it has no extents and onnxruntime
    /// is older than 1.24.
    bool has_shape(const OrtTensorTypeAndShapeInfo* type, std::size_t rank) const;

    // What releases of onnxruntime lack.
    bool has_profilers() const { return minor_ >= 25; }
    /// Nodes that are fused in two graphs of a model have two names. In 1.23 they may have one, and
    /// the session fails.
    bool names_graphs_apart() const { return minor_ >= 24; }
    /// A fused node gets the values that bodies in it use. Before 1.27 it gets the inputs of its
    /// nodes alone.
    bool gives_implicit_inputs() const { return minor_ >= 27; }

    /// Throws HostError with the text of a status that isn't null.
    void check(OrtStatus* status) const;

    /// Calls `work`; its exception becomes a status, since none may cross the border.
    template <typename Work>
    OrtStatus* guard(const Work& work) const noexcept {
        try {
            work();
            return nullptr;
        } catch (const UnsupportedError& error) {
            return failure(ORT_NOT_IMPLEMENTED, error.what());
        } catch (const ModelError& error) {
            return failure(ORT_INVALID_ARGUMENT, error.what());
        } catch (const std::exception& error) {
            return failure(ORT_EP_FAIL, error.what());
        } catch (...) {
            return failure(ORT_EP_FAIL, "an exception of an unknown type");
        }
    }
    /// A status whose text starts with the plugin's name.
    OrtStatus* failure(OrtErrorCode code, const char* text) const noexcept;

    /// Calls a function of onnxruntime, whose last argument takes the result.
    template <typename Result, typename... Parameters, typename... Arguments>
    Result get(OrtStatus* (*function)(Parameters...), Arguments... arguments) const {
        Result result{};
        check(function(arguments..., &result));
        return result;
    }

private:
    const OrtApi* api_;
    int minor_;  ///< of the release: 24 of 1.24.3
};

/// Writes into a log of onnxruntime. Lines that can't be written are lost.
class Log {
public:
    Log(const Host& host, const OrtLogger* logger) : host_(host), logger_(logger) {}

    bool wants(OrtLoggingLevel level) const;
    void write(OrtLoggingLevel level, const std::string& line) const;

private:
    const Host& host_;
    const OrtLogger* logger_;
};

}  // namespace rondo::ort
