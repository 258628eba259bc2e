// cmd/name_cluster.h
//
// Commands of kubectl in an answer name the cluster that was asked, as those of this program do:
// what they change would be changed in the current context else. Every exit of an answer calls
// these (context.cpp, output.cpp, html.cpp), so no report has to.

#pragma once

#include <optional>

#include "cmd/command.h"
#include "dra/json/value.h"
#include "dra/view/document.h"

namespace dra::cmd {

// No value: there is nothing to add.
std::optional<view::Document> naming_cluster(const view::Document& document,
                                             const GlobalFlags& globals);
// Of a report, the fields that hold commands: command, commands, adviceCommand.
std::optional<json::Value> naming_cluster(const json::Value& report, const GlobalFlags& globals);

}  // namespace dra::cmd
