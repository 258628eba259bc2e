// tests/session/exec_plugin_test.cpp

#include "src/session/exec_plugin.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "tests/session/kubeconfig_text.h"
#include "tests/support/fake_plugin.h"

namespace dra::session::exec_plugin_test {
namespace {

const std::string kExec = "apiVersion: client.authentication.k8s.io/v1, interactiveMode: Never, ";

// A user whose credentials come from the plugin, as a kubeconfig says it.
class ExecTest {
 public:
  ExecTest() {
    environment.variables = {{"PATH", plugin.search_path()}, {"HOME", home_.path()}};
    environment.clock = [this] { return now; };
    plugin.answers_token("t");
  }

  // `exec` without apiVersion and interactiveMode, which are v1 and Never.
  std::shared_ptr<Authenticator> make(const std::string& exec) { return make_user(kExec + exec); }
  std::shared_ptr<Authenticator> make_user(const std::string& exec,
                                           const std::string& cluster = kServer) {
    return connect(cluster, "exec: {" + exec + "}").value().authenticator;
  }
  Result<Connection> connect(const std::string& cluster, const std::string& user) {
    flags.kubeconfig = home_.write("kc", config(cluster, user));
    const Log log{1, [this](std::string_view line) { lines.emplace_back(line); }};
    return resolve_connection(flags, environment, log);
  }
  // What current() fails with.
  Error failure(const std::string& exec) {
    const Result<Credentials> result = make(exec)->current();
    REQUIRE(!result.ok());
    return result.error();
  }
  std::string place() const { return "kubeconfig " + flags.kubeconfig + ": line 7: "; }
  const support::TempDir& home() const { return home_; }

  const support::FakePlugin plugin;
  base::Instant now = base::parse_rfc3339("2026-11-20T09:00:00Z").value();
  Environment environment;
  ConnectionFlags flags;
  std::vector<std::string> lines;

 private:
  support::TempDir home_;
};

TEST_CASE("a plugin runs when credentials are needed, once") {
  ExecTest test;
  const auto authenticator = test.make("command: plugin");
  CHECK(test.plugin.runs() == 0);
  CHECK(authenticator->current().value() == Credentials{"t", "", ""});
  CHECK(authenticator->current().value().token == "t");
  CHECK(test.plugin.runs() == 1);
}

TEST_CASE("a plugin runs again when its credentials have expired") {
  ExecTest test;
  test.plugin.answers_token("one", "2026-11-20T09:10:00Z");
  const auto authenticator = test.make("command: plugin");
  CHECK(authenticator->current().value().token == "one");
  test.now.seconds += 600;
  CHECK(authenticator->current().value().token == "one");  // not after the time yet
  test.plugin.answers_token("two");
  test.now.seconds += 1;
  CHECK(authenticator->current().value().token == "two");
  test.now.seconds += 1'000'000;
  CHECK(authenticator->current().value().token == "two");
  CHECK(test.plugin.runs() == 2);
}

TEST_CASE("a refusal makes a plugin run again, and only other credentials are worth a try") {
  ExecTest test;
  const auto authenticator = test.make("command: plugin");
  const Credentials used = authenticator->current().value();
  CHECK(!authenticator->refused(used));
  CHECK(test.plugin.runs() == 2);
  CHECK(!authenticator->refused(used));  // of a request at the same time
  CHECK(test.plugin.runs() == 2);
  test.plugin.answers_token("two");
  test.now.seconds += 10;
  CHECK(authenticator->refused(used));
  CHECK(authenticator->refused(used));  // of another request: renewed already
  CHECK(test.plugin.runs() == 3);
  CHECK(authenticator->current().value().token == "two");
}

TEST_CASE("credentials that come out of date are used, and not asked for by each request") {
  ExecTest test;
  test.plugin.answers_token("old", "2026-11-20T08:00:00Z");
  const auto authenticator = test.make("command: plugin");
  for (int request = 0; request < 4; ++request) {
    const Credentials used = authenticator->current().value();
    CHECK(used.token == "old");
    CHECK(!authenticator->refused(used));
  }
  CHECK(test.plugin.runs() == 2);
}

TEST_CASE("a plugin that does not end is ended, and what it says cannot act on a terminal") {
  ExecTest test;
  test.flags.request_timeout = "300ms";
  test.plugin.ends_with("printf '\\033[2Jcode: ' >&2; exec sleep 60");
  const Error error = test.failure("command: plugin");
  CHECK(error.message == test.place() + "the credential plugin plugin did not end within 300ms");
  CHECK(test.lines.back() == "\x1b[2Jcode: ");  // which the log makes printable
}

TEST_CASE("a plugin that fails after a refusal leaves the refusal, and says so") {
  ExecTest test;
  const auto authenticator = test.make("command: plugin");
  const Credentials used = authenticator->current().value();
  test.plugin.ends_with("exit 4");
  CHECK(!authenticator->refused(used));
  CHECK(test.lines.back() == "warning: credentials could not be renewed: " + test.place() +
                                 "the credential plugin plugin failed with exit code 4");
  CHECK(authenticator->current().value().token == "t");
}

TEST_CASE("a plugin that fails at once is not run for every request") {
  ExecTest test;
  test.plugin.ends_with("exit 1");
  const auto authenticator = test.make("command: plugin");
  CHECK(!authenticator->current().ok());
  CHECK(!authenticator->current().ok());
  CHECK(!authenticator->refused({}));
  CHECK(test.plugin.runs() == 1);
}

TEST_CASE("arguments and environment reach the plugin, without a shell") {
  ExecTest test;
  test.environment.variables["KEEP"] = "kept";
  test.environment.variables["CHANGE"] = "old";
  test.environment.variables["KUBERNETES_EXEC_INFO"] = "of a plugin that runs us";
  CHECK(test.make("command: plugin, args: [a b, '$HOME', ''], env: [{name: CHANGE, value: new}]")
            ->current()
            .ok());
  CHECK(test.plugin.recorded("arguments") == "a b\n$HOME\n\n");
  const std::string env = test.plugin.recorded("env");
  CHECK(env.find("KEEP=kept\n") != std::string::npos);
  CHECK(env.find("CHANGE=new\n") != std::string::npos);
  CHECK(env.find("=old\n") == std::string::npos);
  CHECK(test.plugin.recorded("input").empty());
  CHECK(test.plugin.recorded("info") ==
        R"({"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1","spec":)"
        R"({"interactive":false}})"
        "\n");
}

TEST_CASE("a plugin that asks for it is told about the cluster") {
  ExecTest test;
  const std::string cluster =
      "server: 'https://host:6443/p/?q=1', tls-server-name: sn, disable-compression: true, "
      "proxy-url: 'socks5://p', certificate-authority-data: LS0tLS1CRUdJTiBY, extensions: [{name: "
      "other, extension: 1}, {name: client.authentication.k8s.io/exec, extension: {b: 1, a: x}}]";
  const auto authenticator =
      test.make_user(kExec + "command: plugin, provideClusterInfo: true", cluster);
  CHECK(authenticator->current().ok());
  CHECK(test.plugin.recorded("info") ==
        R"({"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1","spec":)"
        R"({"cluster":{"server":"https://host:6443/p/","tls-server-name":"sn",)"
        R"("certificate-authority-data":"LS0tLS1CRUdJTiBY","proxy-url":"socks5://p",)"
        R"("disable-compression":true,"config":{"a":"x","b":1}},"interactive":false}})"
        "\n");
}

TEST_CASE("a path in a kubeconfig starts at the kubeconfig's directory") {
  ExecTest test;
  support::write(test.home().path("bin/tool"), support::read(test.plugin.path()));
  CHECK(test.make("command: ./bin/../bin/tool")->current().ok());
  CHECK(test.lines.back() == "running the credential plugin " + test.home().path("bin/tool"));
}

struct ModeRow {
  std::string name;
  std::string fields;
  bool terminal;
  std::string want;  // what the plugin is told, or the error
};

TEST_CASE("interactiveMode decides who may ask a person") {
  const std::string v1 = "apiVersion: client.authentication.k8s.io/v1";
  const std::string v1beta1 = "apiVersion: client.authentication.k8s.io/v1beta1";
  const ModeRow rows[] = {
      {"Never does not", v1 + ", interactiveMode: Never", true, "false"},
      {"IfAvailable does at a terminal", v1 + ", interactiveMode: IfAvailable", true, "true"},
      {"IfAvailable does not elsewhere", v1 + ", interactiveMode: IfAvailable", false, "false"},
      {"Always does at a terminal", v1 + ", interactiveMode: Always", true, "true"},
      {"Always fails elsewhere", v1 + ", interactiveMode: Always", false,
       "the credential plugin plugin must ask a person (interactiveMode: Always), but standard "
       "input is not a terminal"},
      {"v1beta1 means IfAvailable", v1beta1, true, "true"},
      {"v1beta1 with a mode of its own", v1beta1 + ", interactiveMode: Never", true, "false"},
  };
  for (const ModeRow& row : rows) {
    CAPTURE(row.name);
    ExecTest test;
    test.environment.interactive = row.terminal;
    const bool beta = row.fields.find("beta") != std::string::npos;
    if (beta) {
      test.plugin.answers(
          R"({"apiVersion":"client.authentication.k8s.io/v1beta1","status":{"token":"t"}})");
    }
    const auto result = test.make_user(row.fields + ", command: plugin")->current();
    if (result.ok()) {
      CHECK(test.plugin.recorded("info").find("\"interactive\":" + row.want + "}") !=
            std::string::npos);
    } else {
      CHECK(result.error().message == test.place() + row.want);
    }
  }
}

struct RefusedRow {
  std::string name;
  std::string fields;
  std::string want;
};

TEST_CASE("exec that cannot be right is refused before anything runs") {
  const std::string v1 = "apiVersion: client.authentication.k8s.io/v1, ";
  const RefusedRow rows[] = {
      {"no command", kExec + "command: ''", "exec has no command | name the program to run"},
      {"no apiVersion", "command: plugin",
       "exec has no apiVersion | write client.authentication.k8s.io/v1, if the program speaks it"},
      {"an apiVersion that is gone",
       "command: plugin, apiVersion: client.authentication.k8s.io/v1alpha1",
       "exec speaks client.authentication.k8s.io/v1alpha1, which Kubernetes v1.24 removed | "
       "install "
       "a newer version of the program and write apiVersion: client.authentication.k8s.io/v1beta1"},
      {"an apiVersion of something else", "command: plugin, apiVersion: v1",
       "exec has the unknown apiVersion v1 | write client.authentication.k8s.io/v1, if the program "
       "speaks it"},
      {"v1 without a mode", v1 + "command: plugin",
       "exec has no interactiveMode, which v1 demands | write Never, IfAvailable or Always"},
      {"an unknown mode", v1 + "command: plugin, interactiveMode: Sometimes",
       "exec has the unknown interactiveMode Sometimes | write Never, IfAvailable or Always"},
      {"a variable without a name", kExec + "command: plugin, env: [{value: planted}]",
       "exec sets a variable without a name, or with = in it | give each entry of env a name and "
       "a value"},
  };
  for (const RefusedRow& row : rows) {
    CAPTURE(row.name);
    ExecTest test;
    const Result<Connection> result = test.connect(kServer, "exec: {" + row.fields + "}");
    REQUIRE(!result.ok());
    CHECK(result.error().message + " | " + result.error().hint ==
          test.place() + "the user u: " + row.want);
  }
}

TEST_CASE("a program that is missing comes with the kubeconfig's advice") {
  ExecTest test;
  Error error = test.failure("command: nowhere, installHint: \"Get it\\n\\n  at \\e[1mhome\\n\"");
  CHECK(error.message ==
        test.place() +
            "the credential plugin is missing: cannot run nowhere: there is no such program in "
            "PATH");
  CHECK(error.hint == "the kubeconfig says: Get it at ^[[1mhome");
  error = test.failure("command: ./nowhere");
  CHECK(error.message == test.place() + "the credential plugin is missing: cannot run " +
                             test.home().path("nowhere") + ": No such file or directory");
  CHECK(error.hint == "install the program, or use another user of the kubeconfig");
}

struct EndingRow {
  std::string name;
  std::string script;
  ErrorKind kind;
  std::string want;
};

TEST_CASE("how a plugin failed is said, but never what it printed") {
  const EndingRow rows[] = {
      {"an exit code", "echo planted; exit 3", ErrorKind::Io, "failed with exit code 3"},
      {"a signal", "echo planted; kill -9 $$", ErrorKind::Io, "was killed by signal 9 (Killed)"},
      {"an interrupt", "kill -2 $$", ErrorKind::Interrupted, "was interrupted"},
      {"too much output", "while :; do echo planted; done", ErrorKind::BadAnswer,
       "printed more than 1048576 bytes"},
      {"garbage", "echo '[planted'", ErrorKind::BadAnswer, "it printed neither JSON nor YAML"},
      {"nothing", "true", ErrorKind::BadAnswer, "it printed nothing"},
  };
  for (const EndingRow& row : rows) {
    CAPTURE(row.name);
    ExecTest test;
    test.plugin.ends_with(row.script);
    const Error error = test.failure("command: plugin");
    CHECK(error.kind == row.kind);
    const bool ends_so = error.message.ends_with(row.want);
    CHECK_MESSAGE(ends_so, error.message);
    CHECK(error.message.starts_with(test.place() + "the credential plugin plugin"));
    CHECK((error.message + error.hint).find("planted") == std::string::npos);
  }
}

TEST_CASE("what runs is said at -v1, without values of arguments, and never with an answer") {
  ExecTest test;
  test.make(
          "command: plugin, args: [planted, --client-secret=planted, -p, planted, "
          "-pplanted, --PLANTED, --client-id=me, PASSWORD=planted], "
          "env: [{name: A, value: planted}]")
      ->current()
      .ok();
  REQUIRE(test.lines.size() == 1);
  CHECK(test.lines.front() == "running the credential plugin " + test.plugin.path() +
                                  " <masked> --client-secret=<masked> -p <masked> <masked> "
                                  "<masked> --client-id=<masked> <masked>");
}

TEST_CASE("a user that says who he is needs no plugin") {
  const std::string exec = ", exec: {" + kExec + "command: plugin}";
  const std::string pem = "LS0tLS1CRUdJTiBY";
  ExecTest test;
  CHECK(!test.connect(kServer, "token: t" + exec).value().authenticator);
  CHECK(
      !test.connect(kServer, "client-certificate-data: " + pem + ", client-key-data: " + pem + exec)
           .value()
           .authenticator);
  CHECK(!test.connect("server: 'http://host'", "exec: {" + kExec + "command: plugin}")
             .value()
             .authenticator);
  test.flags.token = "flag";
  CHECK(!test.connect(kServer, "exec: {command: plugin}").value().authenticator);
  CHECK(test.plugin.runs() == 0);
}

TEST_CASE("no plugin runs while a command line is being completed") {
  ExecTest test;
  test.environment.run_plugins = false;
  const Error error = test.failure("command: plugin");
  CHECK(error.kind == ErrorKind::NotConfigured);
  CHECK(error.message ==
        test.place() + "credentials come from the program plugin, which is not run now");
  CHECK(test.plugin.runs() == 0);
}

TEST_CASE("a kuberc can forbid a plugin, and is warned about once for each run") {
  ExecTest test;
  const std::string kuberc = test.home().write(
      ".kube/kuberc",
      "apiVersion: kubectl.config.k8s.io/v1beta1\nkind: Preference\ncredentialPluginPolicy: "
      "DenyAll\nx: 1\n");
  const Error error = test.failure("command: plugin");
  CHECK(error.message == test.place() +
                             "the credential plugin plugin is not allowed to run: kuberc " +
                             kuberc + " says credentialPluginPolicy: DenyAll");
  CHECK(test.lines ==
        std::vector<std::string>{"warning: kuberc " + kuberc + ": the unknown field x is ignored"});
  CHECK(test.plugin.runs() == 0);
  test.flags.kuberc = test.home().write("other",
                                        "apiVersion: kubectl.config.k8s.io/v1beta1\nkind: "
                                        "Preference\ncredentialPluginPolicy: Allowlist\n"
                                        "credentialPluginAllowlist: [{command: plugin}]\n");
  CHECK(test.make("command: plugin")->current().ok());
}

}  // namespace
}  // namespace dra::session::exec_plugin_test
