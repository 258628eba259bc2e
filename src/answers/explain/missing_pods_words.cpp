// src/answers/explain/missing_pods_words.cpp: see missing_pods_words.h.

#include "dra/answers/explain/missing_pods_words.h"

#include <array>

#include "dra/base/text.h"
#include "dra/diag/command_line.h"
#include "dra/engine/cluster/quotas.h"

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

// "they are made one after the other, and pod a-0 is not ready (Readiness probe failed)"
std::string ordered_words(const MissingPods& missing) {
  if (missing.object.kind != "Pod") return missing.rule;
  return base::format("{}, and pod {} is not ready{}", missing.rule, missing.object.name,
                      missing.message.empty() ? "" : base::format(" ({})", missing.message));
}

// Shows the object that the message is about: the quota, or the priority classes; else the one
// whose pods are missing.
std::string command_against(const MissingPods& missing) {
  const diag::SubjectName& object = missing.object;
  if (missing.refusal)
    return diag::kubectl("describe resourcequota")
        .name(missing.refusal->name)
        .in(object.namespace_)
        .text();
  if (missing.message.find("no PriorityClass") != std::string::npos)
    return diag::kubectl("get priorityclasses").text();
  return diag::kubectl("describe")
      .words(base::lower(object.kind))
      .name(object.name)
      .in(object.namespace_)
      .text();
}

std::string unseen_words(const MissingPods& missing) {
  if (!missing.message.empty())
    return base::format("the controller of {} {} has not seen {}", missing.object.kind,
                        missing.object.name, missing.message);
  const auto between = api::kind_between(*missing.kind);
  return base::format("the controller of {} {} has made no {}, and reports nothing",
                      missing.object.kind, missing.object.name,
                      between ? api::info_of(*between).name : "pods");
}

// kube-controller-manager has the controllers of Kubernetes' own kinds.
diag::Remedy remedy_of_unseen(const MissingPods& missing) {
  if (!api::info_of(*missing.kind).is_custom())
    return {
        "kube-controller-manager does so within seconds: its lease shows when it was last renewed.",
        std::string(diag::kControllerLease)};
  return {base::format("The controller of {}s does so within seconds: see whether it runs.",
                       missing.object.kind),
          diag::kubectl("get deployments -A").text()};
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

std::string_view what_to_change(std::string_view message) {
  struct Sign {
    std::string_view part;
    std::string_view what;
  };
  constexpr std::array signs = {
      Sign{"failed calling webhook",
           "The webhook does not answer, which is its own fault: bring its service up, or take its "
           "configuration away."},
      Sign{"violates PodSecurity",
           "Change the securityContext in the pod's template, or the pod-security label of the "
           "namespace."},
      Sign{"no PriorityClass", "Create that PriorityClass, or name another one."},
      Sign{"RuntimeClass ",
           "Create that RuntimeClass, or remove runtimeClassName from the pod's template: DRA "
           "itself "
           "needs none."},
      Sign{"must specify ",
           "The quota counts what each container asks for: write it in the pod's template, or give "
           "the namespace a LimitRange with defaults."},
      Sign{"insufficient quota to match these scopes",
           "Give the namespace a ResourceQuota with that scope: there pods of such a priority are "
           "allowed only where a quota counts them."},
      Sign{"exceeded quota", "Raise that quota, or ask for less."},
      Sign{"insufficient quota", "Raise that quota, or ask for less."},
      Sign{"denied the request", "The webhook that is named has refused them: do what it says."},
  };
  for (const Sign& sign : signs) {
    if (message.find(sign.part) != std::string_view::npos) return sign.what;
  }
  return "Act on the message: quota, validation and admission webhooks are the usual causes.";
}

std::string_view what_kueue_asks_for(std::string_view message) {
  if (message.find("is not mapped in DRA configuration") != std::string_view::npos)
    return "Map that DeviceClass in Kueue's configuration (resources.deviceClassMappings), then "
           "restart Kueue.";
  return "Change what Kueue names: its queues, quotas and configuration decide.";
}

std::string words_of(const MissingPods& missing) {
  switch (missing.why) {
    case WhyNoPods::Failed:
      return base::format("{} {} has failed for good: {}", missing.object.kind, missing.object.name,
                          missing.message);
    case WhyNoPods::Ordered:
      return ordered_words(missing);
    case WhyNoPods::Paused:
      return base::format("{} {} is paused", missing.object.kind, missing.object.name);
    case WhyNoPods::Suspended:
      return base::format("{} {} is suspended", missing.object.kind, missing.object.name);
    case WhyNoPods::Queued:
      return base::format("Kueue holds them back, as its Workload {} is not admitted: {}",
                          missing.object.name, missing.message);
    case WhyNoPods::Refused:
      return refused_words(missing);
    case WhyNoPods::Unseen:
      return unseen_words(missing);
  }
  return {};
}

diag::Remedy remedy_of(const MissingPods& missing) {
  const diag::SubjectName& object = missing.object;
  switch (missing.why) {
    case WhyNoPods::Failed:
      return {
          "Look at why its pods ended, then delete it and create it again: it makes no more pods.",
          diag::kubectl("describe")
              .words(base::lower(object.kind))
              .name(object.name)
              .in(object.namespace_)
              .text()};
    case WhyNoPods::Ordered:
      if (object.kind != "Pod") return {"Wait: they follow by themselves."};
      return {"Get that pod ready: the next ones follow by themselves.",
              diag::kubectl_dra("explain pod").name(object.name).in(object.namespace_).text()};
    case WhyNoPods::Paused:
      return {"Resume its rollout.", diag::kubectl("rollout resume")
                                         .words(base::lower(object.kind))
                                         .name(object.name)
                                         .in(object.namespace_)
                                         .text()};
    case WhyNoPods::Suspended:
      return {"Resume it, unless a queue or a controller is to do so.", resume_command(object)};
    case WhyNoPods::Queued:
      return {std::string(what_kueue_asks_for(missing.message)),
              diag::kubectl("describe workloads.kueue.x-k8s.io")
                  .name(object.name)
                  .in(object.namespace_)
                  .text()};
    case WhyNoPods::Unseen:
      return remedy_of_unseen(missing);
    case WhyNoPods::Refused:
      break;
  }
  if (missing.field_dropped)
    return {
        "The webhook was built with API types that do not have the field: update it, or keep it "
        "away from "
        "these pods.",
        diag::kubectl("get mutatingwebhookconfigurations").text()};
  const std::string_view change = !missing.refusal ? what_to_change(missing.message)
                                  : engine::has_room(*missing.refusal)
                                      ? "Wait: the quota has room by now."
                                      : "Delete what is not needed any more in the namespace, or "
                                        "raise the quota.";
  return {base::format("{} The controller tries again by itself.", change),
          command_against(missing)};
}

}  // namespace dra::answers
