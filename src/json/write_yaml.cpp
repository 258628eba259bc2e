// src/json/write_yaml.cpp: write_yaml(): structure and order; scalars are yaml_emitter's.
//
// kubectl writes an object as JSON, reads that as YAML and writes what it read (sigs.k8s.io/yaml,
// JSONToYAML). Here the tree becomes YAML directly; the effect of the detour on numbers is kept.

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "dra/json/go_number.h"
#include "dra/json/write.h"
#include "src/json/characters.h"
#include "src/json/go_text.h"
#include "src/json/yaml_emitter.h"

namespace dra::json {
namespace {

constexpr int kIndent = 2;
constexpr std::size_t kLongestSimpleKey = 128;

std::vector<std::uint32_t> codes_of(std::string_view text) {
  std::vector<std::uint32_t> codes;
  for (std::size_t at = 0; at < text.size();) {
    const std::string_view character = character_at(text, at);
    codes.push_back(code_of(character));
    at += character.size();
  }
  return codes;
}

// The number from `at` on, and its end. It wraps around as in Go.
std::pair<std::int64_t, std::size_t> number_at(const std::vector<std::uint32_t>& codes,
                                               std::size_t at, std::uint64_t before) {
  std::uint64_t value = before;
  for (; at < codes.size() && is_digit(codes[at]); ++at)
    value = value * 10 + (codes[at] - '0');
  return {static_cast<std::int64_t>(value), at};
}

// yaml/v2's order of keys (keyList.Less): numbers by value, gpu-2 before gpu-10, and letters behind
// all other characters.
bool key_less(std::string_view left, std::string_view right) {
  const std::vector<std::uint32_t> a = codes_of(left);
  const std::vector<std::uint32_t> b = codes_of(right);
  const auto [in_a, in_b] = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
  if (in_a == a.end() || in_b == b.end()) return a.size() < b.size();
  const auto at = static_cast<std::size_t>(in_a - a.begin());
  if (is_letter(*in_a) && is_letter(*in_b)) return *in_a < *in_b;
  if (is_letter(*in_a) || is_letter(*in_b)) return is_letter(*in_b);
  // Zeros behind other digits count as digits, zeros at the front of a number do not.
  std::uint64_t before = 0;
  if (*in_a == '0' || *in_b == '0') {
    for (std::size_t i = at; i > 0 && is_digit(a[i - 1]) && before == 0; --i) {
      if (a[i - 1] != '0') before = 1;
    }
  }
  const auto [number_a, end_a] = number_at(a, at, before);
  const auto [number_b, end_b] = number_at(b, at, before);
  if (number_a != number_b) return number_a < number_b;
  return end_a != end_b ? end_a < end_b : *in_a < *in_b;
}

// The members in the order of the style.
std::vector<const Member*> ordered(const Value& object, YamlKeys keys) {
  std::vector<const Member*> members = effective_members(object);
  if (keys == YamlKeys::AsKubectl) {
    std::stable_sort(members.begin(), members.end(),
                     [](const Member* a, const Member* b) { return key_less(a->key, b->key); });
  }
  return members;
}

class YamlWriter {
 public:
  explicit YamlWriter(const YamlStyle& style) : style_(style), emitter_(style.for_terminal) {}

  // `indent` is the one of the enclosing value, negative for the root.
  void node(const Value& value, int indent, bool in_mapping) {
    switch (value.kind()) {
      case Kind::Null:
        return emitter_.literal("null");
      case Kind::Bool:
        return emitter_.literal(value.text());
      case Kind::Number:
        return emitter_.literal(number(value.text()));
      case Kind::String:
        return string(value.text(), below(indent, kIndent), YamlEmitter::Place::Node);
      case Kind::Object:
        return value.members().empty() ? emitter_.literal("{}") : object(value, below(indent, 0));
      case Kind::Array: {
        // Items are indented as far as the key before them.
        if (value.items().empty()) return emitter_.literal("[]");
        const bool beside_key = in_mapping && !emitter_.at_line_start();
        return array(value, beside_key ? indent : below(indent, 0));
      }
    }
  }

  std::string take() {
    emitter_.indent(0);
    return std::move(emitter_.out);
  }

 private:
  static int below(int indent, int at_root) { return indent < 0 ? at_root : indent + kIndent; }

  void string(const std::string& text, int indent, YamlEmitter::Place place) {
    emitter_.string(repaired_utf8(text), indent, place);
  }

  // JSON in between: a number that looks like an integer there, as 1e6 and 1.0 do, becomes one if
  // it fits in 64 bits.
  static std::string number(std::string_view literal) {
    std::string json = number_as_json(literal);
    const std::optional<GoNumber> number = go_number(json);
    if (!number) return json;
    if (const auto* integer = std::get_if<std::int64_t>(&*number)) return std::to_string(*integer);
    std::uint64_t large = 0;
    const char* const last = json.data() + json.size();
    const auto [end, error] = std::from_chars(json.data(), last, large);
    return error == std::errc() && end == last ? json : float_as_text(std::get<double>(*number));
  }

  void array(const Value& value, int indent) {
    for (const Value& item : value.items()) {
      emitter_.indent(indent);
      emitter_.mark('-', true);
      node(item, indent, false);
    }
  }

  void object(const Value& value, int indent) {
    for (const Member* member : ordered(value, style_.keys)) {
      emitter_.indent(indent);
      key(member->key, indent);
      node(member->value, indent, true);
    }
  }

  // A long key, or one of several lines, gets a line of its own.
  void key(const std::string& text, int indent) {
    const bool one_line = text.find_first_of("\n\r") == std::string::npos &&
                          text.find("\xc2\x85") == std::string::npos &&
                          text.find("\xe2\x80\xa8") == std::string::npos &&
                          text.find("\xe2\x80\xa9") == std::string::npos;
    if (one_line && text.size() <= kLongestSimpleKey) {
      string(text, indent + kIndent, YamlEmitter::Place::Key);
      emitter_.colon();
      return;
    }
    emitter_.mark('?', true);
    string(text, indent + kIndent, YamlEmitter::Place::Node);
    emitter_.indent(indent);
    emitter_.mark(':', true);
  }

  YamlStyle style_;
  YamlEmitter emitter_;
};

}  // namespace

std::string write_yaml(const Value& value, const YamlStyle& style) {
  YamlWriter writer(style);
  writer.node(value, -1, false);
  return writer.take();
}

}  // namespace dra::json
