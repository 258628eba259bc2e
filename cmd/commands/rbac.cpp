// cmd/commands/rbac.cpp: `kubectl dra rbac`: prints a ClusterRole with all rights that the program
// can use.

#include <map>

#include "cmd/command.h"
#include "cmd/commands.h"
#include "cmd/output.h"

namespace dra::cmd {
namespace {

constexpr std::string_view kRole = "kubectl-dra";

// The role alone grants nothing: the hint shows how to bind it.
constexpr std::string_view kHow =
    "# To apply:  kubectl dra rbac | kubectl apply -f -\n"
    "# For a user: kubectl create clusterrolebinding kubectl-dra --clusterrole=kubectl-dra "
    "--user=USER\n";

json::Value array_of(std::initializer_list<std::string_view> words) {
  json::Value list = json::Value::array();
  for (const std::string_view word : words)
    list.push(word);
  return list;
}

// A rule for each API group, with the kinds that are read from a server. ConfigMaps are read from
// snapshots only.
json::Value rules() {
  std::map<std::string_view, json::Value> resources;
  for (const api::KindInfo& kind : api::all_kinds()) {
    if (kind.kind == api::Kind::ConfigMap) continue;
    resources.try_emplace(kind.group, json::Value::array()).first->second.push(kind.resource);
  }
  json::Value rules = json::Value::array();
  for (auto& [group, names] : resources) {
    json::Value rule = json::Value::object();
    rule.set("apiGroups", array_of({group}));
    rule.set("resources", std::move(names));
    rule.set("verbs", array_of({"get", "list", "watch"}));
    rules.push(std::move(rule));
  }
  // Discovery and the server's version, which most clusters let everybody read. The metrics contain
  // the server's feature gates.
  json::Value rule = json::Value::object();
  rule.set("nonResourceURLs", array_of({"/apis/*", "/metrics", "/version"}));
  rule.set("verbs", array_of({"get"}));
  rules.push(std::move(rule));
  return rules;
}

class Rbac final : public Command {
 public:
  Info info() const override {
    return {.name = "rbac",
            .summary = "Print a read-only ClusterRole with the permissions this plugin needs.",
            .description =
                "The role can get, list and watch what the plugin reads, and changes nothing. With "
                "fewer "
                "permissions, answers name what could not be read.",
            .examples = {{"rbac | kubectl apply -f -", "create the role"},
                         {"rbac -o json", "for a program"}},
            .task = Task::Share};
  }

  std::vector<Flag> flags() override {
    return {{"output",
             'o',
             "FORMAT",
             "The format, YAML if none is given.",
             &output_,
             {"json", "kyaml", "yaml"}}};
  }

  Result<ExitCode> run(Context& context) override {
    json::Value meta = json::Value::object();
    meta.set("name", kRole);
    json::Value role = json::Value::object();
    role.set("apiVersion", "rbac.authorization.k8s.io/v1");
    role.set("kind", "ClusterRole");
    role.set("metadata", std::move(meta));
    role.set("rules", rules());
    if (output_ != "json") context.print_text(kHow);
    print_data(context, role, output_.empty() ? "yaml" : output_);
    return ExitCode::Done;
  }

 private:
  std::string output_;
};

}  // namespace

std::unique_ptr<Command> make_rbac() { return std::make_unique<Rbac>(); }

}  // namespace dra::cmd
