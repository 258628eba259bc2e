// src/checks/rules/shared_rules.cpp: rules that claims, classes, slices and taint rules share:
// selectors, configurations, taints and tolerations. Upstream:
// k8s.io/kubernetes/pkg/apis/resource/validation, validateSelector, validateCELExpression,
// validateOpaqueConfiguration, validateRawExtension, validateDeviceTaint, validateDeviceToleration.

#include <algorithm>
#include <array>

#include "dra/base/text.h"
#include "dra/cel/syntax/lexer.h"
#include "dra/checks/lint/known_attributes.h"
#include "dra/checks/lint/lint.h"
#include "dra/checks/rules/rules.h"
#include "dra/engine/selectors/corrections.h"
#include "dra/json/write.h"
#include "src/checks/rules/names.h"

namespace dra::checks {
namespace {

using base::format;
using engine::Stage;

constexpr std::size_t kMaxSelectors = 32;
constexpr std::size_t kMaxParameters = 10'240;  // bytes, as JSON

ErrorType type_of(Stage stage) {
  if (stage == Stage::Length) return ErrorType::TooLong;
  return stage == Stage::Cost ? ErrorType::Forbidden : ErrorType::Invalid;
}

std::string compile_error_of(const engine::Selector& selector) {
  switch (selector.failure()->stage) {
    case Stage::Length:
      return format("the expression is {} bytes long; at most {} are allowed",
                    selector.expression().size(), engine::kMaxExpressionBytes);
    case Stage::Cost:
      return format(
          "the expression could cost {} at worst; at most {} is allowed. Loops over "
          "attributes are what costs",
          selector.estimated_cost(), engine::kMaxSelectorCost);
    default:
      return engine::on_one_line(*selector.failure());
  }
}

// The expression, or the part of it where the first issue is.
Field place_of_failure(const Field& expression, const engine::Selector& selector) {
  for (const cel::Issue& issue : selector.failure()->issues) {
    if (issue.at) return expression.part_at(selector.source().byte_of(*issue.at));
  }
  return expression;
}

// A name with a dash behind a dot, which takes one name from another; empty if there is none.
std::string dashed_name(const cel::Source& source) {
  const std::vector<cel::Token> tokens = cel::tokens_of(source);
  for (std::size_t i = 0; i + 3 < tokens.size(); ++i) {
    const cel::Token& first = tokens[i + 1];
    const cel::Token& second = tokens[i + 3];
    const bool names = first.kind == cel::TokenKind::Identifier && tokens[i + 2].is("-") &&
                       second.kind == cel::TokenKind::Identifier;
    if (!names || !tokens[i].is(".")) continue;
    const std::string_view both = source.text_of({first.span.begin, second.span.end});
    if (both.size() == first.text.size() + 1 + second.text.size()) return std::string(both);
  }
  return {};
}

// What to write instead; empty if nothing is known.
std::string correction_of(const engine::Selector& selector, const engine::Language& language,
                          std::string_view device_class) {
  if (selector.program() != nullptr || selector.failure()->stage == Stage::Length) return {};
  auto better =
      engine::correction_of(selector.expression(), language, names_of_class(device_class));
  if (better) return *std::move(better);
  if (const std::string name = dashed_name(selector.source()); !name.empty())
    return format(
        "{} is a difference, and names of attributes have no dash: look for its name with kubectl "
        "dra devices -o wide",
        name);
  if (std::string words = engine::missing_domain(selector); !words.empty()) return words;
  if (selector.failure()->message.find("undefined field") == std::string::npos) return {};
  std::vector<std::string> fields;
  for (const auto& field : engine::environment_of(language).structures.front().fields)
    fields.emplace_back(field.name);
  return format("a device has {}", base::join(fields, ", "));
}

bool is_effect(std::string_view effect) {
  return effect == "None" || effect == "NoSchedule" || effect == "NoExecute";
}

void check_effect(const Field& effect, bool required) {
  if (effect.is_blank()) {
    if (required)
      effect.error(ErrorType::Required, "must be NoSchedule, NoExecute or None", Rule::Generated);
  } else if (effect.is_text() && !is_effect(effect.text())) {
    effect.error(
        ErrorType::NotSupported,
        effect.text() == "PreferNoSchedule"
            ? "PreferNoSchedule is for nodes only; of devices it is NoSchedule, NoExecute or None"
            : "must be NoSchedule, NoExecute or None",
        Rule::Generated);
  }
}

void check_parameters(const Field& parameters) {
  if (!parameters.present()) {
    parameters.error(ErrorType::Required, "the driver's parameters are missing: an object");
    return;
  }
  if (json::write_json(*parameters.value(), json::Style::Compact).size() > kMaxParameters) {
    parameters.error(ErrorType::TooLong,
                     format("parameters are at most {} bytes of JSON", kMaxParameters));
  } else if (!parameters.value()->is(json::Kind::Object)) {
    parameters.error(ErrorType::Invalid, format("parameters must be an object, not {}",
                                                json::name_of(parameters.value()->kind())));
  }
}

}  // namespace

std::uint64_t check_expression(const Field& expression, engine::Purpose purpose,
                               std::string_view device_class) {
  if (expression.present() && !expression.is_text()) return 0;  // reported already: it is no text
  const engine::Selector selector(expression.text(), expression.checking().language, purpose);
  const auto part = [&](const SelectorLint& lint) { return expression.part_at(lint.offset); };
  if (const auto& failure = selector.failure())
    place_of_failure(expression, selector)
        .refuse(type_of(failure->stage), compile_error_of(selector),
                correction_of(selector, expression.checking().language, device_class));
  for (SelectorLint& lint : lint_constants(selector, expression.checking().language))
    part(lint).warn(lint.code, std::move(lint.message), std::move(lint.fix));
  if (purpose == engine::Purpose::Choice) {
    for (SelectorLint& lint : lint_selector(selector))
      part(lint).warn(lint.code, std::move(lint.message), std::move(lint.fix));
    for (SelectorLint& lint : mistaken_attributes(selector, device_class))
      part(lint).hint(lint.code, std::move(lint.message), std::move(lint.fix));
  }
  const bool counts =
      selector.program() != nullptr && selector.expression().size() <= engine::kMaxExpressionBytes;
  return counts ? selector.estimated_cost() : 0;
}

void check_selectors(const Field& list, std::string_view device_class) {
  if (!check_size(list, kMaxSelectors, Rule::Generated)) return;
  for (const Field& selector : list.items()) {
    const Field cel = selector.child("cel");
    if (cel.present()) {
      check_expression(cel.child("expression"), engine::Purpose::Choice, device_class);
    } else {
      cel.error(ErrorType::Required, "a selector is written as `cel: {expression: …}`");
    }
  }
}

void check_configuration(const Field& config) {
  const Field opaque = config.child("opaque");
  if (!opaque.present()) {
    opaque.error(ErrorType::Required,
                 "a configuration is written as `opaque: {driver: …, parameters: …}`");
    return;
  }
  check_driver_name(opaque.child("driver"), Rule::Generated);
  check_parameters(opaque.child("parameters"));
}

void check_taint(const Field& taint) {
  check_label_key(taint.child("key"));
  check_label_value(taint.child("value"));
  check_effect(taint.child("effect"), true);
}

void check_toleration(const Field& toleration) {
  const Field key = toleration.child("key");
  const Field op = toleration.child("operator");
  const Field value = toleration.child("value");
  if (!key.text().empty()) check_label_key(key, Rule::Generated);
  if (op.is_blank() || op.text() == "Equal") {
    check_label_value(value);
  } else if (op.text() == "Exists") {
    if (!value.text().empty())
      value.error(ErrorType::Invalid, "must be omitted: operator Exists takes every value");
  } else if (op.is_text()) {
    op.error(ErrorType::NotSupported, "must be Equal or Exists", Rule::Generated);
  }
  check_effect(toleration.child("effect"), false);
}

}  // namespace dra::checks
