// src/checks/lint/selector_lint.cpp: walks the nodes of a selector for paths that no device has.

#include "dra/checks/lint/lint.h"

#include <algorithm>

#include "dra/base/names.h"
#include "dra/base/text.h"
#include "dra/cel/hints/value_fields.h"
#include "src/checks/lint/selector_paths.h"

namespace dra::checks {
namespace {

using base::format;

constexpr std::size_t kMaxDomain = 63;  // DeviceMaxDomainLength
constexpr std::size_t kMaxId = 32;      // DeviceMaxIDLength

class SelectorLinter {
 public:
  explicit SelectorLinter(const engine::Selector& selector)
      : ast_(selector.program()->checked().ast), source_(selector.source()) {}

  std::vector<SelectorLint> run() {
    for (const cel::NodeId id : nodes_of(ast_)) {
      if (const auto path = path_of(ast_, id)) look_at(ast_[id], *path);
      check_driver(ast_[id]);
    }
    return std::move(found_);
  }

 private:
  void add(const cel::Node& node, std::string_view why, std::string fix) {
    found_.push_back({.message = format("{}: {}", source_.text_of(node.span), why),
                      .fix = std::move(fix),
                      .offset = source_.byte_of(node.span.begin)});
  }

  void look_at(const cel::Node& node, const std::vector<std::string>& steps) {
    const bool section = steps.size() > 1 && (steps[0] == "attributes" || steps[0] == "capacity");
    if (!section) return;
    if (is_inner(steps)) return;
    if (steps.size() == 2) return check_domain(node, steps[0], steps[1]);
    if (steps.size() == 3) return check_id(node, steps);
    if (steps[0] != "attributes") return;
    whole_ = steps;
    const bool in_brackets = steps[1].find('.') != std::string::npos;
    if (in_brackets || cel::is_value_field(steps[3]))
      return add(node, "an attribute is its value in CEL, and has no fields",
                 way_to(steps[0], steps[1], steps[2]));
    const std::string domain =
        base::join(std::vector<std::string>(steps.begin() + 1, steps.end() - 1), ".");
    add(node, "a domain with dots is written in brackets", way_to(steps[0], domain, steps.back()));
  }

  // A part of the path that was found last.
  bool is_inner(const std::vector<std::string>& steps) const {
    return steps.size() < whole_.size() && std::equal(steps.begin(), steps.end(), whole_.begin());
  }

  // device.driver == "gpu.example.com/gpu"
  void check_driver(const cel::Node& node) {
    const bool equality = node.kind == cel::NodeKind::Call &&
                          (node.name == cel::op::kEquals || node.name == cel::op::kNotEquals);
    if (!equality) return;
    for (const std::size_t side : {0U, 1U}) {
      const auto path = path_of(ast_, node.args[side]);
      const std::string* name = text_of(ast_, node.args[1 - side]);
      if (!path || *path != std::vector<std::string>{"driver"} || name == nullptr) continue;
      if (name->size() <= kMaxDomain && base::is_dns_subdomain(*name)) continue;
      const std::string before = base::lower(name->substr(0, name->find('/')));
      add(node, format("no driver can have the name \"{}\"", *name),
          base::is_dns_subdomain(before)
              ? format("device.driver {} \"{}\"",
                       node.name == cel::op::kEquals ? "==" : "!=", before)
              : std::string("look for its name with kubectl dra drivers"));
    }
  }

  void check_domain(const cel::Node& node, const std::string& section, const std::string& domain) {
    const std::size_t slash = domain.find('/');
    if (slash != std::string::npos) {
      add(node, "the key is the domain alone; no device has one with a \"/\"",
          way_to(section, domain.substr(0, slash), domain.substr(slash + 1)));
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
  std::vector<std::string> whole_;
  std::vector<SelectorLint> found_;
};

}  // namespace

std::vector<SelectorLint> lint_selector(const engine::Selector& selector) {
  if (selector.program() == nullptr) return {};
  return SelectorLinter(selector).run();
}

}  // namespace dra::checks
