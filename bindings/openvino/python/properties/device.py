"""Properties that describe a device."""

from rondo._openvino.absent import explainer as _explainer
from rondo.properties.property import Property

_ONE_KIND = "the devices are CPU and REFERENCE, which compute on the CPU"

# What OpenVINO has and Rondo hasn't: how to do it here.
_ABSENT = {
    "Capability": "capabilities gives a list of texts",
    "PCIInfo": _ONE_KIND,
    "Priorities": "priorities takes a list of texts",
    "Type": _ONE_KIND,
    "architecture": "full_name names the processor",
    "gops": "`rondo benchmark` measures the speed",
    "luid": _ONE_KIND,
    "pci_info": _ONE_KIND,
    "properties": "Core.set_property(device, properties) sets those of one device",
    "thermal": "Rondo reads no temperatures",
    "type": _ONE_KIND,
    "uuid": _ONE_KIND,
}

capabilities = Property("OPTIMIZATION_CAPABILITIES")
full_name = Property("FULL_DEVICE_NAME")
id = Property("DEVICE_ID")
priorities = Property("MULTI_DEVICE_PRIORITIES")

__getattr__ = _explainer(__name__, _ABSENT)
