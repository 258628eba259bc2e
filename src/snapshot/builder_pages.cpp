// src/snapshot/builder_pages.cpp: what a server sends: pages of lists, as JSON or protobuf, and
// single objects.

#include <algorithm>
#include <optional>
#include <utility>

#include "dra/api/decode.h"
#include "dra/base/text.h"
#include "dra/base/wire.h"
#include "dra/json/parse.h"
#include "dra/snapshot/builder.h"
#include "src/snapshot/builder_lists.h"
#include "src/snapshot/list_items.h"

namespace dra::snapshot {
namespace {

constexpr std::uint32_t kItems = 2;  // the field of every message of a list

Error damaged() { return {ErrorKind::BadAnswer, "the answer is protobuf, but damaged", {}}; }

}  // namespace

Result<session::ListPage> Builder::add_page(base::Page page, api::Kind kind,
                                            std::string_view version) {
  texts_->pages.push_back(std::move(page));
  const api::KindInfo& info = api::info_of(kind);
  const std::string_view api_version = texts_->arena.copy(api::api_version_of(info, version));
  if (base::is_wire(texts_->pages.back().text())) return read_wire_list(info, api_version);
  return read_list_page(texts_->pages.back(), texts_->arena,
                        [&, this](json::Cursor& item) { add_object(item, info, api_version); });
}

Result<Done> Builder::add_item(base::Page page, api::Kind kind, std::string_view version) {
  texts_->pages.push_back(std::move(page));
  const api::KindInfo& info = api::info_of(kind);
  const std::string_view api_version = texts_->arena.copy(api::api_version_of(info, version));
  return json::read_json(texts_->pages.back(), texts_->arena,
                         [&, this](json::Cursor& root) { add_object(root, info, api_version); });
}

Result<Done> Builder::add_again(const api::Origin& origin, api::Kind kind) {
  if (!origin.is_wire)
    return add_item(base::Page(origin.raw), kind, api::version_of(origin.api_version));
  texts_->pages.emplace_back(origin.raw);
  json::Reading reading{texts_->arena, {}};
  add_wire_object(reading, texts_->pages.back().text(), api::info_of(kind),
                  texts_->arena.copy(origin.api_version));
  if (reading.failed()) return reading.error();
  return Done{};
}

std::size_t Builder::count(api::Kind kind) const {
  std::size_t count = 0;
  with_kind(objects_, kind, [&count](const auto& objects) { count = objects.size(); });
  return count;
}

void Builder::for_each_behind(std::size_t from, api::Kind kind,
                              base::FunctionRef<void(const api::ObjectMeta&)> on_object) const {
  with_kind(objects_, kind, [from, on_object](const auto& objects) {
    for (std::size_t i = from; i < objects.size(); ++i)
      on_object(objects[i].meta);
  });
}

// The page that was added last.
Result<session::ListPage> Builder::read_wire_list(const api::KindInfo& kind,
                                                  std::string_view api_version) {
  const auto list = base::open_wire(texts_->pages.back().text());
  const auto meta = list ? base::wire_list_meta(list->message) : std::nullopt;
  if (!meta) return damaged();
  session::ListPage page{.continue_token = std::string(meta->continue_token),
                         .resource_version = std::string(meta->resource_version)};
  json::Reading reading{texts_->arena, {}};
  const bool whole = base::read_wire(list->message, [&, this](const base::WireField& field) {
    if (field.number != kItems || !field.is_bytes || reading.failed()) return;
    add_wire_object(reading, field.bytes, kind, api_version);
    ++page.objects;
  });
  if (reading.failed()) {
    Error error = reading.error();
    error.kind = ErrorKind::BadAnswer;
    return error;
  }
  if (!whole) return damaged();
  return page;
}

void Builder::add_wire_object(json::Reading& reading, std::string_view message,
                              const api::KindInfo& kind, std::string_view api_version) {
  with_kind(objects_, kind.kind, [&]<class T>(std::vector<T>& objects) {
    if constexpr (requires(T & object) { api::decode_wire(reading, message, object); }) {
      T& added = objects.emplace_back();
      api::decode_wire(reading, message, added);
      complete(added, kind, api_version);
    } else {
      reading.fail({}, base::format("protobuf of a {} was not asked for", kind.name));
    }
  });
}

void Builder::drop(api::Kind kind) {
  with_kind(objects_, kind, [kind](auto& objects) {
    std::erase_if(objects, [kind](const auto& object) {
      return object.origin.kind == api::info_of(kind).name;
    });
  });
}

}  // namespace dra::snapshot
