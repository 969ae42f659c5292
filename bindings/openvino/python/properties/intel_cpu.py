"""Properties of the CPU device, under the name that OpenVINO has for them."""

from rondo.properties.property import Property

denormals_optimization = Property("CPU_DENORMALS_OPTIMIZATION")
enable_tensor_parallel = Property("ENABLE_TENSOR_PARALLEL")
sparse_weights_decompression_rate = Property("CPU_SPARSE_WEIGHTS_DECOMPRESSION_RATE")
tbb_partitioner = Property("TBB_PARTITIONER")


class TbbPartitioner:
    """Values of tbb_partitioner, which has no effect."""

    NONE = "NONE"
    STATIC = "STATIC"
    AUTO = "AUTO"
