// src/answers/explain/after/pods_to_delete.cpp: see after_remedy_parts.h.

#include "dra/base/text.h"
#include "dra/diag/command_line.h"
#include "src/answers/explain/after/after_remedy_parts.h"

namespace dra::answers {
namespace {

constexpr std::size_t kNamedPods = 4;  // named pods if there are many

}  // namespace

std::string pods_words(const std::vector<std::string>& pods) {
  if (pods.empty()) return "the pods that use it";
  return base::format("{} {}", pods.size() == 1 ? "pod" : "pods",
                      base::join_first(pods, kNamedPods));
}

std::string by_hand(const engine::Repair& repair) {
  if (repair.unowned.empty()) return {};
  std::string who = pods_words(repair.unowned);
  who.front() = 'P';
  const bool one = repair.unowned.size() == 1;
  if (is_saved_first(repair))
    return base::format(
        " {} {} no controller: the command saves {} first, and `kubectl create -f {}` makes {} "
        "again.",
        who, one ? "has" : "have", one ? "it" : "them", diag::saved_file(repair.unowned),
        one ? "it" : "them");
  return repair.unowned.size() == 1
             ? base::format(" {} has no controller: save its manifest first, and create it again.",
                            who)
             : base::format(
                   " {} have no controller: save their manifests first, and create them again.",
                   who);
}

}  // namespace dra::answers
