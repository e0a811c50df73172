// Which threads are in native code, so that Python can wait for them before it exits.
//
// When Python exits, it ends every other thread by force as soon as that thread asks for the interpreter's lock. With
// C++ frames on its stack this is a crash. So before Python exits, `leave` makes threads leave native code and lets no
// other in.
#pragma once

#include "base/types.hpp"

namespace exactcover {

// Thrown in a thread that must end because Python exits; becomes SystemExit.
struct Leaving {};

// Held by a thread while it is in native code; destroyed under the interpreter's lock.
class Presence {
public:
    Presence();
    ~Presence();
    Presence(const Presence &) = delete;
    Presence &operator=(const Presence &) = delete;

    // Throws Leaving if this thread must end.
    static void check();

    // Let no thread but this one in from now on, and wait at most this long until all others have left; returns whether
    // they have.
    static bool leave(double seconds);
};

}  // namespace exactcover
