"""Steps before and behind a model that become part of it, under OpenVINO's names.

Element types, layouts, mean and scale. What belongs to images (colours, resizing) is refused.
"""

from rondo.preprocess._steps import (InputInfo, InputModelInfo, InputTensorInfo, OutputInfo,
                                     OutputModelInfo, OutputTensorInfo, PostProcessSteps,
                                     PrePostProcessor, PreProcessSteps)

__all__ = [
    "InputInfo",
    "InputModelInfo",
    "InputTensorInfo",
    "OutputInfo",
    "OutputModelInfo",
    "OutputTensorInfo",
    "PostProcessSteps",
    "PrePostProcessor",
    "PreProcessSteps",
]
