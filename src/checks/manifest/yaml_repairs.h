// src/checks/manifest/yaml_repairs.h
//
// Lines that the author of a text that is not valid YAML may have meant. Each is a guess: the
// caller puts them into the text and reads it again.

#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "dra/json/value.h"

namespace dra::checks {

struct YamlRepair {
  std::uint32_t first = 0;  // lines [first, last], from 1, become `lines`
  std::uint32_t last = 0;
  std::vector<std::string> lines = {};
  json::Position at = {};      // of the mistake
  std::uint32_t key_line = 0;  // of the key that it is about; 0: about the line alone
  std::string_view key = {};   // whose value it changes, if it changes one value only
  bool certain = false;        // the text has the author's meaning then, if it can be read
  std::string message = {};
};

using YamlLines = std::vector<std::string_view>;

// `key: value` on a line of its own, or in an item of a list.
struct KeyLine {
  std::size_t column = 0;  // offsets of the key and of the value
  std::size_t value = 0;
  std::string_view key = {};   // empty: the line has none
  std::string_view text = {};  // the value, without blanks around it
};
KeyLine key_line_of(std::string_view line);

// The repairs of a text whose reader fails on line `number`, the likeliest first.
std::vector<YamlRepair> yaml_repairs(const YamlLines& lines, std::uint32_t number);

// Those of the value on that line: quotes, brackets and other characters that mean something to
// YAML.
void repair_value(const YamlLines& lines, std::uint32_t number, std::vector<YamlRepair>& repairs);

}  // namespace dra::checks
