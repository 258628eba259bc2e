// src/report/describe/describe_selectors.cpp: evaluates the selectors together, and words counts
// and failures of each.

#include "src/report/describe/describe_selectors.h"

#include "dra/answers/explain/suggestion_text.h"
#include "dra/base/text.h"
#include "dra/engine/selectors/suggestions.h"
#include "dra/report/phrases/device_words.h"
#include "dra/report/phrases/selector_words.h"
#include "dra/report/phrases/words.h"
#include "src/report/describe/describe_json.h"

namespace dra::report {
namespace {

using engine::SelectorCount;
using view::Tone;

constexpr std::string_view kFlawRemedy =
    "The device itself is published wrongly, so that every selector fails for it: only its driver "
    "can fix this. On such a device the scheduler ends its attempt for the whole pod.";
constexpr std::string_view kFailRemedy =
    "On such a device the scheduler ends its attempt for the whole pod: let the selector ask "
    "for the driver first, or whether the name is there.";

// The condition that excludes the most devices which meet all conditions before it, and their
// number. The condition on the driver is not counted.
std::string excludes_text(const std::optional<engine::ClauseTable>& table) {
  if (!table || table->clauses.size() < 2) return {};
  std::size_t most = 0;
  std::size_t left = table->devices;
  const engine::ClauseCount* found = nullptr;
  for (const engine::ClauseCount& clause : table->clauses) {
    const std::size_t excluded = left - clause.after;
    left = clause.after;
    if (excluded <= most || clause.clause.text.starts_with("device.driver ")) continue;
    most = excluded;
    found = &clause;
  }
  return found == nullptr ? "" : base::format("; {} excluded by {}", most, found->clause.text);
}

}  // namespace

SelectorDescription::SelectorDescription(const Scene& scene,
                                         std::vector<std::string_view> selectors)
    : scene_(scene), texts_(std::move(selectors)) {
  const bool known = scene.answers != nullptr && scene.snapshot.coverage().saw(api::Kind::Slice);
  if (known) selection_ = engine::choose(*scene.answers, texts_);
}

json::Value SelectorDescription::json(std::size_t of_class) const {
  return selectors_json(texts_, of_class, selection(), scene_.answers);
}

json::Value SelectorDescription::chosen_json() const {
  if (!selection_ || !selection_->compiles()) return {};
  json::Value out = json::Value::object();
  out.set("devices", selection_->devices.size());
  out.set("matched", selection_->chosen);
  if (const auto free = free_devices()) {
    out.set("free", free->free);
    out.set("blocked", free->blocked);
    out.set("shared", free->shared);
  }
  return out;
}

void SelectorDescription::add_count(view::Fields& lines, std::size_t selector) const {
  if (!selection_) return;
  const SelectorCount& count = selection_->selectors[selector];
  const bool fine = count.answer->devices && count.failed == 0;
  add_line(lines, "", count_text(selector, {}), fine ? Tone::Dim : Tone::Bad);
}

void SelectorDescription::add_last_count(view::Fields& lines) const {
  if (!selection_) return;
  const std::size_t last = texts_.size() - 1;
  const auto free = free_devices();
  if (selection_->chosen == 0 || !free) return add_count(lines, last);
  const bool fine = selection_->selectors[last].failed == 0;
  add_line(lines, "", count_text(last, ", " + free_text(*free)), fine ? Tone::Dim : Tone::Bad);
}

std::string SelectorDescription::count_text(std::size_t selector, std::string_view free) const {
  const SelectorCount& count = selection_->selectors[selector];
  if (!count.answer->devices) return "does not compile";
  std::string text =
      base::format("{} of {}", count.alone,
                   base::plural(static_cast<std::int64_t>(selection_->devices.size()), "device"));
  if (count.after != count.alone) text += base::format(", {} with all above", count.after);
  text += free;
  if (count.failed > 0) text += base::format(", fails for {}", count.failed);
  return text + excludes_text(scene_.answers->clauses_of(count.answer->selector.expression()));
}

std::string SelectorDescription::ids_of(const engine::FailureGroup& group) const {
  std::vector<engine::DeviceId> ids;
  for (const std::size_t device : group.devices)
    ids.push_back(scene_.inventory.devices()[device].published.id());
  return ids_text(ids);
}

void SelectorDescription::add_problems(Description& out, const Own& own) const {
  if (!selection_ || own.begin == own.end) return;
  for (std::size_t i = own.begin; i < own.end; ++i) {
    const engine::Selector& selector = selection_->selectors[i].answer->selector;
    if (selector.program() != nullptr) continue;
    const std::string change = best_change(own);
    out.problem(base::format("{}: selector #{} does not compile, so no pod gets a device: {}",
                             own.whose, i - own.begin, engine::on_one_line(*selector.failure())),
                change.empty() ? "`kubectl dra eval --check` shows the place." : change);
  }
  add_failures(out, own);
  const std::size_t before =
      own.begin == 0 ? selection_->devices.size() : selection_->selectors[own.begin - 1].after;
  std::size_t failed = 0;
  for (std::size_t i = own.begin; i < own.end; ++i)
    failed += selection_->selectors[i].failed;
  if (before == 0 || failed > 0 || selection_->selectors[own.end - 1].after > 0) return;
  out.problem(base::format("{} matches no device, of {} {}", own.whose, before,
                           own.begin == 0 ? "in the cluster" : "that its class selects"),
              best_change(own), Tone::Warn);
}

std::string SelectorDescription::best_change(const Own& own) const {
  const auto found = engine::suggestions_for(
      scene_.answers->fleet(), std::span(texts_).first(own.end), scene_.snapshot.server());
  for (const engine::Suggestion& one : found) {
    const bool own_one = one.selector >= own.begin && one.selector < own.end;
    if (own_one && one.matches > 0)
      return base::format("{}: {}", answers::suggestion_text(one, true), one_line(one.expression));
  }
  return {};
}

void SelectorDescription::add_failures(Description& out, const Own& own) const {
  std::optional<std::string> change;  // searched for at the first failure only
  for (const engine::FailureGroup& group : engine::failures_of(*selection_)) {
    if (group.selector < own.begin || group.selector >= own.end) continue;
    if (!selection_->selectors[group.selector].answer->devices) continue;
    if (!change) change = best_change(own);
    out.problem(base::format(
                    "{}: selector #{} fails for {}: {} ({})", own.whose, group.selector - own.begin,
                    base::plural(static_cast<std::int64_t>(group.devices.size()), "device"),
                    group.failure->message, ids_of(group)),
                group.failure->stage == engine::Stage::Attribute ? std::string(kFlawRemedy)
                : change->empty()                                ? std::string(kFailRemedy)
                                                                 : *change);
  }
}

std::optional<engine::FreeDevices> SelectorDescription::free_devices() const {
  return engine::free_of(*selection_, scene_.inventory);
}

std::string SelectorDescription::chosen_text() const {
  if (!selection_ || !selection_->compiles()) return {};
  const auto& devices = scene_.inventory.devices();
  const bool all = selection_->chosen == devices.size();
  const std::string text =
      all ? base::format("all {} of the cluster", devices.size())
          : base::format("{} of {} in the cluster", selection_->chosen, devices.size());
  const auto free = free_devices();
  return free ? base::format("{}, {}", text, free_text(*free)) : text;
}

}  // namespace dra::report
