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

TEST_CASE("a name like a flag stays a name") {
  const std::string_view name = "--kubeconfig=x";
  CHECK(kubectl("scale deployment").name(name).in("ml").words("--replicas=0").text() ==
        "kubectl scale deployment -n ml --replicas=0 -- '--kubeconfig=x'");
  CHECK(kubectl("annotate pod").name("-a").in("-b").words("k=v --overwrite").text() ==
        "kubectl annotate pod --namespace=-b -- -a k=v --overwrite");
  CHECK(kubectl("delete pod").name("a").name("-b").name("c").in("ml").text() ==
        "kubectl delete pod a -n ml -- -b c");
  CHECK(CommandLine("devices").option("--driver", "-x").text() == "devices --driver=-x");
  CHECK(kubectl("logs").name("-p").option("-c", "-x").words("--previous").text() ==
        "kubectl logs --container=-x --previous -- -p");
}

TEST_CASE("pods that no controller makes again are saved before they are deleted") {
  CHECK(save_and_delete_command({"a", "b"}, "ml") ==
        "kubectl get pod a b -n ml -o json | kubectl patch --local -f - --type=json -p "
        "'[{\"op\":\"remove\",\"path\":\"/spec/nodeName\"}]' -o json > a.json && kubectl delete "
        "pod a "
        "b -n ml");
  CHECK(saved_file({"../x"}) == "pod.json");
  CHECK(saved_file({"-x"}) == "pod.json");
  CHECK(saved_file({"x; rm"}) == "pod.json");
}

TEST_CASE("what is replaced is kept in a file") {
  CHECK(replace_command("resourceclaim", "a", "ml", "[]") ==
        "kubectl get resourceclaim a -n ml -o json | tee resourceclaim-a.json | kubectl patch "
        "--local -f - --type=json -p '[]' -o json | kubectl replace --force -f -");
  CHECK(replace_command("pod", "a", "ml") ==
        "kubectl get pod a -n ml -o json | tee pod-a.json | kubectl replace --force -f -");
  CHECK(replaced_file("pod", "-x; rm") == "pod.json");
}

TEST_CASE("flags are added to a finished line before its names") {
  const std::string line = command_for("describe", "claim", {"Claim", "ml", "-a"});
  CHECK(line == "describe claim -n ml -- -a");
  CHECK(kubectl_dra(line).flags(" --demo").text() ==
        "kubectl dra describe claim -n ml --demo -- -a");
  CHECK(with_flags("kubectl dra pods 'a -- b'", " --demo") == "kubectl dra pods 'a -- b' --demo");
  CHECK(with_flags("kubectl dra pods 'a'\\'' -- b'", " --demo") ==
        "kubectl dra pods 'a'\\'' -- b' --demo");
}

TEST_CASE("each command of kubectl in a line names the cluster") {
  const std::string flags = " --context 'a b'";
  CHECK(at_cluster("kubectl get pod p", flags) == "kubectl --context 'a b' get pod p");
  CHECK(at_cluster("kubectl get pod p -o json | kubectl patch --local -f - -p 'x | kubectl y' > "
                   "p.json && kubectl delete pod p",
                   flags) ==
        "kubectl --context 'a b' get pod p -o json | kubectl --context 'a b' patch --local -f - -p "
        "'x | kubectl y' > p.json && kubectl --context 'a b' delete pod p");
  CHECK(at_cluster("# kubectl cordon n", flags) == "# kubectl --context 'a b' cordon n");
  CHECK(at_cluster("echo '{}' | kubectl create -f -", flags) ==
        "echo '{}' | kubectl --context 'a b' create -f -");
  for (const std::string unchanged :
       {"kubectl dra describe pod p", "kubectl --context c get pods", "kubectl-dra pods",
        "echo kubectl get", "in words: kubectl get pods"})
    CHECK(at_cluster(unchanged, flags) == unchanged);
  CHECK(at_cluster("kubectl get pods", "") == "kubectl get pods");
}

}  // namespace
}  // namespace dra::diag::command_line_test
