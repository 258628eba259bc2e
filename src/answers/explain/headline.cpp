// src/answers/explain/headline.cpp: puts the parts of a headline together.

#include "dra/answers/explain/headline.h"

#include <algorithm>

#include "dra/base/text.h"

namespace dra::answers {

std::string capitalized(std::string sentence) {
  const auto is_lower = [](char c) { return c >= 'a' && c <= 'z'; };
  const std::size_t end = sentence.find_first_of(" ,:");
  const std::string_view word = std::string_view(sentence).substr(0, end);
  const bool is_word =
      end != std::string::npos && !word.empty() && std::ranges::all_of(word, is_lower);
  if (is_word) sentence.front() = static_cast<char>(sentence.front() - 'a' + 'A');
  return sentence;
}

std::string Headline::text() const {
  if (standing.empty()) return plain();
  return answer.empty() ? base::format("{}: {}.", who, standing)
                        : base::format("{}: {}. {}", who, standing, capitalized(answer));
}

}  // namespace dra::answers
