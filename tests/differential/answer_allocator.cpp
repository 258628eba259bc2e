// tests/differential/answer_allocator.cpp: what `explain pod -o json` says of a case, for
// tests/differential/allocator to compare with upstream. A case and its answer are one line of JSON
// each: {"id", "version", "gates", "objects", "pod", "help"?} and {"id", "explanation"}. With
// `help` the explanation has every detail, conflicts and advice too.

#include <iostream>
#include <string>
#include <string_view>
#include <utility>

#include "dra/base/text.h"
#include "dra/json/parse.h"
#include "dra/json/write.h"
#include "dra/report/explain/explanation.h"
#include "dra/snapshot/builder.h"

namespace {

namespace api = dra::api;
namespace json = dra::json;
namespace snapshot = dra::snapshot;

// "DRAListTypeAttributes=true,DRADeviceTaints=false".
snapshot::Server server_of(const json::Value& question) {
  snapshot::Server server{.version = question.find("version")->text(), .assumed = false};
  const std::string& gates = question.find("gates")->text();
  for (const std::string_view entry : dra::base::split(gates, ',')) {
    const std::size_t equals = entry.find('=');
    if (equals == std::string_view::npos) continue;
    server.gates.emplace_back(entry.substr(0, equals), entry.substr(equals + 1) == "true");
  }
  return server;
}

dra::Result<snapshot::Snapshot> snapshot_of(const json::Value& question) {
  json::Value list = json::Value::object();
  list.set("apiVersion", "v1");
  list.set("kind", "List");
  list.set("items", *question.find("objects"));
  snapshot::Builder builder;
  builder.set_server(server_of(question));
  DRA_TRY(builder.add_text(json::write_json(list, json::Style::Compact), "case"));
  return std::move(builder).build();
}

dra::Result<json::Value> explain(const json::Value& question) {
  const auto snapshot = DRA_TRY(snapshot_of(question));
  const std::string& name = question.find("pod")->text();
  const std::size_t slash = name.find('/');
  const auto* pod = snapshot.find<api::Pod>(name.substr(0, slash), name.substr(slash + 1));
  if (pod == nullptr) return dra::Error{.message = "no pod " + name};
  if (question.find("help") != nullptr)
    return dra::report::to_json(dra::answers::explain_pod(snapshot, *pod));
  const dra::engine::Inventory inventory(snapshot);
  const dra::engine::NodeLoads loads(snapshot);
  return dra::report::to_json(dra::answers::explain_pod(snapshot, inventory, loads, *pod));
}

std::string answer(const std::string& line) {
  json::Value out = json::Value::object();
  const auto question = json::parse_json(line);
  if (question.ok()) out.set("id", *question.value().find("id"));
  const auto explanation =
      question.ok() ? explain(question.value()) : dra::Result<json::Value>(question.error());
  if (explanation.ok()) {
    out.set("explanation", explanation.value());
  } else {
    out.set("error", explanation.error().message);
  }
  return json::write_json(out, json::Style::Compact);
}

}  // namespace

int main() {
  std::string line;
  while (std::getline(std::cin, line))
    std::cout << answer(line) << std::endl;
  return 0;
}
