// tests/diag/codes_test.cpp: the catalogue of codes is fit to be read by people.

#include "dra/diag/codes.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cctype>
#include <set>
#include <string>

#include "dra/diag/reason.h"

namespace dra::diag::codes_test {
namespace {

bool upper(char c) { return std::isupper(static_cast<unsigned char>(c)) != 0; }
bool alnum(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; }

// The form of reasons in Kubernetes: CamelCase, letters and digits only.
bool is_camel_case(std::string_view name) {
  if (name.size() < 4 || !upper(name.front())) return false;
  for (std::size_t i = 1; i < name.size(); ++i) {
    if (upper(name[i]) && upper(name[i - 1])) return false;
  }
  return std::all_of(name.begin(), name.end(), alnum);
}

// Whole sentences in plain ASCII.
bool is_prose(std::string_view text) {
  const bool ascii =
      std::all_of(text.begin(), text.end(), [](char c) { return c >= ' ' && c <= '~'; });
  return ascii && text.size() >= 20 && upper(text.front()) && text.ends_with('.') &&
         text.find("  ") == std::string_view::npos;
}

TEST_CASE("every code says what it is, what it means and what to do") {
  std::set<std::string_view> titles;
  for (const CodeInfo& code : all_codes()) {
    CAPTURE(std::string(code.name));
    CHECK(is_camel_case(code.name));
    CHECK(code.title.size() >= 5);
    CHECK(code.title.size() <= 48);
    CHECK_FALSE(code.title.ends_with('.'));
    CHECK_FALSE(upper(code.title.front()));
    CHECK(titles.insert(code.title).second);
    CHECK(is_prose(code.explanation));
    CHECK(is_prose(code.remedy));
    CHECK(code.explanation != code.remedy);
  }
}

TEST_CASE("codes are sorted by name, and found by value") {
  const auto codes = all_codes();
  CHECK(std::ranges::is_sorted(codes, {}, &CodeInfo::name));
  CHECK(std::ranges::adjacent_find(codes, {}, &CodeInfo::name) == codes.end());
  for (const CodeInfo& code : codes) {
    CAPTURE(std::string(code.name));
    CHECK(&info_of(code.code) == &code);
    CHECK(name_of(code.code) == code.name);
  }
  CHECK(name_of(Code::CountShort) == "CountShort");
}

TEST_CASE("names of certainty are those of reports") {
  CHECK(name_of(Certainty::Proven) == "Proven");
  CHECK(name_of(Certainty::AsFarAsVisible) == "AsFarAsVisible");
  CHECK(name_of(Certainty::Heuristic) == "Heuristic");
}

}  // namespace
}  // namespace dra::diag::codes_test
