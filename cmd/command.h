// cmd/command.h
//
// A command is an Info, a table of flags, and a function. Help, man pages, completion and the
// command-line parser read the same Info and Flags, so they cannot disagree. A new command is one
// file with a Command and one line in commands.cpp.

#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "cmd/nouns.h"
#include "cmd/progress.h"
#include "cmd/server_warnings.h"
#include "dra/base/function_ref.h"
#include "dra/base/result.h"
#include "dra/base/time.h"
#include "dra/json/value.h"
#include "dra/render/fit.h"
#include "dra/report/lists/sort_by.h"
#include "dra/snapshot/load.h"
#include "dra/snapshot/watched.h"
#include "dra/view/document.h"

namespace dra::api {
struct Origin;
}

namespace dra::cmd {

// With several subjects the worst one counts. README describes the exit codes.
enum class ExitCode { Done = 0, Failed = 1, Found = 2, Undetermined = 3, Interrupted = 130 };

// The arguments of a command, for completion.
enum class ArgumentKind {
  None,
  Commands,
  Demos,
  Files,
  Names,       // of Info::noun
  Expression,  // a CEL selector
  Explained,   // what `explain` takes: a kind and names, or KIND/NAME
  Reports,     // kinds of them
  Shells,
  Objects,   // as Subjects, without drivers: they have no object of their own
  Subjects,  // a noun and names, or NOUN/NAME
  Top,       // what there is a top of
  Topology,  // as Subjects, of what has a place; node pools, too
};

// What people want when they call the command: the headings of the list of commands, in its order.
enum class Task { Diagnose, Inspect, Author, Share, Other };

// How the answers about several clusters become one (cmd/combined_answer.h).
enum class Combination {
  Rows,      // tables become one, with a column CONTEXT
  Reports,   // one after the other, each with a heading
  Verdicts,  // as Reports, the shortest first, below a line that says where it would fit
};

struct Example {
  std::string_view command;  // without `kubectl dra`
  std::string_view what;
};

struct ExitMeaning {
  int code;
  std::string_view meaning;  // a sentence
};

struct Info {
  std::string_view name;
  std::vector<std::string_view> aliases = {};
  std::string_view usage = {};        // the arguments: "[NAME ...]"
  std::string_view summary;           // one sentence
  std::string_view description = {};  // paragraphs for the man page and --help
  std::vector<Example> examples = {};
  std::vector<ExitMeaning> exits = {};  // where they differ from those of all commands
  Task task = Task::Inspect;
  std::size_t min_args = 0;
  std::size_t max_args = 0;  // kAnyArgs for no limit
  ArgumentKind arguments = ArgumentKind::None;
  std::optional<Noun> noun = {};  // the noun that the command lists, with the noun's aliases
  bool hidden = false;
  bool raw_arguments = false;                // gets all words as they are, flags included
  std::optional<Combination> contexts = {};  // set: has --contexts and --all-contexts
};
inline constexpr std::size_t kAnyArgs = static_cast<std::size_t>(-1);

// Where a flag's value goes. A vector takes the flag repeatedly; an optional string is a flag whose
// value may be left out ("--demo", "--demo=gpu"), and then holds "".
using Target =
    std::variant<bool*, int*, std::string*, std::vector<std::string>*, std::optional<std::string>*>;

struct Flag {
  std::string_view name;        // "output"
  char letter = '\0';           // 'o'
  std::string_view value = {};  // "FORMAT"; empty for switches
  std::string_view help;        // what it does, one sentence
  Target target;
  std::vector<std::string_view> choices = {};  // when set, nothing else is allowed
  bool open = false;  // the choices are only some of what is allowed; the target's owner checks
  std::string_view at_end = {};  // its value if no word follows, or a flag; empty: an error
};

// kubectl's flags that change nothing here: scripts that give them to kubectl give them to plugins.
struct IdleFlags {
  std::string cache_dir;
  std::string log_flush_frequency;
  bool match_server_version = false;
  std::string profile;
  std::string profile_output;
  std::string vmodule;
};

// Flags that every command has, and those of commands that can ask several clusters.
struct GlobalFlags {
  session::ConnectionFlags connection;
  std::vector<std::string> contexts;  // each may be several with commas
  bool all_contexts = false;
  std::vector<std::string> snapshot;
  bool snapshot_of_environment = false;  // $KUBECTL_DRA_SNAPSHOT names it, and not a flag
  std::string colour;                    // auto (also when empty), always or never
  std::optional<std::string> demo;
  std::string assume_server;               // a release: "v1.36"
  std::vector<std::string> feature_gates;  // "DRADeviceTaints=true", or several with commas
  IdleFlags idle;
  int verbosity = 0;
  bool help = false;
  bool version = false;  // without a command only
  bool warnings_as_errors = false;
};

struct Streams {
  std::ostream& out;
  std::ostream& err;
  std::function<Result<std::string>()> read_input;
};

struct Layout {
  bool wide = false;
  bool headers = true;
  bool ascii = false;
  std::vector<std::size_t>* widths = nullptr;  // as render::TextOptions
  // With --sort-by, for an answer about several clusters: those of the rows of each table.
  std::vector<std::vector<report::SortKey>> sort_keys = {};
};

// What a command says about one of several clusters, kept until all of them have answered.
struct KeptAnswer {
  std::string context;
  view::Document document;
  std::vector<std::vector<report::SortKey>> sort_keys;  // of the rows of its tables; or none
  std::optional<json::Value> report;  // with -o json and the like, in place of the document
  std::vector<Error> errors;
};

// Everything outside the program that one run uses; tests build their own.
struct Console {
  Streams streams;
  session::Environment environment;
  base::Instant now;
  int width = 80;              // of lines
  render::Screen screen = {};  // that reports are to fit
  bool terminal = false;       // standard output is a terminal
  // The present size of that terminal, which can change while something is watched. No value: it
  // does not say.
  std::function<std::optional<render::Screen>()> measure = {};
  std::string program;            // argv[0]
  bool error_terminal = false;    // standard error is a terminal
  int error_width = 80;           // of that terminal, in columns
  session::Retries retries = {};  // of HTTP requests
  // Set while a command runs for one of several clusters: its answer goes there, and messages name
  // the context.
  KeptAnswer* kept = nullptr;
  // Set likewise, on a terminal: shows what is being read of that cluster.
  std::function<void(std::span<const snapshot::Reading>)> on_progress = {};
};

// One invocation of a command: its arguments, the state it reads, and its output.
class Context {
 public:
  Context(const Console& console, const GlobalFlags& globals, std::vector<std::string> args,
          std::string word = {});

  const std::vector<std::string>& args() const { return args_; }
  // By which the user called the command: "claims", "resourceclaims.v1.resource.k8s.io".
  const std::string& word() const { return word_; }
  const Console& console() const { return console_; }
  const GlobalFlags& globals() const { return globals_; }
  const ServerWarnings& server_warnings() const { return *server_warnings_; }
  // Where the flags say that the state is.
  const snapshot::Source& source() const { return source_; }
  // The number of objects in one page of a list; 0: no pages.
  void set_page_size(std::size_t size) { source_.client.page_size = size; }
  // For commands that simulate the control plane: load() then reads the server's feature gates,
  // unless --assume-server names another release.
  void use_server_gates() { source_.feature_gates = globals_.assume_server.empty(); }
  // load() adds the objects of the manifest as if they existed.
  void overlay_manifest(snapshot::Manifest manifest) {
    source_.manifests.push_back(std::move(manifest));
  }
  // Loads the state. Warns on standard error of duplicate objects and of kinds that may not be
  // read.
  Result<snapshot::Snapshot> load(std::span<const snapshot::Need> needs) const;
  // Loads the state of a server, to be watched from then on.
  Result<snapshot::Watched> watch(std::span<const snapshot::Need> needs) const;
  // The objects of one list, as a server sends them (snapshot/object_stream.h).
  Result<Done> stream(const snapshot::Need& need,
                      base::FunctionRef<void(const api::Origin&)> on_object) const;
  // Does for a snapshot from elsewhere what load() does after reading: sets the server that flags
  // assume, and prints warnings, each prefixed with `from`.
  Result<snapshot::Snapshot> adopt(snapshot::Snapshot snapshot, std::string_view from = {}) const;
  // The time that ages are relative to: a recording's own time, else the clock.
  base::Instant now(const snapshot::Snapshot& snapshot) const;

  void print(const view::Document& document) const { print(document, Layout()); }
  // Without `wide` as much as fits the screen.
  void print(const view::Document& document, const Layout& layout) const;
  // What is printed becomes a part of an answer about several clusters.
  bool keeps_answer() const { return console_.kept != nullptr; }
  // True if the report is kept instead, for an answer about several clusters.
  bool keep(const json::Value& report) const;
  void print_json(const json::Value& value) const;  // with a line break
  void print_api(const json::Value& object) const;  // an API object, byte for byte as kubectl
  void print_text(std::string_view trusted) const;  // trusted text, printed as it is
  // "No resources found in ml namespace.", as kubectl. Without `ns`: "No resources found".
  void print_not_found(std::string_view ns = {}) const;
  void warn(std::string_view message) const;  // one line on standard error, cleaned
  void report(const Error& error) const;      // prints it as run_cli prints a returned error

 private:
  void print_lines(const view::Document& document, const Layout& layout) const;

  const Console& console_;
  const GlobalFlags& globals_;
  std::vector<std::string> args_;
  std::string word_;
  std::unique_ptr<ServerWarnings> server_warnings_;  // the source points to these two
  std::unique_ptr<Progress> progress_;
  snapshot::Source source_;
};

// Prints on standard error.
void print_error(const Error& error, const Console& console);

class Command {
 public:
  virtual ~Command() = default;
  virtual Info info() const = 0;
  virtual std::vector<Flag> flags() { return {}; }
  virtual Result<ExitCode> run(Context& context) = 0;
  // How answers about several clusters become one, with the flags that were parsed and these
  // arguments. BadInput where these are for one cluster.
  virtual Result<Combination> combination(const std::vector<std::string>& args) const;
};

// The table of commands, sorted by name (commands.cpp).
std::vector<std::unique_ptr<Command>> all_commands();

}  // namespace dra::cmd
