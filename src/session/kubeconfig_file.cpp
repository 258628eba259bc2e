// src/session/kubeconfig_file.cpp: YAML trees to entries, field by field, with lines; then the
// merge.

#include "src/session/kubeconfig_file.h"

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "dra/base/files.h"
#include "dra/base/text.h"
#include "dra/json/value.h"
#include "dra/json/yaml.h"

namespace dra::session {
namespace {

// A kubeconfig with its certificates is some kilobytes per cluster; a device or a log named by
// mistake must not fill the memory.
constexpr std::size_t kMaxKubeconfigFile = std::size_t{8} << 20U;

template <class Entry>
struct TextField {
  std::string_view key;
  Text Entry::*member;
};

template <class Entry>
struct BoolField {
  std::string_view key;
  bool Entry::*member;
};

constexpr TextField<ClusterEntry> kClusterTexts[] = {
    {"certificate-authority", &ClusterEntry::certificate_authority},
    {"certificate-authority-data", &ClusterEntry::certificate_authority_data},
    {"proxy-url", &ClusterEntry::proxy_url},
    {"server", &ClusterEntry::server},
    {"tls-server-name", &ClusterEntry::tls_server_name},
};
constexpr BoolField<ClusterEntry> kClusterBools[] = {
    {"disable-compression", &ClusterEntry::disable_compression},
    {"insecure-skip-tls-verify", &ClusterEntry::insecure_skip_tls_verify},
};
constexpr TextField<UserEntry> kUserTexts[] = {
    {"client-certificate", &UserEntry::client_certificate},
    {"client-certificate-data", &UserEntry::client_certificate_data},
    {"client-key", &UserEntry::client_key},
    {"client-key-data", &UserEntry::client_key_data},
    {"password", &UserEntry::password},
    {"token", &UserEntry::token},
    {"tokenFile", &UserEntry::token_file},
    {"username", &UserEntry::username},
};
constexpr TextField<ExecEntry> kExecTexts[] = {
    {"apiVersion", &ExecEntry::api_version},
    {"command", &ExecEntry::command},
    {"installHint", &ExecEntry::install_hint},
    {"interactiveMode", &ExecEntry::interactive_mode},
};
constexpr BoolField<ExecEntry> kExecBools[] = {
    {"provideClusterInfo", &ExecEntry::provide_cluster_info},
};
constexpr TextField<ContextEntry> kContextTexts[] = {
    {"cluster", &ContextEntry::cluster},
    {"namespace", &ContextEntry::namespace_},
    {"user", &ContextEntry::user},
};

Error error_at(const json::Value& value, const std::string& problem) {
  const json::Position at = value.position();
  return {
      ErrorKind::BadInput, base::format("line {}, column {}: {}", at.line, at.column, problem), {}};
}

Error wrong_kind(const json::Value& value, std::string_view what, std::string_view wanted) {
  return error_at(value,
                  base::format("{} must be {}, not {}", what, wanted, json::name_of(value.kind())));
}

// The member. Null counts as absent, as in Go.
const json::Value* find_set(const json::Value& object, std::string_view key) {
  const json::Value* value = object.find(key);
  return value == nullptr || value->is(json::Kind::Null) ? nullptr : value;
}

Result<Text> text_of(const json::Value& object, std::string_view key) {
  const json::Value* value = find_set(object, key);
  if (value == nullptr) return Text{};
  if (!value->is(json::Kind::String)) return wrong_kind(*value, key, "text");
  return Text{value->text(), value->position().line};
}

template <class Entry, std::size_t kCount>
Result<Done> decode_texts(const json::Value& object, const TextField<Entry> (&fields)[kCount],
                          Entry& entry) {
  for (const TextField<Entry>& field : fields) {
    entry.*field.member = DRA_TRY(text_of(object, field.key));
  }
  return Done{};
}

template <class Entry, std::size_t kCount>
Result<Done> decode_bools(const json::Value& object, const BoolField<Entry> (&fields)[kCount],
                          Entry& entry) {
  for (const BoolField<Entry>& field : fields) {
    const json::Value* value = find_set(object, field.key);
    if (value == nullptr) continue;
    if (!value->is(json::Kind::Bool)) return wrong_kind(*value, field.key, "true or false");
    entry.*field.member = value->text() == "true";
  }
  return Done{};
}

// The member if it is set, and of that kind.
Result<const json::Value*> member_of(const json::Value& object, std::string_view key,
                                     json::Kind kind) {
  const json::Value* value = find_set(object, key);
  if (value != nullptr && !value->is(kind)) {
    return wrong_kind(*value, key, kind == json::Kind::Array ? "a list" : "an object");
  }
  return value;
}

Result<std::vector<std::string>> texts_of(const json::Value& object, std::string_view key) {
  std::vector<std::string> texts;
  const json::Value* list = DRA_TRY(member_of(object, key, json::Kind::Array));
  if (list == nullptr) return texts;
  for (const json::Value& item : list->items()) {
    if (!item.is(json::Kind::String)) {
      return wrong_kind(item, base::format("an entry of {}", key), "text");
    }
    texts.push_back(item.text());
  }
  return texts;
}

// The extension of that name, or null.
Result<json::Value> extension_of(const json::Value& object, std::string_view name) {
  const json::Value* list = DRA_TRY(member_of(object, "extensions", json::Kind::Array));
  if (list == nullptr) return json::Value();
  for (const json::Value& item : list->items()) {
    const json::Value* item_name = item.find("name");
    if (item_name == nullptr || item_name->text() != name) continue;
    const json::Value* extension = item.find("extension");
    return extension == nullptr ? json::Value() : *extension;
  }
  return json::Value();
}

Result<Done> decode(const json::Value& object, ClusterEntry& cluster) {
  DRA_TRY(decode_texts(object, kClusterTexts, cluster));
  DRA_TRY(decode_bools(object, kClusterBools, cluster));
  cluster.exec_config = DRA_TRY(extension_of(object, "client.authentication.k8s.io/exec"));
  return Done{};
}

Result<Done> decode_exec(const json::Value& user, ExecEntry& exec) {
  const json::Value* object = DRA_TRY(member_of(user, "exec", json::Kind::Object));
  if (object == nullptr) return Done{};
  exec.line = object->position().line;
  DRA_TRY(decode_texts(*object, kExecTexts, exec));
  DRA_TRY(decode_bools(*object, kExecBools, exec));
  exec.args = DRA_TRY(texts_of(*object, "args"));
  const json::Value* variables = DRA_TRY(member_of(*object, "env", json::Kind::Array));
  if (variables == nullptr) return Done{};
  for (const json::Value& item : variables->items()) {
    if (!item.is(json::Kind::Object)) return wrong_kind(item, "an entry of env", "an object");
    std::string name = DRA_TRY(text_of(item, "name")).text;
    std::string value = DRA_TRY(text_of(item, "value")).text;
    exec.env.emplace_back(std::move(name), std::move(value));
  }
  return Done{};
}

Result<Done> decode_act_as(const json::Value& user, ActAs& act_as) {
  act_as.user = DRA_TRY(text_of(user, "as"));
  act_as.uid = DRA_TRY(text_of(user, "as-uid"));
  act_as.groups = DRA_TRY(texts_of(user, "as-groups"));
  const json::Value* extra = DRA_TRY(member_of(user, "as-user-extra", json::Kind::Object));
  if (extra != nullptr) {
    for (const json::Member& member : extra->members()) {
      std::vector<std::string> values = DRA_TRY(texts_of(*extra, member.key));
      act_as.extra.emplace_back(member.key, std::move(values));
    }
  }
  for (const char* key : {"as-user-extra", "as-groups", "as-uid", "as"}) {
    const json::Value* value = find_set(user, key);
    if (value != nullptr) act_as.first = Text{key, value->position().line};
  }
  return Done{};
}

Result<Done> decode(const json::Value& object, UserEntry& user) {
  DRA_TRY(decode_texts(object, kUserTexts, user));
  DRA_TRY(decode_exec(object, user.exec));
  DRA_TRY(decode_act_as(object, user.act_as));
  const json::Value* provider = DRA_TRY(member_of(object, "auth-provider", json::Kind::Object));
  if (provider != nullptr) {
    const Text name = DRA_TRY(text_of(*provider, "name"));
    user.auth_provider = Text{name.text, provider->position().line};
  }
  return Done{};
}

Result<Done> decode(const json::Value& object, ContextEntry& context) {
  return decode_texts(object, kContextTexts, context);
}

// The list `plural` of {name, singular: {...}}. One name twice in a file is an error in clientcmd,
// too.
template <class Entry>
Result<std::vector<Entry>> decode_entries(const json::Value& root, std::string_view plural,
                                          std::string_view singular, const std::string& path) {
  std::vector<Entry> entries;
  std::unordered_set<std::string> names;
  const json::Value* list = DRA_TRY(member_of(root, plural, json::Kind::Array));
  if (list == nullptr) return entries;
  entries.reserve(list->items().size());
  for (const json::Value& item : list->items()) {
    if (!item.is(json::Kind::Object)) {
      return wrong_kind(item, base::format("an entry of {}", plural), "an object with a name");
    }
    Entry entry;
    entry.name = DRA_TRY(text_of(item, "name")).text;
    entry.file = path;
    const json::Value* object = DRA_TRY(member_of(item, singular, json::Kind::Object));
    if (object != nullptr) DRA_TRY(decode(*object, entry));
    if (!names.insert(entry.name).second) {
      return error_at(item, base::format("the {} {} is defined twice", singular, entry.name));
    }
    entries.push_back(std::move(entry));
  }
  return entries;
}

template <class Entry>
void merge_missing(std::vector<Entry>& into, std::vector<Entry> more) {
  if (into.empty()) {
    into = std::move(more);
    return;
  }
  std::unordered_set<std::string> names;
  for (const Entry& entry : into)
    names.insert(entry.name);
  for (Entry& entry : more) {
    if (names.insert(entry.name).second) into.push_back(std::move(entry));
  }
}

Result<Kubeconfig> read_kubeconfig(const std::string& path) {
  const std::string text =
      DRA_TRY(base::read_input(path, kMaxKubeconfigFile).context("kubeconfig"));
  return decode_kubeconfig(text, path).context("kubeconfig " + path);
}

// The first file that defines an entry wins: later files never add single fields to it.
Result<Kubeconfig> merge_files(const std::vector<std::string>& paths) {
  Kubeconfig merged;
  for (const std::string& path : paths) {
    Result<Kubeconfig> read = read_kubeconfig(path);
    if (!read.ok() && read.error().kind == ErrorKind::NotFound) {
      merged.missing.push_back(path);
      continue;
    }
    Kubeconfig file = DRA_TRY(std::move(read));
    merged.files.push_back(path);
    if (merged.current_context.empty()) merged.current_context = std::move(file.current_context);
    merge_missing(merged.clusters, std::move(file.clusters));
    merge_missing(merged.users, std::move(file.users));
    merge_missing(merged.contexts, std::move(file.contexts));
  }
  return merged;
}

std::vector<std::string> default_paths(const Environment& environment) {
  std::vector<std::string> paths;
  const std::string_view listed = environment.get("KUBECONFIG");
  for (const std::string_view path : base::split(listed, ':')) {
    if (path.empty() || std::find(paths.begin(), paths.end(), path) != paths.end()) continue;
    paths.emplace_back(path);
  }
  if (listed.empty() && !environment.get("HOME").empty()) {
    paths.push_back(base::join_path(environment.get("HOME"), ".kube/config"));
  }
  return paths;
}

}  // namespace

std::string place_of(const std::string& file, const Text& field, std::string_view flag) {
  return field.line == 0 ? base::format("--{}", flag)
                         : base::format("kubeconfig {}: line {}", file, field.line);
}

Result<Kubeconfig> decode_kubeconfig(std::string_view text, const std::string& path) {
  Kubeconfig config;
  const std::vector<json::Value> documents = DRA_TRY(json::parse_yaml(text));
  if (documents.empty()) return config;
  const json::Value& root = documents.front();
  if (!root.is(json::Kind::Object)) return wrong_kind(root, "a kubeconfig", "an object");
  const Text kind = DRA_TRY(text_of(root, "kind"));
  if (!kind.empty() && kind.text != "Config") {
    return Error{ErrorKind::BadInput,
                 base::format("line {}: this is a {}, not a kubeconfig (kind: Config)", kind.line,
                              kind.text),
                 {}};
  }
  const Text version = DRA_TRY(text_of(root, "apiVersion"));
  if (!version.empty() && version.text != "v1") {
    return Error{
        ErrorKind::BadInput,
        base::format("line {}: kubeconfigs have apiVersion v1, not {}", version.line, version.text),
        {}};
  }
  config.current_context = DRA_TRY(text_of(root, "current-context")).text;
  config.clusters = DRA_TRY(decode_entries<ClusterEntry>(root, "clusters", "cluster", path));
  config.users = DRA_TRY(decode_entries<UserEntry>(root, "users", "user", path));
  config.contexts = DRA_TRY(decode_entries<ContextEntry>(root, "contexts", "context", path));
  return config;
}

Result<Kubeconfig> load_kubeconfig(const std::string& flag, const Environment& environment) {
  if (flag.empty()) return merge_files(default_paths(environment));
  Result<Kubeconfig> config = merge_files({flag});
  if (config.ok() && !config.value().missing.empty()) {
    return Error{ErrorKind::NotFound,
                 base::format("there is no kubeconfig {}, which --kubeconfig names", flag),
                 "name an existing file, or omit --kubeconfig to use KUBECONFIG or "
                 "~/.kube/config"};
  }
  return config;
}

}  // namespace dra::session
