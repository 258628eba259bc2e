// src/snapshot/list_items.cpp: see list_items.h.

#include "src/snapshot/list_items.h"

#include <utility>

namespace dra::snapshot {

std::optional<session::ListPage> read_list(json::Cursor& root, json::Cursor::OnItem on_item) {
  session::ListPage meta;
  bool is_list = false;
  root.members([&](std::string_view key, json::Cursor& member) {
    if (key == "metadata") {
      meta.continue_token = member.peek("continue");
      meta.resource_version = member.peek("resourceVersion");
    }
    if (key != "items") return;
    // Some servers write an empty list as null.
    is_list = member.kind() == json::Kind::Array || member.kind() == json::Kind::Null;
    if (member.kind() != json::Kind::Array) return;
    member.items([&](json::Cursor& item) {
      on_item(item);
      ++meta.objects;
    });
  });
  return is_list ? std::optional(std::move(meta)) : std::nullopt;
}

}  // namespace dra::snapshot
