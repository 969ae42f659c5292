"""Steps before and behind a model that become part of it, under OpenVINO's names.

Element types, layouts, mean and scale. What belongs to images (colours, resizing) is refused.
"""

from rondo.preprocess._steps import (InputInfo, InputModelInfo, InputTensorInfo, OutputInfo,
                                     OutputModelInfo, OutputTensorInfo, PostProcessSteps,
                                     PrePostProcessor, PreProcessSteps)


def __getattr__(name):
    reason = ": it belongs to images, which Rondo doesn't prepare" if name in _OF_IMAGES else ""
    raise AttributeError(f"module 'rondo.preprocess' has no attribute '{name}'{reason}")


_OF_IMAGES = ("ColorFormat", "PaddingMode", "ResizeAlgorithm")

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
