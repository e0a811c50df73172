// Which threads are in native code, so that Python can wait for them before it ends.
//
// When Python ends, it ends every other thread by force as soon as that asks for the interpreter's lock. Below frames of
// C++ that is a crash. So before Python ends, `leave` makes threads come out of native code and lets no other in.
#pragma once

#include "base/types.hpp"

namespace exactcover {

// Thrown in a thread that has to end because Python ends; becomes SystemExit.
struct Leaving {};

// Held by a thread as long as it is in native code; dropped under the interpreter's lock.
class Presence {
public:
    Presence();
    ~Presence();
    Presence(const Presence &) = delete;
    Presence &operator=(const Presence &) = delete;

    // Throws Leaving where this thread has to end.
    static void check();

    // Let no thread but this one in any more, and wait at most so long until all others have come out; returns whether
    // they have.
    static bool leave(double seconds);
};

}  // namespace exactcover
