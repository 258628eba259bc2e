// src/answers/explain/after/after_command.cpp: see after_remedy_parts.h.

#include "src/answers/explain/after/after_remedy_parts.h"

#include <algorithm>

#include "dra/api/kinds.h"
#include "dra/base/names.h"
#include "dra/base/text.h"
#include "dra/diag/command_line.h"

namespace dra::answers {
namespace {

using engine::Command;
using engine::Repair;

std::string_view noun_of(std::string_view kind) {
  if (kind == "ResourceClaim") return "claim";
  if (kind == "ResourceClaimTemplate") return "template";
  if (kind == "DeviceTaintRule") return "taintrule";
  if (kind == "Pool") return "pool";
  return kind == "Device" ? "device" : "node";
}

// "echo '{...}' | kubectl create -f -": a rule for one device; the server completes its name. The
// object is "driver/pool/device", where the pool's name may have slashes.
std::string taint_command(const Repair& repair) {
  const std::string_view id = repair.object.name;
  const std::size_t driver = id.find('/');
  const std::size_t device = id.rfind('/');
  const api::KindInfo& kind = api::info_of(api::Kind::TaintRule);
  return diag::create_command(
      base::format(R"({{"apiVersion":"{0}/{1}","kind":"{2}","metadata":{{"generateName":"{5}-"}},)"
                   R"("spec":{{"deviceSelector":{{"driver":"{3}","pool":"{4}","device":"{5}"}},)"
                   R"("taint":{{"key":"broken","effect":"NoSchedule"}}}}}})",
                   kind.group, repair.rule_version, kind.name, id.substr(0, driver),
                   id.substr(driver + 1, device - driver - 1), id.substr(device + 1)));
}

// "kubectl create clusterrole ... && kubectl create clusterrolebinding ..."; what is granted comes
// from an error message, whose words are names.
std::string grant_command(const Repair& repair) {
  const std::size_t verb = repair.permission.find(' ');
  std::string role = base::format("{}-{}", repair.object.name, repair.permission);
  std::ranges::replace(role, ' ', '-');
  std::ranges::replace(role, '/', '-');
  const std::string account = base::format("{}:{}", repair.object.namespace_, repair.object.name);
  return base::format("{} && {}",
                      diag::kubectl("create clusterrole")
                          .name(role)
                          .option("--verb", repair.permission.substr(0, verb))
                          .option("--resource", repair.permission.substr(verb + 1))
                          .text(),
                      diag::kubectl("create clusterrolebinding")
                          .name(role)
                          .option("--clusterrole", role)
                          .option("--serviceaccount", account)
                          .text());
}

// "kubectl patch node n --subresource=status --type=json -p '[...]'"
std::string forget_command(const Repair& repair) {
  std::string pointer;  // RFC 6901
  for (const char c : repair.resource)
    pointer += c == '~' ? "~0" : c == '/' ? "~1" : std::string(1, c);
  return diag::kubectl("patch node")
      .name(repair.object.name)
      .words("--subresource=status --type=json")
      .option("-p", base::format(R"([{{"op":"remove","path":"/status/capacity/{0}"}},)"
                                 R"({{"op":"remove","path":"/status/allocatable/{0}"}}])",
                                 pointer))
      .text();
}

std::string delete_pods_command(const Repair& repair) {
  if (repair.unowned.size() == repair.pods.size())
    return diag::save_and_delete_command(repair.pods, repair.object.namespace_);
  diag::CommandLine line = diag::kubectl("delete pod");
  for (const std::string& pod : repair.pods)
    line.name(pod);
  return line.in(repair.object.namespace_).text();
}

std::string read_logs(const diag::CommandLine& logs, const Repair& repair) {
  diag::CommandLine line = logs;
  if (repair.command == Command::ReadLogs) return line.words("--all-containers --tail=50").text();
  return repair.container.empty() ? line.words("--all-containers --previous").text()
                                  : line.option("-c", repair.container).words("--previous").text();
}

// "kubectl logs p -n NS --all-containers > p.log && kubectl delete pod p -n NS"
std::string restart_command(const diag::SubjectName& pod) {
  const auto about = [&pod](std::string_view words) {
    return diag::kubectl(words).name(pod.name).in(pod.namespace_);
  };
  // A name that the server should not have let through is not the name of a file.
  return base::format("{} > {}.log && {}", about("logs").words("--all-containers").text(),
                      base::is_dns_label(pod.name) ? pod.name : "driver",
                      about("delete pod").text());
}

std::string restore_command(const Repair& repair) {
  return diag::kubectl("patch pod")
      .name(repair.object.name)
      .in(repair.object.namespace_)
      .words("--subresource=status --type=merge")
      .option("-p", repair.patch)
      .text();
}

}  // namespace

bool is_saved_first(const Repair& repair) {
  if (repair.command == Command::DeletePods) return repair.unowned.size() == repair.pods.size();
  return repair.command == Command::DeletePod && repair.unowned.size() == 1 &&
         repair.unowned.front() == repair.object.name;
}

std::string command_of(const Repair& repair) {
  const diag::SubjectName& object = repair.object;
  const auto about = [&object](std::string_view words) {
    return diag::kubectl(words).name(object.name).in(object.namespace_);
  };
  switch (repair.command) {
    case Command::None:
      return {};
    case Command::CordonNode:
      return about("cordon").text();
    case Command::DeletePod:
      return is_saved_first(repair)
                 ? diag::save_and_delete_command({object.name}, object.namespace_)
                 : about("delete pod").text();
    case Command::DeletePods:
      return delete_pods_command(repair);
    case Command::DeleteTaintRule:
      return about("delete devicetaintrule").text();
    case Command::Describe:
      return diag::kubectl_dra(diag::command_for("describe", noun_of(object.kind), object)).text();
    case Command::DescribeDaemonSet:
      return about("describe daemonset").text();
    case Command::DescribeDomain:
      return about("describe computedomains.resource.nvidia.com").text();
    case Command::DescribeNode:
      return about("describe node").text();
    case Command::DescribePod:
      return about("describe pod").text();
    case Command::DescribeReplicaSet:
      return about("describe replicaset").text();
    case Command::ForgetResource:
      return forget_command(repair);
    case Command::Grant:
      return grant_command(repair);
    case Command::RemoveLabel:
      return diag::kubectl("label node").name(object.name).name(repair.resource + "-").text();
    case Command::ExplainPod:
      return diag::kubectl_dra("explain pod").name(object.name).in(object.namespace_).text();
    case Command::EditPod:
      return about("edit pod").text();
    case Command::ListPodsOfNode:
      return diag::kubectl("get pods -A -o wide --field-selector")
          .words("spec.nodeName=" + base::shell_word(object.name))
          .text();
    case Command::ReadLogs:
    case Command::ReadLogsOfCrash:
      return read_logs(about("logs"), repair);
    case Command::RestartPod:
      return restart_command(object);
    case Command::RestoreClaimNames:
      return restore_command(repair);
    case Command::ShowControllerLease:
      return std::string(diag::kControllerLease);
    case Command::TaintDevice:
      return taint_command(repair);
  }
  return {};
}

}  // namespace dra::answers
