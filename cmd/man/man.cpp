// cmd/man/man.cpp: writes roff: headings, paragraphs, flags as tagged paragraphs, and the table of
// reason codes.

#include "cmd/man/man.h"

#include <algorithm>
#include <map>

#include "cmd/flags.h"
#include "cmd/help.h"
#include "cmd/man/roff.h"
#include "cmd/version.h"
#include "dra/base/text.h"
#include "dra/diag/codes.h"

namespace dra::cmd {
namespace {

constexpr std::string_view kProgram = "kubectl dra";
constexpr int kShownLines = 30;

struct Entry {
  std::string_view term;
  std::string_view text;
};

// What the exit codes mean, unless a command says it better.
constexpr ExitMeaning kExits[] = {
    {0, "Done."},
    {1, "The program could not do what was asked: wrong usage, no connection, no permission."},
    {130, "Interrupted."},
};

// Of the program: of all commands.
constexpr ExitMeaning kFindings[] = {
    {2, "What was asked about does not fit, is blocked or failed; something is wrong, or refused."},
    {3, "explain: what could be read does not decide it."},
};

// Of commands that read the state of a cluster.
constexpr Entry kClusterEnvironment[] = {
    {"KUBECONFIG", "Files to read instead of ~/.kube/config, parted by colons."},
    {"KUBERC, KUBECTL_KUBERC",
     "File to read instead of ~/.kube/kuberc. None is read with KUBERC=off or "
     "KUBECTL_KUBERC=false."},
    {"KUBECTL_DRA_SNAPSHOT", "File to read instead of a server, as --snapshot names one."},
    {"KUBECTL_DRA_MAX_READ",
     "Number of bytes, as in 1Gi, to read of a server (160Mi if it is not set) or of a file "
     "(1Gi)."},
    {"HTTPS_PROXY, HTTP_PROXY, NO_PROXY", "Proxy to reach servers through, as with kubectl."},
};

constexpr Entry kEnvironment[] = {
    {"KUBECTL_DRA_PAGER, PAGER",
     "Command that output on a terminal goes through when it is longer than the screen. The first "
     "one that is set counts; empty, or `cat`: none."},
    {"NO_COLOR", "When set, nothing is coloured."},
    {"CLICOLOR_FORCE", "When set, and not 0, output is coloured that does not go to a terminal."},
    {"LC_ALL, LC_CTYPE, LANG",
     "Locale: the first that is set counts. In C or POSIX marks and drawings are of ASCII: v and "
     "x, "
     "and ~ where a name is cut."},
    {"COLUMNS", "Width of the output when it does not go to a terminal."},
};

constexpr Entry kFiles[] = {
    {"~/.kube/config",
     "Clusters, users and contexts, where neither --kubeconfig nor KUBECONFIG names other files."},
    {"~/.kube/kuberc", "Which credential plugins of a kubeconfig may run, as with kubectl."},
};

// "Show the claims." -> "show the claims", as the index of manual pages has it.
std::string in_index(std::string_view summary) {
  std::string text(summary);
  if (text.ends_with('.')) text.pop_back();
  if (!text.empty() && (text.size() < 2 || text[1] < 'A' || text[1] > 'Z')) {
    text[0] = base::lower(text.substr(0, 1))[0];
  }
  return escape(text);
}

void add_entry(std::string& page, std::string_view term, std::string_view text) {
  page += base::format(".TP\n.B {}\n{}", escape(base::trim(term)), lines_of(text));
}

void write_flags(std::string& page, std::string_view title, const std::vector<Flag>& flags) {
  if (flags.empty()) return;
  page += base::format(".SH \"{}\"\n", title);
  for (const Flag& flag : flags)
    add_entry(page, flag_usage(flag), flag_help(flag));
}

void add_entries(std::string& page, std::span<const Entry> entries) {
  for (const Entry& entry : entries)
    add_entry(page, entry.term, entry.text);
}

// The command's own meanings, and those that every command has.
void write_exits(std::string& page, std::span<const ExitMeaning> own) {
  std::map<int, std::string_view> meanings;
  for (const ExitMeaning& exit : kExits)
    meanings[exit.code] = exit.meaning;
  for (const ExitMeaning& exit : own)
    meanings[exit.code] = exit.meaning;
  page += ".SH \"EXIT STATUS\"\n";
  for (const auto& [code, meaning] : meanings)
    add_entry(page, std::to_string(code), meaning);
}

void write_surroundings(std::string& page, bool reads_clusters) {
  page += ".SH ENVIRONMENT\n";
  if (reads_clusters) add_entries(page, kClusterEnvironment);
  add_entries(page, kEnvironment);
  if (!reads_clusters) return;
  page += ".SH FILES\n";
  add_entries(page, kFiles);
}

// The first lines of a text.
std::string beginning_of(const std::string& text) {
  std::size_t end = 0;
  for (int line = 0; line < kShownLines && end < text.size(); ++line)
    end = std::min(text.find('\n', end), text.size() - 1) + 1;
  return end == text.size() ? text : text.substr(0, end) + "[...]\n";
}

// What it prints, and then commands to try.
void write_examples(std::string& page, const Info& info, const OutputOf& output_of) {
  const auto shown = shown_example(info.name);
  if (!shown && info.examples.empty()) return;
  page += ".SH EXAMPLES\n";
  if (shown) {
    const bool demo = shown->line.find("--demo") != std::string_view::npos;
    add_paragraphs(page, demo ? "What it prints about a built-in cluster:" : "What it prints:");
    std::string line = base::format("$ {} {}\n", kProgram, shown->line);
    if (!shown->input.empty())
      line = base::format("$ {} {} <<EOF\n{}EOF\n", kProgram, shown->line, shown->input);
    page += ".PP\n" + verbatim(line + beginning_of(output_of(*shown)));
  }
  for (const Example& example : info.examples) {
    add_paragraphs(page, base::format("{}:", example.what));
    page += ".PP\n" + verbatim(base::format("{} {}", kProgram, example.command));
  }
}

std::string page_name(std::string_view command) { return base::format("kubectl-dra-{}", command); }

}  // namespace

std::string program_man(const Commands& commands) {
  std::string page = heading("kubectl-dra", "kubectl-dra");
  page += escape("devices, claims and pods of Dynamic Resource Allocation") + "\n";
  page += base::format(".SH SYNOPSIS\n.B {}\nCOMMAND [ARGUMENT ...] [flags]\n", kProgram);
  page += ".SH DESCRIPTION\n";
  add_paragraphs(page, program_description());
  page += ".SH COMMANDS\n";
  std::string see_also = ".BR kubectl (1)";
  for (const auto& [task, title] : task_titles()) {
    page += base::format(".SS \"{}\"\n", title);
    for (const auto& command : commands) {
      const Info info = command->info();
      if (!info.hidden && info.task == task) add_entry(page, info.name, info.summary);
    }
  }
  for (const auto& command : commands) {
    const Info info = command->info();
    if (!info.hidden) see_also += base::format(",\n.BR {} (1)", escape(page_name(info.name)));
  }
  GlobalFlags globals;
  write_flags(page, "FLAGS OF EVERY COMMAND", global_flags(globals));
  write_exits(page, kFindings);
  write_surroundings(page, true);
  see_also += ",\n.BR kubectl\\-dra\\-codes (7),\n.BR kubectl\\-dra\\-semantics (7)";
  return page + ".SH \"SEE ALSO\"\n" + see_also + "\n";
}

std::string command_man(Command& command, const OutputOf& output_of) {
  const Info info = command.info();
  std::string page = heading(page_name(info.name), page_name(info.name));
  page += in_index(info.summary) + "\n";
  page += base::format(".SH SYNOPSIS\n.B {}\n", escape(usage_line(info, kProgram)));
  page += ".SH DESCRIPTION\n";
  add_paragraphs(page, info.summary);
  add_paragraphs(page, info.description);
  if (!info.aliases.empty()) {
    const std::vector<std::string> names(info.aliases.begin(), info.aliases.end());
    add_paragraphs(page, base::format("Other names: {}.", base::join(names, ", ")));
  }
  GlobalFlags unused;
  write_flags(page, "FLAGS", own_flags(command, unused));
  add_paragraphs(page, "The flags that every command has are in kubectl-dra(1).");
  write_exits(page, info.exits);
  write_surroundings(page, info.task != Task::Other && info.name != "schema");
  write_examples(page, info, output_of);
  return page + ".SH \"SEE ALSO\"\n.BR kubectl\\-dra (1),\n.BR kubectl\\-dra\\-codes (7)\n";
}

std::string codes_man() {
  std::string page = heading("kubectl-dra-codes", "kubectl-dra-codes", '7');
  page += escape("reason codes of kubectl dra") + "\n.SH DESCRIPTION\n";
  add_paragraphs(
      page,
      "Reports name what is wrong by a code, which never changes its name: in text, as "
      "`code` in JSON. `kubectl dra explain --code CODE` shows one of them, and, where a "
      "manifest is the cause, one that fails and the same one fixed.");
  page += ".SH CODES\n";
  for (const diag::CodeInfo& code : diag::all_codes()) {
    add_entry(page, code.name, base::format("{}.", code.title));
    page += ".IP\n" + lines_of(code.explanation) + ".IP\n" + lines_of(code.remedy);
  }
  return page + ".SH \"SEE ALSO\"\n.BR kubectl\\-dra (1),\n.BR kubectl\\-dra\\-explain (1)\n";
}

}  // namespace dra::cmd
