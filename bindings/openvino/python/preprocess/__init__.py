"""Steps before and after a model that become part of it, under OpenVINO's names.

Element types, layouts, mean and scale. What belongs to images (colours, resizing) is refused.
"""

from rondo._openvino.absent import explainer as _explainer
from rondo.preprocess._steps import (InputInfo, InputModelInfo, InputTensorInfo, OutputInfo,
                                     OutputModelInfo, OutputTensorInfo, PostProcessSteps,
                                     PrePostProcessor, PreProcessSteps)

__getattr__ = _explainer(__name__, dict.fromkeys(
    ("ColorFormat", "PaddingMode", "ResizeAlgorithm"),
    "it belongs to images, which Rondo doesn't prepare"))
