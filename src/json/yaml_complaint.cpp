// src/json/yaml_complaint.cpp: see yaml_complaint.h. The only file that includes yaml-cpp, and only
// its event parser.

#include "src/json/yaml_complaint.h"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <sstream>
#include <string>
#include <utility>

#include "dra/base/text.h"
#include "src/json/yaml_properties.h"
#include "src/json/yaml_tree.h"
#include "src/json/yaml_words.h"

namespace dra::json {
namespace {

Position position_of(const YAML::Mark& mark) {
  return {static_cast<std::uint32_t>(mark.line + 1), static_cast<std::uint32_t>(mark.column + 1)};
}

// Throws YamlError at the first mistake.
class Complainer final : public YAML::EventHandler {
 public:
  explicit Complainer(std::string_view text) : text_(text) {}

  // The parser does not move past some characters that no value can start with, and would report
  // the same empty document forever.
  void OnDocumentStart(const YAML::Mark& mark) override {
    if (mark.pos <= last_start_)
      throw YamlError{position_of(mark), "no value can start with this character; quote the text"};
    const bool first = std::exchange(last_start_, mark.pos) < 0;
    check_directives(static_cast<std::size_t>(mark.pos));
    if (!first && !from(mark).starts_with("---"))
      throw YamlError{
          position_of(mark),
          "this stands behind the end of the value above; indent it, or write --- between"};
    tree_.start_document();
  }
  void OnDocumentEnd() override { tree_.take_document(); }

  // The parser skips lines that look like directives wherever a document could begin. The library
  // behind kubectl accepts %YAML 1.1 alone.
  void check_directives(std::size_t end) const {
    const auto last = static_cast<std::size_t>(std::max(last_event_, 0));
    std::size_t at = last_event_ < 0 ? 0 : std::min(text_.find('\n', last), end);
    for (const std::string_view line : base::split(text_.substr(at, end - at), '\n')) {
      if (line.starts_with('%') && !line.starts_with("%YAML 1.1")) {
        const auto above = std::ranges::count(text_.substr(0, at), '\n');
        throw YamlError{{static_cast<std::uint32_t>(above) + 1, 1},
                        "no line can start with %; quote the text"};
      }
      at += line.size() + 1;
    }
  }

  // The parser takes a last line without a colon for a key without a value. The value's mark is the
  // key's.
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    check_properties(mark);
    if (tree_.waiting_key() && !tree_.in_flow() && mark.pos == last_event_)
      throw YamlError{position_of(mark), "this key has no colon behind it"};
    if (tree_.in_flow() && !tree_.waiting_key() && from(mark).starts_with(','))
      throw YamlError{position_of(mark), "a comma with nothing before it"};
    tree_.scalar(position_of(mark), "", ScalarStyle::Plain, name_of(anchor));
  }

  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    last_event_ = mark.pos;
    check_colon(mark);
    tree_.alias(position_of(mark), name_of(anchor));
  }

  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    last_event_ = mark.pos;
    check_properties(mark);
    check_colon(mark);
    if (tag == "?" && tree_.in_flow() && value.starts_with(':'))
      throw YamlError{position_of(mark), "no value can start with a colon here; quote the text"};
    if (tag == "!" && !quote_closes(behind_properties(from(mark))))
      throw YamlError{position_of(mark), "the quoted text that starts here has no closing quote"};
    const bool plain = tag == "?" || tag.empty();
    tree_.scalar(position_of(mark), value, plain ? ScalarStyle::Plain : ScalarStyle::Text,
                 name_of(anchor));
  }

  void OnSequenceStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value style) override {
    open(mark, Kind::Array, anchor, style);
  }
  void OnMapStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value style) override {
    check_colon(mark);
    open(mark, Kind::Object, anchor, style);
  }
  void OnSequenceEnd() override { tree_.close(); }
  void OnMapEnd() override { tree_.close(); }

  std::vector<YamlKey> open_keys() const { return tree_.open_keys(); }

 private:
  static std::string name_of(YAML::anchor_t anchor) {
    return anchor == YAML::NullAnchor ? "" : std::to_string(anchor);
  }

  void open(const YAML::Mark& mark, Kind kind, YAML::anchor_t anchor,
            YAML::EmitterStyle::value style) {
    check_properties(mark);
    tree_.open(position_of(mark), kind, style == YAML::EmitterStyle::Flow, name_of(anchor));
  }

  // A value in lines of its own stands to the right of its key.
  void check_colon(const YAML::Mark& mark) const {
    const auto waiting = tree_.waiting_key();
    const Position at = position_of(mark);
    if (waiting && !tree_.in_flow() && at.line > waiting->key.line && at.column <= waiting->indent)
      throw YamlError{at, "this key has no colon behind it"};
  }

  std::string_view from(const YAML::Mark& mark) const {
    return text_.substr(std::min(static_cast<std::size_t>(std::max(mark.pos, 0)), text_.size()));
  }

  void check_properties(const YAML::Mark& mark) const {
    tree_.check_properties(position_of(mark), from(mark));
  }

  std::string_view text_;
  YamlTree tree_;
  int last_start_ = -1;  // of the document before this one
  int last_event_ = -1;  // of the scalar or alias before this event
};

}  // namespace

std::optional<YamlError> complaint_about(std::string_view text) {
  Complainer complainer(text);
  try {
    std::string whole(text);
    if (whole.ends_with('\r')) whole += '\n';  // the parser takes a last CR for text
    std::istringstream in{std::move(whole)};
    YAML::Parser parser(in);
    while (parser.HandleNextDocument(complainer)) {
    }
    complainer.check_directives(text.size());
  } catch (YamlError& error) {
    error.keys = complainer.open_keys();
    return std::move(error);
  } catch (const YAML::Exception& exception) {
    const Position at = position_of(exception.mark);
    const bool tab = indented_by_tab(text, at.line);
    return YamlError{at, plain_words(tab ? "illegal tab" : exception.msg), complainer.open_keys()};
  }
  return std::nullopt;
}

}  // namespace dra::json
