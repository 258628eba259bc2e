// cmd/pager.cpp: holds output back until it is known whether it fits the screen.

#include "cmd/pager.h"

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <string_view>
#include <utility>

namespace dra::cmd {

std::string pager_of(const Console& console) {
  const session::Environment& environment = console.environment;
  if (!console.terminal || environment.get("TERM") == "dumb") return {};
  const bool own = environment.variables.contains("KUBECTL_DRA_PAGER");
  const std::string_view command = environment.get(own ? "KUBECTL_DRA_PAGER" : "PAGER");
  return command == "cat" ? std::string() : std::string(command);
}

Pager::Pager(std::ostream& out, std::string command, int height)
    : out_(out), terminal_(out.rdbuf(this)), command_(std::move(command)), height_(height) {}

Pager::~Pager() {
  release();
  if (pipe_ != nullptr) ::pclose(pipe_);
  out_.rdbuf(terminal_);
}

Pager::int_type Pager::overflow(int_type character) {
  if (traits_type::eq_int_type(character, traits_type::eof())) return traits_type::not_eof(0);
  const char one = traits_type::to_char_type(character);
  return xsputn(&one, 1) == 1 ? character : traits_type::eof();
}

std::streamsize Pager::xsputn(const char* text, std::streamsize size) {
  const auto length = static_cast<std::size_t>(size);
  if (command_.empty() || pipe_ != nullptr) return write(text, length) ? size : 0;
  held_.append(text, length);
  lines_ += static_cast<int>(std::count(text, text + size, '\n'));
  if (lines_ < height_) return size;
  start();
  return release() ? size : 0;
}

int Pager::sync() {
  if (pipe_ != nullptr) {
    std::fflush(pipe_);
    return 0;
  }
  const bool written = release();
  return terminal_->pubsync() == 0 && written ? 0 : -1;
}

// Whether the shell finds the command. Where its first word is no plain name, the shell has to
// tell.
bool Pager::can_run() const {
  constexpr std::string_view plain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./+";
  const std::string name = command_.substr(0, command_.find(' '));
  if (name.find_first_not_of(plain) != std::string::npos) return true;
  return std::system(("command -v " + name + " >/dev/null 2>&1").c_str()) == 0;
}

void Pager::start() {
  if (!can_run()) return;
  // As git does: colours stay, the text stays on the screen, and a short one needs no key.
  ::setenv("LESS", "FRX", 0);
  ::setenv("LV", "-c", 0);
  pipe_ = ::popen(command_.c_str(), "w");
  // Ctrl-C is the pager's while it runs; otherwise the shell would take the terminal from it.
  if (pipe_ != nullptr) std::signal(SIGINT, SIG_IGN);
}

bool Pager::release() {
  command_.clear();
  const std::string held = std::exchange(held_, {});
  return write(held.data(), held.size());
}

bool Pager::write(const char* text, std::size_t size) {
  const auto length = static_cast<std::streamsize>(size);
  if (pipe_ == nullptr) return terminal_->sputn(text, length) == length;
  // Who leaves the pager early has seen enough.
  std::fwrite(text, 1, size, pipe_);
  return true;
}

}  // namespace dra::cmd
