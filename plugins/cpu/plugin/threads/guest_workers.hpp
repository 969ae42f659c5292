// TBB threads that teams keep, added to those that everyone else in the process shares.
#pragma once

namespace rondo::cpu {

/// While this lives, TBB may make `count` threads more than it would: a team's workers sleep in its
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
