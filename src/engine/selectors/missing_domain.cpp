// src/engine/selectors/missing_domain.cpp: looks for `.attributes.NAME` and `.attributes["NAME"]`
// with nothing but the name, in the words of the expression: it does not compile.

#include <algorithm>
#include <array>

#include "dra/base/text.h"
#include "dra/cel/syntax/lexer.h"
#include "dra/engine/selectors/corrections.h"

namespace dra::engine {
namespace {

using cel::Token;
using cel::TokenKind;

bool is_section(const Token& token) {
  return token.kind == TokenKind::Identifier &&
         (token.text == "attributes" || token.text == "capacity");
}

// Comparing is for values; everything else may be meant for a whole domain.
bool compares(const Token& token) {
  constexpr std::array<std::string_view, 6> operators = {"==", "!=", "<", "<=", ">", ">="};
  return token.kind == TokenKind::Symbol &&
         std::ranges::find(operators, token.text) != operators.end();
}

}  // namespace

std::string missing_domain(const Selector& selector) {
  const std::vector<Token> tokens = cel::tokens_of(selector.source());
  for (std::size_t i = 1; i + 3 < tokens.size(); ++i) {
    if (!is_section(tokens[i]) || !tokens[i - 1].is(".")) continue;
    const Token& name = tokens[i + 2];
    const bool by_dot = tokens[i + 1].is(".") && name.kind == TokenKind::Identifier;
    const bool by_key = tokens[i + 1].is("[") && name.kind == TokenKind::String &&
                        tokens[i + 3].is("]") && i + 4 < tokens.size();
    if (!(by_dot && compares(tokens[i + 3])) && !(by_key && compares(tokens[i + 4]))) continue;
    const std::string_view id = by_dot ? name.text : name.text.substr(1, name.text.size() - 2);
    if (id.find_first_of("/.\"'") != std::string_view::npos) continue;
    return base::format(
        "{} has the domain of a name before the name, and that is the driver's as a rule: "
        "device.{}[\"DOMAIN\"].{}; look for both with kubectl dra devices -o wide",
        tokens[i].text, tokens[i].text, id);
  }
  return {};
}

}  // namespace dra::engine
