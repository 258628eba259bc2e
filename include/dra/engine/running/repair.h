// include/dra/engine/running/repair.h
//
// What can be done about a finding after scheduling: the case, the names that it needs, and the
// command that helps. Facts only; reports make sentences and command lines of them.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "dra/diag/subject.h"

namespace dra::engine {

enum class Action : std::uint8_t {
  // The claim
  CreateClaimAgain,       // and then delete the pod
  CreateWithoutNodeName,  // the pod has a node, so nobody allocates its claim
  UseSchedulerOfDra,      // the pod's scheduler has bound it without allocating its claim
  DeletePodForNewClaims,  // they come from templates
  AwaitReservation,       // the claim controller reserves it
  UseMoreClaims,          // as many pods as a claim takes have reserved it
  UseFreshClaims,         // the kubelet does not prepare them beside one that is prepared
  UseOwnClaims,           // the driver does not prepare a claim for a second pod
  UseClaimOnce,           // the driver hands it to one container, and two name it
  SplitClaim,             // a driver takes devices of another for its own
  LeaveHostNetwork,       // the driver moves devices into a network of the pod's own
  RecreateIfGone,         // the kubelet cannot read it
  LetKubeletRead,         // it exists, and the API server refuses the kubelet
  // Devices
  ActOnCondition,          // the driver has set one
  AwaitConditions,         // that the scheduler waits for
  MendConditions,          // that were not set in time
  AwaitOtherAllocation,    // the driver has failed to attach the devices
  AwaitDeletion,           // of the pods that keep the claim
  BringDriverBack,         // or delete the pods
  DeletePodsForOthers,     // the devices are not published any more
  Cordon,                  // and then delete the pod: the device is unhealthy
  TaintUnhealthyDevice,    // likewise, where there are taint rules
  TaintDevice,             // its driver prepares others on the node
  DeleteTaintRule,         // if it was not meant
  EndOneUser,              // of two that hold one piece of hardware; `claim` is the other
  DeleteUnevictedPod,      // the eviction controller does not see it
  RepairDevice,            // its driver has tainted it
  RecreatePodAfterReboot,  // what was prepared for it is gone
  ReleaseClaims,           // likewise, and the driver believes that it is there
  RecreateUnattached,      // the driver was not there when its sandbox was made
  RecreatePodNotAdmitted,  // the kubelet does not try again
  GiveWay,                 // its device is another pod's, too, which runs
  // The driver and the kubelet
  AwaitRelease,         // of another pod's claim
  AwaitUnprepare,       // of an older claim of the name
  FixDriverError,       // its words are all that is known
  FreeDisk,             // of the kubelet
  LetKubeletWrite,      // its state, where the disk is not full
  LookAtKubelet,        // it does not act on the pod, and does not say why
  ReadKubeletLog,       // the error is its own
  GrantPermission,      // to the driver's service account, the object; `permission` is missing
  MendHelper,           // a pod that the driver waits for
  RemoveNodeLabel,      // by which the driver keeps the node for an object that is gone
  AwaitOtherOwner,      // likewise, for one that is there
  CompleteDomain,       // nodes of a ComputeDomain that the driver waits for
  MendPlugin,           // its pod is on the node and does not run
  ReadPluginLog,        // the plugin is on the node
  ReadLogOfSkipped,     // it has not finished a claim, and does not say why
  RegisterAgain,        // it works, and the kubelet does not know it
  ReportToDriver,       // it answered for a claim that it was not asked for
  RestartPlugin,        // it cannot be reached
  RestartKubelet,       // it has lost the driver, which works
  RestartOnNode,        // it prepares no claim on the node
  ClearCheckpoint,      // it remembers a claim that does not exist any more
  ReleaseOtherClaim,    // by what it says, another claim has the device
  FindHang,             // it does not answer in time
  StartPlugin,          // it is not on the node
  LetPluginIn,          // it waits for what pods hold that wait for it
  MakeRoomForPlugin,    // it waits for what others hold
  SwitchFeatureGateOn,  // of the kubelet
  UpgradeKubelet,       // it asks for a version that is not served
  TeachKubelet,         // it does not know extended resources of DRA
  ForgetPlugin,         // of devices, whose resource the node still lists
  // Containers
  CompareCdi,           // the runtime does not find what the driver has prepared
  CompareNodes,         // pods with devices crash on this node, and run on others
  MendContainer,        // act on what the kubelet or the runtime says
  MendProbe,            // the program runs and does not answer
  MendRuntime,          // it fails before the program starts
  RaiseMemory,          // the program is killed for what it uses
  SeparatePlugin,       // the node's device plugin hands out the same hardware
  ReadEnding,           // the pod has failed, and does not run again
  MendProgram,          // its log says why it crashes
  UseOtherRuntime,      // the node's may keep devices from containers
  ListClaim,            // in a container, which sees no device else
  AwaitRemoval,         // the kubelet has to remove what is left of the pod on the node
  AwaitUnprepareOfPod,  // the kubelet has to take the devices back
  RemoveFinalizer,      // that keeps a deleted pod
  KillContainer,        // the kubelet cannot
  ReleaseLostNode,      // whose kubelet does not end its pods
  RestoreClaimNames,    // that the status of a pod in deletion has lost
  AwaitClaimNames,      // likewise of a pod that stays: the claim controller restores them
  BringBackToRelease,   // the driver, which has to take back the devices of a pod in deletion
  MendPluginToRelease,  // likewise, and its pod is on the node and does not run
  EvictedForTaint,      // of a device
  // Parameters that the driver does not take, by where the claim has them from
  CorrectClass,
  CorrectParameters,  // it is not known which claim's
  CorrectTemplate,
  RecreateClaim,
  // Hosts of TPUs
  AskForWholeHost,
  BringNodeBack,
  RepairHost,         // of a slice that is not whole
  RepairHostOfClaim,  // and then delete the pod
};

enum class Command : std::uint8_t {
  None,
  CordonNode,
  DeletePod,
  DeletePods,  // `pods`, in the namespace of the object
  DeleteTaintRule,
  Describe,  // ours, of the object's kind
  DescribeDaemonSet,
  DescribeDomain,  // a ComputeDomain
  DescribeNode,
  DescribePod,
  DescribeReplicaSet,
  EditPod,
  ExplainPod,      // ours
  ForgetResource,  // `resource`, in the node's status
  Grant,           // `permission` to the service account
  ListPodsOfNode,
  ReadLogs,
  ReadLogsOfCrash,
  RemoveLabel,          // `resource` is its key
  RestartPod,           // by deleting it, when its log is saved
  RestoreClaimNames,    // a patch of the pod's status
  ShowControllerLease,  // of kube-controller-manager
  TaintDevice,          // by a DeviceTaintRule; the object is "driver/pool/device"
};

struct Repair {
  Action action = Action::FixDriverError;
  std::string claim = {};                 // its name
  std::string template_name = {};         // that the claim is made from, if that is known
  std::string pod_group = {};             // that the claim belongs to
  std::vector<std::string> pods = {};     // to delete; none: it is not known which use the claim
  std::string namespace_ = {};            // of these, where a sentence names a command for them
  std::vector<std::string> unowned = {};  // of these: no controller creates them again
  std::vector<std::string> classes = {};  // with parameters; an empty name: it is not known which
  std::vector<std::string> devices = {};
  std::string scheduler = {};  // that bound the pod
  std::string container = {};  // whose log says more
  std::vector<std::string> conditions = {};
  std::int64_t chips = 0;         // of a whole host
  std::string rule_version = {};  // of the DeviceTaintRule of TaintDevice
  std::string resource = {};      // an extended resource, or a label's key
  std::string permission = {};    // "get resourceclaims.resource.k8s.io"
  std::string patch = {};         // of RestoreClaimNames
  Command command = Command::None;
  diag::SubjectName object = {};  // of the command
};

}  // namespace dra::engine
