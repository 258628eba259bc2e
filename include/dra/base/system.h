// include/dra/base/system.h
//
// What Linux has and POSIX has not, so that one file differs between systems. Where another system
// has no such thing, its nearest is done, as each says.

#pragma once

#include <array>

namespace dra::base {

// Makes a pipe, as {reader, writer}, that programs which we start do not inherit. False if it
// cannot, and errno says why. Elsewhere a program that another thread starts at this moment may
// inherit it.
bool make_pipe(std::array<int, 2>& ends);

// Keeps the descriptors from `first` on from programs that we start, also those that we were
// started with; where the system has to be asked of each, those below 1024. Safe in a signal
// handler.
void close_on_exec_from(int first);

// The system sends this process SIGTERM when the thread that started it ends; elsewhere nothing is
// done. Safe in a signal handler.
void end_with_parent();

// No file gets what is in memory when the process crashes. On Linux no debugger of the same user
// may read it either.
void forbid_core_dumps();

}  // namespace dra::base
