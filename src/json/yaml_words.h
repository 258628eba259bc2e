// src/json/yaml_words.h: the messages of yaml-cpp in words that a reader of the line understands.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace dra::json {

std::string plain_words(const std::string& phrase);

// The parser fails at the character behind a tab, not at the tab.
bool indented_by_tab(std::string_view text, std::uint32_t line);

}  // namespace dra::json
