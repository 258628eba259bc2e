// tests/engine/scheduler/pod_affinity_test.cpp: affinity between pods, as NodeFilters tells it.

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "dra/base/text.h"
#include "dra/engine/scheduler/node_filters.h"
#include "tests/support/builders.h"
#include "tests/support/node_filters.h"

namespace dra::engine::pod_affinity_test {
namespace {

using support::Scene;
using support::scene;

// Nodes a1 and a2 in zone a, b1 in zone b, and bare without labels; namespaces default and ml.
Scene cluster() {
  Scene built = scene();
  for (const char* name : {"a1", "a2", "b1"}) {
    built.yaml(base::format(
        "{{apiVersion: v1, kind: Node, metadata: {{name: {}, labels: {{kubernetes.io/hostname: {}, "
        "topology.kubernetes.io/zone: {}, rack: r{}}}}}, status: {{allocatable: {{pods: 99}}}}}}",
        name, name, std::string_view(name).substr(0, 1), std::string_view(name).substr(1)));
  }
  built.yaml(
      "{apiVersion: v1, kind: Node, metadata: {name: bare}, status: {allocatable: {pods: 9}}}");
  built.yaml("{apiVersion: v1, kind: Namespace, metadata: {name: default, labels: {team: web}}}");
  return built.yaml("{apiVersion: v1, kind: Namespace, metadata: {name: ml, labels: {team: ml}}}");
}

std::string pod_yaml(std::string_view name, std::string_view labels, std::string_view spec,
                     std::string_view ns = "default") {
  return base::format(
      "{{apiVersion: v1, kind: Pod, metadata: {{name: {}, namespace: {}, labels: {{{}}}}}, spec: "
      "{{{}}}}}",
      name, ns, labels, spec);
}

std::string affinity(std::string_view kind, std::string_view terms) {
  return base::format("affinity: {{{}: {{requiredDuringSchedulingIgnoredDuringExecution: [{}]}}}}",
                      kind, terms);
}

// What is against each node: "a1: ...", nothing for nodes that pass; then what is not simulated.
std::string against_all(const Scene& built) {
  return support::against_all(built, [](const diag::Reason& reason) {
    return base::format("{} {}", diag::name_of(reason.code), reason.message);
  });
}

struct Case {
  const char* name;
  const char* kind;
  const char* terms;
  const char* want;
};

// default/db with app=db is on a1, ml/db with app=db on b1. The pod has app=web.
const Case kOwn[] = {
    {"a pod in the zone", "podAffinity",
     "{topologyKey: topology.kubernetes.io/zone, labelSelector: {matchLabels: {app: db}}}",
     "b1: PodAffinity no pod that matches app=db in namespace default is in zone b (pod affinity; "
     "pod default/db is in zone a)\n"
     "bare: PodAffinity the node has no label topology.kubernetes.io/zone, the topology of its pod "
     "affinity"},
    {"a pod on the node", "podAffinity",
     "{topologyKey: kubernetes.io/hostname, labelSelector: {matchLabels: {app: db}}, namespaces: "
     "[ml]}",
     "a1: PodAffinity no pod that matches app=db in namespace ml is on the node (pod affinity; pod "
     "ml/db is on node b1)\n"
     "a2: PodAffinity no pod that matches app=db in namespace ml is on the node (pod affinity; pod "
     "ml/db is on node b1)\n"
     "bare: PodAffinity the node has no label kubernetes.io/hostname, the topology of its pod "
     "affinity"},
    {"namespaces by their labels", "podAffinity",
     "{topologyKey: rack, labelSelector: {matchExpressions: [{key: app, operator: In, values: [db, "
     "x]}]}, namespaceSelector: {matchLabels: {team: ml}}}",
     "a2: PodAffinity no pod that matches app in (db,x) in namespaces with team=ml is on nodes "
     "with "
     "rack=r2 (pod affinity; pod ml/db is on nodes with rack=r1)\n"
     "bare: PodAffinity the node has no label rack, the topology of its pod affinity"},
    {"one pod has to match all terms", "podAffinity",
     "{topologyKey: rack, labelSelector: {matchLabels: {app: db}}}, {topologyKey: rack, "
     "labelSelector: {matchLabels: {app: web}}}",
     "a1: PodAffinity no pod that matches all 2 terms of the affinity is on any node with the "
     "label rack (pod affinity)\n"
     "a2: PodAffinity no pod that matches all 2 terms of the affinity is on any node with the "
     "label rack (pod affinity)\n"
     "b1: PodAffinity no pod that matches all 2 terms of the affinity is on any node with the "
     "label rack (pod affinity)\n"
     "bare: PodAffinity the node has no label rack, the topology of its pod affinity"},
    {"the first pod of its own group", "podAffinity",
     "{topologyKey: rack, labelSelector: {matchLabels: {app: web}}}",
     "bare: PodAffinity the node has no label rack, the topology of its pod affinity"},
    {"no selector means no pod", "podAffinity", "{topologyKey: rack}",
     "a1: PodAffinity no pod that a term without labelSelector could mean is on any node with the "
     "label rack (pod affinity)\n"
     "a2: PodAffinity no pod that a term without labelSelector could mean is on any node with the "
     "label rack (pod affinity)\n"
     "b1: PodAffinity no pod that a term without labelSelector could mean is on any node with the "
     "label rack (pod affinity)\n"
     "bare: PodAffinity the node has no label rack, the topology of its pod affinity"},
    {"anti-affinity on nodes", "podAntiAffinity",
     "{topologyKey: kubernetes.io/hostname, labelSelector: {matchLabels: {app: db}}, "
     "namespaceSelector: {}}",
     "a1: PodAntiAffinity pod default/db is on the node (pod anti-affinity)\n"
     "b1: PodAntiAffinity pod ml/db is on the node (pod anti-affinity)"},
    {"anti-affinity in zones, and several pods", "podAntiAffinity",
     "{topologyKey: rack, labelSelector: {}, namespaceSelector: {}}",
     "a1: PodAntiAffinity 2 pods such as default/db are on nodes with rack=r1 (pod anti-affinity)\n"
     "b1: PodAntiAffinity 2 pods such as default/db are on nodes with rack=r1 (pod anti-affinity)"},
    {"the label's value of the pod itself", "podAntiAffinity",
     "{topologyKey: rack, labelSelector: {matchLabels: {app: db}}, matchLabelKeys: [job]}", ""},
    {"another value than that of the pod", "podAntiAffinity",
     "{topologyKey: rack, labelSelector: {matchLabels: {app: db}}, mismatchLabelKeys: [job]}",
     "a1: PodAntiAffinity pod default/db is on nodes with rack=r1 (pod anti-affinity)\n"
     "b1: PodAntiAffinity pod default/db is on nodes with rack=r1 (pod anti-affinity)"},
    {"a key of which the server has made a condition", "podAntiAffinity",
     "{topologyKey: rack, labelSelector: {matchExpressions: [{key: job, operator: In, values: "
     "[old]}]}, matchLabelKeys: [job]}",
     "a1: PodAntiAffinity pod default/db is on nodes with rack=r1 (pod anti-affinity)\n"
     "b1: PodAntiAffinity pod default/db is on nodes with rack=r1 (pod anti-affinity)"},
    {"a selector that cannot be read", "podAffinity",
     "{topologyKey: kubernetes.io/hostname, labelSelector: {matchExpressions: [{key: app, "
     "operator: "
     "Like}]}}",
     "bare: PodAffinity the node has no label kubernetes.io/hostname, the topology of its pod "
     "affinity\n"
     "open: inter-pod affinity (a selector cannot be read)"},
};

TEST_CASE("what the pod wants of others") {
  for (const Case& row : kOwn) {
    CAPTURE(row.name);
    CHECK(against_all(cluster()
                          .yaml(pod_yaml("db", "app: db, job: old", "nodeName: a1"))
                          .yaml(pod_yaml("db", "app: db", "nodeName: b1", "ml"))
                          .yaml(pod_yaml("p", "app: web, job: new",
                                         affinity(row.kind, row.terms)))) == row.want);
  }
}

TEST_CASE("a selector that selects no labels selects all namespaces before 1.37") {
  const auto asked = [](std::string_view version) {
    return against_all(
        cluster()
            .server(version)
            .yaml(pod_yaml("db", "app: db", "nodeName: b1", "ml"))
            .yaml(pod_yaml("p", "app: web",
                           affinity("podAntiAffinity",
                                    "{topologyKey: kubernetes.io/hostname, labelSelector: {}, "
                                    "namespaceSelector: {matchExpressions: [{key: team, operator: "
                                    "NotIn, values: [ml]}]}}"))));
  };
  CHECK(asked("v1.37.1") == "");
  CHECK(asked("v1.36.3") == "b1: PodAntiAffinity pod ml/db is on the node (pod anti-affinity)");
}

struct RepelCase {
  const char* name;
  const char* term;
  const char* want;
};

const char* const kRepels =
    "a1: PodRepelled pod ml/x in zone a keeps it away (anti-affinity)\n"
    "a2: PodRepelled pod ml/x in zone a keeps it away (anti-affinity)";

// The pod is in the namespace default with team=web, and has the label app=web.
const RepelCase kRepelling[] = {
    {"another namespace", "labelSelector: {}", ""},
    {"the pod's namespace", "labelSelector: {}, namespaces: [other, default]", kRepels},
    {"labels that it has", "labelSelector: {matchLabels: {app: web}}, namespaceSelector: {}",
     kRepels},
    {"labels that it does not have",
     "labelSelector: {matchLabels: {app: db}}, namespaceSelector: {}", ""},
    {"no selector means no pod", "namespaceSelector: {}", ""},
    {"an expression that holds",
     "namespaceSelector: {}, labelSelector: {matchExpressions: [{key: app, operator: In, values: "
     "[web, db]}]}",
     kRepels},
    {"an expression that does not",
     "namespaceSelector: {}, labelSelector: {matchExpressions: [{key: app, operator: NotIn, "
     "values: [web]}]}",
     ""},
    {"the labels of its namespace",
     "labelSelector: {}, namespaceSelector: {matchLabels: {team: web}}", kRepels},
    {"not those of another", "labelSelector: {}, namespaceSelector: {matchLabels: {team: ml}}", ""},
    {"an expression that cannot be read may hold",
     "namespaceSelector: {}, labelSelector: {matchExpressions: [{key: app, operator: Like}]}",
     "open: anti-affinity of other pods (a selector cannot be read)"},
};

Scene with_repelling(Scene built, std::string_view term, std::string_view phase = "Running") {
  const std::string spec = affinity(
      "podAntiAffinity", base::format("{{topologyKey: topology.kubernetes.io/zone, {}}}", term));
  return built.yaml(pod_yaml("p", "app: web", ""))
      .yaml(base::format("{{apiVersion: v1, kind: Pod, metadata: {{name: x, namespace: ml}}, spec: "
                         "{{nodeName: a1, {}}}, status: {{phase: {}}}}}",
                         spec, phase));
}

TEST_CASE("pods on nodes keep the pod away") {
  for (const RepelCase& row : kRepelling) {
    CAPTURE(row.name);
    CHECK(against_all(with_repelling(cluster(), row.term)) == row.want);
    CHECK(against_all(with_repelling(cluster(), row.term, "Succeeded")) == "");
  }
}

TEST_CASE("labels of namespaces that cannot be read leave the answer open") {
  Scene without = scene();
  without.node("n1", "rack: r1");
  const std::string text = against_all(
      with_repelling(without, "labelSelector: {}, namespaceSelector: {matchLabels: {team: web}}"));
  CHECK(text.find("open: anti-affinity of other pods (labels of namespaces cannot be read)") !=
        std::string::npos);
}

TEST_CASE("without the pods nothing is concluded about affinity") {
  CHECK(against_all(cluster()
                        .yaml(pod_yaml("p", "app: web",
                                       affinity("podAffinity",
                                                "{topologyKey: rack, labelSelector: "
                                                "{matchLabels: {app: db}}}")))
                        .cannot_read(api::Kind::Pod)) ==
        "bare: PodAffinity the node has no label rack, the topology of its pod affinity\n"
        "open: what other pods request (pods cannot be read)\n"
        "open: inter-pod affinity (pods cannot be read)");
}

TEST_CASE("a pod does not keep itself away") {
  CHECK(against_all(cluster().yaml(
            pod_yaml("p", "app: web",
                     "nodeName: a1, " + affinity("podAntiAffinity",
                                                 "{topologyKey: rack, labelSelector: "
                                                 "{matchLabels: {app: web}}}")))) ==
        "a2: NodeName spec.nodeName is a1\nb1: NodeName spec.nodeName is a1\nbare: NodeName "
        "spec.nodeName is a1");
}

}  // namespace
}  // namespace dra::engine::pod_affinity_test
