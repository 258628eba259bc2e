// src/session/status.cpp: see status.h.

#include "src/session/status.h"

#include <charconv>
#include <cstdint>

#include "dra/base/text.h"
#include "dra/base/wire.h"
#include "dra/json/parse.h"

namespace dra::session {
namespace {

constexpr std::size_t kBeginning = 60;  // bytes

std::vector<StatusCause> causes_of(const json::Value& root) {
  std::vector<StatusCause> causes;
  const json::Value* list = root.at({"details", "causes"});
  if (list == nullptr) return causes;
  for (const json::Value& item : list->items())
    causes.push_back(
        {item.string_at("reason"), item.string_at("field"), item.string_at("message")});
  return causes;
}

// Numbers of fields: meta/v1.Status, StatusDetails, StatusCause.
enum StatusField : std::uint32_t { OfState = 2, OfMessage, OfReason, OfDetails, OfCode };
enum DetailsField : std::uint32_t { OfDetailsName = 1, OfDetailsKind = 3, OfCauses };
enum CauseField : std::uint32_t { OfCauseReason = 1, OfCauseMessage, OfCauseField };

StatusCause read_wire_cause(std::string_view message) {
  StatusCause cause;
  base::read_wire(message, [&cause](const base::WireField& field) {
    if (field.number == OfCauseReason) cause.type = field.bytes;
    if (field.number == OfCauseMessage) cause.message = field.bytes;
    if (field.number == OfCauseField) cause.field = field.bytes;
  });
  return cause;
}

void read_wire_details(std::string_view message, Status& status) {
  base::read_wire(message, [&status](const base::WireField& field) {
    if (field.number == OfDetailsName) status.name = field.bytes;
    if (field.number == OfDetailsKind) status.kind = field.bytes;
    if (field.number == OfCauses) status.causes.push_back(read_wire_cause(field.bytes));
  });
}

Status read_wire_status(std::string_view text) {
  Status status;
  const auto object = base::open_wire(text);
  status.present = object && object->kind == "Status";
  if (!status.present) return status;
  base::read_wire(object->message, [&status](const base::WireField& field) {
    if (field.number == OfState) status.failure = field.bytes == "Failure";
    if (field.number == OfMessage) status.message = field.bytes;
    if (field.number == OfReason) status.reason = field.bytes;
    if (field.number == OfDetails) read_wire_details(field.bytes, status);
    if (field.number == OfCode) status.code = static_cast<int>(field.value);
  });
  return status;
}

}  // namespace

Status read_status(const Response& response) {
  if (base::is_wire(response.body.text())) return read_wire_status(response.body.text());
  Status status;
  if (!looks_like_json(response) || response.body.text().size() > kMaxStatus) return status;
  const Result<json::Value> parsed = json::parse_json(response.body.text());
  if (!parsed.ok()) return status;
  const json::Value& root = parsed.value();
  status.present = root.string_at("kind") == "Status";
  if (!status.present) return status;
  status.failure = root.string_at("status") == "Failure";
  status.message = root.string_at("message");
  status.reason = root.string_at("reason");
  status.kind = root.string_at({"details", "kind"});
  status.name = root.string_at({"details", "name"});
  status.causes = causes_of(root);
  if (const json::Value* code = root.find("code")) {
    const std::string& digits = code->text();
    std::from_chars(digits.data(), digits.data() + digits.size(), status.code);
  }
  return status;
}

bool is_failure(const Response& response) {
  const std::string_view text = response.body.text();
  if (base::is_wire(text)) return read_wire_status(text).failure;
  // Most answers are long, or lack this word, so only few are read twice. Its first letter is rare,
  // as a quotation mark is not.
  if (text.size() > kMaxStatus || text.find("Failure\"") == std::string_view::npos) return false;
  return read_status(response).failure;
}

bool looks_like_json(const Response& response) {
  return base::trim(response.body.text().substr(0, kBeginning)).starts_with('{');
}

}  // namespace dra::session
