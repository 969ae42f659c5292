// What the sanitizers do unless ASAN_OPTIONS or TSAN_OPTIONS says otherwise: memory that a model
// asks for in vain is refused, as by a system that has too little.
extern "C" const char* __asan_default_options() {
    return "allocator_may_return_null=1:max_allocation_size_mb=512";
}
extern "C" const char* __tsan_default_options() {
    return "allocator_may_return_null=1:max_allocation_size_mb=512";
}
