// cmd/process.cpp: standard descriptors, signals, environment and width of the terminal.

#include "cmd/process.h"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <charconv>
#include <chrono>
#include <csignal>
#include <iostream>
#include <new>
#include <optional>
#include <string_view>

#include "dra/base/files.h"
#include "dra/base/system.h"

extern "C" char** environ;  // NOLINT: macOS has it in no header

namespace dra::cmd {
namespace {

// The width in files and pipes: many names do not fit into 80 columns.
constexpr int kWidthElsewhere = 120;
// There, too, nothing is cut: who reads a file can scroll and search.
constexpr int kWhole = 1'000'000;

session::Environment read_environment() {
  session::Environment environment;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    const std::size_t equals = text.find('=');
    if (equals == std::string_view::npos) continue;
    // The first of two variables with one name counts, as in getenv().
    environment.variables.emplace(text.substr(0, equals), text.substr(equals + 1));
  }
  return environment;
}

// None if there is no terminal, or if it does not say.
std::optional<render::Screen> screen_of(int descriptor, bool terminal) {
  winsize size{};
  if (!terminal || ::ioctl(descriptor, TIOCGWINSZ, &size) != 0 || size.ws_col == 0)
    return std::nullopt;
  render::Screen screen{.width = size.ws_col};
  if (size.ws_row > 0) screen.height = size.ws_row;
  return screen;
}

int width_from(const session::Environment& environment) {
  constexpr int widest = 10'000;
  const std::string_view columns = environment.get("COLUMNS");
  int width = 0;
  std::from_chars(columns.data(), columns.data() + columns.size(), width);
  return width > 0 && width <= widest ? width : kWidthElsewhere;
}

base::Instant real_time() {
  const auto since = std::chrono::system_clock::now().time_since_epoch();
  const auto seconds = std::chrono::floor<std::chrono::seconds>(since);
  const auto nanos = std::chrono::duration_cast<std::chrono::nanoseconds>(since - seconds);
  return {seconds.count(), static_cast<std::int32_t>(nanos.count())};
}

// Every allocation that fails ends here, wherever it is made, and no memory is needed any more.
[[noreturn]] void end_out_of_memory() {
  constexpr std::string_view message =
      "error: out of memory\n"
      "hint: raise the limit (ulimit -v, or that of the container), or ask for less, as with -n "
      "NAMESPACE\n";
  static_cast<void>(!::write(STDERR_FILENO, message.data(), message.size()));
  ::_exit(static_cast<int>(ExitCode::Failed));
}

// When all memory is in use, the stack cannot grow either; what will be needed is taken now.
[[gnu::noinline]] void reserve_stack() {
  constexpr std::size_t size = std::size_t{256} << 10U;
  constexpr std::size_t page = 4096;
  volatile char bytes[size];  // NOLINT: never read
  for (std::size_t at = 0; at < size; at += page)
    bytes[at] = 0;
  asm volatile("" : : "r"(bytes) : "memory");  // NOLINT: so that the writes are kept
}

// Memory holds credentials, so none of it is written to a file when the program crashes.
void forbid_dumps() {
#ifndef __SANITIZE_ADDRESS__  // whose search for leaks needs the same right as a debugger
  base::forbid_core_dumps();
#endif
}

// Exits at once and without a message. Nothing is lost, as files are renamed into place only when
// they are complete. Calls only functions that are safe in a signal handler.
void end_interrupted(int) { ::_exit(static_cast<int>(ExitCode::Interrupted)); }

void handle_interrupt() {
  struct sigaction action {};
  // A signal that the parent ignores, as nohup and `&` in scripts do, stays ignored.
  if (::sigaction(SIGINT, nullptr, &action) != 0 || action.sa_handler == SIG_IGN) return;
  action.sa_handler = end_interrupted;
  ::sigaction(SIGINT, &action, nullptr);
}

}  // namespace

void prepare_process() {
  // The next file to be opened would get the number of a closed standard descriptor, and output
  // would go into it. A descriptor opened in the wrong direction fails like a closed one.
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    const int mode = descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY;
    if (::fcntl(descriptor, F_GETFD) < 0) static_cast<void>(::open("/dev/null", mode));
  }
  reserve_stack();
  std::set_new_handler(end_out_of_memory);
  forbid_dumps();
  // A write beyond the limit of a file's size fails instead of ending the program.
  std::signal(SIGXFSZ, SIG_IGN);
  // A write to a closed pipe fails instead of ending the program inside a TLS library.
  std::signal(SIGPIPE, SIG_IGN);
  handle_interrupt();
  std::ios::sync_with_stdio(false);
}

Console process_console(const char* program) {
  const bool terminal = ::isatty(STDOUT_FILENO) == 1;
  const bool error_terminal = ::isatty(STDERR_FILENO) == 1;
  session::Environment environment = read_environment();
  environment.interactive = ::isatty(STDIN_FILENO) == 1;
  environment.clock = real_time;
  const std::optional<render::Screen> screen = screen_of(STDOUT_FILENO, terminal);
  const auto error_screen = screen_of(STDERR_FILENO, error_terminal).value_or(render::Screen{});
  const int width = screen ? screen->width : width_from(environment);
  return {.streams = {.out = std::cout,
                      .err = std::cerr,
                      .read_input =
                          [] { return base::read_descriptor(STDIN_FILENO, "standard input"); }},
          .environment = std::move(environment),
          .now = real_time(),
          .width = width,
          .screen = screen.value_or(render::Screen{.width = width, .height = kWhole}),
          .terminal = terminal,
          .measure = [terminal] { return screen_of(STDOUT_FILENO, terminal); },
          .program = program,
          .error_terminal = error_terminal,
          .error_width = error_screen.width};
}

}  // namespace dra::cmd
