// tests/session/credentials_test.cpp: whom to act as, and ways to be somebody that are refused.

#include "src/session/credentials.h"

#include <doctest/doctest.h>

#include <string>

#include "dra/base/text.h"
#include "tests/session/kubeconfig_text.h"
#include "tests/support/temp_dir.h"

namespace dra::session::credentials_test {
namespace {

struct Row {
  std::string name;
  std::string user;  // YAML in flow style
  ConnectionFlags flags;
  std::string want;
};

Result<Connection> connect(const Row& row) {
  const support::TempDir directory;
  ConnectionFlags flags = row.flags;
  flags.kubeconfig = directory.write("kc", config(kServer, row.user));
  Result<Connection> result = resolve_connection(flags, {});
  if (result.ok()) return result;
  Error error = result.error();
  error.message = replaced(error.message, flags.kubeconfig, "F");
  return error;
}

std::string to_line(const Impersonation& act_as) {
  std::string line = act_as.user;
  if (!act_as.uid.empty()) line += " uid=" + act_as.uid;
  for (const std::string& group : act_as.groups)
    line += " group=" + group;
  for (const auto& [key, value] : act_as.extra)
    line += base::format(" {}={}", key, value);
  return line;
}

TEST_CASE("whom to act as comes from the kubeconfig and from flags") {
  const Row rows[] = {
      {"nobody", "token: t", {}, ""},
      {"the kubeconfig's",
       "as: root, as-uid: '0', as-groups: [g, h], as-user-extra: {k: [v, w], l: []}",
       {},
       "root uid=0 group=g group=h k=v k=w"},
      {"a flag replaces the user and leaves the rest",
       "as: root, as-uid: '0'",
       {.as = "me"},
       "me uid=0"},
      {"groups replace groups",
       "as: root, as-groups: [g, h]",
       {.as_group = {"i", "j"}},
       "root group=i group=j"},
      {"extras replace those of the same key",
       "as: root, as-user-extra: {k: [v], l: [w]}",
       {.as_user_extra = {"k=x=y", "k=", "m=n"}},
       "root l=w k=x=y k= m=n"},
      {"flags alone",
       "token: t",
       {.as = "system:serviceaccount:a:b", .as_uid = "u", .as_group = {"g"}},
       "system:serviceaccount:a:b uid=u group=g"},
      {"a flag for a user of the kubeconfig's groups",
       "as-groups: [g]",
       {.as = "me"},
       "me group=g"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.name);
    const Result<Connection> result = connect(row);
    REQUIRE(result.ok());
    CHECK(to_line(result.value().impersonate) == row.want);
  }
}

const std::string kHow =
    "use a token (token, tokenFile, --token), a client certificate or a credential plugin (exec)";
const std::string kBasic =
    "the user u has a user name or a password, which API servers no longer take since Kubernetes "
    "v1.19 | " +
    kHow;

TEST_CASE("what nobody can be known by is refused, and what takes its place is named") {
  const Row rows[] = {
      {"groups without a user",
       "as-groups: [g]",
       {},
       "kubeconfig F: line 7: requesting uid, groups or user-extra for the user u without "
       "impersonating a user | name the user to act as with --as, or `as` in the kubeconfig"},
      {"a UID by flag without a user",
       "token: planted",
       {.as_uid = "1"},
       "--as-uid: requesting uid, groups or user-extra for the user u without impersonating a user "
       "| name the user to act as with --as, or `as` in the kubeconfig"},
      {"an extra without a value",
       "",
       {.as = "me", .as_user_extra = {"k"}},
       "--as-user-extra needs a key and a value, not \"k\" | write --as-user-extra=KEY=VALUE"},
      {"a user that would end its header",
       "",
       {.as = "me\r\nX: y"},
       "--as: the user to act as holds a line break or another control character | a header cannot "
       "carry that: check that nothing else was copied"},
      {"an extra that would end its header",
       "as: me, as-user-extra: {k: [\"a\\nb\"]}",
       {},
       "kubeconfig F: line 7: the user to act as holds a line break or another control character | "
       "a header cannot carry that: check that nothing else was copied"},
      {"groups that are no list",
       "as: me, as-groups: g",
       {},
       "kubeconfig F: line 7, column 29: as-groups must be a list, not a string | "},
      {"a user name and a password",
       "username: me, password: planted",
       {},
       "kubeconfig F: line 7: " + kBasic},
      {"a password alone", "password: planted", {}, "kubeconfig F: line 7: " + kBasic},
      {"a user name by flag",
       "token: planted",
       {.username = "me", .password = "planted"},
       "--username: " + kBasic},
      {"a password by flag", "", {.password = "planted"}, "--password: " + kBasic},
      {"a user name with --token, which kubectl refuses as well",
       "username: me",
       {.token = "planted"},
       "kubeconfig F: line 7: " + kBasic},
      {"the auth-provider gcp",
       "auth-provider: {name: gcp, config: {access-token: planted}}",
       {},
       "kubeconfig F: line 7: the user u uses the auth-provider gcp, which is gone from Kubernetes "
       "| install the credential plugin gke-gcloud-auth-plugin and run `gcloud container clusters "
       "get-credentials` again"},
      {"the auth-provider azure",
       "auth-provider: {name: azure}",
       {},
       "kubeconfig F: line 7: the user u uses the auth-provider azure, which is gone from "
       "Kubernetes | install the credential plugin kubelogin (Azure) and run `kubelogin "
       "convert-kubeconfig`"},
      {"the auth-provider oidc",
       "auth-provider: {name: oidc, config: {id-token: planted}}",
       {},
       "kubeconfig F: line 7: the user u uses the auth-provider oidc, which this program does not "
       "have built in | use a credential plugin instead, such as `kubectl oidc-login get-token` "
       "(kubelogin) in exec, or give a token with --token"},
      {"an unknown auth-provider",
       "auth-provider: {name: x}",
       {},
       "kubeconfig F: line 7: the user u uses the auth-provider x, which is unknown | " + kHow},
      {"an auth-provider and exec",
       "auth-provider: {name: oidc}, exec: {command: x}",
       {},
       "kubeconfig F: line 7: the user u has both an auth-provider and exec | remove the "
       "auth-provider"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.name);
    const Result<Connection> result = connect(row);
    REQUIRE(!result.ok());
    CHECK(result.error().message + " | " + result.error().hint == row.want);
  }
}

TEST_CASE("a token makes an auth-provider unnecessary") {
  CHECK(connect({"", "auth-provider: {name: oidc}, token: t", {}, ""}).value().token == "t");
  CHECK(connect({"", "auth-provider: {name: gcp}", {.token = "t"}, ""}).value().token == "t");
}

}  // namespace
}  // namespace dra::session::credentials_test
