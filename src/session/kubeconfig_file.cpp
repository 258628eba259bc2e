// src/session/kubeconfig_file.cpp: see kubeconfig_file.h.

#include "src/session/kubeconfig_file.h"

#include <algorithm>
#include <utility>

#include "dra/base/files.h"
#include "dra/base/text.h"
#include "dra/json/value.h"
#include "dra/json/yaml.h"

namespace dra::session {
namespace {

// A kubeconfig with its certificates is some kilobytes per cluster; a device or a log named by
// mistake must not fill the memory.
constexpr std::size_t kMaxFile = std::size_t{16} << 20U;

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

// The member if it says something: null counts as not written, as in Go.
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

Result<Done> decode(const json::Value& object, ClusterEntry& cluster) {
  DRA_TRY(decode_texts(object, kClusterTexts, cluster));
  for (const BoolField<ClusterEntry>& field : kClusterBools) {
    const json::Value* value = find_set(object, field.key);
    if (value == nullptr) continue;
    if (!value->is(json::Kind::Bool)) return wrong_kind(*value, field.key, "true or false");
    cluster.*field.member = value->text() == "true";
  }
  return Done{};
}

// Anything set, whatever its type: only its presence counts. The text is `name` of an object, or
// the text itself.
Text presence_of(const json::Value& object, std::string_view key, std::string_view name) {
  const json::Value* value = find_set(object, key);
  if (value == nullptr) return {};
  const json::Value* named = value->find(name);
  return {named == nullptr ? value->text() : named->text(), value->position().line};
}

Result<Done> decode(const json::Value& object, UserEntry& user) {
  DRA_TRY(decode_texts(object, kUserTexts, user));
  user.exec_command = presence_of(object, "exec", "command");
  user.auth_provider = presence_of(object, "auth-provider", "name");
  for (const char* key : {"as-user-extra", "as-groups", "as-uid", "as"}) {
    Text found = presence_of(object, key, "");
    if (found.line != 0) user.impersonate = std::move(found);
  }
  return Done{};
}

Result<Done> decode(const json::Value& object, ContextEntry& context) {
  return decode_texts(object, kContextTexts, context);
}

template <class Entry>
const Entry* find_entry(const std::vector<Entry>& entries, std::string_view name) {
  const auto found = std::find_if(entries.begin(), entries.end(),
                                  [&](const Entry& entry) { return entry.name == name; });
  return found == entries.end() ? nullptr : &*found;
}

// The list `plural` of {name, singular: {...}}. One name twice in a file is an error in clientcmd,
// too.
template <class Entry>
Result<std::vector<Entry>> decode_entries(const json::Value& root, std::string_view plural,
                                          std::string_view singular, const std::string& path) {
  std::vector<Entry> entries;
  const json::Value* list = find_set(root, plural);
  if (list == nullptr) return entries;
  if (!list->is(json::Kind::Array)) return wrong_kind(*list, plural, "a list");
  for (const json::Value& item : list->items()) {
    if (!item.is(json::Kind::Object)) {
      return wrong_kind(item, base::format("an entry of {}", plural), "an object with a name");
    }
    Entry entry;
    entry.name = DRA_TRY(text_of(item, "name")).text;
    entry.file = path;
    const json::Value* object = find_set(item, singular);
    if (object != nullptr) {
      if (!object->is(json::Kind::Object)) return wrong_kind(*object, singular, "an object");
      DRA_TRY(decode(*object, entry));
    }
    if (find_entry(entries, entry.name) != nullptr) {
      return error_at(item, base::format("the {} {} is defined twice", singular, entry.name));
    }
    entries.push_back(std::move(entry));
  }
  return entries;
}

template <class Entry>
void merge_missing(std::vector<Entry>& into, std::vector<Entry> more) {
  for (Entry& entry : more) {
    if (find_entry(into, entry.name) == nullptr) into.push_back(std::move(entry));
  }
}

Result<Kubeconfig> read_kubeconfig(const std::string& path) {
  const std::string text = DRA_TRY(base::read_file(path, kMaxFile).context("kubeconfig"));
  return decode_kubeconfig(text, path).context("kubeconfig " + path);
}

// The first file that defines an entry wins, whole: later files never fill in single fields of it.
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
                 "name an existing file, or leave --kubeconfig away to use KUBECONFIG or "
                 "~/.kube/config"};
  }
  return config;
}

}  // namespace dra::session
