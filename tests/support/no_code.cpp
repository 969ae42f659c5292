// A target needs a source: this one compiles the headers that test programs share.
