// src/session/json_frames.cpp: see json_frames.h.

#include "src/session/json_frames.h"

#include <algorithm>
#include <utility>

#include "dra/base/text.h"

namespace dra::session {
namespace {

constexpr std::string_view kWhite = " \t\r\n";
constexpr std::size_t kShown = 60;  // bytes of what is no object

}  // namespace

void JsonFrames::reset() {
  begun_.clear();
  depth_ = 0;
  in_string_ = false;
  escaped_ = false;
}

std::size_t JsonFrames::scan(std::string_view bytes) {
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    const char c = bytes[at];
    if (escaped_) {
      escaped_ = false;
    } else if (in_string_) {
      escaped_ = c == '\\';
      in_string_ = c != '"';
    } else if (c == '"') {
      in_string_ = true;
    } else if (c == '{' || c == '[') {
      ++depth_;
    } else if ((c == '}' || c == ']') && --depth_ == 0) {
      return at + 1;
    }
  }
  return bytes.size();
}

Result<Done> JsonFrames::read(std::string_view bytes,
                              base::FunctionRef<Result<Done>(std::string_view object)> on_object) {
  while (true) {
    if (!within()) {
      bytes.remove_prefix(std::min(bytes.find_first_not_of(kWhite), bytes.size()));
      if (!bytes.empty() && bytes.front() != '{') {
        return Error{ErrorKind::BadAnswer,
                     base::format("expected an event, which is a JSON object, found: {}",
                                  bytes.substr(0, kShown)),
                     {}};
      }
    }
    if (bytes.empty()) return Done{};
    const std::size_t count = scan(bytes);
    if (begun_.size() + count > most_) {
      return Error{
          ErrorKind::BadAnswer, base::format("an event is longer than {} MiB", most_ >> 20U), {}};
    }
    if (within()) {
      begun_ += bytes;
      return Done{};
    }
    if (begun_.empty()) {
      DRA_TRY(on_object(bytes.substr(0, count)));
    } else {
      begun_ += bytes.substr(0, count);
      const std::string whole = std::move(begun_);
      begun_.clear();
      DRA_TRY(on_object(whole));
    }
    bytes.remove_prefix(count);
  }
}

}  // namespace dra::session
