// src/checks/lint/selector_lint.cpp: walks the nodes of a selector for paths that no device has.

#include "dra/checks/lint/lint.h"

#include <algorithm>
#include <array>

#include "dra/base/names.h"
#include "dra/base/text.h"
#include "src/checks/lint/selector_paths.h"

namespace dra::checks {
namespace {

using base::format;

constexpr std::size_t kMaxDomain = 63;  // DeviceMaxDomainLength
constexpr std::size_t kMaxId = 32;      // DeviceMaxIDLength
// The API's fields for the types of attribute values. In CEL an attribute is its value and has no
// fields.
constexpr std::array<std::string_view, 13> kValueFields = {
    "bool",   "boolValue", "bools",       "int",   "intValue", "ints",        "quantity",
    "string", "strings",   "stringValue", "value", "version",  "versionValue"};

class SelectorLinter {
 public:
  explicit SelectorLinter(const engine::Selector& selector)
      : ast_(selector.program()->checked().ast), source_(selector.source()) {}

  std::vector<SelectorLint> run() {
    for (const cel::NodeId id : nodes_of(ast_)) {
      if (const auto path = path_of(ast_, id)) look_at(ast_[id], *path);
    }
    return std::move(found_);
  }

 private:
  void add(const cel::Node& node, std::string_view why, std::string fix) {
    found_.push_back(
        {.message = format("{}: {}", source_.text_of(node.span), why), .fix = std::move(fix)});
  }

  void look_at(const cel::Node& node, const std::vector<std::string>& steps) {
    const bool section = steps.size() > 1 && (steps[0] == "attributes" || steps[0] == "capacity");
    if (!section) return;
    if (steps.size() == 2) return check_domain(node, steps[0], steps[1]);
    if (steps.size() == 3) return check_id(node, steps);
    if (steps[0] == "attributes" && std::ranges::find(kValueFields, steps[3]) != kValueFields.end())
      add(node, "an attribute is its value in CEL, and has no fields",
          format("device.attributes[\"{}\"].{}", steps[1], steps[2]));
  }

  void check_domain(const cel::Node& node, const std::string& section, const std::string& domain) {
    const std::size_t slash = domain.find('/');
    if (slash != std::string::npos) {
      add(node, "the key is the domain alone; no device has one with a \"/\"",
          format("device.{}[\"{}\"].{}", section, domain.substr(0, slash),
                 domain.substr(slash + 1)));
    } else if (domain.size() > kMaxDomain || !base::is_dns_subdomain(base::lower(domain))) {
      add(node, format("no driver or domain can have the name \"{}\"", domain),
          "write the driver's name, or the domain before the \"/\" of the attribute's full name");
    }
  }

  void check_id(const cel::Node& node, const std::vector<std::string>& steps) {
    const std::string& id = steps[2];
    if (id.size() <= kMaxId && base::is_c_identifier(id)) return;
    std::string near = id;
    std::ranges::replace_if(
        near, [](char c) { return c == '-' || c == '.'; }, '_');
    const bool can_be = near.size() <= kMaxId && base::is_c_identifier(near);
    add(node,
        format("no device can have it: names are letters, digits and \"_\", at most {}", kMaxId),
        can_be
            ? format("perhaps it is published as {}: look with kubectl dra devices -o wide", near)
            : std::string("look for its name with kubectl dra devices -o wide"));
  }

  const cel::Ast& ast_;
  const cel::Source& source_;
  std::vector<SelectorLint> found_;
};

}  // namespace

std::vector<SelectorLint> lint_selector(const engine::Selector& selector) {
  if (selector.program() == nullptr) return {};
  return SelectorLinter(selector).run();
}

}  // namespace dra::checks
