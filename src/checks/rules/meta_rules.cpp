// src/checks/rules/meta_rules.cpp: rules for metadata and node selectors. Upstream:
// k8s.io/apimachinery/pkg/api/validation, objectmeta.go;
// k8s.io/kubernetes/pkg/apis/core/validation, ValidateObjectMeta, ValidateTemplateObjectMeta,
// ValidateNodeSelector.

#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "dra/api/kinds.h"
#include "dra/base/names.h"
#include "dra/base/text.h"
#include "dra/cel/values/go_text.h"
#include "dra/checks/rules/rules.h"
#include "dra/json/parse.h"
#include "src/checks/rules/names.h"

namespace dra::checks {
namespace {

using base::format;

constexpr std::size_t kMaxAnnotations = 262'144;  // bytes of all names and values
constexpr std::size_t kMaxManager = 128;          // bytes
constexpr std::size_t kMaxSubresource = 256;      // bytes
// k8s.io/apiserver/pkg/storage/names: the bytes of generateName that a name keeps, and the bytes
// that it gets added.
constexpr std::size_t kGeneratedBase = 58;
constexpr std::string_view kGeneratedEnd = "xxxxx";

void check_labels(const Field& labels) {
  for (const auto& [name, value] : labels.entries()) {
    if (!base::is_label_key(name))
      labels.reported_at_key(name).error(
          ErrorType::Invalid,
          format("\"{}\" is not a valid label key: at most 63 letters, digits, \"-\", "
                 "\"_\" and \".\", and before it a DNS name and \"/\" if wanted",
                 base::shorten_middle(name, 60)));
    if (!base::is_label_value(value.text()))
      labels.reported_at_key(name).error(
          ErrorType::Invalid,
          format("\"{}\", the value of {}, is not a valid label value: at most 63 letters, digits, "
                 "\"-\", \"_\" and \".\", with a letter or digit at both ends",
                 base::shorten_middle(value.text(), 60), base::shorten_middle(name, 60)));
  }
}

void check_annotations(const Field& annotations) {
  std::size_t bytes = 0;
  for (const auto& [name, value] : annotations.entries()) {
    bytes += name.size() + value.text().size();
    if (!base::is_label_key(base::lower(name)))
      annotations.reported_at_key(name).error(
          ErrorType::Invalid,
          format("\"{}\" is not a valid annotation name: at most 63 letters, digits, \"-\", \"_\" "
                 "and \".\", and before it a DNS name and \"/\" if wanted",
                 base::shorten_middle(name, 60)));
  }
  if (bytes > kMaxAnnotations)
    annotations.error(ErrorType::TooLong,
                      format("all annotations together are {} bytes; at most {} are allowed", bytes,
                             kMaxAnnotations));
}

void check_required(const Field& field, std::string_view what) {
  if (field.is_blank()) field.error(ErrorType::Required, format("{} is missing", what));
}

bool same_owner(const Field& a, const Field& b) {
  constexpr std::array<std::string_view, 4> words = {"uid", "name", "kind", "apiVersion"};
  constexpr std::array<std::string_view, 2> flags = {"controller", "blockOwnerDeletion"};
  const auto same_word = [&](auto name) { return a.child(name).text() == b.child(name).text(); };
  const auto same_flag = [&](auto name) {
    return a.child(name).boolean() == b.child(name).boolean();
  };
  return std::ranges::all_of(words, same_word) && std::ranges::all_of(flags, same_flag);
}

void check_owners(const Field& owners) {
  std::size_t controllers = 0;
  std::vector<Field> seen;
  for (const Field& owner : owners.items()) {
    // The server removes duplicate owners before it checks any.
    if (std::ranges::any_of(seen, [&](const Field& one) { return same_owner(one, owner); }))
      continue;
    seen.push_back(owner);
    const Field version = owner.child("apiVersion");
    check_required(version, "the owner's apiVersion");
    const auto parts = base::split(version.text(), '/');
    if (!version.is_blank() && (parts.size() > 2 || parts.back().empty()))
      version.error(ErrorType::Invalid, "must be GROUP/VERSION, or VERSION for the core group");
    check_required(owner.child("kind"), "the owner's kind");
    check_required(owner.child("name"), "the owner's name");
    check_required(owner.child("uid"), "the owner's uid");
    if (version.text() == "v1" && owner.child("kind").text() == "Event")
      owner.error(ErrorType::Invalid, "an Event cannot own objects");
    if (owner.child("controller").is_true() && ++controllers > 1)
      owners.error(ErrorType::Invalid, "only one owner can be the controller");
  }
}

void check_finalizers(const Field& finalizers) {
  constexpr std::array<std::string_view, 3> standard = {"kubernetes", "orphan",
                                                        "foregroundDeletion"};
  bool orphan = false;
  bool foreground = false;
  for (const Field& finalizer : finalizers.items()) {
    const std::string_view name = finalizer.text();
    if (!base::is_label_key(name))
      finalizers.error(ErrorType::Invalid,
                       format("\"{}\" is not a valid finalizer: write domain/name",
                              base::shorten_middle(name, 60)));
    const bool plain = name.find('/') == std::string_view::npos;
    if (plain && std::ranges::find(standard, name) == standard.end())
      finalizer.error(ErrorType::Invalid,
                      "must be domain/name, or a finalizer of Kubernetes itself");
    orphan |= name == "orphan";
    foreground |= name == "foregroundDeletion";
  }
  if (orphan && foreground)
    finalizers.error(ErrorType::Invalid, "orphan and foregroundDeletion exclude each other");
}

// "f:name", "v:VALUE", "k:{...}", "i:0" and "."; unknown kinds of elements are valid. Upstream:
// sigs.k8s.io/structured-merge-diff, fieldpath.DeserializePathElement.
bool is_path_element(std::string_view key) {
  if (key == ".") return true;
  if (key.size() < 2 || key[1] != ':') return false;
  const std::string_view rest = key.substr(2);
  if (key[0] == 'i')
    return !rest.empty() && rest.find_first_not_of("-+0123456789") == std::string_view::npos;
  if (key[0] != 'v' && key[0] != 'k') return true;
  const auto list = json::parse_json(format("[{}]", rest));
  if (!list.ok() || list.value().items().size() != 1) return false;
  return key[0] == 'v' || list.value().items().front().is(json::Kind::Object);
}

bool is_field_set(const json::Value& fields) {
  if (fields.is(json::Kind::Null)) return true;
  return fields.is(json::Kind::Object) &&
         std::ranges::all_of(fields.members(), [](const json::Member& member) {
           return is_path_element(member.key) && (member.key == "." || is_field_set(member.value));
         });
}

bool is_readable(const Field& entry) {
  const std::string_view operation = entry.child("operation").text();
  const json::Value* fields = entry.child("fieldsV1").value();
  return (operation == "Apply" || operation == "Update") &&
         !entry.child("apiVersion").text().empty() &&
         entry.child("fieldsType").text() == "FieldsV1" &&
         (fields == nullptr || is_field_set(*fields));
}

bool is_nothing(const json::Value* fields) {
  return fields == nullptr || fields->is(json::Kind::Null) || fields->members().empty();
}

// True for different owners with one uid, and for duplicate finalizers: the server cannot convert
// an object with such lists between versions field by field.
bool has_doubles(const Field& metadata) {
  const std::vector<Field> owners = metadata.child("ownerReferences").items();
  for (std::size_t i = 0; i < owners.size(); ++i) {
    for (std::size_t k = 0; k < i; ++k) {
      const bool one_uid = owners[i].child("uid").text() == owners[k].child("uid").text();
      if (one_uid && !same_owner(owners[i], owners[k])) return true;
    }
  }
  std::set<std::string_view> finalizers;
  return !std::ranges::all_of(metadata.child("finalizers").items(), [&](const Field& one) {
    return finalizers.insert(one.text()).second;
  });
}

void check_bytes(const Field& text, std::size_t most) {
  if (text.text().size() > most)
    text.error(ErrorType::TooLong, format("at most {} bytes are allowed", most));
}

// Checks the managed fields that the server keeps. If it cannot read one, or cannot convert the
// object to the version of one, it drops them all. It drops a single one without fields, or with a
// version that the object does not have. Whether the server serves older versions than the object's
// is not known; then there is no finding. Upstream:
// k8s.io/apimachinery/pkg/util/managedfields/internal, DecodeManagedFields and
// FieldManager.UpdateNoErrors; k8s.io/apimachinery/pkg/apis/meta/v1/validation,
// ValidateManagedFields; sigs.k8s.io/structured-merge-diff/merge.Updater.
void check_managed_fields(const Field& metadata) {
  const std::vector<Field> entries = metadata.child("managedFields").items();
  const std::string_view own = metadata.checking().api_version;
  const std::string newest = format("{}/v1", api::kDraGroup);
  if (!std::ranges::all_of(entries, is_readable)) return;
  std::vector<Field> kept;
  for (const Field& entry : entries) {
    const std::string_view version = entry.child("apiVersion").text();
    if (std::ranges::count(version, '/') > 1) return;
    if (is_nothing(entry.child("fieldsV1").value())) continue;
    const bool converted = version != own && version == newest && own.starts_with(api::kDraGroup);
    if (converted && has_doubles(metadata)) return;
    if (version == own || converted) kept.push_back(entry);
  }
  for (const Field& entry : kept) {
    const Field manager = entry.child("manager");
    check_bytes(manager, kMaxManager);
    if (!cel::go_prints(manager.text()))
      manager.error(ErrorType::Invalid, "has a character that cannot be seen");
    check_bytes(entry.child("subresource"), kMaxSubresource);
  }
}

// A prefix may end with a dash, as more characters follow. Upstream: maskTrailingDash.
std::string as_whole(std::string_view prefix) {
  if (prefix.size() < 2 || !prefix.ends_with('-')) return std::string(prefix);
  return std::string(prefix.substr(0, prefix.size() - 2)) + "a";
}

void check_name(const Field& field, std::string_view name) {
  if (name.size() > base::kMaxDnsSubdomain)
    field.error(ErrorType::Invalid, format("is {} bytes long; at most {} are allowed", name.size(),
                                           base::kMaxDnsSubdomain));
  if (base::has_dns_subdomain_form(name)) return;
  std::string small = base::lower(name);
  if (field.text() != name || !base::is_dns_subdomain(small)) small.clear();
  field.error(ErrorType::Invalid,
              format("\"{}\" is not a valid object name: small letters, digits, \"-\" and \".\", "
                     "with a letter or digit at both ends",
                     base::shorten_middle(name, 60)),
              Rule::Written, std::move(small));
}

void check_names(const Field& metadata, bool judges_prefix) {
  const Field name = metadata.child("name");
  const Field prefix = metadata.child("generateName");
  const bool made = name.is_blank() && !prefix.text().empty();
  if (!prefix.text().empty() && judges_prefix) check_name(prefix, as_whole(prefix.text()));
  if (made) {
    check_name(name,
               std::string(prefix.text().substr(0, kGeneratedBase)) + std::string(kGeneratedEnd));
  } else if (name.is_blank()) {
    name.error(ErrorType::Required, "a name is missing; generateName lets the server make one");
  } else if (name.is_text()) {
    check_name(name, name.text());
  }
}

// The name cannot differ, as it found the update target. For every kind the server checks that
// generateName can be part of a URL (validatePathSegment).
void check_kept_names(const Field& metadata, bool judges_prefix) {
  const Field prefix = metadata.child("generateName");
  if (prefix.text().empty()) return;
  if (judges_prefix) return check_name(prefix, as_whole(prefix.text()));
  check_path_segment(prefix);
}

void check_requirement(const Field& requirement, bool of_fields) {
  const Field op = requirement.child("operator");
  const Field key = requirement.child("key");
  const Field values = requirement.child("values");
  const std::string_view name = op.text();
  const bool compares = name == "In" || name == "NotIn";
  if (of_fields) {
    if (!compares) {
      op.error(ErrorType::Invalid, "must be In or NotIn for a field of the node");
    } else if (values.size() != 1) {
      values.error(ErrorType::Required, "exactly one value belongs here");
    }
    if (key.text() != "metadata.name") {
      key.error(ErrorType::Invalid,
                "metadata.name is the only field of nodes that can be selected");
      return;
    }
    for (const Field& value : values.items())
      check_node_name(value);
    return;
  }
  if (compares) {
    if (values.size() == 0) values.error(ErrorType::Required, format("{} wants values", name));
  } else if (name == "Exists" || name == "DoesNotExist") {
    if (values.size() > 0)
      values.error(ErrorType::Forbidden, format("{} does not accept values", name));
  } else if (name == "Gt" || name == "Lt") {
    if (values.size() != 1)
      values.error(ErrorType::Required, format("{} wants exactly one value", name));
  } else {
    op.error(ErrorType::Invalid, "must be In, NotIn, Exists, DoesNotExist, Gt or Lt");
  }
  check_label_key(key);
  for (const Field& value : values.items())
    check_label_value(value);
}

}  // namespace

void check_metadata(const Field& metadata, const MetadataRule& rule) {
  const bool update = metadata.checking().update_target != nullptr;
  if (update) {
    check_kept_names(metadata, rule.judges_prefix_on_update);
    check_metadata_update(metadata, rule.wants_state);
  } else {
    check_names(metadata, rule.judges_prefix);
    const Field generation = metadata.child("generation");
    if (rule.keeps_generation && generation.integer().value_or(0) < 0)
      generation.error(ErrorType::Invalid, "must not be negative");
  }
  check_labels(metadata.child("labels"));
  check_annotations(metadata.child("annotations"));
  check_owners(metadata.child("ownerReferences"));
  check_finalizers(metadata.child("finalizers"));
  check_managed_fields(metadata);
}

void check_path_segment(const Field& prefix) {
  const auto& findings = prefix.checking().findings;
  const bool refused = std::ranges::any_of(findings, [](const ManifestFinding& finding) {
    return finding.severity == Severity::Error && finding.phase == Phase::Validate;
  });
  for (const char c : {'/', '%'}) {
    if (!refused && prefix.text().find(c) != std::string_view::npos)
      prefix.error(ErrorType::Invalid, format("must not hold \"{}\"", std::string(1, c)));
  }
}

// Only labels and annotations may be set. In its path of `uid` the server writes Go's field name
// with a lower-case first letter.
void check_template_metadata(const Field& metadata) {
  check_labels(metadata.child("labels"));
  check_annotations(metadata.child("annotations"));
  for (const auto& [name, unused] : metadata.entries()) {
    const Field field = metadata.child(name);
    // Go distinguishes a number 0 from an absent one only in a pointer.
    const bool zero = name == "generation" && field.integer() == 0;
    const bool set = field.present() && !field.is_blank() && !zero;
    if (!set || name == "labels" || name == "annotations") continue;
    metadata.child(name == "uid" ? std::string_view("uID") : name)
        .error(
            ErrorType::Forbidden,
            "what is made from a template takes labels and annotations from it, and nothing else");
  }
}

void check_node_selector(const Field& selector) {
  const Field terms = selector.child("nodeSelectorTerms");
  if (terms.size() == 0) {
    terms.error(ErrorType::Required, "at least one term is needed");
    return;
  }
  for (const Field& term : terms.items()) {
    for (const Field& requirement : term.child("matchExpressions").items())
      check_requirement(requirement, false);
    for (const Field& requirement : term.child("matchFields").items())
      check_requirement(requirement, true);
  }
}

}  // namespace dra::checks
