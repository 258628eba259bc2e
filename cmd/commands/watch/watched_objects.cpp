// cmd/commands/watch/watched_objects.cpp: see watched_objects.h.

#include "cmd/commands/watch/watched_objects.h"

#include <utility>

#include "cmd/commands/watch/watched_rows.h"
#include "dra/base/printable.h"
#include "dra/base/text.h"
#include "dra/render/structured.h"
#include "dra/report/lists/list.h"
#include "dra/report/lists/list_columns.h"

namespace dra::cmd {

Result<Done> ObjectPrinter::print(const snapshot::ObjectRef& object, session::EventType type) {
  const std::string name =
      base::format("{}/{}", report::kind_prefix(object.kind), object.meta->name);
  if (output_.format == Format::Name) return print_item({}, name, type);
  return print_item(json_of(object), name, type);
}

Result<Done> ObjectPrinter::print_list(const std::vector<snapshot::ObjectRef>& objects) {
  if (output_.format != Format::CustomColumns) {
    for (const snapshot::ObjectRef& object : objects)
      DRA_TRY(print(object, session::EventType::Added));
    return Done{};
  }
  std::vector<Item> items;
  items.reserve(objects.size());
  for (const snapshot::ObjectRef& object : objects)
    items.push_back({.item = json_of(object), .name = {}});
  return print_items(std::move(items));
}

Result<Done> ObjectPrinter::print_items(std::vector<Item> items) {
  if (output_.format != Format::CustomColumns) {
    for (Item& one : items)
      DRA_TRY(print_item(std::move(one.item), one.name, one.type));
    return Done{};
  }
  if (items.empty()) return Done{};
  json::Value list = json::Value::object();
  json::Value& rows = list.set("items", json::Value::array());
  for (Item& one : items)
    rows.push(row_of(std::move(one.item), one.type));
  return print_rows(list);
}

Result<Done> ObjectPrinter::print_rows(const json::Value& rows) {
  context_.print_text(DRA_TRY(output_.columns->print(rows, context_.console().terminal, &before_)));
  return Done{};
}

json::Value ObjectPrinter::row_of(json::Value item, session::EventType type) const {
  if (!options_.events) return item;
  json::Value event = json::Value::object();
  event.set("object", std::move(item));
  event.set("type", name_of(type));
  return event;
}

json::Value ObjectPrinter::json_of(const snapshot::ObjectRef& object) const {
  const bool short_form = output_.format == Format::Json || output_.format == Format::Yaml ||
                          output_.format == Format::Kyaml;
  // kubectl removes managedFields from objects, and not from events.
  const bool managed_fields = options_.managed_fields || !short_form || options_.events;
  return report::api_object(*object.origin, managed_fields);
}

Result<Done> ObjectPrinter::print_item(json::Value item, const std::string& name,
                                       session::EventType type) {
  if (output_.format == Format::Name) {
    if (!name.empty()) context_.print_text(base::printable(name) + "\n");
    return Done{};
  }
  const bool terminal = context_.console().terminal;
  if (options_.events && output_.format == Format::Json) {
    context_.print_text(base::format(R"({{"type":"{}","object":{}}})", name_of(type),
                                     render::render_api_json_line(item, terminal)) +
                        "\n");
    return Done{};
  }
  item = row_of(std::move(item), type);
  if (output_.format == Format::CustomColumns) return print_rows(item);
  if (output_.format == Format::Yaml && std::exchange(printed_, true)) context_.print_text("---\n");
  return print_structured(context_, item, output_,
                          options_.report ? Printed::Report : Printed::ApiObjects);
}

}  // namespace dra::cmd
