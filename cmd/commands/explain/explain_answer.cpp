// cmd/commands/explain/explain_answer.cpp: prints one answer or an ExplanationList, as text, JSON,
// YAML, HTML or SVG.

#include "cmd/commands/explain/explain_answer.h"

#include <algorithm>
#include <utility>

#include "cmd/repeat_flags.h"
#include "dra/answers/explain/refusal.h"
#include "dra/base/text.h"
#include "dra/engine/cluster/inventory.h"
#include "dra/engine/running/kubelet_words.h"
#include "dra/report/explain/patch_list.h"
#include "dra/report/phrases/envelope.h"
#include "dra/report/topology/topology.h"

namespace dra::cmd {
namespace {

// Orders exit codes: "does not fit" is worse than "undetermined".
int weight_of(ExitCode exit) {
  if (exit == ExitCode::Done) return 0;
  return exit == ExitCode::Found ? 2 : 1;
}

// The node that the answer is about first; empty: none.
std::string node_of(const report::Explanation& explanation) {
  if (!explanation.after.empty() && !explanation.after.front().node.empty())
    return explanation.after.front().node;
  const std::string headline = explanation.headline.text();
  const auto named = std::ranges::find_if(explanation.nodes, [&](const engine::NodeResult& node) {
    return engine::contains_name(headline, node.name);
  });
  if (named != explanation.nodes.end()) return named->name;
  return explanation.nodes.empty() ? std::string() : explanation.nodes.front().name;
}

// Where the devices of that node are: the slice of its chips, its boards, or the machine.
void add_drawing(const Context& context, const snapshot::Snapshot& snapshot,
                 const report::Explanation& explanation, view::Document& document) {
  const std::string node = node_of(explanation);
  if (snapshot.find<api::Node>(node) == nullptr) return;
  const engine::Inventory inventory(snapshot);
  const report::Scene scene{.snapshot = snapshot,
                            .inventory = inventory,
                            .now = context.now(snapshot),
                            .flags = repeat_flags(context.globals())};
  const report::Topology drawn =
      report::topology_of(scene, report::TopologyChoice{.nodes = {node}});
  if (drawn.grids.empty() && drawn.boards.empty() && drawn.boxes.empty()) return;
  document.add(view::Blank{});
  document.add(view::Paragraph{
      .spans = {{base::format("Where the devices of {} are", node), view::Tone::Strong}}});
  document.append(report::to_view(drawn, scene, {.details = true}));
}

// "3 answers: 1 positive, 2 negative, 1 undetermined".
std::string title_of(const std::vector<SubjectAnswer>& answers) {
  const std::int64_t good = std::ranges::count(answers, ExitCode::Done, &SubjectAnswer::exit);
  const std::int64_t bad = std::ranges::count(answers, ExitCode::Found, &SubjectAnswer::exit);
  const std::int64_t open = std::ssize(answers) - good - bad;
  std::string title =
      base::format("{} answers: {} positive, {} negative", answers.size(), good, bad);
  if (open > 0) title += base::format(", {} undetermined", open);
  return title;
}

}  // namespace

ExitCode exit_code_of(report::Verdict verdict) {
  switch (verdict) {
    case report::Verdict::Fits:
    case report::Verdict::Scheduled:
      return ExitCode::Done;
    case report::Verdict::Blocked:
    case report::Verdict::DoesNotFit:
      return ExitCode::Found;
    case report::Verdict::Undetermined:
      return ExitCode::Undetermined;
  }
  return ExitCode::Undetermined;
}

report::ExplainViewOptions view_options(const Context& context, const snapshot::Snapshot& snapshot,
                                        const AnswerFlags& flags) {
  return {
      .now = context.now(snapshot), .wide = flags.wide(), .flags = repeat_flags(context.globals())};
}

ExitCode exit_code_of(const report::Explanation& explanation, std::optional<diag::Code> refusal) {
  const bool is_down = refusal && *refusal == diag::Code::SchedulerDown;
  if (explanation.fails_after() || is_down) return ExitCode::Found;
  return refusal ? ExitCode::Undetermined : exit_code_of(explanation.verdict);
}

ExitCode worse_of(ExitCode one, ExitCode other) {
  return weight_of(other) > weight_of(one) ? other : one;
}

SubjectAnswer answer_of(const Context& context, const snapshot::Snapshot& snapshot,
                        const report::Explanation& explanation, const AnswerFlags& flags) {
  const auto refusal = answers::refusal_of(explanation);
  const ExitCode exit = exit_code_of(
      explanation, refusal ? std::optional(refusal->code) : std::optional<diag::Code>());
  if (flags.patches) {
    return make_answer(
        exit, flags, [&] { return report::patches_json(explanation); },
        [&] { return report::patches_view(explanation); });
  }
  return make_answer(
      exit, flags, [&] { return report::to_json(explanation); },
      [&] {
        view::Document text = report::to_view(explanation, view_options(context, snapshot, flags));
        if (flags.output.page()) add_drawing(context, snapshot, explanation, text);
        return text;
      });
}

Result<ExitCode> print_answers(const Context& context, std::vector<SubjectAnswer> answers,
                               const AnswerFlags& flags, base::Instant now) {
  ExitCode exit = ExitCode::Done;
  view::Document text;
  text.title = answers.size() == 1 ? answers.front().text.title : title_of(answers);
  json::Value items = json::Value::array();
  for (SubjectAnswer& answer : answers) {
    exit = worse_of(exit, answer.exit);
    if (!text.blocks.empty()) text.add(view::Blank{});
    text.append_screen(std::move(answer.text));
    items.push(std::move(answer.json));
  }
  SubjectAnswer all{exit, {}, std::move(text)};
  if (answers.size() == 1) {
    all.json = std::move(items.items().front());
  } else {
    all.json = report::report_object("ExplanationList");
    all.json.set("items", std::move(items));
  }
  return print_report(context, all, flags, now);
}

Result<ExitCode> print_report(const Context& context, const SubjectAnswer& answer,
                              const AnswerFlags& flags, base::Instant now) {
  DRA_TRY(flags.output.print(context, {.json = [&] { return answer.json; },
                                       .document = [&] { return answer.text; },
                                       .page = {flags.command, now}}));
  return flags.exit_zero ? ExitCode::Done : answer.exit;
}

}  // namespace dra::cmd
