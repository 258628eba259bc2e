// cmd/commands/streamed_list.cpp: each object is rendered as the only one of a List, without the
// lines around.

#include "cmd/commands/streamed_list.h"

#include <string_view>
#include <utility>

#include "dra/render/structured.h"
#include "dra/report/lists/list.h"

namespace dra::cmd {
namespace {

// What stands around the items of a List.
struct Frame {
  std::string_view head;
  std::string_view between;
  std::string_view tail;
};

constexpr Frame kJson = {"{\n    \"apiVersion\": \"v1\",\n    \"items\": [\n", ",\n",
                         "\n    ],\n    \"kind\": \"List\",\n    \"metadata\": {\n"
                         "        \"resourceVersion\": \"\"\n    }\n}\n"};
constexpr Frame kYaml = {"apiVersion: v1\nitems:\n", "",
                         "kind: List\nmetadata:\n  resourceVersion: \"\"\n"};

const Frame& frame_of(Format format) { return format == Format::Json ? kJson : kYaml; }

}  // namespace

void StreamedList::add(const api::Origin& origin) {
  std::vector<json::Value> one;
  one.push_back(report::api_object(origin, managed_fields_));
  const json::Value list = report::api_list(std::move(one));
  const bool terminal = context_.console().terminal;
  const std::string text = output_.format == Format::Json ? render::render_api_json(list, terminal)
                                                          : render::render_api_yaml(list, terminal);
  const Frame& frame = frame_of(output_.format);
  std::string_view item = text;
  DRA_CHECK(item.starts_with(frame.head) && item.ends_with(frame.tail));
  item.remove_prefix(frame.head.size());
  item.remove_suffix(frame.tail.size());
  context_.print_text(objects_++ == 0 ? frame.head : frame.between);
  context_.print_text(item);
}

Result<Done> StreamedList::end(bool only_found) {
  if (objects_ > 0) {
    context_.print_text(frame_of(output_.format).tail);
    return Done{};
  }
  if (only_found) return Done{};
  return print_structured(context_, report::api_list({}), output_, Printed::ApiObjects);
}

}  // namespace dra::cmd
