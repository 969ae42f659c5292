// OpenVINO's C++ names for what Rondo has: `namespace ov = rondo::ov;` and most programs that infer
// compile. bindings/openvino/README.md says what is the same, what differs and what is absent.
#pragma once

#include "rondo/openvino/core.hpp"
#include "rondo/openvino/log.hpp"
#include "rondo/openvino/pass.hpp"
