// cmd/commands/explain/explain_watch.cpp: explains the state again after changes, a few times a
// second at most, and compares what the first line says.

#include "cmd/commands/explain/explain_watch.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>

#include "cmd/commands/watch/watching.h"
#include "cmd/list_flags.h"
#include "dra/api/pod.h"
#include "dra/base/printable.h"
#include "dra/base/text.h"

namespace dra::cmd {
namespace {

constexpr base::Duration kLongWait = base::Duration::seconds(10);
constexpr base::Duration kBetween = {200'000'000};

// Of a pod that has a node nothing is left to decide.
bool has_happened(std::string_view condition, const report::Explanation& explanation) {
  const engine::Subject& subject = explanation.subject;
  if (condition == "allocated") return !subject.claims.empty() && subject.allocated();
  if (condition == "scheduled")
    return subject.pod != nullptr && !subject.pod->spec.node_name.empty();
  if (condition == "running")
    return subject.pod != nullptr && subject.pod->status.phase == "Running";
  return explanation.verdict == report::Verdict::Fits ||
         explanation.verdict == report::Verdict::Scheduled;
}

class ExplainWatch {
 public:
  ExplainWatch(const Context& context, const ExplainWatchFlags& watch, const AnswerFlags& flags,
               const ExplainState& explain)
      : context_(context), watch_(watch), flags_(flags), explain_(explain) {}

  Result<ExitCode> run(Watching watching, std::optional<base::Duration> timeout) {
    std::optional<Pace::Clock::time_point> end;
    if (timeout) end = Pace::Clock::now() + std::chrono::nanoseconds(timeout->nanos);
    Pace pace(kBetween);
    bool changed = true;
    const auto look_now = [&] { return look(watching.now()); };
    while (true) {
      if (changed && pace.left() == base::Duration{}) {
        changed = false;
        const auto over = DRA_TRY(pace.run(look_now));
        if (over) return *over;
      }
      base::Duration most = changed ? pace.left() : kLongWait;
      if (end) {
        const std::int64_t left = std::chrono::nanoseconds(*end - Pace::Clock::now()).count();
        if (left <= 0 && !changed) return timed_out();
        most.nanos = std::clamp<std::int64_t>(left, 0, most.nanos);
        if (left <= 0) most = pace.left();
      }
      const auto events = DRA_TRY(watching.next(most));
      if (!events) return watch_.wait_for.empty() ? exit_ : ExitCode::Failed;
      for (const snapshot::ObjectEvent& event : *events)
        DRA_TRY(watching.state().apply(event));
      changed = changed || !events->empty();
    }
  }

 private:
  // The exit code, if it is over.
  Result<std::optional<ExitCode>> look(const snapshot::Snapshot& state) {
    Result<report::Explanation> explained = explain_(state);
    if (!explained.ok()) {
      // A watch goes on: the subject may be created again.
      const bool gone = explained.error().kind == ErrorKind::NotFound && !said_.empty();
      if (!gone || !watch_.wait_for.empty()) return std::move(explained).take_error();
      say(state, explained.error().message);
      return std::optional<ExitCode>();
    }
    const report::Explanation& explanation = explained.value();
    last_ = explanation.headline;
    if (watch_.watch) DRA_TRY(print_change(state, explanation));
    if (watch_.wait_for.empty() || !has_happened(watch_.wait_for, explanation))
      return std::optional<ExitCode>();
    if (!watch_.watch) DRA_TRY(print_end(state, explanation));
    return std::optional(ExitCode::Done);
  }

  Result<Done> print_change(const snapshot::Snapshot& state,
                            const report::Explanation& explanation) {
    const std::string now =
        base::format("{} {}", static_cast<int>(explanation.verdict), explanation.headline.plain());
    if (now == said_) return Done{};
    const bool first = said_.empty();
    if (!first && !flags_.structured()) {
      say(state, explanation.headline.plain());
    } else {
      if (!first && flags_.output.name() == "yaml") context_.print_text("---\n");
      exit_ = DRA_TRY(print_answers(context_, {answer_of(context_, state, explanation, flags_)},
                                    flags_, context_.now(state)));
    }
    said_ = now;
    return Done{};
  }

  // What was waited for, in its words: a pod that runs is scheduled, too.
  Result<Done> print_end(const snapshot::Snapshot& state, const report::Explanation& explanation) {
    if (flags_.structured()) {
      DRA_TRY(print_answers(context_, {answer_of(context_, state, explanation, flags_)}, flags_,
                            context_.now(state)));
      return Done{};
    }
    say(state, base::format("{} Condition met: {}.", explanation.headline.text(), watch_.wait_for));
    return Done{};
  }

  void say(const snapshot::Snapshot& state, const std::string& words) {
    const std::string line =
        base::format("{}  {}", base::format_rfc3339(context_.now(state)), words);
    if (words != said_) context_.print_text(base::printable(line) + "\n");
    said_ = words;
  }

  Error timed_out() const {
    const std::string who = last_ ? last_->who : "the subject";
    return {
        ErrorKind::Server,
        base::format("timed out after {} waiting for: {} {}", watch_.timeout, who, watch_.wait_for),
        last_ ? last_->plain() : std::string()};
  }

  const Context& context_;
  const ExplainWatchFlags& watch_;
  const AnswerFlags& flags_;
  const ExplainState& explain_;
  std::string said_;  // last
  ExitCode exit_ = ExitCode::Done;
  std::optional<answers::Headline> last_ = {};
};

Result<std::optional<base::Duration>> timeout_of(const ExplainWatchFlags& watch) {
  if (watch.timeout.empty()) return std::optional<base::Duration>();
  const base::Duration timeout = DRA_TRY(base::parse_duration(watch.timeout).context("--timeout"));
  if (timeout < base::Duration{})
    return Error{ErrorKind::BadInput, "--timeout cannot be negative", {}};
  return std::optional(timeout);
}

}  // namespace

std::vector<Flag> ExplainWatchFlags::flags() {
  return {
      {"timeout", '\0', "DURATION",
       "With --wait-for: give up after so long, such as 90s or 10m, with exit code 1. Without "
       "it there is no limit.",
       &timeout},
      {.name = "wait-for",
       .value = "CONDITION",
       .help = "Wait until a pod, or claims, are allocated or would fit, or until a pod is "
               "scheduled or runs; then exit with 0.",
       .target = &wait_for,
       .choices = {"allocated", "fits", "running", "scheduled"}},
      {"watch", 'w', "",
       "After the answer, print each change of the verdict or its reason, with the time.", &watch}};
}

Result<Done> check_explain_watch(const Context& context, const ExplainWatchFlags& watch,
                                 const AnswerFlags& flags, bool pod) {
  DRA_TRY(timeout_of(watch));
  if (!watch.timeout.empty() && watch.wait_for.empty())
    return Error{ErrorKind::BadInput, "--timeout is for --wait-for",
                 "--request-timeout ends a watch"};
  const std::string flag = watch.watch ? "watch" : "wait-for";
  DRA_TRY(check_watchable(context, flag));
  if (flags.output.page() || flags.patches)
    return Error{ErrorKind::BadInput,
                 base::format("--{} cannot be used with --{}", flag,
                              flags.patches ? "emit-patch" : "output=" + flags.output.name()),
                 {}};
  if (!pod && (watch.wait_for == "scheduled" || watch.wait_for == "running"))
    return Error{ErrorKind::BadInput, base::format("--wait-for={} is for a pod", watch.wait_for),
                 "claims can be waited for with --wait-for=allocated or fits"};
  return Done{};
}

Result<ExitCode> watch_explained(const Context& context, const ExplainWatchFlags& watch,
                                 const AnswerFlags& flags, std::span<const snapshot::Need> needs,
                                 const ExplainState& explain) {
  const auto timeout = DRA_TRY(timeout_of(watch));
  Watching watching = DRA_TRY(Watching::open(context, needs));
  return ExplainWatch(context, watch, flags, explain).run(std::move(watching), timeout);
}

}  // namespace dra::cmd
