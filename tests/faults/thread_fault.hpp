// Makes the system refuse threads to this program.
#pragma once

namespace rondo::test {

/// While this lives, pthread_create() makes `allowed` more threads and then refuses, as a limit on
/// processes does. One at a time.
class ThreadFault {
public:
    explicit ThreadFault(int allowed);
    ~ThreadFault();
    ThreadFault(const ThreadFault&) = delete;
    ThreadFault& operator=(const ThreadFault&) = delete;

    /// How many threads were refused since then.
    int refused() const;
};

}  // namespace rondo::test
