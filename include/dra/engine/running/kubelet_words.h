// include/dra/engine/running/kubelet_words.h
//
// What the kubelet says in the event FailedPrepareDynamicResources, taken apart: what went wrong,
// with which claim and driver, and in the words of the driver where it was the driver that failed.
//
// The kubelet checks, in this order, whether the claim is there, whether it is reserved for the
// pod, whether it is allocated, and whether its drivers are registered; only then it calls the
// drivers. So its newest word tells how far it came. Upstream:
// k8s.io/kubernetes/pkg/kubelet/cm/dra, Manager.prepareResources.

#pragma once

#include <string>
#include <string_view>

namespace dra::engine {

inline constexpr std::string_view kFailedPrepare = "FailedPrepareDynamicResources";

enum class KubeletTrouble {
  NotRegistered,  // the driver is not registered on the node
  NotReserved,    // the pod may not use the claim
  OldClaim,       // an earlier claim of the same name is still prepared on the node
  BeingReleased,  // the claim is still being taken back from another pod
  CannotFetch,    // the API server does not give it the claim
  FeatureOff,     // the claim uses what the kubelet has switched off
  Unreachable,    // the call of the driver failed: it does not answer, or took too long
  Refused,        // the driver said no, for one claim
  NoAnswer,       // the driver left a claim out of its answer
  Other,
};

struct KubeletWord {
  KubeletTrouble trouble = KubeletTrouble::Other;
  std::string claim;   // its name, where one is named
  std::string driver;  // where one is named
  std::string text;    // the cause alone, without what was wrapped around it
};

KubeletWord kubelet_word(std::string_view message);

// "Failed to prepare dynamic resources: prepare dynamic resources: WHY" -> "WHY".
std::string_view without_frame(std::string_view message);

}  // namespace dra::engine
