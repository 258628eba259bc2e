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
  const bool short_form = output_.format == Format::Json || output_.format == Format::Yaml ||
                          output_.format == Format::Kyaml;
  // kubectl removes managedFields from objects, and not from events.
  const bool managed_fields = options_.managed_fields || !short_form || options_.events;
  return print_item(report::api_object(*object.origin, managed_fields), name, type);
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
  if (options_.events) {
    json::Value event = json::Value::object();
    event.set("object", std::move(item));
    event.set("type", name_of(type));
    item = std::move(event);
  }
  if (output_.format == Format::Yaml && std::exchange(printed_, true)) context_.print_text("---\n");
  return print_structured(context_, item, output_,
                          options_.report ? Printed::Report : Printed::ApiObjects);
}

}  // namespace dra::cmd
