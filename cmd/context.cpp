// cmd/context.cpp: how commands load their state and print their output.

#include <algorithm>
#include <iterator>
#include <utility>

#include "cmd/command.h"
#include "cmd/name_cluster.h"
#include "cmd/server_flags.h"
#include "cmd/version.h"
#include "dra/api/meta.h"
#include "dra/base/printable.h"
#include "dra/base/text.h"
#include "dra/render/fit.h"
#include "dra/render/structured.h"
#include "dra/render/text.h"
#include "dra/snapshot/draft.h"
#include "dra/snapshot/object_stream.h"

namespace dra::cmd {
namespace {

constexpr std::string_view kDefaultDemo = "cluster";

// The flag wins; then NO_COLOR with any value, and TERM=dumb, switch colours off (no-color.org),
// and CLICOLOR_FORCE switches them on where there is no terminal (bixense.com/clicolors).
bool may_colour(const Console& console, const GlobalFlags& globals, bool is_terminal) {
  if (globals.colour == "always" || globals.colour == "never") return globals.colour == "always";
  if (console.environment.variables.contains("NO_COLOR")) return false;
  const std::string_view force = console.environment.get("CLICOLOR_FORCE");
  if (!force.empty() && force != "0") return true;
  const std::string_view terminal = console.environment.get("TERM");
  return is_terminal && !terminal.empty() && terminal != "dumb";
}

// The locale has no more than ASCII. Where none is said, it is not what POSIX says, C, but that of
// an environment which sets none, such as a container's.
bool is_ascii(const session::Environment& environment) {
  for (const std::string_view name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const std::string_view locale = environment.get(name);
    if (!locale.empty()) return locale == "C" || locale == "POSIX";
  }
  return false;
}

// Before a message about one of several clusters.
std::string context_of(const Console& console) {
  return console.kept == nullptr ? "" : base::format("context {}: ", console.kept->context);
}

snapshot::Source source_of(const Console& console, const GlobalFlags& globals,
                           ServerWarnings& warnings, Progress& progress) {
  snapshot::Source source;
  source.files = globals.snapshot;
  if (globals.demo) source.demo = globals.demo->empty() ? kDefaultDemo : *globals.demo;
  source.standard_input = console.streams.read_input;
  source.flags = globals.connection;
  source.environment = console.environment;
  source.client.http.user_agent = user_agent();
  std::ostream& err = console.streams.err;
  source.client.http.log = {globals.verbosity,
                            [&err, &progress, from = context_of(console)](std::string_view line) {
                              progress.clear();
                              err << base::printable(from) << base::printable(line) << '\n';
                            }};
  source.client.http.on_warning = [&warnings, &progress,
                                   from = context_of(console)](std::string_view text) {
    progress.clear();
    warnings.print(from + std::string(text));
  };
  if (console.error_terminal) {
    source.on_progress = [&progress](std::span<const snapshot::Reading> lists) {
      progress.show(lists);
    };
  }
  if (console.on_progress) source.on_progress = console.on_progress;
  source.client.http.retries = console.retries;
  // A value that is no number was reported before.
  std::size_t& most = source.client.http.max_bytes;
  if (const auto set = session::max_read_of(console.environment, most); set.ok())
    most = set.value();
  return source;
}

}  // namespace

Context::Context(const Console& console, const GlobalFlags& globals, std::vector<std::string> args,
                 std::string word)
    : console_(console),
      globals_(globals),
      args_(std::move(args)),
      word_(std::move(word)),
      server_warnings_(std::make_unique<ServerWarnings>(
          console.streams.err, may_colour(console, globals, console.error_terminal))),
      progress_(std::make_unique<Progress>(console.streams.err, console.environment.clock,
                                           console.error_width)),
      source_(source_of(console, globals, *server_warnings_, *progress_)) {}

Result<snapshot::Snapshot> Context::load(std::span<const snapshot::Need> needs) const {
  // Invalid flags are reported before any request is made.
  DRA_TRY(assumed_server(globals_, {}));
  return adopt(DRA_TRY(snapshot::load(source_, needs)));
}

Result<snapshot::Watched> Context::watch(std::span<const snapshot::Need> needs) const {
  DRA_TRY(assumed_server(globals_, {}));
  return snapshot::Watched::open(
      source_, needs, [this](snapshot::Snapshot state) { return adopt(std::move(state)); });
}

Result<Done> Context::stream(const snapshot::Need& need,
                             base::FunctionRef<void(const api::Origin&)> on_object) const {
  DRA_TRY(assumed_server(globals_, {}));
  return snapshot::stream_objects(source_, need, on_object);
}

Result<snapshot::Snapshot> Context::adopt(snapshot::Snapshot snapshot,
                                          std::string_view from) const {
  snapshot::Draft draft(std::move(snapshot));
  draft.set_server(DRA_TRY(assumed_server(globals_, draft.now().server())));
  snapshot::Snapshot state = std::move(draft).finish();
  const std::string start = from.empty() ? std::string() : base::format("{}: ", from);
  for (const std::string& warning : state.warnings())
    warn(start + warning);
  if (const std::string gaps = snapshot::not_in_files(state.coverage()); !gaps.empty())
    warn(base::format("{}{}: answers are incomplete", start, gaps));
  for (const snapshot::Missing& missing : state.coverage().missing()) {
    if (missing.not_in_files) continue;
    warn(base::format("{}{} ({}): answers are incomplete", start, snapshot::cannot_be_read(missing),
                      missing.reason));
  }
  return state;
}

base::Instant Context::now(const snapshot::Snapshot& snapshot) const {
  return snapshot.now().value_or(console_.now);
}

void Context::print(const view::Document& written, const Layout& layout) const {
  const auto named = naming_cluster(written, globals_);
  const view::Document& document = named ? *named : written;
  if (console_.kept != nullptr) {
    console_.kept->document.append(document);
    std::ranges::copy(layout.sort_keys, std::back_inserter(console_.kept->sort_keys));
    return;
  }
  if (!layout.wide && !document.folds.empty())
    return print_lines(render::fit(document, console_.screen), layout);
  print_lines(document, layout);
}

void Context::print_lines(const view::Document& document, const Layout& layout) const {
  const render::TextOptions options{.width = console_.width,
                                    .colour = may_colour(console_, globals_, console_.terminal),
                                    .wide = layout.wide,
                                    .headers = layout.headers,
                                    .ascii = layout.ascii || is_ascii(console_.environment),
                                    .widths = layout.widths};
  render::render_text(document, options,
                      [this](std::string_view part) { console_.streams.out << part; });
}

bool Context::keep(const json::Value& report) const {
  if (console_.kept == nullptr) return false;
  console_.kept->report = report;
  return true;
}

void Context::print_json(const json::Value& value) const {
  console_.streams.out << render::render_json(value);
}

void Context::print_api(const json::Value& object) const {
  console_.streams.out << render::render_api_json(object, console_.terminal);
}

void Context::print_text(std::string_view trusted) const { console_.streams.out << trusted; }

void Context::print_not_found(std::string_view ns) const {
  const std::string where = ns.empty() ? "" : base::format(" in {} namespace.", ns);
  console_.streams.err << base::printable(context_of(console_)) << "No resources found"
                       << base::printable(where) << '\n';
}

void Context::warn(std::string_view message) const {
  console_.streams.err << "warning: " << base::printable(context_of(console_))
                       << base::printable(message) << '\n';
}

void Context::report(const Error& error) const {
  console_.streams.out.flush();  // results precede errors on a terminal
  if (console_.kept != nullptr) console_.kept->errors.push_back(error);
  print_error(error, console_);
}

// Messages may quote a server or a file. Their line breaks are escaped, so that no quoted line can
// look like a line of this program.
void print_error(const Error& error, const Console& console) {
  std::ostream& err = console.streams.err;
  err << (error.title.empty() ? "error" : base::printable(error.title)) << ": "
      << base::printable(context_of(console)) << base::printable(error.message) << '\n';
  if (!error.hint.empty()) {
    err << (error.hint.starts_with("usage: ") ? "" : "hint: ") << base::printable(error.hint)
        << '\n';
  }
  err.flush();
}

Result<Combination> Command::combination(const std::vector<std::string>& /*args*/) const {
  DRA_CHECK(info().contexts.has_value());
  return *info().contexts;
}

}  // namespace dra::cmd
