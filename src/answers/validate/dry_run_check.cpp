// src/answers/validate/dry_run_check.cpp: compares the findings about an object with the server's
// answer to a dry run. The server stops after the first phase with errors, and each phase writes
// paths in its own form, so findings match by phase, type and the path in that form.

#include <algorithm>
#include <array>

#include "dra/answers/validate/validation.h"
#include "dra/api/kinds.h"
#include "dra/base/text.h"
#include "dra/checks/fields/manifest_place.h"
#include "src/answers/validate/validation_findings.h"

namespace dra::answers {
namespace {

using checks::ManifestFinding;
using checks::Phase;
using checks::Severity;
using session::RefusalCause;

// Finds the kind in any version, because the server decides whether it serves the version.
const api::KindInfo* kind_of(std::string_view api_version, std::string_view name) {
  const std::string_view group = api_version.substr(0, api_version.find('/'));
  const bool core = group.size() == api_version.size();
  const auto kinds = api::all_kinds();
  const auto found = std::ranges::find_if(kinds, [&](const api::KindInfo& kind) {
    return kind.name == name && kind.group == (core ? std::string_view() : group);
  });
  return found == kinds.end() ? nullptr : &*found;
}

// The server's answer, split into causes.
struct Answer {
  // The phase that failed. No value: admission or another check outside the rules failed, before or
  // after them.
  std::optional<Phase> phase = {};
  std::vector<RefusalCause> causes = {};
};

constexpr std::string_view kStrict = "strict decoding error: ";

// `unknown field "spec.a", unknown field "spec.b"`; duplicates are not sent.
std::vector<RefusalCause> strict_causes(std::string_view text) {
  constexpr std::string_view unknown = "unknown field \"";
  std::vector<RefusalCause> causes;
  for (std::size_t first; (first = text.find(unknown)) != std::string_view::npos;) {
    const std::string_view words = text.substr(first);
    const std::size_t end = std::min(words.find('"', unknown.size()), words.size());
    causes.push_back({"UnknownField",
                      std::string(words.substr(unknown.size(), end - unknown.size())),
                      std::string(words.substr(0, std::min(end + 1, words.size())))});
    text = words.substr(end);
  }
  return causes;
}

// The path in `json: cannot unmarshal string into Go struct field ResourceClaim.spec.devices of
// type ...`, if there is one, without the names of embedded Go types.
std::string decoded_path(std::string_view message) {
  constexpr std::string_view before = "into Go struct field ";
  const std::size_t begin = message.find(before);
  if (begin == std::string_view::npos) return {};
  std::string_view path = message.substr(begin + before.size());
  path = path.substr(0, path.find(' '));
  path.remove_prefix(std::min(path.find('.') + 1, path.size()));
  std::string text(path);
  constexpr std::string_view embedded = ".DeviceConfiguration";
  if (const std::size_t at = text.find(embedded); at != std::string::npos)
    text.erase(at, embedded.size());
  return text;
}

Answer read(const session::Refusal& refusal) {
  // Admission policies also answer Invalid, but give no type.
  const bool rules = std::ranges::none_of(refusal.causes, &std::string::empty, &RefusalCause::type);
  if (refusal.reason == "Invalid" && !refusal.causes.empty() && rules)
    return {Phase::Validate, refusal.causes};
  if (refusal.reason != "BadRequest") return {{}, {{refusal.reason, {}, refusal.message}}};
  const std::size_t strict = refusal.message.find(kStrict);
  if (strict != std::string::npos) {
    auto causes = strict_causes(std::string_view(refusal.message).substr(strict + kStrict.size()));
    if (!causes.empty()) return {Phase::Strict, std::move(causes)};
  }
  return {Phase::Decode, {{"Decode", decoded_path(refusal.message), refusal.message}}};
}

// Maps of objects, whose keys may be numbers.
constexpr std::array<std::string_view, 4> kMaps = {"attributes", "capacity", "counters",
                                                   "nodeAllocatableResources"};

// The path in the form of that phase: without indices for values of the wrong type; with map keys
// as fields for unknown fields.
std::string path_in(Phase phase, const std::string& path) {
  if (phase == Phase::Validate) return path;
  std::string out;
  for (std::size_t at = 0; at < path.size();) {
    const std::size_t end = path[at] == '[' ? path.find(']', at) : std::string::npos;
    if (end == std::string::npos) {
      out += path[at++];
      continue;
    }
    const std::string inner = path.substr(at + 1, end - at - 1);
    const bool is_key =
        std::ranges::any_of(kMaps, [&out](std::string_view map) { return out.ends_with(map); });
    const bool index = !is_key && inner.find_first_not_of("0123456789") == std::string::npos;
    if (phase == Phase::Strict) out += index ? "[" + inner + "]" : "." + inner;
    at = end + 1;
  }
  return out;
}

class DryRunCheck {
 public:
  DryRunCheck(const Question& question, const session::Verdict& verdict, Validation& validation)
      : place_(question.seen), validation_(validation) {
    if (verdict.refusal) answer_ = read(*verdict.refusal);
    refused_ = verdict.refusal.has_value();
  }

  void run() {
    std::vector<bool> said(answer_.causes.size(), false);
    for (FileFinding& entry : validation_.findings) {
      if (entry.seen != place_ || entry.finding.severity != Severity::Error) continue;
      const std::size_t same = matching(entry.finding);
      if (same < said.size()) said[same] = true;
      if (same < said.size()) entry.server = ServerSays::Same;
      if (same == said.size() && would_report(entry.finding)) note(entry, ServerSays::Nothing);
    }
    for (std::size_t i = 0; i < said.size(); ++i) {
      if (!said[i] && !reported_before(i, said)) add_cause(answer_.causes[i]);
    }
  }

 private:
  // The index of the server's cause that equals the finding; the number of causes if there is none.
  std::size_t matching(const ManifestFinding& ours) const {
    const auto& causes = answer_.causes;
    const auto found = std::ranges::find_if(causes, [&](const RefusalCause& cause) {
      if (!answer_.phase) return cause.type == ours.code && ours.phase == Phase::Validate;
      if (*answer_.phase != ours.phase) return false;
      // The server reports the first value that it cannot read, not always with its path.
      if (ours.phase == Phase::Decode)
        return cause.field.empty() || cause.field == path_in(ours.phase, ours.path);
      return cause.type == ours.code && cause.field == path_in(ours.phase, ours.path);
    });
    return static_cast<std::size_t>(found - causes.begin());
  }

  // True if the server's checks reached this rule and would report it.
  bool would_report(const ManifestFinding& ours) const {
    if (ours.phase == Phase::Client) return false;
    if (!refused_) return true;
    if (!answer_.phase || ours.phase > *answer_.phase) return false;
    if (ours.phase == Phase::Decode) return false;  // the server reports only the first
    // The server reports nothing else about an object in another state, and checks generateName and
    // quotas only if all else is right.
    const auto& causes = answer_.causes;
    const bool other_state =
        causes.size() == 1 && causes.front().field == "metadata.resourceVersion";
    const bool quota =
        ours.path.empty() && ours.code == "Forbidden";  // quotas come after the rules
    return !other_state && !quota && ours.path != "metadata.generateName";
  }

  // The server may report the same type at the same path twice.
  bool reported_before(std::size_t number, const std::vector<bool>& said) const {
    const RefusalCause& cause = answer_.causes[number];
    for (std::size_t i = 0; i < answer_.causes.size(); ++i) {
      const bool equal =
          answer_.causes[i].type == cause.type && answer_.causes[i].field == cause.field;
      if (i != number && equal && (said[i] || i < number)) return true;
    }
    return false;
  }

  void note(FileFinding& entry, ServerSays says) {
    entry.server = says;
    ++validation_.dry_run->differences;
  }

  void add_cause(const RefusalCause& cause) {
    const FileObject& object = validation_.seen[place_];
    ManifestFinding finding = checks::finding_at(
        checks::place_at(object.object.written->object, cause.field), Severity::Error,
        cause.type.empty() ? "Unknown" : cause.type, cause.message, {});
    finding.phase = answer_.phase.value_or(Phase::Validate);
    add_finding(object, std::move(finding), validation_);
    note(validation_.findings.back(), ServerSays::Only);
  }

  std::size_t place_;
  Validation& validation_;
  Answer answer_;
  bool refused_ = false;
};

}  // namespace

std::vector<Question> questions_of(const Validation& validation, const std::string& ns) {
  std::vector<Question> questions;
  for (std::size_t i = 0; i < validation.seen.size(); ++i) {
    const auto& written = validation.seen[i].object.written;
    if (!written) continue;
    const api::KindInfo* kind = kind_of(written->api_version, written->kind);
    if (kind == nullptr) continue;
    const std::string version = base::url_escape(api::version_of(written->api_version));
    const std::string& in = written->namespace_.empty() ? ns : written->namespace_;
    questions.push_back({i,
                         {.collection = api::list_path(*kind, version, in),
                          .name = written->name,
                          .object = written->object}});
  }
  return questions;
}

void check_verdicts(std::span<const Question> questions, std::span<const session::Verdict> verdicts,
                    Validation& validation) {
  validation.dry_run = DryRun{.asked = questions.size()};
  for (std::size_t i = 0; i < questions.size(); ++i) {
    validation.dry_run->refused += verdicts[i].refusal ? 1 : 0;
    DryRunCheck(questions[i], verdicts[i], validation).run();
  }
  sort_findings(validation);
}

}  // namespace dra::answers
