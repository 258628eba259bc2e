// src/report/phrases/pod_endings.h: how the pods of a release are ended. The commands and the words
// above them come from the same decision.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "dra/answers/explain/change_facts.h"
#include "dra/engine/facts/change.h"

namespace dra::report {

enum class Ending : std::uint8_t { Delete, Scale, Suspend };

// Pods of one owner, which are ended together.
struct EndedPods {
  Ending how = Ending::Delete;
  std::vector<const answers::ReleasedPod*> pods;

  const answers::ReleasedPod& first() const { return *pods.front(); }
  // Of what is scaled.
  std::int64_t replicas_left() const {
    return first().replicas - static_cast<std::int64_t>(pods.size());
  }
};

// What is suspended: a JobSet is suspended as a whole.
struct SuspendedOwner {
  std::string_view kind;
  std::string_view name;
};
SuspendedOwner suspended_owner(const answers::ReleasedPod& pod);

// Deletions come first. Empty: no command ends all pods and keeps them from coming back.
std::vector<EndedPods> endings_of(const engine::Release& release,
                                  const answers::ChangeFacts& facts);

// "suspend Job train, which ends pod ml/train-0 (Running 5d) and 3 more of its pods". Where no
// command does it: "free the devices of pod ml/agent-x (Running 5d, of DaemonSet agent)".
std::string release_words(const engine::Release& release, const answers::ChangeFacts& facts);

}  // namespace dra::report
