// tests/session/kuberc_test.cpp

#include "src/session/kuberc.h"

#include <doctest/doctest.h>

#include <string>

#include "src/session/process.h"
#include "tests/session/kubeconfig_text.h"
#include "tests/support/files.h"
#include "tests/support/temp_dir.h"

namespace dra::session::kuberc_test {
namespace {

const std::string kBeta = "apiVersion: kubectl.config.k8s.io/v1beta1\nkind: Preference\n";
const std::string kDeny = kBeta + "credentialPluginPolicy: DenyAll\n";
const std::string kAllowlist = kBeta + "credentialPluginPolicy: Allowlist\n";

const char* name_of(PluginRule rule) {
  switch (rule) {
    case PluginRule::AllowAll:
      return "AllowAll";
    case PluginRule::DenyAll:
      return "DenyAll";
    case PluginRule::Allowlist:
      return "Allowlist";
  }
  return "?";
}

// "RULE entry entry; warning; warning", or the error.
std::string to_line(const Result<PluginPolicy>& result) {
  if (!result.ok()) return result.error().message;
  std::string line = name_of(result.value().rule);
  for (const std::string& entry : result.value().allowlist)
    line += " " + entry;
  for (const std::string& warning : result.value().warnings)
    line += "; " + warning;
  return line;
}

struct Row {
  std::string name;
  std::string text;
  std::string want;  // $ is the file
};

// What kubectl v1.37.1 does with the same file; its words are others.
TEST_CASE("what a kuberc in the home directory says about plugins") {
  const Row rows[] = {
      {"nothing", "", "AllowAll"},
      {"comments, which kubectl takes for a document", "# nothing\n---\n",
       "AllowAll; kuberc $ is not used: it holds no Preference of kubectl.config.k8s.io/v1beta1 or "
       "v1alpha1"},
      {"no policy", kBeta + "defaults: []\naliases: []\n", "AllowAll"},
      {"AllowAll", kBeta + "credentialPluginPolicy: AllowAll\n", "AllowAll"},
      {"DenyAll", kDeny, "DenyAll"},
      {"a list, of commands and of names",
       kAllowlist + "credentialPluginAllowlist: [{command: a}, {name: /b/c}, {name: d, command: "
                    "d}]\n",
       "Allowlist a /b/c d"},
      {"an unknown policy", kBeta + "credentialPluginPolicy: Nope\n",
       "kuberc $: the credentialPluginPolicy Nope is unknown"},
      {"a list without a policy", kBeta + "credentialPluginAllowlist: [{command: a}]\n",
       "kuberc $: credentialPluginAllowlist is there, but credentialPluginPolicy is not "
       "Allowlist"},
      {"an empty list with DenyAll", kDeny + "credentialPluginAllowlist: []\n",
       "kuberc $: credentialPluginAllowlist is there, but credentialPluginPolicy is not "
       "Allowlist"},
      {"Allowlist without a list", kAllowlist,
       "kuberc $: credentialPluginPolicy is Allowlist, but there is no credentialPluginAllowlist"},
      {"Allowlist with an empty list", kAllowlist + "credentialPluginAllowlist: []\n",
       "kuberc $: credentialPluginPolicy is Allowlist, but credentialPluginAllowlist is empty"},
      {"an empty entry", kAllowlist + "credentialPluginAllowlist: [{command: a}, {}]\n",
       "kuberc $: entry 2 of credentialPluginAllowlist has no command"},
      {"a path that is not clean", kAllowlist + "credentialPluginAllowlist: [{command: /a/../b}]\n",
       "kuberc $: entry 1 of credentialPluginAllowlist is not a clean path: /a/../b"},
      {"unknown fields and doubled ones", kDeny + "x: 1\nkind: Preference\n",
       "DenyAll; kuberc $: the unknown field x is ignored; kuberc $: the field kind is there "
       "twice: the last counts"},
      {"v1alpha1 knows no policy",
       "apiVersion: kubectl.config.k8s.io/v1alpha1\nkind: Preference\ncredentialPluginPolicy: "
       "DenyAll\n",
       "AllowAll; kuberc $: the unknown field credentialPluginPolicy is ignored"},
      {"the first document that can be used counts",
       "a: [\n---\napiVersion: v1\nkind: Pod\n--- # next\n" + kDeny + "---\n" + kBeta, "DenyAll"},
      {"only documents of something else", "apiVersion: v1\nkind: Pod\n",
       "AllowAll; kuberc $ is not used: it holds no Preference of kubectl.config.k8s.io/v1beta1 or "
       "v1alpha1"},
      {"a policy that is no text", kBeta + "credentialPluginPolicy: 1\n",
       "AllowAll; kuberc $ is not used: it holds no Preference of kubectl.config.k8s.io/v1beta1 or "
       "v1alpha1"},
      {"an entry with two programs",
       kAllowlist + "credentialPluginAllowlist: [{name: a, command: b}]\n",
       "AllowAll; kuberc $ is not used: it holds no Preference of kubectl.config.k8s.io/v1beta1 or "
       "v1alpha1"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.name);
    const support::TempDir home;
    const std::string file = home.write(".kube/kuberc", row.text);
    Environment environment;
    environment.variables = {{"HOME", home.path()}};
    CHECK(replaced(to_line(load_plugin_policy("", environment)), file, "$") == row.want);
  }
}

TEST_CASE("which file is read: --kuberc, KUBERC, the home directory") {
  const support::TempDir home;
  home.write(".kube/kuberc", kDeny);
  const std::string allow = home.write("allow", kBeta);
  const std::string bad = home.write("bad", "kind: Pod\n");
  Environment environment;
  environment.variables = {{"HOME", home.path()}};
  const auto line = [&environment](const std::string& flag) {
    return to_line(load_plugin_policy(flag, environment));
  };
  CHECK(line("") == "DenyAll");
  CHECK(line(allow) == "AllowAll");
  CHECK(line(bad) ==
        "kuberc " + bad + ": it holds no Preference of kubectl.config.k8s.io/v1beta1 or v1alpha1");
  CHECK(line(home.path("no")) == "kuberc " + home.path("no") + ": cannot read " + home.path("no") +
                                     ": No such file or directory");
  environment.variables["KUBERC"] = allow;
  CHECK(line("") == "AllowAll");
  CHECK(line(home.path(".kube/kuberc")) == "DenyAll");
  environment.variables["KUBERC"] = home.path("no");
  CHECK(line("").starts_with("kuberc "));
  environment.variables["KUBERC"] = "off";
  CHECK(line("") == "AllowAll");
  CHECK(line(allow) == "--kuberc names a file, but KUBERC=off says to use none");
  environment.variables = {{"HOME", home.path()}, {"KUBECTL_KUBERC", "False"}};
  CHECK(line("") == "AllowAll");
  environment.variables.clear();
  CHECK(line("") == "AllowAll");
}

struct MatchRow {
  std::string name;
  std::string entry;  // $ is a directory in PATH with the program `tool`, % another with one
  std::string command;
  bool allowed;
};

TEST_CASE("an allowlist is matched by name, by path, and by where PATH leads") {
  const support::TempDir first;
  const support::TempDir second;
  for (const support::TempDir* directory : {&first, &second}) {
    support::write(directory->path("tool"), "#!/bin/sh\n");
    support::write(directory->path("other"), "#!/bin/sh\n");
  }
  const MatchRow rows[] = {
      {"the same name", "tool", "tool", true},
      {"a missing program is matched by its name, and then not found", "gone", "gone", true},
      {"another name", "other", "tool", false},
      {"the path that the name leads to", "$/tool", "tool", true},
      {"the path of another program of that name", "%/tool", "tool", false},
      {"the name that leads to the path", "tool", "$/tool", true},
      {"a name that leads elsewhere", "tool", "%/tool", false},
      {"the same path", "%/tool", "%/tool", true},
      {"a missing program", "tool", "gone", false},
  };
  for (const MatchRow& row : rows) {
    CAPTURE(row.name);
    const auto filled = [&](const std::string& text) {
      return replaced(replaced(text, "$", first.path()), "%", second.path());
    };
    const PluginPolicy policy{PluginRule::Allowlist, {"unrelated", filled(row.entry)}, "F", {}};
    const std::string command = filled(row.command);
    const std::string path = first.path() + ":" + second.path();
    const Result<Done> result = check_plugin(policy, command, find_program(command, path), path);
    CHECK(result.ok() == row.allowed);
    if (!result.ok()) {
      const std::string shown = row.command == "tool" ? first.path("tool") : command;
      CHECK(result.error().message == "the credential plugin " + shown +
                                          " is not allowed to run: kuberc F says "
                                          "credentialPluginPolicy: Allowlist, and no entry of "
                                          "credentialPluginAllowlist is that program");
    }
  }
}

}  // namespace
}  // namespace dra::session::kuberc_test
