// cmd/man/semantics_man.cpp: what a verdict rests on, as a manual page of its own.

#include "cmd/man/man.h"
#include "cmd/man/roff.h"

namespace dra::cmd {
namespace {

struct Section {
  const char* title;
  const char* text;  // paragraphs, parted by an empty line
};

constexpr Section kSections[] = {
    {"VERDICTS",
     "A verdict is given only where it is proven. explain does what the scheduler does with the "
     "pod's claims on each node, by the rules of the server's release (1.34 to 1.37; "
     "--assume-server and --feature-gates name others), with the feature gates that its metrics "
     "show to users who can read them, else the release's defaults: the same devices in the same "
     "order, the same errors. Extended resources that a device class serves are part of it.\n\n"
     "Of the scheduler's other filters it simulates taints, affinity to nodes, resources, host "
     "ports, volumes, features that kubelets declare, topology spread and affinity between pods, "
     "with the scheduler's default configuration. "
     "Where a pod uses what is not simulated (PersistentVolumes of a cloud's disks "
     "from before CSI, where nodes leave them to a CSI driver), the verdict is undetermined, and "
     "what is known is shown. Affinity that selects namespaces by their labels needs these: "
     "where they cannot be read, it is undetermined, too. Where volumes can be is read only if a "
     "pod that waits has some: claims, volumes, StorageClasses, CSINodes, CSIDrivers, "
     "CSIStorageCapacities and VolumeAttachments. What of it cannot be read is named.\n\nA kind "
     "that you cannot read makes the "
     "answer weaker, and the output says so; no device is then called free. Files that hold no "
     "DeviceTaintRule, and do not say that there is none, count as a cluster without one."},
    {"POD GROUPS",
     "A pod may belong to a PodGroup of scheduling.k8s.io (spec.schedulingGroup, since 1.36 behind "
     "the feature GenericWorkload, which is off by default). Without that object the scheduler "
     "does not look at the pod, nor at the pods of a gang as long as fewer than minCount exist. "
     "Then it places the pods of the gang one after another, and binds all that fit if with those "
     "that have a node they are as many as minCount, else none. explain does the same, in the way "
     "of plan: the verdict holds on whichever of several nodes each pod goes, and in whichever "
     "order pods that came in the same second are taken. Where that cannot be proven, the verdict "
     "is undetermined, as it is for gangs of more than 100 pods, groups of a CompositePodGroup, "
     "with topology constraints, or with another priority than their pods. Pod groups are read "
     "only if a pod that waits has one. plan takes the pods of a gang together, where the first of "
     "them stands in the queue, and pods of one second in the order of their names; a gang that is "
     "not bound leaves its room to those behind it. In advice a gang is not placed "
     "together.\n\nWhere the server does not tell whether the feature is on, it is taken to be on, "
     "as the API server drops the field else. 1.36 has a feature of its own for gangs, "
     "GangScheduling, and there the verdict is undetermined if nothing is known of it. Workload "
     "objects of 1.35 are not read."},
    {"OUTLOOK",
     "Where no node fits, explain runs the same simulation once more over the cluster in which no "
     "other claim holds a device, and says whether the pod fits never, not now, or not here. "
     "--as-if-pending takes what runs for something that still waits; with --all, each pod that "
     "has "
     "devices by itself, while the others keep theirs. There, the pod's own node is asked first, "
     "and every node only where it does not fit; 200 such pods are looked at. What comes of a pod "
     "is compared with the cluster as it is, with its own release and gates.\n\nWhere waiting may "
     "help, "
     "explain looks for the first time at which enough is known to end: pods that are being "
     "deleted, activeDeadlineSeconds of pods and, where Jobs are in the snapshot, of these, taints "
     "of nodes and devices that are tolerated for some seconds. The scheduler's answer without "
     "the pods that have ended by then is simulated. They may end earlier, and others may come "
     "first. Where there is no such time, noEstimate in the JSON says why."},
    {"PREEMPTION",
     "Of a pod that fits on no node, explain says what kube-scheduler's preemption would do: on "
     "which node it would delete which pods of lower priority, by the plugin's own rules for "
     "priorities, start times, PodDisruptionBudgets and nominated pods. Devices are never freed "
     "so: a node counts only if the claims fit there now. Pods equal in priority and start, and "
     "nodes equal in all that is compared, are the scheduler's choice by chance. A scheduler of "
     "another name, extenders and gangs are not simulated, and then nothing is said."},
    {"PLAN",
     "plan takes the waiting pods in the order of the scheduler's queue, each with what those "
     "before "
     "it leave. It does not score nodes. A pod with several nodes is on one of them, and a verdict "
     "about a pod behind it is given only where it holds for every choice: pods before it are too "
     "few to close all of its nodes, or the room for its kind is all taken. Otherwise it depends "
     "on "
     "the pods that are named, also where a closer look at all choices could tell. Of a pod that "
     "affinity, topology spread or a claim of several waiting pods ties to others nothing is said "
     "once a pod before it may have a node. Pods that preemption would end, pods that controllers "
     "make later, and the time that a pod backs off after a failed attempt do not count."},
    {"ADVICE",
     "Every piece of advice was tried: the allocator and the other filters ran again over every "
     "node with that change made, and the number of nodes on which it then fits stands behind it. "
     "Sets of pods that would have to go are the smallest there are, the least important first. "
     "The commands carry it out: a claim or its template, whose spec cannot be edited, is replaced "
     "by one with the change; a Deployment is scaled down, as it would create a deleted pod "
     "again.\n\nWhat is in conflict (conflicts, -o wide) is a minimal set: without any one part of "
     "it some node serves the rest. In the JSON: conflicts, advice (change, or changes if several "
     "are made together, and commands), triedInVain, adviceBounded where not everything could be "
     "tried, capacityWords of autoscalers and queues, whatIf with the changes that were asked "
     "for."},
    {"AFTER SCHEDULING",
     "What has its devices may still not run. explain then names the cause from the pod's events "
     "and conditions, what drivers report about the devices in the claim, their pods on that node "
     "and their slices: the driver is not registered, could not prepare the devices, or does not "
     "publish them any more; the claim is not reserved for the pod; the scheduler waits for a "
     "device to be attached; a device is unhealthy or tainted; a TPU host is claimed in part, "
     "which that driver refuses. What rests on a message, or on what is known about a driver, is "
     "marked "
     "Heuristic in JSON."},
    {"RELEASES",
     "The server may be any release that serves resource.k8s.io v1, v1beta2 or v1beta1 (Kubernetes "
     "1.32 and newer).\n\nThe API server drops fields whose feature gate is off. What an object "
     "that was applied with kubectl has lost is named; what the devices of a slice have lost "
     "leaves no trace and is not reported."},
};

}  // namespace

std::string semantics_man() {
  std::string page = heading("kubectl-dra-semantics", "kubectl-dra-semantics", '7');
  page += escape("what kubectl dra computes, and what it does not") + "\n.SH DESCRIPTION\n";
  add_paragraphs(page, "What a verdict, an outlook and a piece of advice of kubectl dra rest on.");
  for (const Section& section : kSections) {
    page += std::string(".SH \"") + section.title + "\"\n";
    add_paragraphs(page, section.text);
  }
  return page + ".SH \"SEE ALSO\"\n.BR kubectl\\-dra (1),\n.BR kubectl\\-dra\\-explain (1)\n";
}

}  // namespace dra::cmd
