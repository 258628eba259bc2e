// src/report/describe/describe_parts.cpp: the order of a description's parts, and the sections that
// several kinds of objects have: conditions, events, owner, lifecycle.

#include "dra/report/describe/describe_parts.h"

#include <algorithm>
#include <utility>
#include <variant>

#include "dra/api/cluster_objects.h"
#include "dra/base/printable.h"
#include "dra/base/text.h"
#include "dra/diag/command_line.h"
#include "dra/engine/cluster/claim_references.h"
#include "dra/engine/cluster/events.h"
#include "dra/engine/facts/device_attribute.h"
#include "dra/json/parse.h"
#include "dra/json/write.h"
#include "dra/report/phrases/envelope.h"
#include "dra/report/phrases/subject_json.h"
#include "src/report/describe/describe_json.h"

namespace dra::report {
namespace {

using view::Tone;

constexpr int kIndent = 2;
constexpr std::size_t kMaxEvents = 10;
constexpr std::size_t kMaxParameters = 160;  // characters

bool is_empty(const view::Block& block) {
  if (const auto* table = std::get_if<view::Table>(&block)) return table->rows.empty();
  if (const auto* fields = std::get_if<view::Fields>(&block)) return fields->fields.empty();
  if (const auto* lines = std::get_if<view::Verbatim>(&block)) return lines->lines.empty();
  return false;
}

std::string_view source_of(const api::Event& event) {
  return event.reporter.empty() ? event.source.component : event.reporter;
}

std::string_view severity_of(Tone tone) {
  if (tone == Tone::Bad) return "error";
  return tone == Tone::Warn ? "warning" : "hint";
}

json::Value event_json(const api::Event& event) {
  json::Value out = json::Value::object();
  set_if_any(out, "type", event.type);
  set_if_any(out, "reason", event.reason);
  set_if_any(out, "message", event.message);
  out.set("count", engine::times_seen(event));
  set_if_any(out, "lastTimestamp", time_json(event.last_seen()));
  set_if_any(out, "source", source_of(event));
  return out;
}

}  // namespace

std::string capitalised(std::string text) {
  if (!text.empty() && text[0] >= 'a' && text[0] <= 'z')
    text[0] = static_cast<char>(text[0] - 'a' + 'A');
  return text;
}

Description::Description(const Scene& scene, std::string_view kind, const SubjectName& subject,
                         std::string headline, Tone tone)
    : scene_(scene),
      kind_(kind),
      subject_(subject),
      headline_{sentence(std::move(headline)), tone} {
  facts_.indent = kIndent;
}

void Description::problem(std::string what, std::string remedy, Tone tone) {
  what = sentence(std::move(what));
  if (std::ranges::find(problems_, what, &Problem::what) != problems_.end()) return;
  problems_.push_back({std::move(what), std::move(remedy), tone});
}

bool Description::saw(api::Kind kind, std::string_view not_known, std::string_view ns) {
  const snapshot::Coverage& coverage = scene_.snapshot.coverage();
  if (coverage.saw(kind, ns)) return true;
  const snapshot::Missing* missing = coverage.find(kind);
  problem(capitalised(base::format("{} ({}): {}", snapshot::cannot_be_read(*missing),
                                   missing->reason, not_known)),
          {}, Tone::Warn);
  return false;
}

void Description::fact(std::string name, std::string value, Tone tone) {
  if (value.empty()) return;
  facts_.fields.push_back({std::move(name), {span(std::move(value), tone)}});
}

void Description::section(std::string title) { title_ = std::move(title); }

void Description::add(view::Block block) {
  if (is_empty(block)) return;
  if (!title_.empty()) {
    body_.emplace_back(view::Blank{});
    body_.emplace_back(view::Paragraph{.spans = {span(std::exchange(title_, {}), Tone::Strong)}});
  }
  body_.push_back(std::move(block));
}

void Description::note(std::string text) {
  add(view::Paragraph{.spans = {span(std::move(text), Tone::Dim)}, .indent = kIndent});
}

void Description::next(const std::string& command, std::string what) {
  std::string whole = this->command(command);
  const auto is_same = [&whole](const auto& known) { return known.second == whole; };
  if (std::ranges::none_of(next_, is_same)) next_.emplace_back(std::move(what), std::move(whole));
}

std::string Description::command(std::string_view words) const {
  return diag::kubectl_dra(words).flags(scene_.flags).text();
}

void Description::set(std::string key, json::Value value) {
  set_if_any(members_, std::move(key), std::move(value));
}

void Description::set_metadata(std::string key, json::Value value) {
  set_if_any(metadata_, std::move(key), std::move(value));
}

json::Value Description::problems_json() const {
  json::Value out = json::Value::array();
  for (const Problem& problem : problems_) {
    json::Value& one = out.push(json::Value::object());
    one.set("severity", severity_of(problem.tone));
    one.set("message", problem.what);
    set_if_any(one, "advice", problem.remedy);
  }
  return out;
}

json::Value Description::commands_json() const {
  json::Value out = json::Value::array();
  for (const auto& [what, command] : next_) {
    json::Value& one = out.push(json::Value::object());
    one.set("about", what);
    one.set("command", command);
  }
  return out;
}

view::Document Description::document() const {
  view::Document document;
  document.add(view::Paragraph{.spans = {headline_}});
  document.add(view::Blank{});
  for (const Problem& problem : problems_) {
    view::Paragraph line{.spans = {span("! ", problem.tone), span(problem.what)},
                         .indent = kIndent};
    document.add(std::move(line));
    if (problem.remedy.empty()) continue;
    document.add(view::Paragraph{.spans = {span("-> ", Tone::Strong), span(problem.remedy)},
                                 .indent = kIndent + 2,
                                 .hang = 3});
  }
  document.add(view::Blank{});
  document.add(facts_);
  for (const view::Block& block : body_)
    document.blocks.push_back(block);
  document.add(view::Blank{});
  // Commands are not wrapped, so that they can be copied.
  view::Verbatim commands{.lines = {}, .indent = kIndent};
  std::size_t longest = 0;
  for (const auto& [what, command] : next_)
    longest = std::max(longest, what.size());
  for (const auto& [what, command] : next_) {
    const std::string gap(longest - what.size() + 2, ' ');
    commands.lines.push_back({span(base::format("{}:{}", what, gap), Tone::Dim), span(command)});
  }
  document.add(std::move(commands));
  return document;
}

Described Description::finish() && {
  json::Value report = report_object(kind_);
  report.set("subject", subject_json(subject_));
  report.set("summary", headline_.text);
  report.set("problems", problems_json());
  set_if_any(report, "metadata", std::move(metadata_));
  for (json::Member& member : members_.members())
    report.set(std::move(member.key), std::move(member.value));
  report.set("commands", commands_json());
  add_coverage(report, scene_.snapshot.coverage());
  return {document(), std::move(report)};
}

json::Value descriptions_json(const Scene& scene, std::vector<json::Value> reports) {
  json::Value list = report_object("DescriptionList");
  list.set("items", json::Value::array(std::move(reports)));
  add_coverage(list, scene.snapshot.coverage());
  return list;
}

view::Table section_table(Titles titles, Titles whole) {
  view::Table table = table_of(titles);
  for (view::Column& column : table.columns)
    column.elastic = std::ranges::find(whole, column.title) == whole.end();
  table.indent = kIndent;
  table.fits_width = true;
  return table;
}

void drop_empty_columns(view::Table& table) {
  for (std::size_t column = table.columns.size(); column-- > 0;) {
    const auto at = static_cast<std::ptrdiff_t>(column);
    const bool used = std::ranges::any_of(
        table.rows, [column](const auto& row) { return !row[column].text.empty(); });
    if (used) continue;
    table.columns.erase(table.columns.begin() + at);
    for (auto& row : table.rows)
      row.erase(row.begin() + at);
  }
}

view::Fields section_fields(int indent) { return {.fields = {}, .indent = indent}; }

void add_line(view::Fields& fields, std::string name, std::string value, Tone tone) {
  if (value.empty()) return;
  fields.fields.push_back({std::move(name), {span(std::move(value), tone)}});
}

std::string some_of(const std::vector<std::string>& names, std::size_t limit) {
  std::vector<std::string> once;
  for (const std::string& name : names) {
    if (std::ranges::find(once, name) == once.end()) once.push_back(name);
  }
  return base::join_first(once, limit);
}

std::vector<Property> properties_of(std::string_view driver, const api::Device& device) {
  const std::string domain = base::format("{}/", driver);
  const auto short_name = [&domain](std::string_view name) {
    return std::string(name.starts_with(domain) ? name.substr(domain.size()) : name);
  };
  std::vector<Property> properties;
  for (const auto& entry : device.capacity)
    properties.push_back({short_name(entry.key), std::string(entry.value.value.text)});
  for (const auto& entry : device.attributes) {
    std::string text = engine::attribute_text(entry.value);
    properties.push_back({short_name(entry.key), text.empty() ? "\"\"" : std::move(text)});
  }
  return properties;
}

std::string properties_text(const std::vector<Property>& properties, std::size_t limit) {
  std::vector<std::string> parts;
  parts.reserve(properties.size());
  for (const Property& property : properties)
    parts.push_back(base::format("{}={}", property.name, property.text));
  return some_of(parts, limit);
}

view::Cell state_cell(const api::ResourceClaim& claim) {
  if (claim.meta.deleted) return cell("deleting", Tone::Warn);
  return claim.allocated() ? cell("allocated") : cell("pending", Tone::Warn);
}

std::string containers_with(const api::Pod& pod, std::string_view claim) {
  const auto references = engine::claim_references(pod, claim);
  std::vector<std::string> names;
  for (const auto* containers : {&pod.spec.init_containers, &pod.spec.containers}) {
    for (const api::Container& container : *containers) {
      std::vector<std::string> requests;
      bool has = false;
      for (const api::ContainerClaim& use : container.resources.claims) {
        if (std::ranges::find(references, use.name) == references.end()) continue;
        has = true;
        if (!use.request.empty()) requests.emplace_back(use.request);
      }
      if (!has) continue;
      const std::string only =
          requests.empty() ? "" : base::format(" ({})", base::join(requests, ", "));
      names.push_back(base::format("{}{}", container.name, only));
    }
  }
  return base::join(names, ", ");
}

std::string taint_text(const api::DeviceTaint& taint) {
  const std::string value = taint.value.empty() ? "" : base::format("={}", taint.value);
  return base::format("{}{}:{}", taint.key, value, taint.effect);
}

std::string toleration_text(const api::Toleration& toleration) {
  const std::string_view key = toleration.key.empty() ? "every taint" : toleration.key;
  const bool exists = toleration.op == "Exists";
  std::string text = exists ? std::string(key) : base::format("{}={}", key, toleration.value);
  if (!toleration.effect.empty()) text += base::format(":{}", toleration.effect);
  if (toleration.seconds) {
    const auto span = base::Duration::seconds(*toleration.seconds);
    text += base::format(" for {}", base::human_age(span));
  }
  return text;
}

std::string parameters_text(const api::RawJson& parameters) {
  auto parsed = json::parse_json(parameters.text);
  if (!parsed.ok()) return {};
  json::Value fields = std::move(parsed).take();
  std::vector<std::string> parts;
  for (const char* name : {"kind", "apiVersion"}) {
    const json::Value* value = fields.find(name);
    if (value != nullptr && !value->text().empty()) parts.push_back(value->text());
    fields.remove(name);
  }
  if (!fields.members().empty()) {
    parts.push_back(
        base::fit(base::printable(json::write_json(fields, json::Style::Compact)), kMaxParameters));
  }
  return base::join(parts, " ");
}

std::vector<view::Span> condition_text(const api::Condition& condition, base::Instant now) {
  std::string words(condition.status);
  if (!condition.reason.empty()) words += base::format(" {}", condition.reason);
  if (condition.changed) words += base::format(", {}", age_of(condition.changed, now));
  if (!condition.message.empty()) words += base::format(": {}", condition.message);
  return {span(std::move(words))};
}

void add_conditions(Description& out, const std::vector<api::Condition>& conditions) {
  view::Fields lines = section_fields();
  for (const api::Condition& condition : conditions) {
    lines.fields.push_back(
        {std::string(condition.type), condition_text(condition, out.scene().now)});
  }
  out.section("Conditions");
  out.add(std::move(lines));
  out.set("conditions", conditions_json(conditions));
}

void add_events(Description& out, std::string_view kind, const api::ObjectMeta& about) {
  if (!out.scene().show_events) return;
  auto events = engine::events_of(out.scene().snapshot, kind, about);
  std::ranges::stable_sort(events, {}, [](const api::Event* event) { return event->last_seen(); });
  json::Value all = json::Value::array();
  for (const api::Event* event : events)
    all.push(event_json(*event));
  out.set("events", std::move(all));
  const std::size_t left = events.size() > kMaxEvents ? events.size() - kMaxEvents : 0;
  events.erase(events.begin(), events.begin() + static_cast<std::ptrdiff_t>(left));
  view::Fields lines = section_fields();
  for (const api::Event* event : events) {
    const std::int64_t count = engine::times_seen(*event);
    const std::string times = count > 1 ? base::format(" (x{})", count) : "";
    const Tone tone = event->type == "Warning" ? Tone::Warn : Tone::Plain;
    lines.fields.push_back(
        {ago(event->last_seen(), out.scene().now),
         {span(std::string(event->reason), tone), span(times + ": " + std::string(event->message)),
          span(base::format("  ({})", source_of(*event)), Tone::Dim)}});
  }
  out.section("Events");
  if (left > 0) out.note(base::format("{} earlier events are not shown", left));
  out.add(std::move(lines));
}

void add_owner(Description& out, const api::ObjectMeta& meta) {
  const api::OwnerReference* owner = api::controller_of(meta);
  if (owner == nullptr) return;
  out.fact("owner", base::format("{} {}", base::lower(owner->kind), owner->name));
  out.set_metadata("controller",
                   subject_json({std::string(owner->kind), {}, std::string(owner->name)}));
}

void add_lifecycle(Description& out, const api::ObjectMeta& meta) {
  if (meta.created) out.fact("age", age_of(meta.created, out.scene().now));
  if (meta.deleted) out.fact("deletion", deletion_words(meta, out.scene().now));
  out.set_metadata("creationTimestamp", time_json(meta.created));
  out.set_metadata("deletionTimestamp", time_json(meta.deleted));
  if (meta.deleted) out.set_metadata("finalizers", texts_json(meta.finalizers));
}

std::string deletion_words(const api::ObjectMeta& meta, base::Instant now) {
  const std::vector<std::string> finalizers(meta.finalizers.begin(), meta.finalizers.end());
  // A pod's deletionTimestamp is the end of its grace period.
  const bool ahead = *meta.deleted > now;
  return base::format(
      "{} {}{}", ahead ? "asked for, to be done" : "asked for", ago(meta.deleted, now),
      finalizers.empty() ? std::string() : ", waits for " + base::join(finalizers, ", "));
}

}  // namespace dra::report
