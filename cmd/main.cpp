// cmd/main.cpp: runs the program (cli.h) with the process's real streams, clock and environment.

#include <new>
#include <string>
#include <vector>

#include "cmd/cli.h"
#include "cmd/pager.h"
#include "cmd/process.h"

int main(int argc, char** argv) {
  dra::cmd::prepare_process();
  const std::vector<std::string> args(argv + (argc > 0 ? 1 : 0), argv + argc);
  const dra::cmd::Console console = dra::cmd::process_console(argc > 0 ? argv[0] : "kubectl-dra");
  const dra::cmd::Pager pager(console.streams.out, dra::cmd::pager_of(console),
                              console.screen.height);
  try {
    return static_cast<int>(dra::cmd::run_cli(args, console));
  } catch (const std::bad_alloc&) {  // reported by a library, or more than there can ever be
    std::get_new_handler()();
  }
}
