// include/dra/checks/fields/field.h
//
// A field of a manifest while its rules are asked: what it holds, where it stands, and how the API
// server names it.
//
// Objects are in v1's shape, whatever they were written in. Of an older one every field knows both
// names: rules that upstream wrote by hand name a field as v1 has it, rules that upstream makes
// from its types name it as the object's version has it (Rule).

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dra/base/quantity.h"
#include "dra/checks/fields/manifest_finding.h"
#include "dra/diag/codes.h"
#include "dra/engine/facts/features.h"
#include "dra/engine/selectors/selector.h"
#include "dra/json/value.h"

namespace dra::checks {

// k8s.io/apimachinery/pkg/util/validation/field, ErrorType.
enum class ErrorType {
  Required,
  Invalid,
  NotSupported,
  Duplicate,
  TooMany,
  TooLong,
  Forbidden,
  NotFound,
  Conflict,  // no error of a field upstream: the request as a whole is refused
};
std::string_view name_of(ErrorType type);

enum class Rule { Written, Generated };

struct UpdateTarget;  // update_target.h

// What is the same for all fields of an object.
struct Checking {
  std::vector<ManifestFinding>& findings;
  const engine::Features& features;
  const engine::Language& language;   // of new expressions
  std::string_view api_version = {};  // of the object as it is written
  // In v1beta1 a request's fields stand beside its name, and a device's under `basic`.
  bool is_v1beta1 = false;
  // Errors of one sort only: where a rule of the other sort has refused the whole.
  std::optional<Rule> only = {};
  const UpdateTarget* update_target = nullptr;  // nullptr: the object is created
};

class Field {
 public:
  // The object itself.
  Field(const Checking& checking, const json::Value& object);

  const Checking& checking() const { return *checking_; }

  // A field that is not there can be asked for as well. Null is not there.
  Field child(std::string_view name) const;
  // The same, with something else taken to be so.
  Field with(const Checking& checking) const;
  // Under `step` in the object's version, and at this place in v1.
  Field older_under(std::string_view step) const;
  // At this place in v1, and at that place in the object's version.
  Field older_as(const Field& place) const;
  // The same, and what is told of it is told where that field stands.
  Field told_at(const Field& place) const;

  bool present() const { return value_ != nullptr; }
  bool is_list() const { return value_ != nullptr && value_->is(json::Kind::Array); }
  std::size_t size() const;  // of a list or a map
  // Empty unless it is text.
  std::string_view text() const;
  // It is there, and it is text, so that a rule can judge it; what is of another type was told.
  bool is_text() const { return value_ != nullptr && value_->is(json::Kind::String); }
  // Not there, or empty text: what Go cannot tell apart.
  bool is_blank() const { return value_ == nullptr || (is_text() && text().empty()); }
  std::optional<std::int64_t> integer() const;
  std::optional<bool> boolean() const;
  bool is_true() const { return boolean().value_or(false); }
  std::optional<base::Quantity> quantity() const;
  const json::Value* value() const { return value_; }
  const std::string& path() const { return path_; }
  // As the object's version names it.
  const std::string& older_path() const { return older_.empty() ? path_ : older_; }
  json::Position position() const { return position_; }

  // An entry of a map, named [name]; and whether it is there, if only as null.
  Field entry(std::string_view name) const;
  bool has(std::string_view name) const;
  // Items in their order; null among them is an item without anything.
  std::vector<Field> items() const;
  struct Entry;
  // Entries of a map, by their names; of one that is there twice the last. Rules that were written
  // by hand name an entry with a name of more than `most` bytes by its ends (truncateIfTooLong).
  std::vector<Entry> entries(std::size_t most = std::string::npos) const;

  void error(ErrorType type, std::string message, Rule rule = Rule::Written,
             std::string replacement = {}) const;
  // An error of a rule that was written by hand; `fix` says what to do.
  void refuse(ErrorType type, std::string message, std::string fix) const;
  // What the server takes. `fix` says what to write instead, or what to do.
  void warn(diag::Code code, std::string message, std::string fix = {}) const;
  void hint(diag::Code code, std::string message, std::string fix = {}) const;

 private:
  Field(const Checking& checking, const json::Value* value, json::Position position,
        std::string path, std::string older);
  void tell(Severity severity, diag::Code code, std::string message, std::string fix) const;
  Field at(std::string_view step, const json::Value* value) const;

  const Checking* checking_;
  const json::Value* value_;  // nullptr: not there
  json::Position position_;   // of what is there, or of the nearest around it
  std::string path_;
  std::string older_;  // empty: the same
};

struct Field::Entry {
  std::string_view name;
  Field field;
};

}  // namespace dra::checks
