// cmd/progress.cpp: "reading resourceslices 12,000, pods 3,000..."

#include "cmd/progress.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dra/base/printable.h"
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

// "resourceslices 12,000, pods"
std::string words_of(std::span<const snapshot::Reading> lists) {
  std::vector<std::string> parts;
  for (const snapshot::Reading& list : lists) {
    const std::string_view resource = api::info_of(list.kind).resource;
    parts.push_back(list.objects == 0 ? std::string(resource)
                                      : base::format("{} {}", resource, grouped(list.objects)));
  }
  return base::join(parts, ", ");
}

}  // namespace

Progress::Progress(std::ostream& err, std::function<base::Instant()> clock, int width)
    : err_(err), clock_(std::move(clock)), width_(width), pause_(kQuiet) {
  if (clock_) last_ = clock_();
}

bool Progress::is_due() {
  if (!clock_) return false;
  const base::Instant now = clock_();
  if (now - last_ < pause_) return false;
  last_ = now;
  pause_ = kPause;
  return true;
}

// The last column stays free: some terminals go to the next line after it.
void Progress::replace(std::string line) {
  line = base::fit(line, static_cast<std::size_t>(std::max(width_ - 1, 0)));
  clear();
  err_ << line << std::flush;
  shown_ = base::width(line);
}

void Progress::show(std::span<const snapshot::Reading> lists) {
  if (lists.empty()) return clear();
  if (is_due()) replace(base::format("reading {}...", words_of(lists)));
}

void Progress::show(std::span<const Cluster> clusters) {
  if (clusters.empty()) return clear();
  if (!is_due()) return;
  std::vector<std::string> parts;
  for (const Cluster& cluster : clusters)
    parts.push_back(
        base::format("{}: {}", base::printable(cluster.context), words_of(cluster.lists)));
  replace(base::format("reading {}...", base::join(parts, "; ")));
}

void Progress::clear() {
  if (shown_ == 0) return;
  err_ << '\r' << std::string(std::exchange(shown_, 0), ' ') << '\r' << std::flush;
}

void SharedProgress::show(const std::string& context, std::span<const snapshot::Reading> lists) {
  const std::lock_guard lock(mutex_);
  const auto known = std::ranges::find(clusters_, context, &Progress::Cluster::context);
  if (lists.empty()) {
    if (known != clusters_.end()) clusters_.erase(known);
  } else if (known == clusters_.end()) {
    clusters_.push_back({context, {lists.begin(), lists.end()}});
  } else {
    known->lists.assign(lists.begin(), lists.end());
  }
  progress_.show(clusters_);
}

}  // namespace dra::cmd
