// src/checks/fields/manifest_fields.cpp: one walk down the tree and the schema together. The walk
// keeps one path, extends it on the way down and cuts it on the way back.

#include "dra/checks/fields/manifest_fields.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <optional>
#include <utility>

#include "dra/base/text.h"
#include "dra/diag/codes.h"
#include "dra/json/write.h"
#include "src/checks/fields/field_words.h"
#include "src/checks/fields/unknown_field.h"

namespace dra::checks {
namespace {

using api::SchemaField;
using api::SchemaType;
using api::SchemaValue;
using api::ValueKind;
using json::Member;
using json::Value;

// From this many misplaced fields of one object on, the indentation is wrong, not each field.
constexpr std::size_t kLostIndentation = 3;

using Members = std::vector<Member>;

// The place of a member among the members with its key.
struct Repeat {
  std::size_t first;   // index of the first one
  std::size_t before;  // number of earlier ones
  bool is_last;        // kubectl sends its value
};

std::vector<Repeat> repeats_of(const Members& members) {
  std::vector<std::size_t> order(members.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto key = [&members](std::size_t i) -> const std::string& { return members[i].key; };
  std::ranges::stable_sort(order, {}, key);
  std::vector<Repeat> repeats(members.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    const bool again = i > 0 && key(order[i]) == key(order[i - 1]);
    repeats[order[i]] = {order[i], 0, true};
    if (!again) continue;
    Repeat& before = repeats[order[i - 1]];
    before.is_last = false;
    repeats[order[i]] = {before.first, before.before + 1, true};
  }
  return repeats;
}

// YAML without the line break at its end; empty without a value.
std::string as_fix(const std::optional<Value>& right) {
  if (!right) return {};
  std::string text = json::write_yaml(*right);
  if (text.ends_with('\n')) text.pop_back();
  return text;
}

// Walks through one document. The path is that of the current value.
class FieldWalk {
 public:
  FieldWalk(std::string_view path, std::vector<ManifestFinding>& findings)
      : path_(path), findings_(findings) {}

  void document(const Value& value, const SchemaType& type);
  void object(const Value& value, const SchemaType& type);

 private:
  // Adds a finding and returns false if the value is of the wrong type. `around` turns a value into
  // what the file has: with its key, or as an item.
  template <class Around>
  bool takes(const Value& value, const SchemaValue& wanted, const Around& around);
  void inside(const Value& value, const SchemaValue& wanted);
  void field(const Member& member, const SchemaValue& wanted);
  void map(const Value& value, const SchemaValue& element);
  void list(const Value& value, const SchemaValue& element);
  void unknown(const Member& member, std::vector<std::size_t>& misplaced, std::size_t index);
  void repeated(const Members& members, std::size_t first, std::size_t second);
  void lost_indentation(const Members& members, const std::vector<std::size_t>& misplaced);

  // Extends the path by a step during its lifetime.
  class Step {
   public:
    Step(FieldWalk& walk, std::string_view step) : walk_(walk), length_(walk.path_.size()) {
      walk.path_ += step;
    }
    ~Step() { walk_.path_.resize(length_); }
    Step(const Step&) = delete;
    Step& operator=(const Step&) = delete;

   private:
    FieldWalk& walk_;
    std::size_t length_;
  };

  std::string member_step(const std::string& key) const { return path_.empty() ? key : "." + key; }

  std::string path_;
  std::vector<FieldLevel> levels_;
  std::vector<ManifestFinding>& findings_;
};

template <class Around>
bool FieldWalk::takes(const Value& value, const SchemaValue& wanted, const Around& around) {
  auto words = wrong_value(value, wanted.kind);
  if (!words) return true;
  if (wanted.kind == ValueKind::Object && value.is(json::Kind::String))
    words = text_for_object(value, *api::type_of(wanted));
  if (words->right) words->right = around(*std::move(words->right));
  findings_.push_back({Severity::Error, "Decode", Phase::Decode, path_, value.position(),
                       std::move(words->message), as_fix(words->right)});
  return false;
}

void FieldWalk::inside(const Value& value, const SchemaValue& wanted) {
  if (value.is(json::Kind::Null)) return;
  if (wanted.kind == ValueKind::Object) object(value, *api::type_of(wanted));
  if (wanted.kind == ValueKind::Map) map(value, api::element_of(wanted));
  if (wanted.kind == ValueKind::List) list(value, api::element_of(wanted));
}

// Checks a member of an object or a map; the path ends with it.
void FieldWalk::field(const Member& member, const SchemaValue& wanted) {
  const auto with_key = [&member](Value right) {
    return Value::object({{member.key, std::move(right), {}}});
  };
  if (takes(member.value, wanted, with_key)) inside(member.value, wanted);
}

void FieldWalk::list(const Value& value, const SchemaValue& element) {
  const auto as_item = [](Value right) { return Value::array({std::move(right)}); };
  for (std::size_t i = 0; i < value.items().size(); ++i) {
    const Step step(*this, base::format("[{}]", i));
    const Value& item = value.items()[i];
    if (takes(item, element, as_item)) inside(item, element);
  }
}

void FieldWalk::map(const Value& value, const SchemaValue& element) {
  const Members& members = value.members();
  const std::vector<Repeat> repeats = repeats_of(members);
  for (std::size_t i = 0; i < members.size(); ++i) {
    const Step step(*this, base::format("[{}]", members[i].key));
    if (repeats[i].before == 1) repeated(members, repeats[i].first, i);
    if (repeats[i].is_last) field(members[i], element);
  }
}

void FieldWalk::document(const Value& value, const SchemaType& type) {
  const auto words = wrong_value(value, ValueKind::Object);
  if (!words) return object(value, type);
  findings_.push_back(
      {Severity::Error, "Decode", Phase::Decode, path_, value.position(), words->message});
}

void FieldWalk::object(const Value& value, const SchemaType& type) {
  const Members& members = value.members();
  const std::vector<Repeat> repeats = repeats_of(members);
  std::vector<std::size_t> misplaced;
  levels_.push_back({&type, path_, &value});
  for (std::size_t i = 0; i < members.size(); ++i) {
    const Step step(*this, member_step(members[i].key));
    const SchemaField* known = api::find_field(type, members[i].key);
    if (known == nullptr) {
      if (repeats[i].before == 0) unknown(members[i], misplaced, i);
      continue;
    }
    if (repeats[i].before == 1) repeated(members, repeats[i].first, i);
    if (repeats[i].before > 0) misplaced.push_back(i);
    if (repeats[i].is_last) field(members[i], known->value);
  }
  lost_indentation(members, misplaced);
  levels_.pop_back();
}

void FieldWalk::unknown(const Member& member, std::vector<std::size_t>& misplaced,
                        std::size_t index) {
  UnknownField unknown = describe_unknown(member, levels_);
  if (unknown.misplaced) misplaced.push_back(index);
  findings_.push_back({Severity::Error, "UnknownField", Phase::Strict, path_, member.position,
                       std::move(unknown.words.message), as_fix(unknown.words.right)});
}

// A warning, because kubectl sends the last of them alone; the server refuses duplicates that reach
// it, and reports a field once, whatever their number.
void FieldWalk::repeated(const Members& members, std::size_t first, std::size_t second) {
  const Member& member = members[second];
  const auto line = members[first].position.line;
  const auto times = std::ranges::count(members, member.key, &Member::key);
  findings_.push_back(
      {Severity::Warning, std::string(diag::name_of(diag::Code::DuplicateField)), Phase::Strict,
       path_, member.position,
       base::format("{} is here {} times{}; keep one: kubectl sends only the last",
                    quoted(member.key), times,
                    line == 0 ? std::string() : base::format(", first in line {}", line))});
}

// The first key of another object in the same document: apiVersion and kind are repeated. nullptr:
// there is none.
const Member* second_object(const Members& members, const std::vector<std::size_t>& misplaced) {
  const auto repeats = [&](std::string_view key) {
    return std::ranges::any_of(misplaced,
                               [&](std::size_t index) { return members[index].key == key; });
  };
  return repeats("apiVersion") && repeats("kind") ? &members[misplaced.front()] : nullptr;
}

void FieldWalk::lost_indentation(const Members& members,
                                 const std::vector<std::size_t>& misplaced) {
  if (misplaced.size() < kLostIndentation) return;
  if (const Member* second = second_object(members, misplaced)) {
    findings_.push_back(
        {Severity::Warning, std::string(diag::name_of(diag::Code::IndentationLost)), Phase::Strict,
         path_, second->position,
         "apiVersion and kind are here a second time: a line `---` is missing before them. As it "
         "stands, kubectl sends one object, made of the last of each key",
         "---"});
    return;
  }
  findings_.push_back(
      {Severity::Warning, std::string(diag::name_of(diag::Code::IndentationLost)), Phase::Strict,
       path_, members[misplaced.front()].position,
       base::format("{} keys from here on are repeated or belong elsewhere: it looks as if the "
                    "indentation was lost",
                    misplaced.size()),
       "indent the keys again as they belong together"});
}

}  // namespace

void check_fields(const Value& object, const SchemaType& type, std::string_view path,
                  std::vector<ManifestFinding>& findings) {
  FieldWalk walk(path, findings);
  walk.document(object, type);
}

}  // namespace dra::checks
