// src/render/go_template/parser.cpp: see parser.h. The grammar is that of text/template/parse,
// parse.go; which mistake is named may differ.

#include "src/render/go_template/parser.h"

#include <algorithm>
#include <string>
#include <utility>

#include "dra/base/text.h"
#include "dra/json/unicode.h"
#include "src/render/go_template/functions.h"
#include "src/render/go_template/literals.h"
#include "src/render/go_template/tokens.h"

namespace dra::render::go_template {
namespace {

// Loops, conditions and parentheses inside each other. No question about an object needs more.
constexpr int kDeepest = 100;

using Parsed = Result<Done>;

// How a list of nodes ends.
enum class ListEnd { End, Else };

// The text stands for nothing: only space and comments.
bool is_empty_list(const List& list) {
  return std::ranges::all_of(list, [](const Node& node) {
    const auto* text = std::get_if<Text>(&node.what);
    if (text == nullptr) return false;
    for (std::size_t at = 0; at < text->text.size();) {
      const std::string_view character = json::character_at(text->text, at);
      if (!json::is_space(json::code_of(character))) return false;
      at += character.size();
    }
    return true;
  });
}

bool can_begin_term(TokenType type) {
  constexpr TokenType all[] = {TokenType::Bool,   TokenType::Character, TokenType::Complex,
                               TokenType::Dot,    TokenType::Field,     TokenType::Identifier,
                               TokenType::Number, TokenType::Nil,       TokenType::RawString,
                               TokenType::String, TokenType::Variable,  TokenType::LeftParen};
  return std::ranges::find(all, type) != std::end(all);
}

std::vector<std::string> names_of_chain(std::string_view text) {
  std::vector<std::string> names;
  for (const std::string_view name : base::split(text, '.'))
    names.emplace_back(name);
  return names;
}

class TemplateParser {
 public:
  explicit TemplateParser(std::string_view text) : text_(text), tokens_(tokens_of(text)) {}

  Result<Templates> all() {
    List root;
    while (peek().type != TokenType::EndOfText) {
      if (peek().type == TokenType::LeftBraces &&
          after_spaces(next_ + 1).type == TokenType::Define) {
        DRA_TRY(definition());
        continue;
      }
      DRA_TRY(text_or_action(root));
      if (list_end_) {
        return fail_at(*list_end_ == ListEnd::End ? "unexpected {{end}}" : "unexpected {{else}}",
                       end_at_);
      }
    }
    DRA_TRY(add(kMain, std::move(root), 0));
    return std::move(templates_);
  }

 private:
  // A template of its own: it sees neither the variables nor the loops around it.
  struct Scope {
    std::vector<std::string> variables = {"$"};
    int loops = 0;
  };

  Error fail_at(const std::string& message, std::size_t at) const {
    return template_error(text_, at, message);
  }

  Error unexpected(const Token& token, const char* where) const {
    if (token.type == TokenType::Error) return fail_at(token.error, token.at);
    if (token.type == TokenType::EndOfText)
      return fail_at("unexpected end of the template", token.at);
    return fail_at(base::format("unexpected {} in {}", token.text, where), token.at);
  }

  const Token& peek() const { return tokens_[std::min(next_, tokens_.size() - 1)]; }
  const Token& take() {
    const Token& token = peek();
    ++next_;
    return token;
  }
  const Token& after_spaces(std::size_t at) const {
    while (at + 1 < tokens_.size() && tokens_[at].type == TokenType::Space)
      ++at;
    return tokens_[std::min(at, tokens_.size() - 1)];
  }
  const Token& peek_word() {
    while (peek().type == TokenType::Space)
      ++next_;
    return peek();
  }
  const Token& take_word() {
    peek_word();
    return take();
  }

  Parsed expect_end(const char* where) {
    const Token& token = take_word();
    return token.type == TokenType::RightBraces ? Parsed(Done{}) : Parsed(unexpected(token, where));
  }

  // Empty templates may be defined again.
  Parsed add(const std::string& name, List list, std::size_t at) {
    const auto old = templates_.find(name);
    if (old == templates_.end() || is_empty_list(old->second)) {
      templates_.insert_or_assign(name, std::move(list));
    } else if (!is_empty_list(list)) {
      return fail_at(base::format("the template \"{}\" is defined twice", name), at);
    }
    return Done{};
  }

  Result<std::string> template_name(const char* where) {
    const Token& token = take_word();
    if (token.type != TokenType::String && token.type != TokenType::RawString) {
      return unexpected(token, where);
    }
    std::optional<std::string> name = string_literal(token.text);
    if (!name) return fail_at("malformed text", token.at);
    return std::move(*name);
  }

  // The list of a template of its own, up to its {{end}}.
  Parsed own_list(const std::string& name, std::size_t at) {
    Scope outer = std::exchange(scope_, Scope());
    List list;
    DRA_TRY(items(list));
    scope_ = std::move(outer);
    if (*list_end_ != ListEnd::End) return fail_at("unexpected {{else}} in a definition", end_at_);
    list_end_.reset();
    return add(name, std::move(list), at);
  }

  Parsed definition() {
    const std::size_t at = take().at;
    take_word();
    const std::string name = DRA_TRY(template_name("{{define}}"));
    DRA_TRY(expect_end("{{define}}"));
    return own_list(name, at);
  }

  // Nodes up to {{end}} or {{else}}, of which list_end_ tells.
  Parsed items(List& list) {
    if (++depth_ > kDeepest) return fail_at("nested too deeply", peek().at);
    list_end_.reset();
    while (!list_end_) {
      if (peek().type == TokenType::EndOfText) return unexpected(peek(), "the template");
      DRA_TRY(text_or_action(list));
    }
    --depth_;
    return Done{};
  }

  Parsed text_or_action(List& list) {
    const Token& token = take();
    if (token.type == TokenType::Text) {
      list.push_back({token.at, Text{std::string(token.text)}});
      return Done{};
    }
    if (token.type != TokenType::LeftBraces) return unexpected(token, "the template");
    return action(list);
  }

  Parsed action(List& list) {
    const Token& token = peek_word();
    const std::size_t at = token.at;
    switch (token.type) {
      case TokenType::If:
        return branch(list, BranchKind::If);
      case TokenType::With:
        return branch(list, BranchKind::With);
      case TokenType::Range:
        return branch(list, BranchKind::Range);
      case TokenType::Block:
      case TokenType::Template:
        return call(list, token.type == TokenType::Block);
      case TokenType::Break:
      case TokenType::Continue:
        return leave_loop(list, token.type == TokenType::Break);
      case TokenType::End:
        ++next_;
        list_end_ = ListEnd::End;
        end_at_ = at;
        return expect_end("{{end}}");
      case TokenType::Else: {
        ++next_;
        list_end_ = ListEnd::Else;
        end_at_ = at;
        const TokenType then = peek_word().type;
        // {{else if}} stays for the branch, which knows whether it may stand there.
        return then == TokenType::If || then == TokenType::With ? Parsed(Done{})
                                                                : expect_end("{{else}}");
      }
      default:
        break;
    }
    Pipeline pipeline = DRA_TRY(this->pipeline("a command", TokenType::RightBraces, false));
    list.push_back({at, Action{std::move(pipeline)}});
    return Done{};
  }

  Parsed leave_loop(List& list, bool breaks) {
    const char* const what = breaks ? "{{break}}" : "{{continue}}";
    const std::size_t at = take().at;
    DRA_TRY(expect_end(what));
    if (scope_.loops == 0) return fail_at(base::format("{} outside {{{{range}}}}", what), at);
    if (breaks) {
      list.push_back({at, Break{}});
    } else {
      list.push_back({at, Continue{}});
    }
    return Done{};
  }

  Parsed call(List& list, bool defines) {
    const char* const what = defines ? "{{block}}" : "{{template}}";
    const std::size_t at = take().at;
    Call call;
    call.name = DRA_TRY(template_name(what));
    if (defines || peek_word().type != TokenType::RightBraces) {
      call.pipeline = DRA_TRY(pipeline(what, TokenType::RightBraces, false));
    } else {
      ++next_;
    }
    if (defines) DRA_TRY(own_list(call.name, at));
    list.push_back({at, std::move(call)});
    return Done{};
  }

  Parsed branch(List& list, BranchKind kind) {
    const Token& keyword = take();
    const std::size_t variables = scope_.variables.size();
    const bool loops = kind == BranchKind::Range;
    Branch branch;
    branch.kind = kind;
    branch.pipeline = DRA_TRY(pipeline("a condition", TokenType::RightBraces, loops));
    if (loops) ++scope_.loops;
    DRA_TRY(items(branch.body));
    if (loops) --scope_.loops;
    if (*list_end_ == ListEnd::Else) DRA_TRY(otherwise(branch));
    list_end_.reset();
    scope_.variables.resize(variables);
    list.push_back({keyword.at, std::move(branch)});
    return Done{};
  }

  // {{else if}} is an {{if}} inside {{else}} that shares its {{end}}.
  Parsed otherwise(Branch& branch) {
    List list;
    const TokenType then = peek_word().type;
    const bool chained = (branch.kind == BranchKind::If && then == TokenType::If) ||
                         (branch.kind == BranchKind::With && then == TokenType::With);
    if (chained) {
      if (++depth_ > kDeepest) return fail_at("nested too deeply", peek().at);
      DRA_TRY(this->branch(list, branch.kind));
      --depth_;
    } else if (then == TokenType::If || then == TokenType::With) {
      return unexpected(peek(), "{{else}}");
    } else {
      DRA_TRY(items(list));
      if (*list_end_ != ListEnd::End) return fail_at("{{else}} where {{end}} is due", end_at_);
    }
    branch.otherwise = std::move(list);
    return Done{};
  }

  // `$i, $item :=` in front of a pipeline; nothing if there is none.
  Parsed declarations(Pipeline& pipeline, bool loops) {
    while (peek_word().type == TokenType::Variable) {
      const Token& variable = peek();
      const Token& then = after_spaces(next_ + 1);
      const bool ends = then.type == TokenType::Assign || then.type == TokenType::Declare;
      if (!ends && then.type != TokenType::Comma) return Done{};
      if (!ends && (!loops || !pipeline.variables.empty())) {
        return fail_at("too many variables before :=", then.at);
      }
      ++next_;
      take_word();
      pipeline.variables.emplace_back(variable.text);
      scope_.variables.emplace_back(variable.text);
      if (ends) {
        pipeline.assigns = then.type == TokenType::Assign;
        return Done{};
      }
      const TokenType second = peek_word().type;
      if (second != TokenType::Variable && second != TokenType::RightBraces &&
          second != TokenType::RightParen) {
        return fail_at("range can only initialize variables", peek().at);
      }
    }
    return Done{};
  }

  Result<Pipeline> pipeline(const char* where, TokenType end, bool loops) {
    Pipeline pipeline;
    pipeline.at = peek_word().at;
    DRA_TRY(declarations(pipeline, loops));
    while (peek_word().type != end) {
      if (!can_begin_term(peek().type)) return unexpected(peek(), where);
      Command command = DRA_TRY(this->command());
      if (!pipeline.commands.empty() && command.terms.front().fields.empty()) {
        const auto& first = command.terms.front();
        const bool calls = std::holds_alternative<Function>(first.what) ||
                           std::holds_alternative<FieldChain>(first.what) ||
                           std::holds_alternative<Variable>(first.what) ||
                           std::holds_alternative<Parenthesized>(first.what);
        if (!calls) return fail_at("a value cannot stand behind |", first.at);
      }
      pipeline.commands.push_back(std::move(command));
    }
    const Token& closing = take();
    if (pipeline.commands.empty()) {
      return fail_at(base::format("missing value for {}", where), closing.at);
    }
    return pipeline;
  }

  // Terms with spaces between them, up to a | or the end of the pipeline.
  Result<Command> command() {
    Command command;
    for (;;) {
      const Token& token = peek_word();
      if (can_begin_term(token.type)) {
        Term term = DRA_TRY(this->term());
        command.terms.push_back(std::move(term));
      }
      const Token& then = peek();
      if (then.type == TokenType::Space) {
        ++next_;
        continue;
      }
      if (then.type == TokenType::Pipe) {
        ++next_;
      } else if (then.type != TokenType::RightBraces && then.type != TokenType::RightParen) {
        return unexpected(then, "a command");
      }
      if (command.terms.empty()) return fail_at("empty command", then.at);
      return command;
    }
  }

  Result<Term> term() {
    Term term = DRA_TRY(plain_term());
    while (peek().type == TokenType::Field) {
      const Token& token = take();
      const std::string name(token.text.substr(1));
      if (auto* chain = std::get_if<FieldChain>(&term.what)) {
        chain->names.push_back(name);
      } else if (auto* variable = std::get_if<Variable>(&term.what)) {
        variable->fields.push_back(name);
      } else if (std::holds_alternative<Function>(term.what) ||
                 std::holds_alternative<Parenthesized>(term.what)) {
        term.fields.push_back(name);
      } else {
        return fail_at("a literal has no fields", token.at);
      }
    }
    return term;
  }

  Result<Term> plain_term() {
    const Token& token = take();
    switch (token.type) {
      case TokenType::Bool:
        return Term{token.at, BoolLiteral{token.text == "true"}};
      case TokenType::Dot:
        return Term{token.at, Dot{}};
      case TokenType::Nil:
        return Term{token.at, Nil{}};
      case TokenType::Field:
        return Term{token.at, FieldChain{names_of_chain(token.text.substr(1))}};
      case TokenType::Variable:
        return variable(token);
      case TokenType::Identifier:
        if (find_function(token.text) == nullptr) {
          return fail_at(base::format("there is no function \"{}\"", token.text), token.at);
        }
        return Term{token.at, Function{std::string(token.text)}};
      case TokenType::LeftParen: {
        if (++depth_ > kDeepest) return fail_at("nested too deeply", token.at);
        Pipeline inside = DRA_TRY(pipeline("parentheses", TokenType::RightParen, false));
        --depth_;
        return Term{token.at, Parenthesized{std::make_unique<Pipeline>(std::move(inside))}};
      }
      default:
        return literal(token);
    }
  }

  Result<Term> variable(const Token& token) {
    if (std::ranges::find(scope_.variables, token.text) == scope_.variables.end()) {
      return fail_at(base::format("undefined variable \"{}\"", token.text), token.at);
    }
    return Term{token.at, Variable{std::string(token.text), {}}};
  }

  Result<Term> literal(const Token& token) const {
    const bool imaginary = token.type == TokenType::Number && token.text.ends_with('i');
    if (token.type == TokenType::Complex || imaginary) {
      return fail_at("complex numbers are not supported", token.at);
    }
    if (token.type == TokenType::String || token.type == TokenType::RawString) {
      std::optional<std::string> text = string_literal(token.text);
      if (!text) return fail_at("malformed text", token.at);
      return Term{token.at, StringLiteral{std::move(*text)}};
    }
    std::optional<NumberLiteral> number = token.type == TokenType::Character
                                              ? character_literal(token.text)
                                              : number_literal(token.text);
    if (!number) return fail_at(base::format("malformed number {}", token.text), token.at);
    return Term{token.at, std::move(*number)};
  }

  std::string_view text_;
  std::vector<Token> tokens_;
  std::size_t next_ = 0;
  Scope scope_;
  int depth_ = 0;
  std::optional<ListEnd> list_end_;  // what ended the last list
  std::size_t end_at_ = 0;
  Templates templates_;
};

}  // namespace

Result<Templates> parse_templates(std::string_view text) { return TemplateParser(text).all(); }

}  // namespace dra::render::go_template
