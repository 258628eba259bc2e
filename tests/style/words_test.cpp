// tests/style/words_test.cpp: every string that a user sees keeps to the words that operators of
// clusters use. The strings are the literals of the sources and the descriptions in the schemas.

#include <doctest/doctest.h>

#include <array>
#include <regex>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support/files.h"

namespace dra::words_test {
namespace {

struct Avoided {
  const char* pattern;  // whole words
  std::string_view better;
};
constexpr std::array kAvoided = {
    Avoided{"anew", "again, or re-create"},
    Avoided{"(can|cannot|could|to) be had", "is available, is unavailable, or can be allocated"},
    Avoided{"used up|(is|are) not left", "is exhausted"},
    Avoided{"lacks|lacked|lacking|(that|which|they|pods|nodes|hosts|devices) lack", "is missing"},
    Avoided{"(leave|leaves|leaving)( [^ ]+){0,3} away|left away|left out", "remove, or omit"},
    Avoided{"[Ll]eav(e|es|ing)( [^ ]+){0,3} out", "omit"},
    Avoided{"^\"?(is|are) no(?! (longer|more))|(?!\"?[Tt]here )[^ ]+ (is|are) no(?! (longer|more))",
            "is not a valid"},
    Avoided{"(?!\"?([Tt]here|it) )[^ ]+ (is|are) none(?! of)", "is not one"},
    Avoided{"[Ss]ay(s|ing)? nothing of", "report nothing about"},
    Avoided{"(the|API) server takes|takes? no (\\{\\})?(further|values?|arguments?|names?)",
            "accept"},
    Avoided{"(one|all|ones) that (it|they) may use", "can use"},
    Avoided{"(say|says|said|tell|tells|told) of|(is|are) told", "report, or show"},
    Avoided{"whom|who has|who have", "who is affected, or who is using it"},
    Avoided{"mend|mends|mended", "fix"},
    Avoided{"beside", "alongside, next to, or in addition to"},
    Avoided{"somebody|anybody|everybody|nobody|whoever", "the passive, or who it is"},
    Avoided{"what makes pods", "workloads"},
    Avoided{"what others hold", "devices held by others"},
    Avoided{"without a word", "silently"},
    Avoided{"heard of", "last renewed"},
    Avoided{"to be known by", "to authenticate with"},
    Avoided{"stumbles?", "fails"},
    Avoided{"were dropped", "remove"},
    Avoided{"may (not )?read", "can, or cannot, read"},
};

// What stands between quotes in the code, pieces that the compiler joins being joined. Comments,
// names of headers and raw strings are none.
std::vector<std::string> literals_of(const std::string& source) {
  static const std::regex token(
      R"re(//[^\n]*|#include[^\n]*|'(?:[^'\\\n]|\\.)'|R"\w*\(|"(?:[^"\\\n]|\\.)*"(?:\s*"(?:[^"\\\n]|\\.)*")*)re");
  static const std::regex seam(R"re("\s*")re");
  std::vector<std::string> all;
  for (std::sregex_iterator at(source.begin(), source.end(), token), end; at != end; ++at) {
    const std::string text = at->str();
    if (text.front() == '"') all.push_back(std::regex_replace(text, seam, ""));
  }
  return all;
}

std::vector<std::string> descriptions_of(const std::string& schema) {
  static const std::regex description(R"re("description": "((?:[^"\\]|\\.)*)")re");
  std::vector<std::string> all;
  for (std::sregex_iterator at(schema.begin(), schema.end(), description), end; at != end; ++at)
    all.push_back(at->str(1));
  return all;
}

bool has(const std::string& text, const std::regex& words) {
  return std::regex_search(text, words);
}

std::regex whole_words(const std::string& pattern) {
  return std::regex("(^|[^\\w-])(" + pattern + ")($|[^\\w-])", std::regex::optimize);
}

// All of them at once, because few texts have any.
const std::regex& any_avoided() {
  static const std::regex any = [] {
    std::string patterns;
    for (const Avoided& avoided : kAvoided)
      patterns += (patterns.empty() ? "" : "|") + std::string(avoided.pattern);
    return whole_words(patterns);
  }();
  return any;
}

void check_words(const std::string& path, const std::vector<std::string>& texts) {
  for (const std::string& text : texts) {
    if (!has(text, any_avoided())) continue;
    for (const Avoided& avoided : kAvoided) {
      if (!has(text, whole_words(avoided.pattern))) continue;
      CAPTURE(path);
      CAPTURE(text);
      CAPTURE(avoided.better);
      FAIL_CHECK("words that the program does not use");
    }
  }
}

TEST_CASE("strings that users see are in the words of the trade") {
  for (const std::string root : {"src", "cmd", "include"}) {
    for (const char* ending : {".cpp", ".h", ".def"}) {
      for (const std::string& path : support::files_below(root, ending)) {
        // A part of the page has this name.
        if (path != "src/render/page_style.h" && path != "src/render/html.cpp")
          check_words(path, literals_of(support::read(path)));
      }
    }
  }
}

// Paragraphs, as their lines are broken anywhere.
std::vector<std::string> paragraphs_of(const std::string& text) {
  std::vector<std::string> all(1);
  std::string line;
  std::istringstream lines(text);
  while (std::getline(lines, line)) {
    if (line.empty())
      all.emplace_back();
    else
      all.back() += (all.back().empty() ? "" : " ") + line;
  }
  return all;
}

TEST_CASE("so is the first page that they read") {
  for (const char* path : {"README.md", "SECURITY.md"})
    check_words(path, paragraphs_of(support::read(path)));
}

TEST_CASE("so are the descriptions of reports") {
  for (const std::string& path : support::files_below("src/report/schema", ".json"))
    check_words(path, descriptions_of(support::read(path)));
}

TEST_CASE("words that are avoided are found wherever they stand in a text") {
  for (const char* text :
       {"Leave out the titles.", "they leave all else out", "is no name: it begins with -",
        "\"{}\" is no quantity", "drivers are none: they have no labels", "Say nothing of pods",
        "what the server takes", "{} takes no {}argument", "the only one that it may use"})
    CHECK_MESSAGE(has(text, any_avoided()), text);
  for (const char* text : {"there is no device", "There are none.", "it is no longer published",
                           "the server accepts it", "is none of In, NotIn", "nothing is left"})
    CHECK_MESSAGE(!has(text, any_avoided()), text);
}

TEST_CASE("literals are found as the compiler joins them") {
  const auto found = literals_of("f(\"a \"\n  \"b\", 'c'); // \"no\"\n#include \"d.h\"\n");
  REQUIRE(found.size() == 1);
  CHECK(found.front() == "\"a b\"");
}

}  // namespace
}  // namespace dra::words_test
