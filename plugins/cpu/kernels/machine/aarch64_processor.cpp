// Its registers that name it are the system's alone, and every one runs the plain kernels.
#include "plugins/cpu/kernels/machine/cpu_features.hpp"

namespace rondo::cpu {

void read_processor(CpuFeatures&) {}
bool ask_for_amx() { return false; }

}  // namespace rondo::cpu
