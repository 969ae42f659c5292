"""The log of the whole process."""

from rondo.properties.property import Property

level = Property("LOG_LEVEL")


class Level:
    """Values of level. Errors are raised, so ERR means NO; TRACE means DEBUG."""

    NO = "LOG_NONE"
    ERR = "LOG_ERROR"
    WARNING = "LOG_WARNING"
    INFO = "LOG_INFO"
    DEBUG = "LOG_DEBUG"
    TRACE = "LOG_TRACE"
