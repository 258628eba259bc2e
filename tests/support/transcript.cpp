// tests/support/transcript.cpp

#include "tests/support/transcript.h"

#include <doctest/doctest.h>

#include <optional>
#include <string_view>

#include "dra/base/text.h"
#include "tests/support/files.h"

namespace dra::support {
namespace {

constexpr std::string_view kPrompt = "$ kubectl dra";
constexpr std::string_view kNoLineBreak = "\\ no line break at the end\n";

std::vector<std::string> split_words(std::string_view line) {
  std::vector<std::string> words;
  std::optional<std::string> word;
  char quote = '\0';
  for (const char c : line) {
    if (quote == '\0' && c == ' ') {
      if (word) words.push_back(*std::exchange(word, std::nullopt));
      continue;
    }
    if (!word) word.emplace();
    if (quote == '\0' && (c == '\'' || c == '"')) {
      quote = c;
    } else if (c == quote) {
      quote = '\0';
    } else {
      *word += c;
    }
  }
  if (word) words.push_back(*word);
  return words;
}

std::string section(const std::string& name, const std::string& body) {
  std::string text = "--- " + name + "\n" + body;
  if (!body.empty() && !body.ends_with('\n')) text += "\n" + std::string(kNoLineBreak);
  return text;
}

}  // namespace

Transcript Transcript::load(const std::string& path) { return parse(path, read(path)); }

Transcript Transcript::parse(std::string path, const std::string& text) {
  Transcript transcript;
  transcript.path_ = std::move(path);
  transcript.text_ = text;
  std::string_view command;
  for (const std::string_view line : base::split(text, '\n')) {
    transcript.head_ += std::string(line) + "\n";
    command = line;
    if (!line.starts_with('#')) break;
  }
  INFO(transcript.path_);
  REQUIRE_MESSAGE(text.starts_with("# "), "the first line says what the scene proves: # ...");
  REQUIRE_MESSAGE(command.starts_with(kPrompt), "after the comment comes `$ kubectl dra ...`");
  transcript.args_ = split_words(command.substr(kPrompt.size()));
  return transcript;
}

std::string Transcript::directive(const std::string& name) const {
  const std::string start = "# " + name + ": ";
  for (const std::string_view line : base::split(head_, '\n')) {
    if (line.starts_with(start)) return std::string(line.substr(start.size()));
  }
  return {};
}

Transcript Transcript::with(const std::string& out, const std::string& err,
                            cmd::ExitCode exit) const {
  Transcript other = *this;
  other.text_ = head_ + section("stdout", out) + section("stderr", err) +
                base::format("--- exit {}\n", static_cast<int>(exit));
  return other;
}

void Transcript::save() const { write(path_, text_); }

std::vector<Transcript> transcripts_in(const std::string& directory) {
  std::vector<Transcript> transcripts;
  for (const std::string& path : files_below("tests/" + directory, ".txt")) {
    transcripts.push_back(Transcript::load(path));
  }
  return transcripts;
}

bool updating_goldens() { return asked_to("UPDATE_GOLDEN"); }

}  // namespace dra::support
