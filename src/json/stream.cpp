// src/json/stream.cpp: see stream.h.

#include "dra/json/stream.h"

#include <algorithm>

#include "dra/base/text.h"

namespace dra::json {
namespace {

// Only blanks and a comment may follow the dashes.
bool divides(std::string_view line) {
  if (!line.starts_with("---")) return false;
  const std::string_view rest = base::trim(line.substr(3));
  return rest.empty() || rest.starts_with('#');
}

bool looks_like_json(std::string_view text) {
  const std::string_view body = base::trim(text);
  return body.starts_with('{') || body.starts_with('[');
}

}  // namespace

std::vector<StreamPart> divide_stream(std::string_view text) {
  std::vector<StreamPart> parts;
  std::size_t start = 0;
  std::size_t start_line = 0;
  const auto end_part = [&](std::size_t end) {
    const std::string_view part = text.substr(start, end - start);
    if (!base::trim(part).empty()) parts.push_back({start_line, part, looks_like_json(part)});
  };
  std::size_t line = 0;
  for (std::size_t at = 0; at < text.size(); ++line) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::size_t next = std::min(end + 1, text.size());
    if (divides(text.substr(at, end - at))) {
      end_part(at);
      start = next;
      start_line = line + 1;
    }
    at = next;
  }
  end_part(text.size());
  return parts;
}

std::vector<StreamPart> unite_yaml(const std::vector<StreamPart>& parts) {
  std::vector<StreamPart> united;
  for (const StreamPart& part : parts) {
    if (united.empty() || part.looks_like_json || united.back().looks_like_json) {
      united.push_back(part);
      continue;
    }
    StreamPart& above = united.back();
    const char* end = part.text.data() + part.text.size();
    above.text = {above.text.data(), static_cast<std::size_t>(end - above.text.data())};
  }
  return united;
}

}  // namespace dra::json
