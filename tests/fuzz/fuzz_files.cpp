// Fuzz target: models with external data, changed part by part, whose entries name other places,
// offsets and lengths; read, and put through the portable passes.
#include "tests/fuzz/read_input.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace rondo::test;
    if (const auto graph = read_input(data, size)) put_through_passes(*graph);
    return 0;
}
