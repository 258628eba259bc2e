// cmd/commands/explain/large_report.cpp: what stands around the items is rendered with a zero in
// their place, and each item as the only one of an object.

#include "cmd/commands/explain/large_report.h"

#include <string>
#include <string_view>
#include <utility>

#include "cmd/name_cluster.h"
#include "dra/render/structured.h"

namespace dra::cmd {
namespace {

constexpr const char* kItems = "items";

// A text with one item, before and behind it. No string of a report has a line break in JSON, nor
// begins a line in YAML, so the text around the zero is found in one place only.
struct Frame {
  std::string_view before;  // the zero, with what certainly stands around it
  std::string_view zero;
  std::string_view between;
  std::string_view head;  // of an object with one item
  std::string_view tail;
};

constexpr Frame kJson = {"\n    \"items\": [\n", "        0", ",\n", "{\n    \"items\": [\n",
                         "\n    ]\n}\n"};
constexpr Frame kYaml = {"\nitems:\n", "- 0\n", "", "items:\n", ""};

std::string render(const json::Value& value, Format format) {
  return format == Format::Json ? render::render_json(value) : render::render_yaml(value);
}

// The item, with commands that name the cluster, as print_structured() prints them.
json::Value item_of(const Context& context, const LargeReport& report, std::size_t i) {
  json::Value item = report.item(i);
  auto named = naming_cluster(item, context.globals());
  return named ? *std::move(named) : std::move(item);
}

json::Value with_one(json::Value object, json::Value item) {
  json::Value items = json::Value::array();
  items.push(std::move(item));
  object.set(kItems, std::move(items));
  return object;
}

}  // namespace

Result<Done> print_large_report(const Context& context, LargeReport report, const Output& output) {
  const bool in_parts = output.format == Format::Json || output.format == Format::Yaml;
  if (!in_parts || report.items == 0 || context.console().kept != nullptr) {
    json::Value items = json::Value::array();
    for (std::size_t i = 0; i < report.items; ++i)
      items.push(report.item(i));
    report.frame.set(kItems, std::move(items));
    return print_structured(context, report.frame, output, Printed::Report);
  }
  const Frame& frame = output.format == Format::Json ? kJson : kYaml;
  const std::string whole = render(with_one(std::move(report.frame), 0), output.format);
  const std::size_t at =
      whole.find(std::string(frame.before).append(frame.zero)) + frame.before.size();
  DRA_CHECK(at < whole.size());
  context.print_text(std::string_view(whole).substr(0, at));
  for (std::size_t i = 0; i < report.items; ++i) {
    const std::string text =
        render(with_one(json::Value::object(), item_of(context, report, i)), output.format);
    std::string_view item = text;
    DRA_CHECK(item.starts_with(frame.head) && item.ends_with(frame.tail));
    item.remove_prefix(frame.head.size());
    item.remove_suffix(frame.tail.size());
    if (i > 0) context.print_text(frame.between);
    context.print_text(item);
  }
  context.print_text(std::string_view(whole).substr(at + frame.zero.size()));
  return Done{};
}

}  // namespace dra::cmd
