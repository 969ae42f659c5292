// TBB threads that teams keep, in addition to those that all other users in the process share.
#pragma once

namespace rondo::cpu {

/// While this lives, TBB may make `count` additional threads: a team's workers sleep in its
/// arena between inferences, and other users of TBB, also other teams, keep their threads.
class GuestWorkers {
public:
    explicit GuestWorkers(int count);
    ~GuestWorkers();
    GuestWorkers(const GuestWorkers&) = delete;
    GuestWorkers& operator=(const GuestWorkers&) = delete;

private:
    int count_;
};

}  // namespace rondo::cpu
