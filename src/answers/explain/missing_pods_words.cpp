// src/answers/explain/missing_pods_words.cpp: see missing_pods_words.h.

#include "dra/answers/explain/missing_pods_words.h"

#include "dra/base/text.h"
#include "dra/diag/command_line.h"

namespace dra::answers {
namespace {

using engine::MissingPods;
using engine::WhyNoPods;

constexpr std::size_t kNamedWebhooks = 3;

std::string refused_words(const MissingPods& missing) {
  std::string words = base::format("the API server refuses them: {}", missing.message);
  if (!missing.field_dropped) return words;
  const std::string which = missing.webhooks.empty()
                                ? std::string("a mutating webhook")
                                : base::format("a mutating webhook ({})",
                                               base::join_first(missing.webhooks, kNamedWebhooks));
  return base::format("{}; the template names one, so {} drops the field", words, which);
}

// "kubectl patch job NAME -n NS -p '{...}'"
std::string resume_command(const diag::SubjectName& object) {
  return diag::kubectl("patch")
      .words(base::lower(object.kind))
      .name(object.name)
      .in(object.namespace_)
      .words("--type merge -p '{\"spec\":{\"suspend\":false}}'")
      .text();
}

}  // namespace

std::string words_of(const MissingPods& missing) {
  switch (missing.why) {
    case WhyNoPods::Suspended:
      return base::format("{} {} is suspended", missing.object.kind, missing.object.name);
    case WhyNoPods::Queued:
      return base::format("Kueue holds them back, as its Workload {} is not admitted: {}",
                          missing.object.name, missing.message);
    case WhyNoPods::Refused:
      return refused_words(missing);
  }
  return {};
}

diag::Remedy remedy_of(const MissingPods& missing) {
  const diag::SubjectName& object = missing.object;
  switch (missing.why) {
    case WhyNoPods::Suspended:
      return {"Resume it, unless a queue or a controller is to do so.", resume_command(object)};
    case WhyNoPods::Queued:
      return {"Act on what Kueue says: its queues, quotas and configuration decide.",
              diag::kubectl("describe workloads.kueue.x-k8s.io")
                  .name(object.name)
                  .in(object.namespace_)
                  .text()};
    case WhyNoPods::Refused:
      break;
  }
  if (missing.field_dropped)
    return {
        "The webhook was built with API types that do not have the field: update it, or keep it "
        "away from "
        "these pods.",
        diag::kubectl("get mutatingwebhookconfigurations").text()};
  return {
      "Act on the message: quota, validation and admission webhooks are the usual causes. The "
      "controller tries again by itself.",
      diag::kubectl("describe")
          .words(base::lower(object.kind))
          .name(object.name)
          .in(object.namespace_)
          .text()};
}

}  // namespace dra::answers
