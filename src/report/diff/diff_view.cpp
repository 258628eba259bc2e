// src/report/diff/diff_view.cpp: presents a diff as text: the subjects whose verdict changed, then
// devices, then objects. Lines that differ only in names are folded into one.

#include <algorithm>
#include <map>
#include <tuple>

#include "dra/base/text.h"
#include "dra/diag/subject_words.h"
#include "dra/report/diff/diff_report.h"
#include "dra/report/phrases/words.h"
#include "src/report/diff/change_words.h"
#include "src/report/diff/diff_parts.h"

namespace dra::report {
namespace {

using answers::DeviceChange;
using answers::DeviceSide;
using answers::Diff;
using answers::ObjectChange;
using answers::StateAnswer;
using answers::Verdict;
using answers::VerdictChange;
using engine::DeviceState;
using view::Tone;

constexpr std::size_t kMaxShown = 15;    // lines of each part
constexpr std::size_t kMaxDecisive = 3;  // decisive changes of one verdict
constexpr std::size_t kMaxHolders = 2;   // holders of one device
constexpr std::size_t kMaxPools = 4;     // pools in one line
constexpr std::size_t kMaxDevices = 48;  // cells for devices in one line

void add_title(view::Document& document, std::string_view title) {
  document.add(view::Blank{});
  document.add(view::Paragraph{.spans = {span(std::string(title), Tone::Strong)}});
}

void add_line(view::Document& document, std::string name, std::string words) {
  document.add(view::Paragraph{
      .spans = {span(std::move(name) + " ", Tone::Strong), span(std::move(words))}, .indent = 2});
}

// Adds "+5 more: -o wide" if `shown` are fewer than `all`.
void add_rest(view::Document& document, std::size_t all, std::size_t shown) {
  if (all <= shown) return;
  document.add(view::Paragraph{
      .spans = {span(base::format("+{} more: -o wide", all - shown), Tone::Dim)}, .indent = 2});
}

std::string plural_of(std::string_view kind) {
  return std::string(kind) + (kind.ends_with('s') ? "es" : "s");
}

std::string name_all(const std::vector<SubjectName>& subjects, bool wide) {
  const std::string& kind = subjects.front().kind;
  const std::string many = plural_of(kind);
  return name_subjects(subjects, {kind, many},
                       wide ? diag::Detail::Everything : diag::Detail::Screen);
}

Tone tone_of(const VerdictChange& verdict) {
  const StateAnswer& answer = verdict.after;
  if (verdict.rests_on_expired_events()) return Tone::Warn;
  if (!answer.exists) return Tone::Plain;
  switch (answer.verdict) {
    case Verdict::Fits:
    case Verdict::Scheduled:
      return answer.code ? Tone::Bad : Tone::Good;
    case Verdict::Blocked:
    case Verdict::DoesNotFit:
      return Tone::Bad;
    case Verdict::Undetermined:
      return Tone::Warn;
  }
  return Tone::Plain;
}

// The words of the first subject for all, without its node if there are several.
std::string verdict_words(const VerdictChange& verdict, const StateAnswer& answer) {
  const bool one = verdict.subjects.size() == 1;
  if (one) return predicate_of(verdict, answer);
  const bool pods = verdict.subjects.front().kind == "Pod";
  if (answer.verdict == Verdict::Scheduled && !answer.code)
    return pods ? "are scheduled." : "are allocated.";
  const SubjectName& first = verdict.subjects.front();
  if (answer.trouble && verdict.words_differ)
    return base::format("each like {}/{}, which {}", first.namespace_, first.name,
                        predicate_of(verdict, answer));
  return "each " + predicate_of(verdict, answer);
}

std::string words_before(const VerdictChange& verdict) {
  if (verdict.before.exists) return verdict_words(verdict, verdict.before);
  return verdict.subjects.size() == 1 ? "was not there." : "were not there.";
}

std::string words_now(const VerdictChange& verdict) {
  if (verdict.after.exists) return verdict_words(verdict, verdict.after);
  return verdict.subjects.size() == 1 ? "is not there any more." : "are not there any more.";
}

// The words before and after already say the cause: the subject came or went, or got its devices
// without another change.
bool says_why(const VerdictChange& verdict) {
  if (!verdict.decided_by_itself) return false;
  const bool got_devices =
      verdict.after.exists && verdict.after.verdict == Verdict::Scheduled && !verdict.after.code;
  const bool itself =
      api::info_of(verdict.decisive.front().object.kind).name == verdict.subjects.front().kind;
  return !verdict.before.exists || !verdict.after.exists || (got_devices && itself);
}

void add_why(const VerdictChange& verdict, bool wide, view::Fields& fields) {
  if (says_why(verdict)) return;
  if (verdict.decisive.empty()) {
    const std::string_view why =
        verdict.bounded ? "which change decided was not found in time"
                        : "no object decided: another release, or what could not be read";
    fields.fields.push_back({"because", {span(std::string(why), Tone::Dim)}});
    return;
  }
  const std::size_t all = verdict.decisive.size();
  const std::size_t shown = wide || all <= kMaxDecisive ? all : kMaxDecisive;
  for (std::size_t i = 0; i < shown; ++i) {
    const ObjectChange& one = verdict.decisive[i];
    fields.fields.push_back({i == 0 ? "because" : "and",
                             {span(name_all({subject_of(one.object)}, wide) + ": ", Tone::Strong),
                              span(words_of(one))}});
  }
  if (shown < all)
    fields.fields.push_back(
        {"and", {span(base::format("{} more: -o wide", all - shown), Tone::Dim)}});
  if (verdict.rests_on_expired_events())
    fields.fields.push_back({"but", {span(std::string(kExpiredEvents))}});
  if (verdict.decisive_of_first) {
    const SubjectName& first = verdict.subjects.front();
    fields.fields.push_back(
        {"about",
         {span(base::format("{} {}/{}; for each of the others another change may "
                            "have decided",
                            first.kind, first.namespace_, first.name))}});
  }
}

void add_verdicts(const Diff& diff, bool wide, view::Document& document) {
  if (diff.verdicts.empty() && diff.not_looked_at.empty()) return;
  add_title(document, "VERDICTS");
  const std::size_t all = diff.verdicts.size();
  const std::size_t shown = wide ? all : std::min(all, kMaxShown);
  for (std::size_t i = 0; i < shown; ++i) {
    const VerdictChange& verdict = diff.verdicts[i];
    document.add(view::Paragraph{.spans = {span(name_all(verdict.subjects, wide), Tone::Strong)},
                                 .indent = 2});
    view::Fields fields{.fields = {{"before", {span(words_before(verdict))}},
                                   {"now", {span(words_now(verdict), tone_of(verdict))}}},
                        .indent = 4};
    add_why(verdict, wide, fields);
    document.add(std::move(fields));
  }
  add_rest(document, all, shown);
  if (diff.not_looked_at.empty()) return;
  document.add(
      view::Paragraph{.spans = {span(base::format("{} not looked at: too many different ones",
                                                  name_all(diff.not_looked_at, wide)),
                                     Tone::Warn)},
                      .indent = 2});
}

// "in use by ml/train", "shared by ml/a, ml/b", "tainted".
std::string state_words(const DeviceSide& side) {
  std::string words(engine::words_of(side.state));
  if (side.claims.empty()) return words;
  const bool held = side.state == DeviceState::Allocated || side.state == DeviceState::Shared;
  const std::string_view link = held ? " by " : ", held by ";
  return words.append(link).append(base::join_first(side.claims, kMaxHolders));
}

// `many`: the plural, for several devices.
std::string device_words(const DeviceChange& change, bool many) {
  if (!change.before) {
    const bool plain =
        change.after->state == DeviceState::Free || change.after->state == DeviceState::Unknown;
    return plain ? "came" : "came, " + state_words(*change.after);
  }
  const DeviceSide& before = *change.before;
  if (!change.after)
    return before.claims.empty()
               ? "gone"
               : base::format("gone, {} {}", many ? "were" : "was", state_words(before));
  const DeviceSide& after = *change.after;
  if (before.state == DeviceState::Allocated && after.state == DeviceState::Allocated)
    return base::format("passed from {} to {}", base::join_first(before.claims, kMaxHolders),
                        base::join_first(after.claims, kMaxHolders));
  return base::format("{} -> {}", state_words(before), state_words(after));
}

// Devices of one driver's pools that share their words.
struct FoldedDevices {
  std::string_view driver;
  std::vector<std::string_view> pools;
  std::string devices;
  std::string words;
};

// Sorts gpu-2 before gpu-10.
bool stands_before(std::string_view a, std::string_view b) {
  return std::tuple(a.size(), a) < std::tuple(b.size(), b);
}

// Folds devices into lines, in the order of their first devices.
class DeviceLines {
 public:
  // Adds devices of one pool that share their words.
  void add(const std::vector<const DeviceChange*>& changes) {
    const DeviceChange& first = *changes.front();
    std::vector<std::string_view> devices;
    devices.reserve(changes.size());
    for (const DeviceChange* change : changes)
      devices.push_back(change->id.device);
    std::ranges::sort(devices, stands_before);
    std::string names = name_devices_within(devices, kMaxDevices);
    std::string words = device_words(first, devices.size() > 1);
    const auto [line, is_new] =
        known_.emplace(std::tuple(first.id.driver, names, words), lines_.size());
    if (is_new) lines_.push_back({first.id.driver, {}, std::move(names), std::move(words)});
    lines_[line->second].pools.push_back(first.id.pool);
  }

  std::vector<FoldedDevices> take() { return std::move(lines_); }

 private:
  std::vector<FoldedDevices> lines_;
  // Index by (driver, devices, words), because there may be as many lines as devices.
  std::map<std::tuple<std::string_view, std::string, std::string>, std::size_t> known_;
};

std::vector<FoldedDevices> fold(const std::vector<DeviceChange>& changes) {
  DeviceLines lines;
  for (auto at = changes.begin(); at != changes.end();) {
    const auto end = std::find_if(at, changes.end(), [&](const DeviceChange& one) {
      return one.id.driver != at->id.driver || one.id.pool != at->id.pool;
    });
    std::map<std::string, std::vector<const DeviceChange*>> by_words;
    for (auto one = at; one != end; ++one)
      by_words[device_words(*one, false)].push_back(&*one);
    for (const auto& [words, alike] : by_words)
      lines.add(alike);
    at = end;
  }
  return lines.take();
}

void add_device_changes(const Diff& diff, bool wide, view::Document& document) {
  if (diff.devices.empty()) return;
  add_title(document, "DEVICES");
  if (wide) {
    for (const DeviceChange& one : diff.devices)
      add_line(document, engine::to_string(one.id) + ":", device_words(one, false));
    return;
  }
  const std::vector<FoldedDevices> lines = fold(diff.devices);
  const std::size_t shown = std::min(lines.size(), kMaxShown);
  for (std::size_t i = 0; i < shown; ++i) {
    const FoldedDevices& line = lines[i];
    add_line(document, base::format("{} {}:", line.driver, fold_nodes(line.pools, kMaxPools)),
             base::format("{} {}{}", line.devices, line.words,
                          line.pools.size() == 1
                              ? ""
                              : base::format(", in each of {} pools", line.pools.size())));
  }
  add_rest(document, lines.size(), shown);
}

// Pods are sorted last: they are many, and most of their changes follow from others.
bool is_pod(const ObjectChange& change) { return change.object.kind == api::Kind::Pod; }

void add_changes(const Diff& diff, bool wide, view::Document& document) {
  if (diff.changes.empty()) return;
  add_title(document, "OBJECTS");
  struct Line {
    std::vector<SubjectName> subjects;
    std::string words;
  };
  std::vector<const ObjectChange*> changes;
  for (const ObjectChange& one : diff.changes)
    changes.push_back(&one);
  std::stable_partition(changes.begin(), changes.end(),
                        [](const ObjectChange* one) { return !is_pod(*one); });
  std::vector<Line> lines;
  std::map<std::pair<api::Kind, std::string>, std::size_t> known;
  for (const ObjectChange* one : changes) {
    std::string text = words_of(*one);
    const auto [line, is_new] = known.emplace(std::pair(one->object.kind, text), lines.size());
    if (wide || is_new) {
      lines.push_back({{subject_of(one->object)}, std::move(text)});
    } else {
      lines[line->second].subjects.push_back(subject_of(one->object));
    }
  }
  const std::size_t shown = wide ? lines.size() : std::min(lines.size(), kMaxShown);
  for (std::size_t i = 0; i < shown; ++i)
    add_line(document, name_all(lines[i].subjects, wide) + ":", lines[i].words);
  add_rest(document, lines.size(), shown);
}

}  // namespace

view::Document to_view(const Diff& diff, bool wide) {
  view::Document document;
  document.add(view::Paragraph{
      .spans = {span(summary_of(diff), diff.nothing() ? Tone::Good : Tone::Strong)}});
  add_verdicts(diff, wide, document);
  add_device_changes(diff, wide, document);
  add_changes(diff, wide, document);
  return document;
}

}  // namespace dra::report
