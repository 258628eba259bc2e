// src/answers/explain/nearest.cpp: compares reasons by their codes, and verdicts on a device by
// what they still lack.

#include "src/answers/explain/nearest.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include "dra/base/text.h"

namespace dra::answers {
namespace {

using diag::Code;
using diag::Reason;
using engine::DeviceOutcome;
using engine::DeviceVerdict;

// How far a verdict is from having the device; the least is the nearest.
enum class Distance {
  Together,  // the device serves the request, and something else is lacking
  Served,    // the request is served without it
  Rejected,  // it matches
  Filtered,  // it matches, and the pod cannot run on the node
  NoMatch,   // it does not match
};

// A verdict that is against the device.
struct Miss {
  Distance distance;
  std::string why;
  std::size_t reasons = 1;  // against it

  bool is_nearer_than(const Miss& other) const {
    return std::pair(distance, reasons) < std::pair(other.distance, other.reasons);
  }
};

std::string first_message(const DeviceVerdict& verdict, std::string_view without) {
  return std::string(verdict.reasons.empty() ? without : verdict.reasons.front().message);
}

// No value: the verdict is not against the device.
std::optional<Miss> miss_of(const DeviceVerdict& verdict) {
  switch (verdict.outcome) {
    case DeviceOutcome::Together:
      return Miss{
          Distance::Together,
          first_message(verdict, "with it, something else that is requested is unavailable")};
    case DeviceOutcome::Allocated:
      return Miss{Distance::Served, "the claim has other devices"};
    case DeviceOutcome::ByPlugin:
      return Miss{Distance::Served, "the node's device plugin serves the request"};
    case DeviceOutcome::Rejected: {
      const auto selector = std::ranges::find_if(verdict.reasons, is_of_selector);
      if (selector != verdict.reasons.end()) return Miss{Distance::NoMatch, selector->message};
      return Miss{Distance::Rejected, first_message(verdict, "it is rejected"),
                  verdict.reasons.size()};
    }
    case DeviceOutcome::Picked:
    case DeviceOutcome::Possible:
    case DeviceOutcome::Held:
    case DeviceOutcome::Unknown:
      break;
  }
  return std::nullopt;
}

// No value: nothing is against the device on the node.
std::optional<Miss> nearest_miss(const engine::NodeResult& node,
                                 std::span<const DeviceVerdict> verdicts) {
  std::optional<Miss> nearest;
  for (const DeviceVerdict& verdict : verdicts) {
    auto miss = miss_of(verdict);
    if (miss && (!nearest || miss->is_nearer_than(*nearest))) nearest = std::move(miss);
  }
  const bool matches = !nearest || nearest->distance != Distance::NoMatch;
  if (!node.passes_filters() && matches)
    return Miss{Distance::Filtered, node.other_reasons.front().message};
  return nearest;
}

}  // namespace

bool is_of_selector(const Reason& reason) {
  return reason.code == Code::ClassSelectorFalse || reason.code == Code::SelectorFalse ||
         reason.code == Code::SelectorError || reason.code == Code::SelectorCompile;
}

const Reason& nearest_reason(const engine::NodeResult& node) {
  if (!node.passes_filters()) return node.other_reasons.front();
  const Reason& first = node.reasons.front();
  if (first.code != Code::NoMatch && first.code != Code::AllNone) return first;
  const auto root = [](const Reason& reason) {
    return std::string_view(reason.request).substr(0, reason.request.find('/'));
  };
  const auto nearer = std::ranges::find_if(node.reasons, [&](const Reason& other) {
    return (other.code == Code::CountShort || other.code == Code::AllUnusable) &&
           other.claim == first.claim && root(other) == root(first);
  });
  return nearer == node.reasons.end() ? first : *nearer;
}

std::string nearest_reason(const Explanation& explanation) {
  std::optional<Miss> nearest;
  std::string_view which;
  bool seen = false;
  bool differ = false;
  for (const DeviceAnswer& device : explanation.devices) {
    for (const DeviceOnNode& on_node : device.nodes) {
      if (!on_node.requests) continue;
      seen = true;
      auto miss = nearest_miss(explanation.nodes[on_node.node], *on_node.requests);
      if (!miss) continue;
      differ = differ || (nearest && miss->why != nearest->why);
      if (nearest && !miss->is_nearer_than(*nearest)) continue;
      nearest = std::move(miss);
      which = device.device;
    }
  }
  if (nearest && differ && explanation.devices.size() > 1)
    return base::format("of the nearest, {}: {}", which.substr(which.rfind('/') + 1), nearest->why);
  if (nearest) return nearest->why;
  return seen ? explanation.cause : "no node that the pod could use sees it";
}

}  // namespace dra::answers
