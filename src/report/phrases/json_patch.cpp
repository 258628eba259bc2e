// src/report/phrases/json_patch.cpp: see json_patch.h.

#include "src/report/phrases/json_patch.h"

#include <algorithm>
#include <utility>

#include "dra/base/text.h"

namespace dra::report {

json::Value operation(std::string_view op, std::string path) {
  json::Value out = json::Value::object();
  out.set("op", op);
  out.set("path", std::move(path));
  return out;
}

json::Value operation(std::string_view op, std::string path, json::Value value) {
  json::Value out = operation(op, std::move(path));
  out.set("value", std::move(value));
  return out;
}

json::Value copy_of(std::string from, std::string path) {
  json::Value out = operation("copy", std::move(path));
  out.set("from", std::move(from));
  return out;
}

std::string pointer_to(std::string_view key) {
  std::string text;
  for (const char c : key) {
    if (c == '~') {
      text += "~0";
    } else if (c == '/') {
      text += "~1";
    } else {
      text += c;
    }
  }
  return text;
}

std::string field_path(std::string_view pointer) {
  std::string path;
  for (const std::string_view part : base::split(pointer, '/')) {
    if (part.empty()) continue;
    const bool index =
        std::ranges::all_of(part, [](char c) { return c >= '0' && c <= '9'; }) || part == "-";
    if (index) {
      path += base::format("[{}]", part == "-" ? std::string_view() : part);
    } else {
      path += (path.empty() ? "" : ".") + std::string(part);
    }
  }
  return path;
}

}  // namespace dra::report
