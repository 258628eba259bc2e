// src/checks/fields/field.cpp: a field is a pointer into the tree and two paths, built at each step
// down; an absent value keeps the position of its nearest parent.

#include "dra/checks/fields/field.h"

#include <charconv>
#include <map>
#include <utility>

#include "dra/base/text.h"

namespace dra::checks {
namespace {

const json::Value* unless_null(const json::Value* value) {
  return value != nullptr && value->is(json::Kind::Null) ? nullptr : value;
}

// Upstream: truncateIfTooLong.
std::string ends_of(std::string_view text, std::size_t most) {
  const std::size_t left = most - 3;
  return base::format("{}...{}", text.substr(0, (left + 1) / 2),
                      text.substr(text.size() - left / 2));
}

std::string step_below(const std::string& path, std::string_view step) {
  if (path.empty() || step.starts_with('[')) return path + std::string(step);
  return base::format("{}.{}", path, step);
}

}  // namespace

std::string_view name_of(ErrorType type) {
  switch (type) {
    case ErrorType::Required:
      return "Required";
    case ErrorType::Invalid:
      return "Invalid";
    case ErrorType::NotSupported:
      return "NotSupported";
    case ErrorType::Duplicate:
      return "Duplicate";
    case ErrorType::TooMany:
      return "TooMany";
    case ErrorType::TooLong:
      return "TooLong";
    case ErrorType::Forbidden:
      return "Forbidden";
    case ErrorType::NotFound:
      return "NotFound";
    case ErrorType::Conflict:
      return "Conflict";
  }
  return "";
}

Field::Field(const Checking& checking, const json::Value& object)
    : Field(checking, unless_null(&object), object.position(), {}, {}) {}

Field::Field(const Checking& checking, const json::Value* value, json::Position position,
             std::string path, std::string older)
    : checking_(&checking),
      value_(value),
      position_(value != nullptr && value->position().line > 0 ? value->position() : position),
      path_(std::move(path)),
      older_(std::move(older)) {}

Field Field::at(std::string_view step, const json::Value* value) const {
  std::string older = older_.empty() ? std::string() : step_below(older_, step);
  return {*checking_, unless_null(value), position_, step_below(path_, step), std::move(older)};
}

Field Field::child(std::string_view name) const {
  const bool object = value_ != nullptr && value_->is(json::Kind::Object);
  return at(name, object ? value_->find(name) : nullptr);
}

Field Field::with(const Checking& checking) const {
  Field field = *this;
  field.checking_ = &checking;
  return field;
}

Field Field::older_under(std::string_view step) const {
  Field field = *this;
  field.older_ = step_below(older_path(), step);
  return field;
}

Field Field::older_as(const Field& place) const {
  Field field = *this;
  field.older_ = place.older_path();
  return field;
}

Field Field::reported_at(const Field& place) const {
  Field field = *this;
  field.position_ = place.position_;
  return field;
}

Field Field::reported_at_key(std::string_view name) const {
  Field field = *this;
  if (value_ == nullptr) return field;
  for (const json::Member& member : value_->members()) {
    if (member.key == name && member.position.line > 0) field.position_ = member.position;
  }
  return field;
}

Field Field::part_at(std::size_t offset) const {
  Field field = *this;
  field.part_ = offset;
  return field;
}

std::size_t Field::size() const {
  if (value_ == nullptr) return 0;
  return value_->is(json::Kind::Object) ? entries().size() : value_->items().size();
}

std::string_view Field::text() const { return is_text() ? value_->text() : std::string_view(); }

std::optional<std::int64_t> Field::integer() const {
  if (value_ == nullptr || !value_->is(json::Kind::Number)) return std::nullopt;
  const std::string& text = value_->text();
  std::int64_t number = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
  if (read.ec != std::errc() || read.ptr != text.data() + text.size()) return std::nullopt;
  return number;
}

std::optional<bool> Field::boolean() const {
  if (value_ == nullptr || !value_->is(json::Kind::Bool)) return std::nullopt;
  return value_->text() == "true";
}

std::optional<base::Quantity> Field::quantity() const {
  const bool can_be =
      value_ != nullptr && (value_->is(json::Kind::String) || value_->is(json::Kind::Number));
  if (!can_be) return std::nullopt;
  base::Quantity quantity;
  const auto flaw = base::Quantity::read(base::trim(value_->text()), quantity);
  return flaw == base::Quantity::Flaw::None ? std::optional(quantity) : std::nullopt;
}

Field Field::entry(std::string_view name) const {
  const bool object = value_ != nullptr && value_->is(json::Kind::Object);
  return at(base::format("[{}]", name), object ? value_->find(name) : nullptr);
}

bool Field::has(std::string_view name) const {
  return value_ != nullptr && value_->is(json::Kind::Object) && value_->find(name) != nullptr;
}

std::vector<Field> Field::items() const {
  std::vector<Field> fields;
  if (!is_list()) return fields;
  fields.reserve(value_->items().size());
  for (const json::Value& item : value_->items())
    fields.push_back(at(base::format("[{}]", fields.size()), &item));
  return fields;
}

std::vector<Field::Entry> Field::entries(std::size_t most) const {
  if (value_ == nullptr || !value_->is(json::Kind::Object)) return {};
  std::map<std::string_view, const json::Member*> last;
  for (const json::Member& member : value_->members())
    last[member.key] = &member;
  std::vector<Entry> all;
  all.reserve(last.size());
  for (const auto& [name, member] : last) {
    Field field = at(base::format("[{}]", name), &member->value);
    if (name.size() > most) {
      field.older_ = field.older_path();
      field.path_ = step_below(path_, base::format("[{}]", ends_of(name, most)));
    }
    all.push_back({name, std::move(field)});
  }
  return all;
}

void Field::error(ErrorType type, std::string message, Rule rule, std::string replacement) const {
  if (checking_->only.value_or(rule) != rule) return;
  add({.severity = Severity::Error,
       .code = std::string(name_of(type)),
       .phase = Phase::Validate,
       .path = rule == Rule::Written ? path_ : older_path(),
       .position = position_,
       .message = std::move(message),
       .fix = {},
       .replacement = std::move(replacement)});
}

void Field::refuse(ErrorType type, std::string message, std::string fix) const {
  if (checking_->only.value_or(Rule::Written) != Rule::Written) return;
  add({.severity = Severity::Error,
       .code = std::string(name_of(type)),
       .phase = Phase::Validate,
       .path = path_,
       .position = position_,
       .message = std::move(message),
       .fix = std::move(fix)});
}

void Field::add(ManifestFinding finding) const {
  if (part_) {
    finding.text = text();
    finding.offset = *part_;
  }
  checking_->findings.push_back(std::move(finding));
}

void Field::warn(diag::Code code, std::string message, std::string fix) const {
  add_finding(Severity::Warning, code, std::move(message), std::move(fix));
}

void Field::hint(diag::Code code, std::string message, std::string fix) const {
  add_finding(Severity::Hint, code, std::move(message), std::move(fix));
}

void Field::add_finding(Severity severity, diag::Code code, std::string message,
                        std::string fix) const {
  add({.severity = severity,
       .code = std::string(diag::name_of(code)),
       .phase = Phase::Validate,
       .path = older_path(),
       .position = position_,
       .message = std::move(message),
       .fix = std::move(fix)});
}

}  // namespace dra::checks
