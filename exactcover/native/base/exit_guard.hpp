// Libraries that end the process themselves, with whatever status they choose.
//
// Some C libraries call `exit(1)` when memory runs out. A caller would take that status for an answer of this program.
#pragma once

namespace exactcover {

// From now on, a call of `exit` in this process ends it with this status and a message. 0 ends the guard.
void guard_exit(int status);

}  // namespace exactcover
