// Everything that a program needs to read, compile and run a model.
#pragma once

#include "rondo/compiled_model.hpp"
#include "rondo/core.hpp"
#include "rondo/element_type.hpp"
#include "rondo/error.hpp"
#include "rondo/graph_builder.hpp"
#include "rondo/infer_request.hpp"
#include "rondo/log.hpp"
#include "rondo/metrics.hpp"
#include "rondo/model.hpp"
#include "rondo/nearest_name.hpp"
#include "rondo/properties.hpp"
#include "rondo/shape.hpp"
#include "rondo/stream_pool.hpp"
#include "rondo/tensor.hpp"
#include "rondo/variable_state.hpp"
#include "rondo/version.hpp"
