// What a forked child leaves to its parent isn't destroyed in the child: a thread of the parent may
// have been at work with it.
extern "C" const char* __lsan_default_suppressions() {
    return "leak:rondo::cpu::make_team\nleak:rondo::AsyncRunner::AsyncRunner\n";
}
