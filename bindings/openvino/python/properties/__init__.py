"""The names of properties: `core.set_property({rondo.properties.num_streams: 2})`."""

from rondo._openvino.absent import explainer as _explainer
from rondo.properties import device, hint, intel_cpu, log, streams
from rondo.properties.property import Property

# keep-sorted
auto_batch_timeout = Property("AUTO_BATCH_TIMEOUT")
available_devices = Property("AVAILABLE_DEVICES")
cache_dir = Property("CACHE_DIR")
cache_mode = Property("CACHE_MODE")
compilation_num_threads = Property("COMPILATION_NUM_THREADS")
enable_mmap = Property("ENABLE_MMAP")
enable_profiling = Property("PERF_COUNT")
enable_tracing = Property("PERF_TRACE")
execution_devices = Property("EXECUTION_DEVICES")
force_tbb_terminate = Property("FORCE_TBB_TERMINATE")
inference_num_threads = Property("INFERENCE_NUM_THREADS")
keep_inputs = Property("KEEP_INPUTS")
key_cache_group_size = Property("KEY_CACHE_GROUP_SIZE")
key_cache_precision = Property("KEY_CACHE_PRECISION")
loaded_from_cache = Property("LOADED_FROM_CACHE")
max_compile_time = Property("MAX_COMPILE_TIME")
max_constant_bytes = Property("MAX_CONSTANT_BYTES")
max_depth = Property("MAX_DEPTH")
max_folded_bytes = Property("MAX_FOLDED_BYTES")
max_iterations = Property("MAX_ITERATIONS")
max_loop_depth = Property("MAX_LOOP_DEPTH")
max_nodes = Property("MAX_NODES")
max_plan_bytes = Property("MAX_PLAN_BYTES")
max_tensor_bytes = Property("MAX_TENSOR_BYTES")
model_name = Property("NETWORK_NAME")
num_streams = Property("NUM_STREAMS")
optimal_number_of_infer_requests = Property("OPTIMAL_NUMBER_OF_INFER_REQUESTS")
supported_properties = Property("SUPPORTED_PROPERTIES")
value_cache_group_size = Property("VALUE_CACHE_GROUP_SIZE")
value_cache_precision = Property("VALUE_CACHE_PRECISION")

# What OpenVINO has and Rondo hasn't: how to do it here.
_ABSENT = {
    "CompatibilityCheck": "Core.compile_model() and Core.import_model() say what doesn't fit",
    "WorkloadType": "requests have no priorities",
    "cache_encryption_callbacks": "the cache's files aren't encrypted",
    "compatibility_check": "Core.compile_model() and Core.import_model() say what doesn't fit",
    "enable_weightless": "the cache's files have the weights",
    "intel_auto": "Rondo runs a model on one device, which AUTO is too",
    "intel_gpu": "there are the devices CPU and REFERENCE",
    "intel_npu": "there are the devices CPU and REFERENCE",
    "max_batch_size": "Model.set_batch() opens a batch, whose size isn't limited",
    "optimal_batch_size": "`rondo benchmark` measures batches",
    "range_for_async_infer_requests": "optimal_number_of_infer_requests is the number to use",
    "range_for_streams": "num_streams takes a number, or AUTO",
    "runtime_requirements": "Core.compile_model() and Core.import_model() say what doesn't fit",
    "weights_path": "an IR's weights lie beside it, or are given to Core.read_model()",
    "workload_type": "requests have no priorities",
}


class CacheMode:
    """Values of cache_mode, which has no effect."""

    OPTIMIZE_SIZE = "OPTIMIZE_SIZE"
    OPTIMIZE_SPEED = "OPTIMIZE_SPEED"


__getattr__ = _explainer(__name__, _ABSENT)
