// Makes the execution providers of sessions.
#pragma once

#include "bindings/onnxruntime/src/host.hpp"

namespace rondo::ort {

class Factory : public OrtEpFactory {
public:
    /// Throws std::runtime_error if onnxruntime is too old.
    explicit Factory(const OrtApiBase& base);

    static Factory& of(OrtEpFactory* factory) { return *static_cast<Factory*>(factory); }

    const Host& host() const { return host_; }

private:
    const Host host_;
};

}  // namespace rondo::ort
