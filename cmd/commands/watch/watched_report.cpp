// cmd/commands/watch/watched_report.cpp: shows a state to a console in memory, and compares the
// text with what was printed last. For the comparison the clock stands still: ages are no change.

#include "cmd/commands/watch/watched_report.h"

#include <sstream>
#include <utility>

#include "cmd/commands/watch/watching.h"
#include "cmd/html.h"
#include "cmd/list_flags.h"
#include "dra/base/printable.h"
#include "dra/base/text.h"
#include "dra/render/redraw.h"

namespace dra::cmd {
namespace {

// Ages on a terminal go on, also where nothing else happens.
constexpr base::Duration kUntilRedrawn = base::Duration::seconds(10);
constexpr base::Duration kBetweenStates = {200'000'000};

struct ShownState {
  std::string out;
  std::string err;
  ExitCode exit = ExitCode::Done;
};

class StateWatch {
 public:
  StateWatch(const Context& context, const ReportWatchFlags& flags, std::string_view format,
             const ShowState& show)
      : context_(context),
        flags_(flags),
        is_text_(format.empty() || format == "wide"),
        separator_(format == "yaml" ? "---\n" : ""),
        show_(show),
        in_place_(context.console().terminal && is_text_) {}

  Result<ExitCode> run(Watching watching) {
    begin_ = watching.clock();
    bool changed = true;
    Pace pace(kBetweenStates);
    const auto show_now = [&] { return in_place_ ? draw(watching) : print(watching); };
    while (true) {
      if (changed && pace.left() == base::Duration{}) {
        changed = false;
        DRA_TRY(pace.run(show_now));
        if (is_over_) return ExitCode::Failed;
      }
      const auto events = DRA_TRY(watching.next(changed ? pace.left() : kUntilRedrawn));
      if (!events) return ExitCode::Done;
      for (const snapshot::ObjectEvent& event : *events)
        DRA_TRY(watching.state().apply(event));
      changed = changed || in_place_ || !events->empty();
    }
  }

 private:
  // The report as text, or the failure. The first one is that of the command.
  Result<ShownState> shown(const snapshot::Snapshot& state, const render::Screen& screen) const {
    std::ostringstream out;
    std::ostringstream err;
    const Console& real = context_.console();
    const Console console{.streams = {.out = out, .err = err, .read_input = {}},
                          .environment = real.environment,
                          .now = real.now,
                          .width = screen.width,
                          .screen = screen,
                          .terminal = real.terminal,
                          .program = real.program};
    Context context(console, context_.globals(), context_.args(), context_.word());
    Result<ExitCode> exit = show_(context, state);
    if (exit.ok()) return ShownState{out.str(), err.str(), exit.value()};
    if (first_) return std::move(exit).take_error();
    print_error(exit.error(), console);
    return ShownState{{}, err.str(), ExitCode::Failed};
  }

  // At the beginning a name without an object is an error, which the report has printed.
  bool ends(const ShownState& state) {
    is_over_ = first_ && state.exit == ExitCode::Failed;
    if (is_over_) context_.console().streams.err << state.err;
    return is_over_;
  }

  Result<Done> draw(Watching& watching) {
    const Console& console = context_.console();
    render::Screen screen = console.screen;
    if (console.measure) screen = console.measure().value_or(screen);
    render::Screen below_time = screen;
    below_time.height -= 2;
    const snapshot::Snapshot& state = watching.now();
    const ShownState now = DRA_TRY(shown(state, below_time));
    if (ends(now)) return Done{};
    const std::string text = now.out + now.err;
    if (text == said_) return Done{};
    std::ostream& out = console.streams.out;
    if (!drawn_) {
      out.flush();  // so that no pager is started
      out << render::room_to_draw(screen);
    }
    drawn_ = true;
    out << render::drawn_over(time_of(state) + "\n" + text, screen) << std::flush;
    return remember(now);
  }

  Result<Done> print(Watching& watching) {
    const render::Screen& screen = context_.console().screen;
    const ShownState then = DRA_TRY(shown(watching.at(begin_), screen));
    if (ends(then)) return Done{};
    const bool quiet = first_ && flags_.watch_only;
    if (!first_ && then.out + then.err == said_) return Done{};
    const bool again = !first_;
    remember(then);
    if (quiet) return Done{};
    const snapshot::Snapshot& state = watching.now();
    const ShownState now = DRA_TRY(shown(state, screen));
    std::ostream& out = context_.console().streams.out;
    if (again && is_text_) out << '\n' << time_of(state) << '\n';
    if (std::exchange(printed_, true)) out << separator_;
    out << now.out << std::flush;
    context_.console().streams.err << now.err << std::flush;
    return Done{};
  }

  Done remember(const ShownState& state) {
    said_ = state.out + state.err;
    first_ = false;
    return Done{};
  }

  std::string time_of(const snapshot::Snapshot& state) const {
    return base::format_rfc3339(context_.now(state));
  }

  const Context& context_;
  const ReportWatchFlags& flags_;
  bool is_text_;
  std::string_view separator_;
  const ShowState& show_;
  bool in_place_;
  base::Instant begin_ = {};
  bool first_ = true;
  bool is_over_ = false;
  bool drawn_ = false;
  bool printed_ = false;
  std::string said_;  // last
};

}  // namespace

std::vector<Flag> ReportWatchFlags::flags() {
  return {{"watch", 'w', "",
           "Watch for changes: on a terminal the report is drawn in place, elsewhere it is printed "
           "again whenever it says something else.",
           &watch},
          {"watch-only", '\0', "",
           "Watch for changes, without printing the report first; on a terminal as --watch.",
           &watch_only}};
}

Result<Done> check_report_watch(const Context& context, const ReportWatchFlags& flags,
                                std::string_view format) {
  if (!flags.any()) return Done{};
  const std::string_view flag = flags.watch ? "watch" : "watch-only";
  DRA_TRY(check_watchable(context, flag));
  if (!is_html_or_svg(std::string(format)) && format != "openmetrics") return Done{};
  return Error{ErrorKind::BadInput,
               base::format("--{} cannot be used with --output={}", flag, format),
               "run the command again when it is needed"};
}

Result<ExitCode> show_state(Context& context, const ReportWatchFlags& flags,
                            std::string_view format, std::span<const snapshot::Need> needs,
                            const ShowState& show) {
  if (!flags.any()) return show(context, DRA_TRY(context.load(needs)));
  Watching watching = DRA_TRY(Watching::open(context, needs));
  return StateWatch(context, flags, format, show).run(std::move(watching));
}

}  // namespace dra::cmd
