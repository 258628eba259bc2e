// tests/cmd/words_test.cpp: from words to commands, nouns and formats.

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "cmd/find_command.h"
#include "cmd/nouns.h"
#include "cmd/output.h"
#include "tests/support/temp_dir.h"

namespace dra::cmd::words_test {
namespace {

using Words = std::vector<std::string>;

std::string joined(const std::string& first, const Words& rest) {
  std::string text = first;
  for (const std::string& word : rest)
    text += " " + word;
  return text;
}

std::string invocation(const Words& words) {
  const Invocation found = invocation_of(words);
  return joined(found.word, found.arguments);
}

TEST_CASE("get, and a kind before a name, are other words for a list") {
  struct Case {
    Words words;
    std::string want;
  };
  const std::vector<Case> cases = {
      {{"claims", "a"}, "claims a"},
      {{"get", "claims", "a"}, "claims a"},
      {{"get", "ResourceClaims.v1.resource.k8s.io"}, "ResourceClaims.v1.resource.k8s.io"},
      {{"get", "claim/a", "claim/b"}, "claim a b"},
      {{"claim/a", "claim/b"}, "claim a b"},
      {{"device/d/p/gpu-0"}, "device d/p/gpu-0"},
      {{"get", "devices", "d/p/gpu-0"}, "devices d/p/gpu-0"},
      {{"claim/a", "pod/b"}, "get claim/a pod/b"},
      {{"get", "claim/a", "claims/b"}, "get claim/a claims/b"},
      {{"claims,pods"}, "get claims,pods"},
      {{"get", "claims,pods", "a"}, "get claims,pods a"},
      {{"get", "nonsense"}, "get nonsense"},
      {{"get"}, "get"},
      {{"nonsense/a"}, "nonsense/a"},
      {{"describe", "claim/a"}, "describe claim/a"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.want);
    CHECK(invocation(c.words) == c.want);
  }
}

TEST_CASE("every word for a noun finds the command that lists it") {
  const Commands commands = all_commands();
  for (const NounInfo& noun : all_nouns()) {
    CAPTURE(std::string(noun.plural));
    for (const std::string_view word : aliases_of(noun.noun)) {
      const Command* command = find_command(commands, word);
      REQUIRE(command != nullptr);
      CHECK(command->info().name == noun.plural);
    }
  }
  const Command* command = find_command(commands, "RESOURCECLAIMS.v1.RESOURCE.k8s.io");
  REQUIRE(command != nullptr);
  CHECK(command->info().name == "claims");
  CHECK(find_command(commands, "resourceclaims.v7.resource.k8s.io") == nullptr);
}

TEST_CASE("a word may say a version") {
  const NounInfo& claims = info_of(Noun::Claims);
  CHECK(version_in(claims, "resourceclaims") == "");
  CHECK(version_in(claims, "resourceclaims.resource.k8s.io") == "");
  CHECK(version_in(claims, "ResourceClaims.V1beta1.resource.k8s.io") == "v1beta1");
  CHECK(version_in(info_of(Noun::Pods), "pods.v1.") == "");
}

// "claims a b; pods c", or the error.
std::string groups(const Words& words) {
  const auto read = read_list_targets(words);
  if (!read.ok()) return "error: " + read.error().message;
  std::string text;
  for (const ListTarget& target : read.value()) {
    const std::string noun(info_of(target.noun).plural);
    text += (text.empty() ? "" : "; ") +
            joined(target.version.empty() ? noun : noun + "@" + target.version, target.names);
  }
  return text;
}

TEST_CASE("several kinds stand in the order in which they were named") {
  struct Case {
    Words words;
    std::string want;
  };
  const std::vector<Case> cases = {
      {{"claims"}, "claims"},
      {{"claims,pods,claim"}, "claims; pods"},
      {{"claims,pods", "a", "b"}, "claims a b; pods a b"},
      {{"claim/a", "resourceclaim/b", "pod/c", "claim/d"}, "claims a b; pods c; claims d"},
      {{"resourceclaims.v1beta1.resource.k8s.io/a"}, "claims@v1beta1 a"},
      {{"claim/a", "resourceclaims.v1beta1.resource.k8s.io/b"},
       "error: get: claims are asked for in two versions"},
      {{"claim/a", "b"}, "error: get: \"b\" is not of the form KIND/NAME"},
      {{"claim/a", "pod/"}, "error: get: \"pod/\" is not of the form KIND/NAME"},
      {{"claims,nonsense"}, "error: get: there is no kind \"nonsense\""},
      {{"nonsense/a"}, "error: get: there is no kind \"nonsense\""},
      {{"claims,"}, "error: get: there is no kind \"\""},
  };
  for (const Case& c : cases) {
    CAPTURE(c.want);
    CHECK(groups(c.words) == c.want);
  }
}

std::string format_error(const std::string& format) {
  const auto output = read_output(format, false);
  return output.ok() ? "" : output.error().message;
}

TEST_CASE("formats are read before anything is asked of a server") {
  CHECK(read_output("", false).value().table());
  CHECK(read_output("wide", false).value().format == Format::Wide);
  CHECK(read_output("yaml", false).value().format == Format::Yaml);
  CHECK(read_output("jsonpath={.a}", false).value().path.has_value());
  CHECK(read_output("jsonpath-as-json={.a}", false).value().path_options.as_json);
  CHECK(read_output("custom-columns=A:.b", false).value().columns.has_value());
  CHECK(format_error("jsonpath") == "--output=jsonpath needs a value");
  CHECK(format_error("json=x") == "--output=json does not accept a value");
  CHECK(format_error("json=") == "--output=json does not accept a value");
  CHECK(read_output("go-template={{.a}}", false).value().go_template.has_value());
  CHECK(format_error("go-template={{.a").starts_with("--output=go-template: line 1, column "));
  CHECK(read_output("JSON", false).value().format == Format::Json);
  CHECK(format_error("WIDE").starts_with("--output cannot be \"WIDE\": "));
  CHECK(format_error("xml").starts_with("--output cannot be \"xml\": use custom-columns=..., "));
  CHECK(format_error("jsonpath={.a").starts_with("--output=jsonpath: "));
}

TEST_CASE("--template has the expression of a format that has none") {
  CHECK(read_output("", false, {"{{.a}}"}).value().format == Format::GoTemplate);
  CHECK(read_output("jsonpath", false, {"{.a}"}).value().path.has_value());
  CHECK(read_output("custom-columns", false, {"A:.b"}).value().columns.has_value());
  CHECK(read_output("json", false, {"{{.a}}"}).value().format == Format::Json);
  CHECK(read_output("wide", false, {"{{.a}}"}).value().table());
  const auto both = read_output("jsonpath={.a}", false, {"{.a}"});
  REQUIRE_FALSE(both.ok());
  CHECK(both.error().message == "--output=jsonpath and --template both have an expression");
  CHECK_FALSE(
      read_output("jsonpath={.a}", false, {"", false}).value().path_options.allow_missing_keys);
}

TEST_CASE("expressions may stand in files") {
  const support::TempDir dir;
  const std::string path = dir.write("path", "{.kind}");
  const std::string columns = dir.write("columns", "A B\n.a .b\n");
  CHECK(read_output("jsonpath-file=" + path, false).value().path.has_value());
  CHECK(read_output("custom-columns-file=" + columns, false).value().columns.has_value());
  const auto missing = read_output("jsonpath-file=" + dir.path("none"), false);
  REQUIRE_FALSE(missing.ok());
  CHECK(missing.error().kind == ErrorKind::NotFound);
}

}  // namespace
}  // namespace dra::cmd::words_test
