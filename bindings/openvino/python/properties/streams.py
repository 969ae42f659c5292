"""The number of requests that run at once."""

from rondo.properties.property import Property

num = Property("NUM_STREAMS")


class Num:
    """Values of num."""

    AUTO = "AUTO"
