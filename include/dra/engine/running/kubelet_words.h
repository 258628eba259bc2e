// include/dra/engine/running/kubelet_words.h
//
// Parses the kubelet's event FailedPrepareDynamicResources: what went wrong, with which claim and
// driver, and the driver's own words if it was the driver that failed.
//
// The kubelet checks in this order whether the claim exists, is reserved for the pod, is allocated,
// and has registered drivers; only then it calls the drivers. So its newest message tells how far
// it came. Upstream: k8s.io/kubernetes/pkg/kubelet/cm/dra, Manager.prepareResources.

#pragma once

#include <string>
#include <string_view>

namespace dra::engine {

inline constexpr std::string_view kFailedPrepare = "FailedPrepareDynamicResources";

enum class KubeletTrouble {
  NotRegistered,  // the driver is not registered on the node
  NotReserved,    // the pod may not use the claim
  OldClaim,       // an earlier claim of the same name is still prepared on the node
  BeingReleased,  // the claim is still being unprepared for another pod
  CannotFetch,    // the API server does not return the claim
  FeatureOff,     // the claim uses a feature that the kubelet has off
  Unreachable,    // the call to the driver failed or timed out
  Refused,        // the driver returned an error for one claim
  Checkpoint,     // it cannot write down what it does
  NoAnswer,       // the driver's answer does not contain a claim
  OtherAnswer,    // the driver's answer is for a claim that it was not asked for
  NotOwned,       // the claim was created for another pod
  NotCreated,     // the claim is not created from its template yet
  Other,
};

struct KubeletWord {
  KubeletTrouble trouble = KubeletTrouble::Other;
  std::string claim;   // its name, if one is named
  std::string driver;  // if one is named
  std::string text;    // the cause, without the words around it
};

KubeletWord kubelet_word(std::string_view message);

// "Failed to prepare dynamic resources: prepare dynamic resources: WHY" -> "WHY".
std::string_view without_frame(std::string_view message);

// Whether a driver's words are about the parameters of a claim or class.
bool is_about_parameters(std::string_view text);

// Whether the text contains the name as a whole word: names may be short.
bool contains_name(std::string_view text, std::string_view name);

}  // namespace dra::engine
