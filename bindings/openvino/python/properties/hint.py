"""Properties that name a goal; the device chooses the settings."""

from rondo._openvino.absent import explainer as _explainer
from rondo.properties.property import Property

# What OpenVINO has and Rondo hasn't: how to do it here.
_ABSENT = {
    "ModelDistributionPolicy": "model_distribution_policy takes texts, and has no effect",
    "activations_scale_factor": "activations are f32, which needs no scaling",
    "compiled_blob": "Core.import_model() takes what CompiledModel.export_model() gave",
    "model": "the cache keeps whole models",
}

allow_auto_batching = Property("ALLOW_AUTO_BATCHING")
dynamic_quantization_group_size = Property("DYNAMIC_QUANTIZATION_GROUP_SIZE")
enable_cpu_reservation = Property("ENABLE_CPU_RESERVATION")
enable_hyper_threading = Property("ENABLE_HYPER_THREADING")
execution_mode = Property("EXECUTION_MODE_HINT")
kv_cache_precision = Property("KV_CACHE_PRECISION")
model_distribution_policy = Property("MODEL_DISTRIBUTION_POLICY")
model_priority = Property("MODEL_PRIORITY")
scheduling_core_type = Property("SCHEDULING_CORE_TYPE")

enable_cpu_pinning = Property("ENABLE_CPU_PINNING")
inference_precision = Property("INFERENCE_PRECISION_HINT")
num_requests = Property("PERFORMANCE_HINT_NUM_REQUESTS")
performance_mode = Property("PERFORMANCE_HINT")


class PerformanceMode:
    """Values of performance_mode."""

    LATENCY = "LATENCY"
    THROUGHPUT = "THROUGHPUT"
    CUMULATIVE_THROUGHPUT = "CUMULATIVE_THROUGHPUT"


class ExecutionMode:
    """Values of execution_mode; both compute in f32."""

    PERFORMANCE = "PERFORMANCE"
    ACCURACY = "ACCURACY"


class Priority:
    """Values of model_priority, which has no effect."""

    LOW = "LOW"
    MEDIUM = "MEDIUM"
    HIGH = "HIGH"
    DEFAULT = "MEDIUM"


class SchedulingCoreType:
    """Values of scheduling_core_type, which has no effect."""

    ANY_CORE = "ANY_CORE"
    PCORE_ONLY = "PCORE_ONLY"
    ECORE_ONLY = "ECORE_ONLY"


__getattr__ = _explainer(__name__, _ABSENT)
