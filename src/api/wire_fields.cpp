// src/api/wire_fields.cpp: the walk over the fields of a message, and readers of scalars.

#include "src/api/wire_fields.h"

#include <algorithm>

#include "dra/base/text.h"
#include "dra/json/parse.h"

namespace dra::api {
namespace {

constexpr std::uint32_t kSeconds = 1;
constexpr std::uint32_t kNanos = 2;

// The text of a message that has nothing but one text: a quantity, a raw extension.
std::string_view only_text(json::Reading& reading, const base::WireField& from) {
  std::string_view text;
  if (!from.is_bytes || !base::read_wire(from.bytes, [&text](const base::WireField& part) {
        if (part.number == 1 && part.is_bytes) text = part.bytes;
      }))
    fail_on_type(reading, from);
  return text;
}

bool is_ascii(std::string_view text) {
  return std::ranges::none_of(text,
                              [](char c) { return (static_cast<unsigned char>(c) & 0x80U) != 0; });
}

}  // namespace

const NumberedField* WireTable::find(std::uint32_t number, std::size_t& next) const {
  for (std::size_t tried = 0; tried < fields_.size(); ++tried) {
    if (next >= fields_.size()) next = 0;
    if (fields_[next].number == number) return &fields_[next];
    ++next;
  }
  return nullptr;
}

void read_message(json::Reading& reading, std::string_view message, const WireTable& table,
                  std::byte* base) {
  std::size_t next = 0;
  const bool whole = base::read_wire(message, [&](const base::WireField& from) {
    const NumberedField* field = table.find(from.number, next);
    if (field != nullptr && !reading.failed()) field->read(reading, from, base + field->offset);
  });
  if (!whole) reading.fail({}, "a message of protobuf is damaged");
  for (const NumberedField& field : table.fields()) {
    if (field.finish != nullptr) field.finish(base + field.offset);
  }
}

void fail_on_type(json::Reading& reading, const base::WireField& from) {
  reading.fail({},
               base::format("field {} of a message of protobuf has the wrong type or is damaged",
                            from.number));
}

// A server's JSON has U+FFFD where its text is no UTF-8.
void read_wire(json::Reading& reading, const base::WireField& from, std::string_view& out) {
  if (!from.is_bytes) return fail_on_type(reading, from);
  out = from.bytes;
  if (!is_ascii(out) && !json::is_utf8(out)) out = reading.arena.copy(json::repaired_utf8(out));
}

void read_wire(json::Reading& reading, const base::WireField& from, std::int64_t& out) {
  if (from.is_bytes) return fail_on_type(reading, from);
  out = static_cast<std::int64_t>(from.value);
}

void read_wire(json::Reading& reading, const base::WireField& from, bool& out) {
  if (from.is_bytes) return fail_on_type(reading, from);
  out = from.value != 0;
}

void read_wire(json::Reading& reading, const base::WireField& from, Quantity& out) {
  out.text = only_text(reading, from);
}

void read_wire(json::Reading& reading, const base::WireField& from, RawJson& out) {
  out.text = only_text(reading, from);
}

void read_wire(json::Reading& reading, const base::WireField& from, base::Instant& out) {
  const bool whole = from.is_bytes && base::read_wire(from.bytes, [&](const auto& part) {
                       if (part.number == kSeconds)
                         out.seconds = static_cast<std::int64_t>(part.value);
                       if (part.number == kNanos) out.nanos = static_cast<std::int32_t>(part.value);
                     });
  if (!whole) return fail_on_type(reading, from);
  if (out.nanos < 0 || out.nanos > 999'999'999) fail_on_type(reading, from);
}

void read_wire(json::Reading& reading, const base::WireField& from, Time& out) {
  if (from.is_bytes && from.bytes.empty()) return;
  read_wire(reading, from, out.emplace());
}

}  // namespace dra::api
