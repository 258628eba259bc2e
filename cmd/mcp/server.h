// cmd/mcp/server.h
//
// A server of the Model Context Protocol over standard input and output: one JSON-RPC message on
// each line. https://modelcontextprotocol.io/specification

#pragma once

#include <deque>
#include <list>
#include <string>
#include <string_view>
#include <vector>

#include "cmd/command.h"
#include "cmd/mcp/child.h"
#include "cmd/mcp/tools.h"
#include "dra/base/result.h"
#include "dra/json/value.h"

namespace dra::cmd {

class McpServer {
 public:
  // `common` are the flags that every call gets: which cluster, as whom.
  McpServer(const Console& console, std::vector<std::string> common)
      : console_(console), common_(std::move(common)) {}

  // Serves until the input ends. Calls that run then are ended. Fails with Io.
  Result<Done> run(int input);

 private:
  struct Waiting {
    json::Value id;
    const Tool* tool;
    ToolCall call;
  };
  struct Running {
    json::Value id;
    const Tool* tool;
    Child child;
  };

  bool read_input(int input);  // false: it has ended
  void take_line(std::string_view line);
  void take_message(const json::Value& message);
  void answer(const json::Value& id, std::string_view method, const json::Value& params);
  json::Value initialize(const json::Value& params);
  void call_tool(const json::Value& id, const json::Value& params);
  void cancel(const json::Value& params);
  void start_waiting();
  void wait(int input, bool& ended);
  void finish_done();
  json::Value result_of(Running& call) const;

  void reply(const json::Value& id, json::Value result);
  void refuse(const json::Value& id, int code, std::string_view message);
  void send(json::Value message, const json::Value& id);

  const Console& console_;
  std::vector<std::string> common_;
  std::string read_;        // a line whose end is still to come
  bool skipping_ = false;   // the rest of a line that is too long
  bool structured_ = true;  // the client's version of the protocol has structured results
  std::deque<Waiting> waiting_;
  std::list<Running> running_;
};

}  // namespace dra::cmd
