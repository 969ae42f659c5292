"""A property's name that can be called with a value, like OpenVINO's."""


class Property(str):
    """Stands for the name in a dict; `name(value)` is a pair for set_property()."""

    __slots__ = ()

    def __call__(self, value=None):
        return str(self) if value is None else (str(self), value)


def explainer(module, reasons):
    """A module's __getattr__, which says why a name of OpenVINO's isn't there."""
    def __getattr__(name):
        reason = f": {reasons[name]}" if name in reasons else ""
        raise AttributeError(f"module '{module}' has no attribute '{name}'{reason}")
    return __getattr__
