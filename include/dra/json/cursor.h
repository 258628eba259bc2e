// include/dra/json/cursor.h
//
// Reads one value, forwards, from received bytes (parse.h) or from a tree. Typed decoding is
// written once against this interface, so lists of 40,000 devices go from bytes to structs without
// a tree in between, and manifests keep their positions.
//
// A value is read at most once; values that a callback does not read are skipped. All cursors of a
// document share a Reading, which keeps the first failure; from then on every call does nothing.

#pragma once

#include <optional>
#include <string_view>

#include "dra/base/function_ref.h"
#include "dra/base/memory.h"
#include "dra/base/result.h"
#include "dra/json/value.h"

namespace dra::json {

// Shared by the cursors of one document.
struct Reading {
  base::Arena& arena;  // receives text that the bytes hold in another form

  struct Failure {
    std::string where;  // "line 3, column 7: ", or empty
    std::string path;   // ".spec.devices[2].name", built on the way out
    std::string message;
  };
  std::optional<Failure> failure;  // the first one

  bool failed() const { return failure.has_value(); }
  void fail(std::string where, std::string message) {
    if (!failure) failure = Failure{std::move(where), {}, std::move(message)};
  }
  Error error() const;
};

class Cursor {
 public:
  using OnMember = base::FunctionRef<void(std::string_view key, Cursor& value)>;
  using OnItem = base::FunctionRef<void(Cursor& item)>;

  explicit Cursor(Reading& reading) : reading_(reading) {}
  virtual ~Cursor() = default;
  Cursor(const Cursor&) = delete;
  Cursor& operator=(const Cursor&) = delete;

  virtual Kind kind() = 0;
  // A string's content, a number's literal, true or false; lives as long as the page and the arena.
  virtual std::string_view scalar() = 0;
  virtual void members(OnMember on_member) = 0;
  virtual void items(OnItem on_item) = 0;
  // The whole value as JSON text. An object may be read afterwards, other values not.
  virtual std::string_view raw() = 0;
  // The text of an object's string member, empty if there is none; the object stays unread. Cheap
  // if the member is near the front.
  virtual std::string_view peek(std::string_view key) = 0;
  // "line 3, column 7: " if that is known, else "byte 120: "; for messages.
  virtual std::string where() = 0;

  Reading& reading() { return reading_; }

 protected:
  Reading& reading_;
};

// Reads a tree from its root; fails with BadInput. See read_json() for received bytes.
Result<Done> read_tree(const Value& tree, base::Arena& arena,
                       base::FunctionRef<void(Cursor&)> read);

// Reads a tree. Text that was read lives in the arena and outlives the tree.
class TreeCursor final : public Cursor {
 public:
  TreeCursor(Reading& reading, const Value& value) : Cursor(reading), value_(value) {}

  Kind kind() override { return value_.kind(); }
  std::string_view scalar() override { return reading_.arena.copy(value_.text()); }
  void members(OnMember on_member) override;
  void items(OnItem on_item) override;
  std::string_view raw() override;
  std::string_view peek(std::string_view key) override;
  std::string where() override;

 private:
  const Value& value_;
};

// The value as a tree; positions are kept only where the cursor has them.
Value to_value(Cursor& cursor);

}  // namespace dra::json
