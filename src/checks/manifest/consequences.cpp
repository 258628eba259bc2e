// src/checks/manifest/consequences.cpp: see consequences.h. Findings of the decoder are causes,
// those of the rules may follow from them. A key that stands twice is no cause: the server judges
// the last of them, and so do the rules.

#include "src/checks/manifest/consequences.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>

#include "dra/diag/codes.h"

namespace dra::checks {
namespace {

using json::Value;

bool is_at_or_below(std::string_view path, std::string_view above) {
  if (!path.starts_with(above)) return false;
  return path.size() == above.size() || path[above.size()] == '.' || path[above.size()] == '[';
}

// "spec", "devices", "[0]"; the names of maps are in brackets, too.
std::vector<std::string_view> steps_of(std::string_view path) {
  std::vector<std::string_view> steps;
  while (!path.empty()) {
    if (path.front() == '.') path.remove_prefix(1);
    const bool bracket = path.starts_with('[');
    const std::size_t end = bracket ? std::min(path.find(']'), path.size() - 1) + 1
                                    : std::min(path.find_first_of(".["), path.size());
    steps.push_back(path.substr(0, end));
    path.remove_prefix(end);
  }
  return steps;
}

const Value* step_below(const Value& value, std::string_view step) {
  if (!step.starts_with('[')) return value.find(step);
  const std::string_view inside = step.substr(1, step.size() - 2);
  if (!value.is(json::Kind::Array)) return value.find(inside);
  std::size_t index = 0;
  for (const char c : inside)
    index = index * 10 + static_cast<std::size_t>(c - '0');
  return index < value.items().size() ? &value.items()[index] : nullptr;
}

// The steps of the path from the first on that the object does not have.
std::vector<std::string_view> absent_steps(const Value& object, std::string_view path) {
  std::vector<std::string_view> steps = steps_of(path);
  const Value* value = &object;
  const auto absent = std::ranges::find_if(steps, [&value](std::string_view step) {
    value = step_below(*value, step);
    return value == nullptr || value->is(json::Kind::Null);
  });
  steps.erase(steps.begin(), absent);
  return steps;
}

std::string_view last_step(std::string_view path) {
  return path.substr(std::min(path.rfind('.') + 1, path.size()));
}

bool is_code(const ManifestFinding& finding, diag::Code code) {
  return finding.code == diag::name_of(code);
}

bool is_of_decoder(const ManifestFinding& finding) {
  return finding.code == "Decode" || finding.code == "UnknownField";
}

// A reference from one part of an object into another: it cannot be judged if the other part, or
// what lies around it, could not be read.
bool is_broken_reference(const ManifestFinding& finding, const ManifestFinding& cause) {
  const auto has = [](std::string_view path, std::string_view part) {
    return path.find(part) != std::string_view::npos;
  };
  if (is_code(finding, diag::Code::ClaimUnused))
    return is_of_decoder(cause) ||
           (cause.code == "Forbidden" && cause.path.ends_with("resources.claims"));
  if (!is_of_decoder(cause)) return false;
  if (finding.code == "NotFound" && has(finding.path, ".resources.claims["))
    return has(cause.path, "resourceClaim");
  const bool names_request = finding.code == "Invalid" && has(finding.path, ".requests[") &&
                             (has(finding.path, ".constraints[") || has(finding.path, ".config["));
  if (!names_request || !has(cause.path, "devices.requests")) return false;
  const std::string_view step = last_step(cause.path);
  return step == "name" || step.starts_with("requests") || step.starts_with("firstAvailable");
}

// An object lacks one of several fields, and has an unknown one, which may be meant for it.
bool is_instead(const ManifestFinding& finding, const ManifestFinding& cause) {
  const bool lacks = finding.severity == Severity::Error &&
                     finding.message.find(" is missing") != std::string::npos;
  const std::string_view object =
      std::string_view(cause.path).substr(0, std::min(cause.path.rfind('.'), cause.path.size()));
  return lacks && cause.code == "UnknownField" && finding.path == object;
}

// What `finding` is about is missing where `cause` found it in another place.
bool is_misplaced(const ManifestFinding& finding, const ManifestFinding& cause,
                  const Value& object) {
  if (cause.code != "UnknownField" || finding.severity != Severity::Error) return false;
  const auto absent = absent_steps(object, finding.path);
  return std::ranges::find(absent, last_step(cause.path)) != absent.end();
}

bool follows(const ManifestFinding& finding, const ManifestFinding& cause, const Value& object) {
  if (is_broken_reference(finding, cause) || is_instead(finding, cause) ||
      is_misplaced(finding, cause, object))
    return true;
  if (cause.code != "Decode") return false;
  const std::string_view list = std::string_view(cause.path).substr(0, cause.path.rfind('['));
  return is_at_or_below(finding.path, cause.path) ||
         (cause.path.ends_with(']') && finding.path == list);
}

}  // namespace

void drop_consequences(const Value& object, std::vector<ManifestFinding>& findings) {
  const std::vector<ManifestFinding> causes = [&findings] {
    std::vector<ManifestFinding> errors;
    std::ranges::copy_if(findings, std::back_inserter(errors), [](const ManifestFinding& finding) {
      return is_of_decoder(finding) || finding.code == "Forbidden";
    });
    return errors;
  }();
  if (causes.empty()) return;
  std::erase_if(findings, [&](const ManifestFinding& finding) {
    return finding.phase == Phase::Validate && !is_of_decoder(finding) &&
           !is_code(finding, diag::Code::DuplicateField) &&
           std::ranges::any_of(causes, [&](const ManifestFinding& cause) {
             return follows(finding, cause, object);
           });
  });
}

}  // namespace dra::checks
