// src/answers/explain/silent_driver_words.cpp: one clause and one remedy for each missing link.

#include "dra/answers/explain/silent_driver_words.h"

#include "dra/answers/explain/missing_pods_words.h"
#include "dra/api/pod.h"
#include "dra/api/subject.h"
#include "dra/base/text.h"
#include "dra/diag/command_line.h"
#include "dra/engine/cluster/pods.h"
#include "dra/engine/facts/full_name.h"

namespace dra::answers {
namespace {

using engine::DriverLink;
using engine::SilentDriver;

std::string with(const std::string& text, const std::string& message) {
  return message.empty() ? text : base::format("{}: {}", text, message);
}

// "its pod a/b on node n1"
std::string pod_words(const api::Pod& pod) {
  return base::format(
      "its pod {}{}", engine::full_name(pod.meta),
      pod.spec.node_name.empty() ? std::string() : base::format(" on node {}", pod.spec.node_name));
}

std::string link_words(const SilentDriver& silent) {
  switch (*silent.link) {
    case DriverLink::NotFound:
      return silent.relative.empty()
                 ? std::string(", and no DaemonSet or pod of it was found")
                 : base::format(
                       ", and no DaemonSet or pod of it was found; {}, of the same vendor, "
                       "publishes some",
                       silent.relative);
    case DriverLink::NotSeen:
      return base::format(": its DaemonSet {} has no pods, as {}",
                          engine::full_name(silent.daemon_set->meta), words_of(*silent.unseen));
    case DriverLink::NoNodes:
      return with(base::format(": its DaemonSet {} selects no node",
                               engine::full_name(silent.daemon_set->meta)),
                  silent.message);
    case DriverLink::PodsRefused: {
      const api::WorkloadStatus& status = silent.daemon_set->status;
      const std::string set =
          base::format(": its DaemonSet {}", engine::full_name(silent.daemon_set->meta));
      return with(status.desired_nodes ? base::format("{} has {} of {} pods", set,
                                                      status.current_nodes, *status.desired_nodes)
                                       : base::format("{} has no pods", set),
                  silent.message);
    }
    case DriverLink::PodNotReady:
      return base::format(": {} is not ready ({})", pod_words(*silent.pod), silent.message);
    case DriverLink::NoSlices:
      return base::format(", although {} is ready", pod_words(*silent.pod));
    case DriverLink::NoDevices:
      return ": its slices are empty";
  }
  return {};
}

diag::CommandLine about(std::string_view words, const api::ObjectMeta& meta) {
  return diag::kubectl(words).name(meta.name).in(meta.namespace_);
}

std::string log_command(const SilentDriver& silent, std::string_view options) {
  return silent.pod == nullptr ? diag::kubectl("get pods -A -o wide").text()
                               : about("logs", silent.pod->meta).words(options).text();
}

diag::Remedy remedy_of_pod(const SilentDriver& silent) {
  if (engine::container_state(*silent.pod).starts_with("CrashLoopBackOff"))
    return {"Its pod crashes: the log of its last run shows why.",
            log_command(silent, "--all-containers --previous")};
  for (const api::ContainerStatus& init : silent.pod->status.init_containers) {
    if (init.state.running && !init.ready)
      return {base::format("It waits for its init container {}, whose log shows what is missing.",
                           init.name),
              about("logs", silent.pod->meta).option("-c", init.name).words("--tail=50").text()};
  }
  return {"Its pod does not come up: its events show why.",
          about("describe pod", silent.pod->meta).text()};
}

}  // namespace

std::string words_of(const SilentDriver& silent) {
  return base::format("driver {} publishes no device{}", silent.driver,
                      silent.link ? link_words(silent) : std::string());
}

diag::Remedy remedy_of(const SilentDriver& silent) {
  if (!silent.link)
    return {base::format("Look at the DaemonSet and the pods of driver {}.", silent.driver),
            diag::kubectl("get daemonsets,pods -A -o wide").text()};
  switch (*silent.link) {
    case DriverLink::NotFound:
      return {silent.relative.empty()
                  ? base::format("Install driver {}.", silent.driver)
                  : base::format("Install driver {}, or switch it on where {} was installed.",
                                 silent.driver, silent.relative),
              diag::kubectl("get daemonsets -A").text()};
    case DriverLink::NotSeen:
      return remedy_of(*silent.unseen);
    case DriverLink::NoNodes:
      if (silent.tainted)
        return {
            "Give its DaemonSet a toleration for the taint, in the values that the driver was "
            "installed with.",
            about("describe daemonset", silent.daemon_set->meta).text()};
      return {
          "No node has what its DaemonSet asks for: label a node as its node selector or "
          "affinity wants it, or add such a node.",
          about("describe daemonset", silent.daemon_set->meta).text()};
    case DriverLink::PodsRefused:
      return {base::format("{} Without its pods the driver publishes nothing.",
                           what_to_change(silent.message)),
              about("describe daemonset", silent.daemon_set->meta).text()};
    case DriverLink::PodNotReady:
      return remedy_of_pod(silent);
    case DriverLink::NoSlices:
      return {
          "Its log shows why it publishes no slice: it finds no device, or the API server "
          "refuses its slices.",
          log_command(silent, "--all-containers --tail=50")};
    case DriverLink::NoDevices:
      return {"It finds no device on its nodes: its log shows why.",
              log_command(silent, "--all-containers --tail=50")};
  }
  return {};
}

std::optional<diag::SubjectName> object_of(const SilentDriver& silent) {
  if (silent.daemon_set != nullptr) return api::subject_of("DaemonSet", silent.daemon_set->meta);
  if (silent.pod != nullptr) return api::subject_of("Pod", silent.pod->meta);
  return std::nullopt;
}

}  // namespace dra::answers
