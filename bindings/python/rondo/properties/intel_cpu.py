"""Properties of the CPU device, under the name that OpenVINO has for them."""

from rondo.properties.property import Property

denormals_optimization = Property("CPU_DENORMALS_OPTIMIZATION")
