// src/diag/command_line.cpp: joins words by spaces, and quotes names for a shell.

#include "dra/diag/command_line.h"

#include "dra/base/function_ref.h"
#include "dra/base/text.h"

namespace dra::diag {
namespace {

constexpr std::string_view kEndOfFlags = " -- ";
constexpr std::string_view kKubectl = "kubectl ";

// The first place from `from` on, outside of quotes, where `is_it` holds for what is left of the
// line; npos: there is none.
std::size_t find_unquoted(std::string_view line, std::size_t from,
                          base::FunctionRef<bool(std::size_t)> is_it) {
  bool quoted = false;
  for (std::size_t i = from; i < line.size(); ++i) {
    if (line[i] == '\\' && !quoted) {
      ++i;
    } else if (line[i] == '\'') {
      quoted = !quoted;
    } else if (!quoted && is_it(i)) {
      return i;
    }
  }
  return std::string_view::npos;
}

// The place of " -- " outside of quotes; npos: there is none.
std::size_t end_of_flags(std::string_view line) {
  return find_unquoted(line, 0,
                       [line](std::size_t i) { return line.substr(i).starts_with(kEndOfFlags); });
}

// Whether a command of kubectl begins there: behind nothing, or behind what a shell or a comment
// begins a command with.
bool is_kubectl(std::string_view line, std::size_t at) {
  if (!line.substr(at).starts_with(kKubectl)) return false;
  const std::string_view behind = line.substr(at + kKubectl.size());
  if (behind.starts_with("dra ") || behind.starts_with('-')) return false;
  const std::string_view before = base::trim(line.substr(0, at));
  return before.empty() || std::string_view("|&;(#").find(before.back()) != std::string_view::npos;
}

// Short flags have no form with "=" that every parser reads alike.
std::string_view long_form(std::string_view flag) {
  if (flag == "-n") return "--namespace";
  if (flag == "-c") return "--container";
  if (flag == "-f") return "--filename";
  return flag;
}

// The name of an object has no slash, if the server is what it says.
bool is_file_name(std::string_view name) {
  constexpr std::string_view of_names = "abcdefghijklmnopqrstuvwxyz0123456789-.";
  return name.find_first_not_of(of_names) == std::string_view::npos && !name.starts_with('-') &&
         !name.starts_with('.');
}

}  // namespace

void CommandLine::add(std::string& to, std::string_view words) {
  if (words.empty()) return;
  if (!to.empty()) to += ' ';
  to += words;
}

CommandLine& CommandLine::words(std::string_view words) {
  const std::size_t end = end_of_flags(words);
  const std::string_view first = words.substr(0, end);
  add(behind_.empty() || first.starts_with('-') ? text_ : behind_, first);
  if (end != std::string_view::npos) add(behind_, words.substr(end + kEndOfFlags.size()));
  return *this;
}

CommandLine& CommandLine::name(std::string_view name) {
  const bool behind = name.starts_with('-') || !behind_.empty();
  add(behind ? behind_ : text_, base::shell_word(name));
  return *this;
}

CommandLine& CommandLine::in(std::string_view ns) { return ns.empty() ? *this : option("-n", ns); }

CommandLine& CommandLine::option(std::string_view flag, std::string_view value) {
  const std::string word = base::shell_word(value);
  add(text_, value.starts_with('-') ? base::format("{}={}", long_form(flag), word)
                                    : base::format("{} {}", flag, word));
  return *this;
}

CommandLine& CommandLine::flags(std::string_view flags) {
  text_ += flags;
  return *this;
}

std::string CommandLine::text() const {
  return behind_.empty() ? text_ : base::format("{}{}{}", text_, kEndOfFlags, behind_);
}

std::string with_flags(std::string_view line, std::string_view flags) {
  return CommandLine(line).flags(flags).text();
}

std::string at_cluster(std::string_view line, std::string_view flags) {
  std::string out;
  std::size_t done = 0;
  const auto begins = [line](std::size_t i) { return is_kubectl(line, i); };
  for (std::size_t at = find_unquoted(line, 0, begins); at != std::string_view::npos;
       at = find_unquoted(line, done, begins)) {
    const std::size_t end = at + kKubectl.size() - 1;
    out += line.substr(done, end - done);
    out += flags;
    done = end;
  }
  out += line.substr(done);
  return out;
}

CommandLine kubectl(std::string_view words) { return CommandLine("kubectl").words(words); }
CommandLine kubectl_dra(std::string_view words) { return CommandLine("kubectl dra").words(words); }

std::string create_command(std::string_view object) {
  return base::format("echo {} | {}", base::shell_word(object), kubectl("create -f -").text());
}

std::string saved_file(const std::vector<std::string>& pods) {
  return base::format("{}.json", is_file_name(pods.front()) ? pods.front() : std::string("pod"));
}

std::string replaced_file(std::string_view resource, std::string_view name) {
  return is_file_name(name) ? base::format("{}-{}.json", resource, name)
                            : base::format("{}.json", resource);
}

std::string replace_command(std::string_view resource, std::string_view name, std::string_view ns,
                            std::string_view patch) {
  std::string line = base::format(
      "{} | tee {}", kubectl("get").words(resource).name(name).in(ns).words("-o json").text(),
      replaced_file(resource, name));
  if (!patch.empty())
    line += base::format(
        " | {}",
        kubectl("patch --local -f - --type=json").option("-p", patch).words("-o json").text());
  return base::format("{} | {}", line, kubectl("replace --force -f -").text());
}

std::string save_and_delete_command(const std::vector<std::string>& pods, std::string_view ns) {
  constexpr std::string_view without_node = R"([{"op":"remove","path":"/spec/nodeName"}])";
  CommandLine get = kubectl("get pod");
  CommandLine gone = kubectl("delete pod");
  for (const std::string& pod : pods) {
    get.name(pod);
    gone.name(pod);
  }
  return base::format(
      "{} | {} > {} && {}", get.in(ns).words("-o json").text(),
      kubectl("patch --local -f - --type=json").option("-p", without_node).words("-o json").text(),
      saved_file(pods), gone.in(ns).text());
}

std::string command_for(std::string_view verb, std::string_view noun, const SubjectName& subject) {
  return CommandLine(verb).words(noun).name(subject.name).in(subject.namespace_).text();
}

}  // namespace dra::diag
