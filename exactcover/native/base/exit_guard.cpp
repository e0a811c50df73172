#include "base/exit_guard.hpp"

#include <atomic>
#include <cstdio>
#include <cstdlib>

#if defined(__unix__) || defined(__APPLE__)
#include <unistd.h>
#endif

namespace exactcover {

namespace {

std::atomic<int> replacement{0};

#if defined(__unix__) || defined(__APPLE__)
std::atomic<long> guarded{0};  // the process; a child that it forks may exit
long this_process() { return static_cast<long>(getpid()); }
#else
std::atomic<long> guarded{0};
long this_process() { return 0; }
#endif

void replace_status() {
    const int status = replacement;
    if (status == 0 || this_process() != guarded) return;
    std::fputs("error: a library ended the process, perhaps for lack of memory\n", stderr);
    std::_Exit(status);
}

}  // namespace

void guard_exit(int status) {
    guarded = this_process();
    replacement = status;
    static const int registered = std::atexit(replace_status);
    static_cast<void>(registered);
}

}  // namespace exactcover
