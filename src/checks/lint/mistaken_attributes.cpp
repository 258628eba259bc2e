// src/checks/lint/mistaken_attributes.cpp: compares the paths of a selector with the attributes of
// known drivers: misspelt names, attributes for capacities, wrong types, attributes of one class
// only.

#include <algorithm>
#include <array>
#include <cstdint>
#include <set>

#include "dra/base/text.h"
#include "dra/cel/hints/near_literals.h"
#include "dra/cel/library/kubernetes.h"
#include "dra/checks/lint/known_attributes.h"
#include "src/checks/lint/selector_paths.h"

namespace dra::checks {
namespace {

using base::format;
using cel::NodeId;
using cel::NodeKind;
using diag::Code;

constexpr std::string_view kAttributes = "attributes";
constexpr std::string_view kCapacity = "capacity";
constexpr std::array kComparisons = {cel::op::kEquals,  cel::op::kNotEquals,
                                     cel::op::kLess,    cel::op::kLessEquals,
                                     cel::op::kGreater, cel::op::kGreaterEquals};

// Functions of text that people call of versions.
constexpr std::array<std::string_view, 4> kTextFunctions = {"startsWith", "endsWith", "contains",
                                                            "matches"};

// An attribute or capacity of a known driver in the expression.
struct Mention {
  NodeId node;
  std::string section;
  std::string id;
  const KnownDriver* driver;
};

const KnownAttribute* attribute_of(const Mention& mention) {
  const auto found =
      std::ranges::find(mention.driver->attributes, mention.id, &KnownAttribute::name);
  return found == mention.driver->attributes.end() ? nullptr : &*found;
}

bool has_capacity(const Mention& mention) {
  // A partition of a GPU has one capacity per slice of its memory.
  return mention.id.starts_with("memorySlice") ||
         std::ranges::find(mention.driver->capacities, mention.id) !=
             mention.driver->capacities.end();
}

class MistakeFinder {
 public:
  MistakeFinder(const engine::Selector& selector, std::string_view device_class)
      : ast_(selector.program()->checked().ast),
        source_(selector.source()),
        device_class_(device_class),
        nodes_(nodes_of(ast_)) {}

  std::vector<SelectorLint> run() {
    for (const NodeId id : nodes_) {
      const auto path = path_of(ast_, id);
      if (!path || path->size() != 3) continue;
      const KnownDriver* driver = known_driver((*path)[1]);
      if (driver == nullptr || !reported_.insert(*path).second) continue;
      look_at({id, (*path)[0], (*path)[2], driver});
    }
    return std::move(found_);
  }

 private:
  void add(const Mention& mention, Code code, std::string_view why, std::string fix) {
    found_.push_back({.message = format("{}: {}", source_.text_of(ast_[mention.node].span), why),
                      .fix = std::move(fix),
                      .code = code,
                      .certain = false,
                      .offset = source_.byte_of(ast_[mention.node].span.begin)});
  }

  void look_at(const Mention& mention) {
    const KnownAttribute* attribute = attribute_of(mention);
    const bool capacity = has_capacity(mention);
    const std::string_view driver = mention.driver->name;
    if (mention.section == kAttributes) {
      if (attribute != nullptr) return look_at_use(mention, *attribute);
      if (capacity)
        return add(mention, Code::SelectorPathUnknown,
                   format("{} publishes it as a capacity", driver),
                   way_to(kCapacity, driver, mention.id));
      if (std::ranges::find(kStandardAttributes, mention.id) != kStandardAttributes.end())
        return add(mention, Code::SelectorPathUnknown,
                   format("{} publishes it under {}", driver, kStandardDomain),
                   way_to(kAttributes, kStandardDomain, mention.id));
    } else if (mention.section == kCapacity) {
      if (capacity) return;
      if (attribute != nullptr)
        return add(mention, Code::SelectorPathUnknown,
                   format("{} publishes it as an attribute", driver),
                   way_to(kAttributes, driver, mention.id));
    }
    look_for_near(mention);
  }

  void look_for_near(const Mention& mention) {
    std::vector<std::string_view> names;
    if (mention.section == kAttributes) {
      for (const KnownAttribute& attribute : mention.driver->attributes)
        names.push_back(attribute.name);
    } else {
      names.assign(mention.driver->capacities.begin(), mention.driver->capacities.end());
    }
    if (names.empty()) return;
    const std::string_view near = base::nearest(mention.id, names);
    add(mention, Code::SelectorPathUnknown,
        format("no release of {} that is known publishes it", mention.driver->name),
        near.empty()
            ? format("it publishes {}",
                     base::join(std::vector<std::string>(names.begin(), names.end()), ", "))
            : format("perhaps {}", way_to(mention.section, mention.driver->name, near)));
  }

  void look_at_use(const Mention& mention, const KnownAttribute& attribute) {
    const bool own =
        std::ranges::find(mention.driver->classes, device_class_) != mention.driver->classes.end();
    if (own && !attribute.only_class.empty() && attribute.only_class != device_class_ &&
        !is_guarded(mention))
      add(mention, Code::SelectorUnguarded,
          format("devices of {} have it, those of {} mostly do not, and where the scheduler comes "
                 "to one without it gives up on the whole pod",
                 attribute.only_class, device_class_),
          format("\"{}\" in device.attributes[\"{}\"] && {}", mention.id, mention.driver->name,
                 whole_behind_guard()));
    for (const NodeId id : nodes_) {
      look_at_comparison(mention, attribute, ast_[id]);
      look_at_call(mention, attribute, ast_[id]);
    }
  }

  // The expression, as the right side of &&.
  std::string whole_behind_guard() const {
    const cel::Node& root = ast_[ast_.root];
    const std::string text(source_.text_of(root.span));
    return root.name == cel::op::kOr || root.name == cel::op::kTernary ? format("({})", text)
                                                                       : text;
  }

  bool is_mentioned(const Mention& mention, NodeId id) const {
    const std::vector<std::string> steps{mention.section, std::string(mention.driver->name),
                                         mention.id};
    return path_of(ast_, id) == steps;
  }

  // `"a" in x`, where x is one text; x.startsWith("580") of a version.
  void look_at_call(const Mention& mention, const KnownAttribute& attribute,
                    const cel::Node& node) {
    if (node.kind != NodeKind::Call || node.args.size() != 2) return;
    const bool within = node.name == cel::op::kIn;
    const bool version = attribute.kind == AttributeKind::Version;
    const bool of_text =
        node.member && std::ranges::find(kTextFunctions, node.name) != kTextFunctions.end();
    if ((!within && !(version && of_text)) || !is_mentioned(mention, node.args[within ? 1 : 0]))
      return;
    const std::string way = way_to(kAttributes, mention.driver->name, mention.id);
    const NodeId other = node.args[within ? 0 : 1];
    const std::string* literal = text_of(ast_, other);
    const std::string begins =
        version && literal != nullptr ? cel::version_begins_with(way, *literal) : std::string();
    const std::string_view value = source_.text_of(ast_[other].span);
    add(mention, Code::SelectorPathUnknown,
        within ? "it is one value, and `in` needs a list"
               : format("it is a version, and {}() is for text", node.name),
        version                                   ? begins
        : attribute.kind == AttributeKind::String ? format("{}.contains({})", way, value)
                                                  : format("{} == {}", way, value));
  }

  // True if the expression tests for the attribute, or for the type of the device.
  bool is_guarded(const Mention& mention) const {
    return std::ranges::any_of(nodes_, [&](NodeId id) {
      const cel::Node& node = ast_[id];
      const bool optional = node.name == cel::op::kOptIndex || node.name == cel::op::kOptSelect;
      if (node.kind == NodeKind::Call && node.name == cel::op::kIn) {
        const std::string* key = text_of(ast_, node.args[0]);
        const auto map = path_of(ast_, node.args[1]);
        return key != nullptr && *key == mention.id && map && map->size() == 2;
      }
      const auto path = path_of(ast_, id);
      if (!path || path->size() != 3 || (*path)[1] != mention.driver->name) return false;
      return (*path)[2] == "type" || ((*path)[2] == mention.id && (node.presence || optional));
    });
  }

  void look_at_comparison(const Mention& mention, const KnownAttribute& attribute,
                          const cel::Node& node) {
    if (node.kind != NodeKind::Call || node.args.size() != 2 ||
        std::ranges::find(kComparisons, node.name) == kComparisons.end())
      return;
    for (const std::size_t side : {0U, 1U}) {
      const cel::Node& literal = ast_[node.args[1 - side]];
      if (literal.kind != NodeKind::Literal || !is_mentioned(mention, node.args[side])) continue;
      if (attribute.kind == AttributeKind::Version) {
        compare_version(mention, node, literal);
      } else {
        compare(mention, attribute, node, literal);
      }
    }
  }

  void compare(const Mention& mention, const KnownAttribute& attribute, const cel::Node& node,
               const cel::Node& literal) {
    const std::string* text = std::get_if<std::string>(&literal.literal);
    const bool number = std::holds_alternative<std::int64_t>(literal.literal);
    const bool is_text = attribute.kind == AttributeKind::String;
    if (is_text ? !number : text == nullptr) return;
    const std::string way = way_to(kAttributes, mention.driver->name, mention.id);
    const std::string_view sign = node.name == cel::op::kNotEquals ? "!=" : "==";
    if (is_text)
      return add(mention, Code::SelectorPathUnknown, "it is text, so it is never equal to a number",
                 format("{} {} \"{}\"", way, sign, source_.text_of(literal.span)));
    add(mention, Code::SelectorPathUnknown, "it is not text, so it is never equal to one",
        format("{} {} {}", way, sign, *text));
  }

  void compare_version(const Mention& mention, const cel::Node& node, const cel::Node& literal) {
    const std::string* text = std::get_if<std::string>(&literal.literal);
    const std::string written =
        text != nullptr ? *text : std::string(source_.text_of(literal.span));
    const auto near = cel::near_literals("semver", written);
    if (!cel::is_semver(written) && near.empty()) return;
    const std::string version = cel::is_semver(written) ? written : near.front();
    const std::string way = way_to(kAttributes, mention.driver->name, mention.id);
    const bool equality = node.name == cel::op::kEquals || node.name == cel::op::kNotEquals;
    const std::string sign = node.name.substr(1, node.name.size() - 2);  // of "_>=_"
    add(mention, Code::SelectorPathUnknown,
        text != nullptr ? "it is a version, which has no comparison with text"
                        : "it is a version, which has no comparison with a number",
        format(equality ? "{} {} semver(\"{}\")" : "{0}.compareTo(semver(\"{2}\")) {1} 0", way,
               sign, version));
  }

  const cel::Ast& ast_;
  const cel::Source& source_;
  std::string_view device_class_;
  std::vector<NodeId> nodes_;
  std::set<std::vector<std::string>> reported_;
  std::vector<SelectorLint> found_;
};

}  // namespace

std::vector<SelectorLint> mistaken_attributes(const engine::Selector& selector,
                                              std::string_view device_class) {
  if (selector.program() == nullptr) return {};
  return MistakeFinder(selector, device_class).run();
}

}  // namespace dra::checks
