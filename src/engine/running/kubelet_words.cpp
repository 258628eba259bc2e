// src/engine/running/kubelet_words.cpp: recognises the kubelet's messages by their fixed words, and
// unwraps the driver's.

#include "dra/engine/running/kubelet_words.h"

#include <array>
#include <vector>

#include "dra/base/text.h"

namespace dra::engine {
namespace {

constexpr std::string_view kCall = "NodePrepareResources: ";

bool has(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

// The word that follows `before`; empty if `before` does not occur.
std::string word_after(std::string_view text, std::string_view before) {
  const std::size_t found = text.find(before);
  if (found == std::string_view::npos) return {};
  text.remove_prefix(found + before.size());
  return std::string(text.substr(0, text.find_first_of(" :,")));
}

// The word before `after`: "DRA driver X is not registered" -> "X".
std::string word_before(std::string_view text, std::string_view after) {
  text = text.substr(0, text.find(after));
  return std::string(text.substr(text.rfind(' ') + 1));
}

// Each layer that wraps an error names the claim again: "error preparing devices for claimID U,
// claimName C: prepare failed for claim U: too few" -> "too few". A part that names it by uid, or
// by name a second time, says nothing new.
std::string_view without_repetition(std::string_view text, std::string_view claim) {
  constexpr std::array idle_frames = {
      "error preparing devices for", "failed to prepare devices for", "prepare failed for claim",
      "prepare devices failed",      "error preparing claim",         "unable to prepare"};
  for (;;) {
    const std::size_t colon = text.find(": ");
    if (colon == std::string_view::npos) return text;
    const std::string_view part = text.substr(0, colon);
    bool idle = contains_name(part, claim);
    for (const std::string_view frame : idle_frames)
      idle = idle || part.starts_with(frame);
    if (!idle) return text;
    text.remove_prefix(colon + 2);
  }
}

// The driver's error for one claim. The words for a claim differ between releases.
bool refused(std::string_view text, KubeletWord& word) {
  for (const std::string_view frame : {"NodePrepareResources failed for ResourceClaim ",
                                       "NodePrepareResources failed for claim "}) {
    const std::size_t found = text.find(frame);
    if (found == std::string_view::npos) continue;
    const std::string_view rest = text.substr(found + frame.size());
    const std::size_t colon = rest.find(": ");
    if (colon == std::string_view::npos) continue;
    const std::string_view claim = rest.substr(0, colon);
    word.trouble = KubeletTrouble::Refused;
    word.claim = claim.substr(claim.rfind('/') + 1);  // earlier releases add the namespace
    word.text = base::trim(without_repetition(rest.substr(colon + 2), word.claim));
    return true;
  }
  return false;
}

// The driver's own words in an error of gRPC for the whole call. Empty: gRPC itself failed, so the
// driver was not reached or did not answer.
std::string_view words_of_driver(std::string_view text) {
  constexpr std::string_view frame = "rpc error: code = ";
  constexpr std::string_view before_words = " desc = ";
  const std::size_t found = text.find(frame);
  if (found == std::string_view::npos) return {};
  text.remove_prefix(found + frame.size());
  const std::size_t end = text.find(before_words);
  if (end == std::string_view::npos) return {};
  for (const std::string_view code : {"Canceled", "DeadlineExceeded", "Unavailable"}) {
    if (text.substr(0, end) == code) return {};
  }
  return text.substr(end + before_words.size());
}

KubeletTrouble trouble_in(std::string_view text) {
  if (has(text, " is not allowed to use ")) return KubeletTrouble::NotReserved;
  if (has(text, "driver") && has(text, " is not registered")) return KubeletTrouble::NotRegistered;
  if (has(text, "not found in the list of registered")) return KubeletTrouble::NotRegistered;
  if (has(text, "old ResourceClaim with same name")) return KubeletTrouble::OldClaim;
  if (has(text, " is being unprepared")) return KubeletTrouble::BeingReleased;
  if (has(text, "fetch ResourceClaim")) return KubeletTrouble::CannotFetch;
  if (has(text, "checkpoint ResourceClaim")) return KubeletTrouble::Checkpoint;
  if (has(text, "feature gate is disabled on kubelet")) return KubeletTrouble::FeatureOff;
  if (text.starts_with("ResourceClaim ") && has(text, " was not created for "))
    return KubeletTrouble::NotOwned;
  if (text.ends_with(": ResourceClaim not created yet")) return KubeletTrouble::NotCreated;
  if (text.starts_with("NodePrepareResources skipped")) return KubeletTrouble::NoAnswer;
  if (text.starts_with("NodePrepareResources returned result for unknown"))
    return KubeletTrouble::OtherAnswer;
  if (text.starts_with(kCall)) return KubeletTrouble::Unreachable;
  // The kubelet speaks gRPC to the driver alone before it has the devices.
  if (has(text, "rpc error: code = ") || has(text, "dial unix "))
    return KubeletTrouble::Unreachable;
  return KubeletTrouble::Other;
}

std::string claim_in(std::string_view text) {
  for (const std::string_view before : {"with same name ", "ResourceClaim ", "claim "}) {
    if (std::string claim = word_after(text, before); !claim.empty() && claim != "with")
      return claim;
  }
  return {};
}

}  // namespace

bool contains_name(std::string_view text, std::string_view name) {
  constexpr std::string_view part_of_name = "abcdefghijklmnopqrstuvwxyz0123456789-.";
  if (name.empty()) return false;
  const auto is_part = [&](std::size_t at) {
    return at < text.size() && part_of_name.find(text[at]) != std::string_view::npos;
  };
  for (std::size_t at = text.find(name); at != std::string_view::npos;
       at = text.find(name, at + 1)) {
    const std::size_t end = at + name.size();
    const bool full_stop = end < text.size() && text[end] == '.' && !is_part(end + 1);
    if ((at == 0 || !is_part(at - 1)) && (!is_part(end) || full_stop)) return true;
  }
  return false;
}

// The last signs: cmd/gpu-kubelet-plugin and cmd/compute-domain-kubelet-plugin, device_state.go, of
// sigs.k8s.io/dra-driver-nvidia-gpu, and gpu.go of sigs.k8s.io/dra-example-driver.
bool is_about_parameters(std::string_view text) {
  const std::string words = base::lower(text);
  for (const std::string_view sign :
       {"strict decoding", "unknown field", "opaque", "decode config", "decoding config"}) {
    if (has(words, sign)) return true;
  }
  for (const std::string_view frame :
       {"error validating ", "error normalizing ", "cannot apply "}) {
    const std::size_t at = words.find(frame);
    if (at != std::string::npos && has(words.substr(at, words.find(':', at) - at), "config"))
      return true;
  }
  return has(words, "the resourceclaim's namespace is different");
}

std::string_view without_frame(std::string_view message) {
  constexpr std::string_view frame = "repare dynamic resources: ";
  const std::size_t end = message.rfind(frame);
  if (end != std::string_view::npos) message.remove_prefix(end + frame.size());
  return base::trim(message);
}

KubeletWord kubelet_word(std::string_view message) {
  const std::string_view text = without_frame(message);
  KubeletWord word;
  if (refused(text, word)) return word;
  word.trouble = trouble_in(text);
  word.text = text;
  switch (word.trouble) {
    case KubeletTrouble::NotRegistered:
      word.driver = has(text, " is not registered") ? word_before(text, " is not registered")
                                                    : word_before(text, " not found in the list");
      break;
    case KubeletTrouble::Unreachable:
      if (text.starts_with(kCall)) word.text = text.substr(kCall.size());
      if (const std::string_view words = words_of_driver(text); !words.empty()) {
        word.trouble = KubeletTrouble::Refused;
        word.text = words;
      }
      break;
    case KubeletTrouble::Checkpoint:
    case KubeletTrouble::NoAnswer:
    case KubeletTrouble::OtherAnswer:
    case KubeletTrouble::NotCreated:
      break;
    case KubeletTrouble::NotOwned:  // it is named with its namespace
      word.claim = claim_in(text);
      word.claim.erase(0, word.claim.find('/') + 1);
      break;
    default:
      word.claim = claim_in(text);
  }
  return word;
}

}  // namespace dra::engine
