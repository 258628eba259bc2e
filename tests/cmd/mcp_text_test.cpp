// tests/cmd/mcp_text_test.cpp: what an agent reads next to a report, and instead of a message. The
// protocol is tested in tests/mcp.

#include <doctest/doctest.h>

#include <string>

#include "cmd/mcp/short_text.h"
#include "dra/json/parse.h"

namespace dra::cmd::mcp_text_test {
namespace {

std::string text_of(const char* report) {
  auto value = json::parse_json(report);
  REQUIRE(value.ok());
  return short_text(value.value());
}

TEST_CASE("the text of a report") {
  CHECK(text_of(R"({"kind": "Explanation", "summary": "It waits.", "advice": [
      {"message": "free pod a/b", "commands": ["kubectl delete pod b -n a", "echo"]},
      {"message": "add a node"}, {"message": "three"}, {"message": "four"}]})") ==
        "It waits.\nWhat would make it fit:\n- free pod a/b: kubectl delete pod b -n a\n"
        "- add a node\n- three\nand 1 more in the structured content");
  CHECK(text_of(R"({"kind": "DeviceList", "items": [{"device": "d", "state": "free"}]})") ==
        "1 device: 1 free");
  CHECK(text_of(R"({"kind": "DeviceList", "items": []})") == "0 devices");
  CHECK(text_of(R"({"kind": "PoolList", "items": [1]})") == "1 item");
  CHECK(text_of(R"({"kind": "Doctor", "problems": [{"message": "m"}]})") == "1 problem\n- m");
  CHECK(text_of(R"({"kind": "Topology", "grids": [{"hosts": [{"node": "n", "state": "whole"}],
      "cells": [{"id": "x/y/z", "state": "allocated"}, {"id": "x/y/w", "state": "free"}]}],
      "boards": [{}], "groups": []})") ==
        "2 devices: 1 allocated, 1 free\n1 partitioned accelerator");
  CHECK(text_of(R"({"kind": "Topology", "grids": [], "boards": []})") == "no devices");
  CHECK(text_of(R"({"kind": "Other"})") == "The answer is the structured content.");
}

TEST_CASE("the text of an evaluation says first whether it compiles") {
  CHECK(text_of(R"({"kind": "Evaluation", "compile": {"ok": false, "error": "undefined field"},
      "devices": []})") == "The expression does not compile: undefined field");
  CHECK(text_of(R"({"kind": "Evaluation", "compile": {"ok": true}})") ==
        "The expression compiles.");
  CHECK(text_of(R"({"kind": "Evaluation", "compile": {"ok": true}, "devices": [
      {"result": "true"}, {"result": "false"}, {"result": "error"}]})") ==
        "The expression compiles, and matches 1 of 3 devices. It fails for 1.");
}

TEST_CASE("messages speak of parameters and tools") {
  const Tool& plan = *find_tool("plan");
  const auto said = [&plan](std::string_view message) { return in_words_of_tool(message, plan); };
  CHECK(said("error: --add-node-like n=x: not a number") ==
        "error: add_node_like n=x: not a number");
  CHECK(said("error: x\nhint: it is in namespace ml: -n ml") ==
        "error: x\nhint: it is in namespace ml");
  CHECK(said("hint: looked in namespace ml; -n names another") ==
        "hint: looked in namespace ml; the parameter namespace names another");
  CHECK(said("hint: `kubectl dra devices` lists all; an id is driver/pool/device") ==
        "hint: the tool devices lists all; an id is driver/pool/device");
  CHECK(said("error: y\nhint: see `kubectl dra nodes`") == "error: y");
  CHECK(said("hint: add --as-if-pending") == "");
}

}  // namespace
}  // namespace dra::cmd::mcp_text_test
