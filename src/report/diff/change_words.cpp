// src/report/diff/change_words.cpp: each type of fact has its own fact_words(). The words of an
// object are those of its facts, one after the other.

#include "src/report/diff/change_words.h"

#include <algorithm>
#include <span>
#include <vector>

#include "dra/base/text.h"
#include "dra/report/phrases/words.h"

namespace dra::report {
namespace {

using answers::ObjectChange;
using snapshot::Fate;

constexpr std::size_t kMaxNames = 48;  // cells for names of devices
constexpr std::size_t kMaxConsumers = 2;

std::string_view fate_name(Fate fate) {
  switch (fate) {
    case Fate::Added:
      return "added";
    case Fate::Removed:
      return "removed";
    case Fate::Changed:
      return "changed";
  }
  return "";
}

// "train-0,train-1,+3".
std::string fold_consumers(const std::vector<std::string>& consumers) {
  const std::size_t shown = std::min(consumers.size(), kMaxConsumers);
  std::string out = base::join(std::span(consumers).first(shown), ",");
  if (shown < consumers.size()) out += base::format(",+{}", consumers.size() - shown);
  return out;
}

// ", reserved by nobody", " for train-0,train-1".
std::string for_consumers(const std::vector<std::string>& consumers) {
  return consumers.empty() ? std::string(", not reserved") : " for " + fold_consumers(consumers);
}

std::string fact_words(const answers::ObjectReplaced&) { return "another one of this name"; }
std::string fact_words(const answers::DeletionStarted&) { return "its deletion has begun"; }

std::string fact_words(const answers::PartsChanged& fact) {
  const std::vector<std::string> parts(fact.parts.begin(), fact.parts.end());
  return base::format("{} changed", base::join(parts, " and "));
}

std::string fact_words(const answers::ClaimAllocated& fact) {
  return "allocated" + for_consumers(fact.consumers);
}

std::string fact_words(const answers::ClaimDeallocated& fact) {
  return base::format("deallocated (was allocated{})", for_consumers(fact.consumers));
}

std::string fact_words(const answers::ClaimDevicesChanged& fact) {
  return (fact.before == fact.after
              ? std::string("has other devices")
              : base::format("has {} instead of {}", base::plural(fact.after, "device"),
                             fact.before)) +
         for_consumers(fact.consumers);
}

std::string fact_words(const answers::ReservationsChanged& fact) {
  return fact.after.empty()
             ? base::format("no longer reserved (was by {})", fold_consumers(fact.before))
             : "reserved by " + fold_consumers(fact.after);
}

std::string fact_words(const answers::SliceSize& fact) {
  return base::plural(fact.devices, "device");
}

// "device gpu-3 gone", "devices gpu-0…2 came".
std::string fact_words(const answers::SliceDevicesChanged& fact) {
  using What = answers::SliceDevicesChanged::What;
  const std::string_view what = fact.what == What::Added        ? "came"
                                : fact.what == What::Removed    ? "gone"
                                : fact.what == What::TaintAdded ? "got a taint"
                                                                : "lost a taint";
  return base::format("{} {} {}", fact.devices.size() == 1 ? "device" : "devices",
                      fold_devices_within(fact.devices, kMaxNames), what);
}

std::string fact_words(const answers::GenerationChanged& fact) {
  return base::format("generation {} instead of {}", fact.after, fact.before);
}

std::string fact_words(const answers::SliceCountChanged& fact) {
  return base::format("one of {} slices instead of {}", fact.after, fact.before);
}

std::string fact_words(const answers::StatusChanged& fact) {
  return base::format("{} instead of {}", fact.after, fact.before);
}

std::string fact_words(const answers::NodeTaintAdded& fact) {
  return base::format("got the taint {}", fact.taint);
}

std::string fact_words(const answers::NodeTaintRemoved& fact) {
  return base::format("lost the taint {}", fact.taint);
}

std::string fact_words(const answers::PodBound& fact) {
  return base::format("scheduled on {}", fact.node);
}

std::string fact_words(const answers::PodUnbound& fact) {
  return base::format("has no node any more (was on {})", fact.node);
}

std::string fact_words(const answers::RuleTaint& fact) {
  return base::format("taint {}", fact.taint);
}

std::string fact_words(const answers::RuleTaintChanged& fact) {
  return base::format("taint {} instead of {}", fact.after, fact.before);
}

std::string fact_words(const answers::EventText& fact) {
  return base::format("{}{}: {}", fact.repeated ? "seen again, " : "", fact.reason, fact.message);
}

// "removed, 4 devices", "added, taint k:NoSchedule".
std::string with_fate(const ObjectChange& change, const std::string& words) {
  const auto& [kind, ns, name, fate] = change.object;
  if (fate == Fate::Changed) return words;
  if (fate == Fate::Removed && kind == api::Kind::Claim)
    return base::format("removed (was {})", words);
  // A removed event has expired.
  if (fate == Fate::Removed && kind == api::Kind::Event) return "not kept any more, " + words;
  return base::format("{}, {}", fate_name(fate), words);
}

}  // namespace

SubjectName subject_of(const snapshot::Difference& object) {
  return {std::string(api::info_of(object.kind).name), std::string(object.namespace_),
          std::string(object.name)};
}

std::string words_of(const ObjectChange& change) {
  if (change.facts.empty()) return std::string(fate_name(change.object.fate));
  std::vector<std::string> words;
  for (const answers::ChangeFact& fact : change.facts)
    words.push_back(std::visit([](const auto& one) { return fact_words(one); }, fact));
  return with_fate(change, base::join(words, "; "));
}

json::Value to_json(const ObjectChange& change) {
  const snapshot::Difference& object = change.object;
  json::Value out = json::Value::object();
  out.set("kind", api::info_of(object.kind).name);
  if (!object.namespace_.empty()) out.set("namespace", object.namespace_);
  out.set("name", object.name);
  out.set("fate", fate_name(object.fate));
  out.set("message", words_of(change));
  return out;
}

}  // namespace dra::report
