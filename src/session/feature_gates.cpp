// src/session/feature_gates.cpp: reads line by line, and stops after the last line of the metric.

#include "src/session/feature_gates.h"

#include <algorithm>
#include <array>

#include "dra/base/ascii.h"

namespace dra::session {
namespace {

constexpr std::string_view kMetric = "kubernetes_feature_enabled{";
constexpr std::string_view kNameLabel = "name=\"";
constexpr std::size_t kMaxLine = 1024;  // a line of ours has 100 bytes
constexpr std::size_t kMaxGates = 500;  // a server that has more has something else

// The gates of DRA, and those of other parts of the scheduler.
constexpr std::array<std::string_view, 6> kOthers = {"DynamicResourceAllocation",
                                                     "GangScheduling",
                                                     "GenericWorkload",
                                                     "NodeDeclaredFeatures",
                                                     "TaintTolerationComparisonOperators",
                                                     "VolumeLimitScaling"};

bool matters(std::string_view name) {
  const bool plain = std::ranges::all_of(name, [](char c) { return base::is_letter_or_digit(c); });
  return plain && (name.starts_with("DRA") || std::ranges::find(kOthers, name) != kOthers.end());
}

}  // namespace

bool FeatureGateReader::read(std::string_view bytes) {
  while (!bytes.empty()) {
    const std::size_t end = bytes.find('\n');
    const std::string_view part = bytes.substr(0, end);
    if (line_.size() + part.size() > kMaxLine) {
      too_long_ = true;
    } else {
      line_ += part;
    }
    if (end == std::string_view::npos) return true;
    bytes.remove_prefix(end + 1);
    const bool more = read_line(too_long_ ? std::string_view() : line_);
    line_.clear();
    too_long_ = false;
    if (!more) return false;
  }
  return true;
}

bool FeatureGateReader::read_line(std::string_view line) {
  if (!line.starts_with(kMetric)) return !begun_;
  begun_ = true;
  line.remove_prefix(kMetric.size());
  const std::size_t close = line.rfind('}');
  const std::size_t name = line.starts_with(kNameLabel) ? 0 : line.find(",name=\"");
  if (close == std::string_view::npos || name == std::string_view::npos) return true;
  const std::size_t begin = line.find('"', name) + 1;
  const std::string_view word = line.substr(begin, line.find('"', begin) - begin);
  const std::string_view value = line.substr(close + 1);
  const bool has_value = value == " 0" || value == " 1";
  if (has_value && matters(word) && gates_.size() < kMaxGates)
    gates_.emplace_back(word, value == " 1");
  return true;
}

}  // namespace dra::session
