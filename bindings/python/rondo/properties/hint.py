"""Properties that name a goal; the device chooses the settings."""

from rondo.properties.property import Property

enable_cpu_pinning = Property("ENABLE_CPU_PINNING")
inference_precision = Property("INFERENCE_PRECISION_HINT")
num_requests = Property("PERFORMANCE_HINT_NUM_REQUESTS")
performance_mode = Property("PERFORMANCE_HINT")


class PerformanceMode:
    """Values of performance_mode."""

    LATENCY = "LATENCY"
    THROUGHPUT = "THROUGHPUT"
    CUMULATIVE_THROUGHPUT = "CUMULATIVE_THROUGHPUT"
