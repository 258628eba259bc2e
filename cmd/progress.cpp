// cmd/progress.cpp: "reading resourceslices 12,000, pods 3,000..."

#include "cmd/progress.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dra/base/text.h"

namespace dra::cmd {
namespace {

constexpr base::Duration kQuiet = base::Duration::seconds(1);
constexpr base::Duration kPause = {200'000'000};  // nanoseconds

// "12,000"
std::string grouped(std::size_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t at = digits.size(); at > 3;) {
    at -= 3;
    digits.insert(at, ",");
  }
  return digits;
}

std::string line_of(std::span<const snapshot::Reading> lists, int width) {
  std::vector<std::string> parts;
  for (const snapshot::Reading& list : lists) {
    const std::string_view resource = api::info_of(list.kind).resource;
    parts.push_back(list.objects == 0 ? std::string(resource)
                                      : base::format("{} {}", resource, grouped(list.objects)));
  }
  // The last column stays free: some terminals go to the next line after it.
  const int room = std::max(width - 1, 0);
  return base::format("reading {}...", base::join(parts, ", "))
      .substr(0, static_cast<std::size_t>(room));
}

}  // namespace

Progress::Progress(std::ostream& err, std::function<base::Instant()> clock, int width)
    : err_(err), clock_(std::move(clock)), width_(width), pause_(kQuiet) {
  if (clock_) last_ = clock_();
}

void Progress::show(std::span<const snapshot::Reading> lists) {
  if (lists.empty()) return clear();
  if (!clock_) return;
  const base::Instant now = clock_();
  if (now - last_ < pause_) return;
  last_ = now;
  pause_ = kPause;
  const std::string line = line_of(lists, width_);
  clear();
  err_ << line << std::flush;
  shown_ = line.size();
}

void Progress::clear() {
  if (shown_ == 0) return;
  err_ << '\r' << std::string(std::exchange(shown_, 0), ' ') << '\r' << std::flush;
}

}  // namespace dra::cmd
