// tests/diag/command_line_test.cpp: command lines can be pasted into a shell.

#include "dra/diag/command_line.h"

#include <doctest/doctest.h>

namespace dra::diag::command_line_test {
namespace {

TEST_CASE("names are quoted for a shell, words of ours are not") {
  CHECK(kubectl("describe pod").name("a").in("ml").text() == "kubectl describe pod a -n ml");
  CHECK(kubectl("cordon").name("n 1").text() == "kubectl cordon 'n 1'");
  CHECK(kubectl_dra("devices").option("--driver", "a;b").words("-o wide").text() ==
        "kubectl dra devices --driver 'a;b' -o wide");
}

TEST_CASE("what is empty leaves no space behind") {
  CHECK(CommandLine("pools").in("").words("").flags("").text() == "pools");
  CHECK(CommandLine("pools").flags(" --demo").text() == "pools --demo");
}

TEST_CASE("a subject is asked about by its name and namespace") {
  CHECK(command_for("explain", "pod", {"Pod", "ml", "p; q"}) == "explain pod 'p; q' -n ml");
  CHECK(command_for("describe", "node", {"Node", "", "n1"}) == "describe node n1");
}

}  // namespace
}  // namespace dra::diag::command_line_test
