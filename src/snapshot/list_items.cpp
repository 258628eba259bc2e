// src/snapshot/list_items.cpp: see list_items.h.

#include "src/snapshot/list_items.h"

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "dra/base/text.h"
#include "dra/json/parse.h"

namespace dra::snapshot {
namespace {

constexpr std::string_view kNoList = "the answer is JSON, but not a Kubernetes list";

// No value if the object is no list.
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

}  // namespace

Result<session::ListPage> read_list_page(const base::Page& page, base::Arena& arena,
                                         json::Cursor::OnItem on_item) {
  std::optional<session::ListPage> meta;
  DRA_TRY(json::read_json(page, arena, [&](json::Cursor& root) {
    if (root.kind() == json::Kind::Object) meta = read_list(root, on_item);
    if (!meta) root.reading().fail({}, std::string(kNoList));
  }));
  return *std::move(meta);
}

bool expect_object(json::Cursor& value) {
  if (value.kind() == json::Kind::Object) return true;
  value.reading().fail(value.where(),
                       base::format("expected an object, found {}", json::name_of(value.kind())));
  return false;
}

}  // namespace dra::snapshot
