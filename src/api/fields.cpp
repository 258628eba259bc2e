// src/api/fields.cpp: the walk over an object's members, and readers of scalars.

#include "src/api/fields.h"

#include <charconv>

#include "dra/base/text.h"
#include "dra/base/time.h"

namespace dra::api {
namespace {

void fail(json::Cursor& from, std::string message) {
  from.reading().fail(from.where(), std::move(message));
}

void add_to_path(json::Cursor& cursor, const std::string& step) {
  if (cursor.reading().failed()) cursor.reading().failure->path.insert(0, step);
}

}  // namespace

const Field* FieldTable::find(std::string_view name, std::size_t& next) const {
  for (std::size_t tried = 0; tried < fields_.size(); ++tried) {
    if (next >= fields_.size()) next = 0;
    const Field& field = fields_[next++];
    if (field.name == name) return &field;
  }
  return nullptr;
}

void read_fields(json::Cursor& from, const FieldTable& table, std::byte* base) {
  std::size_t next = 0;
  from.members([&table, &next, base](std::string_view key, json::Cursor& value) {
    const Field* field = table.find(key, next);
    if (field == nullptr) return;
    field->read(value, base + field->offset);
    if (value.reading().failed()) add_to_path(value, "." + std::string(key));
  });
}

bool expect(json::Cursor& from, json::Kind kind) {
  if (from.reading().failed()) return false;
  const json::Kind found = from.kind();
  if (found == kind) return true;
  if (found != json::Kind::Null) {
    fail(from, base::format("expected {}, found {}", json::name_of(kind), json::name_of(found)));
  }
  return false;
}

void read(json::Cursor& from, std::string_view& out) {
  if (expect(from, json::Kind::String)) out = from.scalar();
}

void read(json::Cursor& from, std::int64_t& out) {
  if (!expect(from, json::Kind::Number)) return;
  const std::string_view literal = from.scalar();
  const auto [end, error] = std::from_chars(literal.data(), literal.data() + literal.size(), out);
  if (error != std::errc() || end != literal.data() + literal.size()) {
    fail(from, base::format("{} is not an integer of 64 bits", literal));
  }
}

void read(json::Cursor& from, bool& out) {
  if (expect(from, json::Kind::Bool)) out = from.scalar() == "true";
}

void read(json::Cursor& from, Quantity& out) {
  if (from.kind() == json::Kind::Number || expect(from, json::Kind::String))
    out.text = from.scalar();
}

void read(json::Cursor& from, RawJson& out) { out.text = from.raw(); }

void read(json::Cursor& from, base::Instant& out) {
  if (!expect(from, json::Kind::String)) return;
  const auto parsed = base::parse_rfc3339(from.scalar());
  if (parsed.ok()) {
    out = parsed.value();
  } else {
    fail(from, parsed.error().message);
  }
}

void add_index(json::Cursor& list, std::size_t index) {
  if (list.reading().failed()) add_to_path(list, base::format("[{}]", index));
}

void add_key(json::Cursor& map, std::string_view key) {
  if (map.reading().failed()) add_to_path(map, base::format("[{}]", key));
}

}  // namespace dra::api
