// Writes what export_model() gives of a model whose states it keeps: triton_export MODEL FILE.
#include <fstream>

#include "rondo/core.hpp"

int main(int /*count*/, char** arguments) {
    const rondo::Core core;
    rondo::Model model = core.read_model(arguments[1]);
    model.make_stateful();
    model.set_batch(rondo::Dimension());
    std::ofstream file(arguments[2], std::ios::binary);
    core.compile_model(model).export_model(file);
    return file ? 0 : 1;
}
