// How long work (meshing, preparing, running) says how far it is, and learns that it should stop.
#pragma once

#include <string_view>

namespace limber {

/// Give one of these to anything that takes time. The default is silent and never stops.
class Progress {
public:
    virtual ~Progress() = default;
    /// `fraction` in [0, 1]; `what` is a short present participle ("factoring").
    virtual void update(double /*fraction*/, std::string_view /*what*/) {}
    /// True once the caller wants the work to end; the work then throws Error{Fault::interrupted} or returns early.
    virtual bool stop_requested() const { return false; }
};

}  // namespace limber
