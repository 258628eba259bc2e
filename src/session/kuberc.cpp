// src/session/kuberc.cpp: finds the file, reads the first document that kubectl could use, and
// checks plugins against its policy.

#include "src/session/kuberc.h"

#include <algorithm>
#include <optional>
#include <set>
#include <span>
#include <utility>

#include "dra/base/files.h"
#include "dra/base/text.h"
#include "dra/json/value.h"
#include "dra/json/yaml.h"
#include "src/session/process.h"

namespace dra::session {
namespace {

constexpr std::size_t kMaxKubercFile = std::size_t{1} << 20U;
constexpr std::string_view kGroup = "kubectl.config.k8s.io/";
constexpr std::string_view kPolicyKey = "credentialPluginPolicy";
constexpr std::string_view kListKey = "credentialPluginAllowlist";

constexpr std::string_view kOldFields[] = {"apiVersion", "kind", "overrides", "aliases"};
constexpr std::string_view kFields[] = {"apiVersion", "kind",     "defaults",
                                        "aliases",    kPolicyKey, kListKey};
constexpr std::string_view kEntryFields[] = {"name", "command"};

struct Place {
  std::string path = {};  // empty: there is none to read
  bool named = false;     // by a flag or a variable
};

Result<Place> place_of_file(const std::string& flag, const Environment& environment) {
  const std::string_view variable = environment.get("KUBERC");
  if (base::lower(environment.get("KUBECTL_KUBERC")) == "false") return Place{};
  if (variable == "off") {
    if (flag.empty()) return Place{};
    return Error{ErrorKind::BadInput, "--kuberc names a file, but KUBERC=off says to use none",
                 "leave one of the two away"};
  }
  if (!flag.empty()) return Place{flag, true};
  if (!variable.empty()) return Place{std::string(variable), true};
  const std::string_view home = environment.get("HOME");
  if (home.empty()) return Place{};
  return Place{base::join_path(home, ".kube/kuberc"), false};
}

// Each document by itself, because kubectl goes on after one that it cannot read. A line such as
// `--- x` is an error of the whole file for kubectl; here only that document is lost.
std::vector<std::string> documents_of(std::string_view text) {
  std::vector<std::string> documents(1);
  for (const std::string_view line : base::split(text, '\n')) {
    const std::string_view after = line.starts_with("---") ? base::trim(line.substr(3)) : "-";
    if (after.empty() || after.starts_with('#')) {
      documents.emplace_back();
    } else {
      documents.back().append(line).append("\n");
    }
  }
  std::erase_if(documents,
                [](const std::string& document) { return base::trim(document).empty(); });
  return documents;
}

void note_unknown_fields(const json::Value& object, std::span<const std::string_view> known,
                         PluginPolicy& policy) {
  std::set<std::string_view> seen;
  for (const json::Member& member : object.members()) {
    const bool is_known = std::ranges::find(known, member.key) != known.end();
    const bool twice = !seen.insert(member.key).second;
    if (is_known && !twice) continue;
    policy.warnings.push_back(base::format(
        twice ? "the field {} is there twice: the last counts" : "the unknown field {} is ignored",
        member.key));
  }
}

// The text of a member, empty if it is absent. No value: it is no text.
std::optional<std::string> text_member(const json::Value& object, std::string_view key) {
  const json::Value* value = object.find(key);
  if (value == nullptr || value->is(json::Kind::Null)) return std::string();
  if (!value->is(json::Kind::String)) return std::nullopt;
  return value->text();
}

// `name` is the older word for `command`. No value: the entry cannot be understood.
std::optional<std::string> read_entry(const json::Value& entry, PluginPolicy& policy) {
  if (entry.is(json::Kind::Null)) return std::string();
  if (!entry.is(json::Kind::Object)) return std::nullopt;
  note_unknown_fields(entry, kEntryFields, policy);
  std::optional<std::string> name = text_member(entry, "name");
  std::optional<std::string> command = text_member(entry, "command");
  if (!name || !command) return std::nullopt;
  if (name->empty() || command->empty()) return *name + *command;
  return *name == *command ? command : std::nullopt;
}

// A document as it is written, before its policy is checked.
struct Preference {
  PluginPolicy policy = {};
  std::string rule = {};
  bool has_list = false;
};

// No value: kubectl could not use the document. Mistakes in aliases and defaults are ignored: for
// them kubectl would run every plugin, while here the policy still counts.
std::optional<Preference> read_preference(const std::string& text) {
  const Result<std::vector<json::Value>> parsed = json::parse_yaml(text);
  if (!parsed.ok() || parsed.value().size() != 1) return std::nullopt;
  const json::Value& root = parsed.value().front();
  if (!root.is(json::Kind::Object)) return std::nullopt;
  const std::string version = text_member(root, "apiVersion").value_or("");
  if (text_member(root, "kind").value_or("") != "Preference" || !version.starts_with(kGroup)) {
    return std::nullopt;
  }
  Preference preference;
  if (version.substr(kGroup.size()) == "v1alpha1") {  // had no policy yet
    note_unknown_fields(root, kOldFields, preference.policy);
    return preference;
  }
  if (version.substr(kGroup.size()) != "v1beta1") return std::nullopt;
  note_unknown_fields(root, kFields, preference.policy);
  std::optional<std::string> rule = text_member(root, kPolicyKey);
  if (!rule) return std::nullopt;
  preference.rule = *std::move(rule);
  const json::Value* list = root.find(kListKey);
  if (list == nullptr || list->is(json::Kind::Null)) return preference;
  if (!list->is(json::Kind::Array)) return std::nullopt;
  preference.has_list = true;
  for (const json::Value& item : list->items()) {
    std::optional<std::string> entry = read_entry(item, preference.policy);
    if (!entry) return std::nullopt;
    preference.policy.allowlist.push_back(*std::move(entry));
  }
  return preference;
}

Error bad_policy(std::string problem, std::string hint) {
  return {ErrorKind::BadInput, std::move(problem), std::move(hint)};
}

// A contradictory policy is refused, not guessed at (client-go's ValidatePluginPolicy).
Result<Done> check_list(const Preference& preference) {
  if (!preference.has_list) {
    return bad_policy(base::format("{} is Allowlist, but there is no {}", kPolicyKey, kListKey),
                      "list the programs that can run, each as `- command: NAME`");
  }
  if (preference.policy.allowlist.empty()) {
    return bad_policy(base::format("{} is Allowlist, but {} is empty", kPolicyKey, kListKey),
                      base::format("write {}: DenyAll to let none run", kPolicyKey));
  }
  std::size_t number = 0;
  for (const std::string& entry : preference.policy.allowlist) {
    ++number;
    if (entry.empty()) {
      return bad_policy(base::format("entry {} of {} has no command", number, kListKey),
                        "name a program, or remove the entry");
    }
    const std::string clean = base::clean_path(entry);
    if (clean != entry) {
      return bad_policy(
          base::format("entry {} of {} is not a clean path: {}", number, kListKey, entry),
          base::format("write {}", clean));
    }
  }
  return Done{};
}

Result<PluginPolicy> judged(Preference preference) {
  PluginPolicy& policy = preference.policy;
  if (preference.rule == "Allowlist") {
    DRA_TRY(check_list(preference));
    policy.rule = PluginRule::Allowlist;
    return std::move(policy);
  }
  if (preference.rule == "DenyAll") {
    policy.rule = PluginRule::DenyAll;
  } else if (!preference.rule.empty() && preference.rule != "AllowAll") {
    return bad_policy(base::format("the {} {} is unknown", kPolicyKey, preference.rule),
                      "it is AllowAll, DenyAll or Allowlist");
  }
  if (preference.has_list) {
    return bad_policy(base::format("{} is there, but {} is not Allowlist", kListKey, kPolicyKey),
                      base::format("write {}: Allowlist, or remove the list", kPolicyKey));
  }
  return std::move(policy);
}

Error unreadable() {
  return {ErrorKind::BadInput,
          "it holds no Preference of kubectl.config.k8s.io/v1beta1 or v1alpha1",
          "KUBERC=off does without it"};
}

// The first document that can be used. No value: the file has no documents.
Result<std::optional<Preference>> read_preferences(std::string_view text) {
  const std::vector<std::string> documents = documents_of(text);
  for (const std::string& document : documents) {
    std::optional<Preference> preference = read_preference(document);
    if (preference) return preference;
  }
  if (!documents.empty()) return unreadable();
  return std::optional<Preference>();
}

Result<std::optional<Preference>> read_file(const std::string& path) {
  return read_preferences(DRA_TRY(base::read_file(path, kMaxKubercFile)));
}

std::string base_name(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return std::string(slash == std::string_view::npos ? path : path.substr(slash + 1));
}

// An entry names the program as configured, or resolves to the same path.
bool is_listed(const PluginPolicy& policy, const std::string& command,
               const Result<std::string>& found, std::string_view search_path) {
  return std::ranges::any_of(policy.allowlist, [&](const std::string& entry) {
    if (entry == command) return true;
    if (!found.ok()) return false;
    if (entry == found.value()) return true;
    if (base_name(entry) != base_name(found.value())) return false;
    const Result<std::string> entry_found = find_program(entry, search_path);
    return entry_found.ok() && entry_found.value() == found.value();
  });
}

}  // namespace

Result<PluginPolicy> decode_plugin_policy(std::string_view text) {
  std::optional<Preference> preference = DRA_TRY(read_preferences(text));
  if (!preference) return PluginPolicy{};
  return judged(*std::move(preference));
}

Result<PluginPolicy> load_plugin_policy(const std::string& flag, const Environment& environment) {
  const Place place = DRA_TRY(place_of_file(flag, environment));
  if (place.path.empty()) return PluginPolicy{};
  const std::string context = "kuberc " + place.path;
  Result<std::optional<Preference>> read = read_file(place.path);
  if (!read.ok() && !place.named) {
    PluginPolicy policy;
    if (read.error().kind != ErrorKind::NotFound) {
      policy.warnings.push_back(base::format("{} is not used: {}", context, read.error().message));
    }
    return policy;
  }
  std::optional<Preference> preference = DRA_TRY(std::move(read).context(context));
  if (!preference) return PluginPolicy{};
  Result<PluginPolicy> result = judged(*std::move(preference));
  PluginPolicy policy = DRA_TRY(std::move(result).context(context));
  policy.file = place.path;
  for (std::string& warning : policy.warnings)
    warning.insert(0, context + ": ");
  return policy;
}

Result<Done> check_plugin(const PluginPolicy& policy, const std::string& command,
                          const Result<std::string>& found, std::string_view search_path) {
  if (policy.rule == PluginRule::AllowAll) return Done{};
  if (policy.rule == PluginRule::DenyAll) {
    return Error{
        ErrorKind::BadInput,
        base::format("the credential plugin {} is not allowed to run: kuberc {} says {}: DenyAll",
                     command, policy.file, kPolicyKey),
        "use a token or a certificate instead, or change the policy if you trust the "
        "program"};
  }
  if (is_listed(policy, command, found, search_path)) return Done{};
  return Error{
      ErrorKind::BadInput,
      base::format("the credential plugin {} is not allowed to run: kuberc {} says {}: Allowlist, "
                   "and no entry of {} is that program",
                   found.ok() ? found.value() : command, policy.file, kPolicyKey, kListKey),
      base::format("add `- command: {}` to the list if you trust the program", command)};
}

}  // namespace dra::session
