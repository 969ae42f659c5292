"""A property's name that can be called with a value, like OpenVINO's."""


class Property(str):
    """Is the name in a dict; `name(value)` is a pair for set_property()."""

    __slots__ = ()

    def __call__(self, value=None):
        return str(self) if value is None else (str(self), value)
