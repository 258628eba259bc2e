// tests/differential/answer_kubernetes.cpp: what expressions give, for tests/differential/cel to
// compare with upstream. One expression on each line, escaped as for answer_cel.cpp.

#include <algorithm>
#include <cstring>
#include <iostream>
#include <string>
#include <vector>

#include "dra/base/text.h"
#include "dra/cel/parser.h"
#include "dra/cel/program.h"

namespace {

using namespace dra::cel;
using dra::base::format;

std::string unescape(std::string_view text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool escaped = text[i] == '\\' && i + 1 < text.size();
    const char c = text[escaped ? ++i : i];
    plain += escaped && c == 't' ? '\t' : escaped && c == 'n' ? '\n' : c;
  }
  return plain;
}

std::string hex(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const auto code = static_cast<unsigned>(static_cast<unsigned char>(c));
    out += code > ' ' && code < 0x7F && c != '\\' ? std::string(1, c) : format("\\{:02x}", code);
  }
  return out;
}

std::string show(const Value& value);

std::string show_list(const ListValue& list) {
  std::string out = "[";
  for (std::size_t i = 0; i < list.size(); ++i)
    out += (i > 0 ? "," : "") + show(list.at(i));
  return out + "]";
}

// Upstream's maps have no order.
std::string show_map(const MapValue& map) {
  std::vector<std::string> entries;
  for (std::size_t i = 0; i < map.size(); ++i)
    entries.push_back(show(map.entry(i).first) + ":" + show(map.entry(i).second));
  std::ranges::sort(entries);
  return "{" + dra::base::join(entries, ",") + "}";
}

std::string show(const Value& value) {
  switch (value.kind()) {
    case ValueKind::Error:
      return "error " + hex(value.text());
    case ValueKind::Bool:
      return value.as_bool() ? "true" : "false";
    case ValueKind::Int:
      return format("{}", value.as_int());
    case ValueKind::Double: {
      std::uint64_t bits = 0;
      const double number = value.as_double();
      std::memcpy(&bits, &number, sizeof bits);
      return number != number ? "NaN" : format("d{:016x}", bits);
    }
    case ValueKind::String:
      return "'" + hex(value.text()) + "'";
    case ValueKind::List:
      return show_list(value.as_list());
    case ValueKind::Map:
      return show_map(value.as_map());
    case ValueKind::Optional:
      return value.content() == nullptr ? "none" : "some " + show(*value.content());
    default:
      return std::string(type_name(value));
  }
}

std::string answer(const std::string& expression) {
  const Environment environment;
  const Source source(expression);
  Parsed parsed = parse(source, environment.macros());
  if (!parsed.ok()) return "compile";
  Checked checked = check(std::move(parsed.ast), environment);
  if (!checked.ok()) return "compile";
  auto program = Program::make(std::move(checked), environment);
  if (!program.ok()) return "program " + hex(program.error().message);
  Run run;
  return show(program.value().evaluate({}, run));
}

}  // namespace

int main() {
  std::string line;
  while (std::getline(std::cin, line)) {
    const auto fields = dra::base::split(line, '\t');
    std::cout << answer(unescape(fields.size() > 1 ? fields[1] : fields[0])) << std::endl;
  }
}
