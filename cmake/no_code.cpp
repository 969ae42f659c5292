// A target needs a source: this one compiles the headers that others share.
