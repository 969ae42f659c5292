"""Properties that describe a device."""

from rondo.properties.property import Property

capabilities = Property("OPTIMIZATION_CAPABILITIES")
full_name = Property("FULL_DEVICE_NAME")
id = Property("DEVICE_ID")
priorities = Property("MULTI_DEVICE_PRIORITIES")
