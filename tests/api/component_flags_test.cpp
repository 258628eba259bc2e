// tests/api/component_flags_test.cpp: command lines as installers of clusters write them.

#include "dra/api/component_flags.h"

#include <doctest/doctest.h>

#include <string>

#include "dra/base/text.h"
#include "tests/support/builders.h"

namespace dra::api::component_flags_test {
namespace {

struct Case {
  const char* name;
  const char* container;
  const char* gates;  // "A=1"; "?": the flags are not known
  bool runs;          // resourceclaim-controller
};

const Case kCases[] = {
    {"no command", "{name: c}", "?", true},
    {"a static pod", "{name: c, command: [kcm, -v=2, '--feature-gates=A=true,B=False']}", "A=1 B=0",
     true},
    {"flags as arguments", "{name: c, command: [kcm], args: [--controllers=*]}", "", true},
    {"behind a runner",
     "{name: c, command: [/go-runner, --log-file=/x, /usr/local/bin/kcm, "
     "--controllers=-resourceclaim-controller]}",
     "", false},
    {"a script", "{name: c, command: [/bin/sh, -c, 'exec kcm --controllers=none']}", "?", true},
    {"another program", "{name: c, command: [kcm-helper, --controllers=none]}", "?", true},
    {"the value is the next word", "{name: c, command: [kcm, --controllers, 'a,-b']}", "", false},
    {"only those that are named",
     "{name: c, command: [kcm, '--controllers=a, "
     "resourceclaim-controller']}",
     "", true},
    {"the first entry counts",
     "{name: c, command: [kcm, "
     "'--controllers=*,resourceclaim-controller,-resourceclaim-controller']}",
     "", true},
    {"of a component",
     "{name: c, command: [kcm, '--feature-gates=kube:A=true', "
     "--feature-gates=A=false]}",
     "A=1 A=0", true},
    {"another flag that begins so", "{name: c, command: [kcm, --feature-gates-x=A=true]}", "",
     true},
};

TEST_CASE("flags of a component") {
  for (const Case& row : kCases) {
    CAPTURE(std::string(row.name));
    const auto snapshot =
        support::scene()
            .yaml(base::format("{{apiVersion: v1, kind: Pod, metadata: {{name: p, namespace: "
                               "default}}, spec: {{containers: [{}]}}}}",
                               row.container))
            .build();
    const ComponentFlags flags = flags_of(snapshot.all<Pod>().front(), "kcm");
    std::vector<std::string> gates;
    for (const auto& [gate, on] : flags.gates)
      gates.push_back(base::format("{}={}", gate, on ? 1 : 0));
    CHECK((flags.known ? base::join(gates, " ") : "?") == row.gates);
    CHECK(flags.runs_controller("resourceclaim-controller") == row.runs);
  }
}

TEST_CASE("the last entry for a gate counts") {
  const ComponentFlags flags{.known = true, .gates = {{"A", true}, {"A", false}}};
  CHECK(flags.gate("A") == false);
  CHECK_FALSE(flags.gate("B").has_value());
  CHECK_FALSE(flags.has_gates_by_stage());
}

}  // namespace
}  // namespace dra::api::component_flags_test
