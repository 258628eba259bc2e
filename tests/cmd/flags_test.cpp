// tests/cmd/flags_test.cpp

#include "cmd/flags.h"

#include <doctest/doctest.h>

#include <optional>
#include <string>
#include <vector>

#include "dra/base/text.h"

namespace dra::cmd::flags_test {
namespace {

// One target of each kind, and their values as one line.
struct Targets {
  bool all = false;
  bool no_headers = true;
  int verbosity = 0;
  std::string ns = "-";
  std::string output;
  std::vector<std::string> files;
  std::optional<std::string> demo;

  std::vector<Flag> flags() {
    return {{"all", 'A', "", "", &all},
            {"demo", '\0', "NAME", "", &demo, {"gpu", "tpu"}},
            {"file", 'f', "FILE", "", &files},
            {"headers", '\0', "", "", &no_headers},
            {"namespace", 'n', "NAMESPACE", "", &ns},
            {"output", 'o', "FORMAT", "", &output, {"json", "wide"}},
            {"v", 'v', "LEVEL", "", &verbosity}};
  }

  std::string to_line(const Arguments& arguments) const {
    std::string line = "[" + base::join(arguments, "|") + "]";
    if (all) line += " all";
    if (!no_headers) line += " headers=false";
    if (verbosity != 0) line += base::format(" v={}", verbosity);
    if (ns != "-") line += " n=" + ns;
    if (!output.empty()) line += " o=" + output;
    if (!files.empty()) line += " f=" + base::join(files, ",");
    if (demo) line += " demo=" + *demo;
    return line;
  }
};

struct Case {
  std::string name;
  std::vector<std::string> words;
  std::string want;
};

std::string outcome(const std::vector<std::string>& words) {
  Targets targets;
  const auto flags = targets.flags();
  const auto parsed = parse_flags(flags, words);
  if (parsed.ok()) return targets.to_line(parsed.value());
  const Error& error = parsed.error();
  return "error: " + error.message + (error.hint.empty() ? "" : "; " + error.hint);
}

void check(const std::vector<Case>& cases) {
  for (const Case& c : cases) {
    CAPTURE(c.name);
    CHECK(outcome(c.words) == c.want);
  }
}

TEST_CASE("a value may be written in each of kubectl's ways") {
  check({
      {"after a space", {"-n", "ml"}, "[] n=ml"},
      {"joined to the letter", {"-nml"}, "[] n=ml"},
      {"after the letter and =", {"-n=ml"}, "[] n=ml"},
      {"after the name and a space", {"--namespace", "ml"}, "[] n=ml"},
      {"after the name and =", {"--namespace=ml"}, "[] n=ml"},
      {"with = inside", {"--namespace=a=b"}, "[] n=a=b"},
      {"empty after =, and the next word is not taken for it", {"--namespace=", "x"}, "[x] n="},
      {"empty after the letter and =", {"-n=", "x"}, "[x] n="},
      {"empty as a word of its own", {"-n", "", "x"}, "[x] n="},
      {"beginning with a dash, as it must be a value", {"-n", "-x"}, "[] n=-x"},
      {"a lone dash", {"-f", "-", "x"}, "[x] f=-"},
      {"in brackets, which mean nothing", {"-f", "[a,b]", "[c,d]"}, "[[c,d]] f=[a,b]"},
      {"letters of switches before it", {"-Ao", "json"}, "[] all o=json"},
      {"all of it in one word", {"-Aojson"}, "[] all o=json"},
      {"a number", {"-v6"}, "[] v=6"},
      {"a number after =", {"--v=7"}, "[] v=7"},
  });
}

TEST_CASE("flags stand anywhere") {
  check({
      {"before the arguments", {"-o", "json", "claims", "x"}, "[claims|x] o=json"},
      {"between them", {"claims", "-A", "x"}, "[claims|x] all"},
      {"after them", {"claims", "x", "-n", "ml"}, "[claims|x] n=ml"},
      {"until --", {"claims", "--", "-A", "--", "-n"}, "[claims|-A|--|-n]"},
      {"-- as a value is a value", {"-n", "--", "-A"}, "[] all n=--"},
      {"after -- nothing is rewritten", {"--", "--namespace=", "-n=ml"}, "[--namespace=|-n=ml]"},
      {"a lone dash is an argument", {"-"}, "[-]"},
      {"no words", {}, "[]"},
      {"an empty word is an argument", {""}, "[]"},
  });
}

TEST_CASE("of a flag given twice") {
  check({
      {"the last value counts", {"-n", "a", "--namespace=b"}, "[] n=b"},
      {"a switch is on once", {"-A", "-A", "--all"}, "[] all"},
      {"a list keeps all", {"-f", "a", "--file=b", "-fc"}, "[] f=a,b,c"},
      {"a list takes one word each time", {"-f", "a", "b"}, "[b] f=a"},
  });
}

TEST_CASE("a flag that may stand without its value leaves a flag behind it alone") {
  Targets targets;
  auto flags = targets.flags();
  for (Flag& flag : flags) {
    if (flag.name == "namespace") flag.at_end = "every";
  }
  const auto parsed = parse_flags(flags, {"-n", "-o", "json"});
  REQUIRE(parsed.ok());
  CHECK(targets.to_line(parsed.value()) == "[] n=every o=json");
}

TEST_CASE("switches and values that may be omitted") {
  check({
      {"a switch may be given true", {"--all=true"}, "[] all"},
      {"a switch may be given false", {"--headers=false"}, "[] headers=false"},
      {"as Go writes it", {"--headers=F", "-A=1"}, "[] all headers=false"},
      {"a switch takes no further word", {"--all", "false"}, "[false] all"},
      {"anything else is an error",
       {"--all=maybe"},
       "error: --all is true or false, not \"maybe\""},
      {"an optional value after =", {"--demo=gpu"}, "[] demo=gpu"},
      {"an optional value omitted", {"--demo", "gpu"}, "[gpu] demo="},
  });
}

// kubectl gives its plugins their flags unread, so aliases with any of them must work here, too.
TEST_CASE("every flag of kubectl's that every command has is accepted") {
  GlobalFlags globals;
  const auto arguments = parse_flags(global_flags(globals), {"--as=me",
                                                             "--as-group",
                                                             "g",
                                                             "--as-group=h",
                                                             "--as-uid=1",
                                                             "--as-user-extra",
                                                             "k=a=b",
                                                             "--as-user-extra=k=",
                                                             "--cache-dir=d",
                                                             "--certificate-authority=ca",
                                                             "--client-certificate=c",
                                                             "--client-key=k",
                                                             "--cluster=c",
                                                             "--context=x",
                                                             "--disable-compression",
                                                             "--insecure-skip-tls-verify",
                                                             "--kubeconfig=f",
                                                             "--kuberc=r",
                                                             "--log-flush-frequency=5s",
                                                             "--match-server-version",
                                                             "--namespace=n",
                                                             "--password=p",
                                                             "--profile=none",
                                                             "--profile-output",
                                                             "profile.pprof",
                                                             "--proxy-url=http://p",
                                                             "--request-timeout=1s",
                                                             "--server=s",
                                                             "--tls-server-name=t",
                                                             "--token=t",
                                                             "--user=u",
                                                             "--username=n",
                                                             "--v=0",
                                                             "--vmodule=a=1,b=2",
                                                             "--warnings-as-errors=false",
                                                             "claims"});
  REQUIRE(arguments.ok());
  CHECK(arguments.value() == Arguments{"claims"});
  const session::ConnectionFlags& flags = globals.connection;
  CHECK(flags.as == "me");
  CHECK(flags.as_group == std::vector<std::string>{"g", "h"});
  CHECK(flags.as_user_extra == std::vector<std::string>{"k=a=b", "k="});
  CHECK(flags.disable_compression);
  CHECK(flags.proxy_url == "http://p");
  CHECK(flags.kuberc == "r");
}

TEST_CASE("errors say what was wrong and what was meant") {
  check({
      {"an unknown flag", {"--xyz"}, "error: unknown flag --xyz"},
      {"a flag with a slip",
       {"--namspace=ml"},
       "error: unknown flag --namspace; did you mean --namespace?"},
      {"a dash too few",
       {"-output", "json"},
       "error: --output cannot be \"utput\": use json or wide"},
      {"an unknown letter",
       {"-x"},
       "error: unknown flag -x; with one letter there are -A, -f, -n, -o or -v; --help says more"},
      {"an unknown letter among known ones",
       {"-Ax"},
       "error: unknown flag -x; with one letter there are -A, -f, -n, -o or -v; --help says more"},
      {"a value that is missing",
       {"claims", "-n"},
       "error: --namespace needs a value; write --namespace=NAMESPACE"},
      {"a value missing after other letters",
       {"-An"},
       "error: --namespace needs a value; write --namespace=NAMESPACE"},
      {"a wrong choice", {"-o", "xml"}, "error: --output cannot be \"xml\": use json or wide"},
      {"a choice with a slip",
       {"-o", "jsn"},
       "error: --output cannot be \"jsn\": use json or wide; did you mean json?"},
      {"a wrong choice of an optional value",
       {"--demo=x"},
       "error: --demo cannot be \"x\": use gpu or tpu"},
      {"not a number", {"-v", "high"}, "error: --v needs a number, not \"high\""},
      {"half a number", {"-v", "6x"}, "error: --v needs a number, not \"6x\""},
      {"a number too large",
       {"-v", "99999999999"},
       "error: --v needs a number, not \"99999999999\""},
  });
}

TEST_CASE("an unfinished line is read as far as it makes sense") {
  const auto read = [](const std::vector<std::string>& words) {
    Targets targets;
    const auto flags = targets.flags();
    const Arguments arguments = read_flags(flags, words);
    return targets.to_line(arguments);
  };
  CHECK(read({"claims", "-n", "ml", "-o"}) == "[claims] n=ml");
  CHECK(read({"--unknown", "claims", "-v", "x", "-A"}) == "[claims] all");
  CHECK(read({"claims", "--", "-A"}) == "[claims|-A]");
}

TEST_CASE("which flag waits for a value") {
  Targets targets;
  const auto flags = targets.flags();
  const auto name = [&flags](std::string_view word) {
    const Flag* flag = waiting_for_value(flags, word);
    return flag == nullptr ? std::string("none") : std::string(flag->name);
  };
  CHECK(name("--output") == "output");
  CHECK(name("-o") == "output");
  CHECK(name("-Ao") == "output");
  CHECK(name("-ojson") == "none");
  CHECK(name("--output=") == "none");
  CHECK(name("--all") == "none");
  CHECK(name("--demo") == "none");
  CHECK(name("-") == "none");
  CHECK(name("--") == "none");
  CHECK(name("o") == "none");
}

}  // namespace
}  // namespace dra::cmd::flags_test
