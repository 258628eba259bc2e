// include/dra/checks/fields/field.h
//
// A field of a manifest as rules see it: its value, its position, and how the API server names it.
//
// Rules see objects in v1's shape, whatever version they were written in. In an object of an older
// version every field has two names: upstream's hand-written rules name a field as v1 does, rules
// generated from upstream's types name it as the object's version does (Rule).

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
  Conflict,  // not one of upstream's: the server refuses the whole request
};
std::string_view name_of(ErrorType type);

enum class Rule { Written, Generated };

struct UpdateTarget;  // update_target.h

// Context that all fields of an object share.
struct Checking {
  std::vector<ManifestFinding>& findings;
  const engine::Features& features;
  const engine::Language& language;   // for new expressions
  std::string_view api_version = {};  // of the object as it was written
  // In v1beta1 the fields of a request lie next to its name, and those of a device below `basic`.
  bool is_v1beta1 = false;
  // If set, only errors of rules of this sort count, as one of the other sort refused the whole
  // field.
  std::optional<Rule> only = {};
  const UpdateTarget* update_target = nullptr;  // nullptr: the object is created
};

class Field {
 public:
  // The object itself.
  Field(const Checking& checking, const json::Value& object);

  const Checking& checking() const { return *checking_; }

  // The field may be absent; null counts as absent.
  Field child(std::string_view name) const;
  // The same field in another context.
  Field with(const Checking& checking) const;
  // The same place in v1, which lies below `step` in the object's version.
  Field older_under(std::string_view step) const;
  // The same place in v1, which is that place in the object's version.
  Field older_as(const Field& place) const;
  // Likewise; errors are reported at the position of that field.
  Field reported_at(const Field& place) const;
  // The same; errors are reported at the key of that entry.
  Field reported_at_key(std::string_view name) const;
  // The same; findings are about the part of the text that begins at that byte.
  Field part_at(std::size_t offset) const;

  bool present() const { return value_ != nullptr; }
  bool is_list() const { return value_ != nullptr && value_->is(json::Kind::Array); }
  std::size_t size() const;  // number of items or entries
  // Empty if the value is not text.
  std::string_view text() const;
  // True for text that a rule can check. A value of another type has an error of its own already.
  bool is_text() const { return value_ != nullptr && value_->is(json::Kind::String); }
  // Absent or empty text, which are the same in Go.
  bool is_blank() const { return value_ == nullptr || (is_text() && text().empty()); }
  std::optional<std::int64_t> integer() const;
  std::optional<bool> boolean() const;
  bool is_true() const { return boolean().value_or(false); }
  std::optional<base::Quantity> quantity() const;
  const json::Value* value() const { return value_; }
  const std::string& path() const { return path_; }
  // The path in the object's version.
  const std::string& older_path() const { return older_.empty() ? path_ : older_; }
  json::Position position() const { return position_; }

  // The entry of a map, with the path step [name]; has() is also true for a null entry.
  Field entry(std::string_view name) const;
  bool has(std::string_view name) const;
  // In order; a null item is an item without fields.
  std::vector<Field> items() const;
  struct Entry;
  // The entries of a map by name, the last one of each name. Hand-written rules shorten names of
  // more than `most` bytes to their ends (truncateIfTooLong).
  std::vector<Entry> entries(std::size_t most = std::string::npos) const;

  void error(ErrorType type, std::string message, Rule rule = Rule::Written,
             std::string replacement = {}) const;
  // An error of a hand-written rule; `fix` says what to do.
  void refuse(ErrorType type, std::string message, std::string fix) const;
  // Findings about what the server accepts. `fix` says what to write instead, or what to do.
  void warn(diag::Code code, std::string message, std::string fix = {}) const;
  void hint(diag::Code code, std::string message, std::string fix = {}) const;

 private:
  Field(const Checking& checking, const json::Value* value, json::Position position,
        std::string path, std::string older);
  void add(ManifestFinding finding) const;
  void add_finding(Severity severity, diag::Code code, std::string message, std::string fix) const;
  Field at(std::string_view step, const json::Value* value) const;

  const Checking* checking_;
  const json::Value* value_;  // nullptr: absent
  json::Position position_;   // of the value, or of its nearest parent
  std::string path_;
  std::string older_;  // path in the object's version; empty: the same
  std::optional<std::size_t> part_ = {};
};

struct Field::Entry {
  std::string_view name;
  Field field;
};

}  // namespace dra::checks
