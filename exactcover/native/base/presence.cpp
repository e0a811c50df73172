#include "base/presence.hpp"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

#if defined(__unix__) || defined(__APPLE__)
#include <pthread.h>
#endif

namespace exactcover {

namespace {

thread_local u32 depth = 0;  // how many nested calls of this thread are in native code

// Shared by all threads. It is never destroyed, because threads may outlive everything else.
struct Door {
    std::atomic<bool> closed{false};
    std::atomic<std::thread::id> leaver{};
    std::mutex mutex;
    std::condition_variable changed;
    u32 inside = 0;  // threads

    void move(int by) {
        const std::lock_guard<std::mutex> guard(mutex);
        inside += static_cast<u32>(by);
        if (closed) changed.notify_all();
    }
};

Door *door = new Door;

#if defined(__unix__) || defined(__APPLE__)
// In a child process only the thread that forked exists.
void forked() {
    const u32 inside = depth > 0 ? 1 : 0;
    door = new Door;
    door->inside = inside;
}
const int registered = pthread_atfork(nullptr, nullptr, forked);
#endif

}  // namespace

// Enter first, then check: either the thread that closes the door sees this thread, or this thread sees the closed
// door.
Presence::Presence() {
    if (depth++ == 0) door->move(1);
    try {
        check();
    } catch (...) {
        if (--depth == 0) door->move(-1);
        throw;
    }
}

Presence::~Presence() {
    if (--depth == 0) door->move(-1);
}

void Presence::check() {
    if (door->closed.load(std::memory_order_acquire) && door->leaver.load() != std::this_thread::get_id())
        throw Leaving{};
}

bool Presence::leave(double seconds) {
    door->leaver = std::this_thread::get_id();
    door->closed = true;
    const u32 own = depth > 0 ? 1 : 0;
    std::unique_lock<std::mutex> guard(door->mutex);
    return door->changed.wait_for(guard, std::chrono::duration<double>(seconds), [own] { return door->inside <= own; });
}

}  // namespace exactcover
