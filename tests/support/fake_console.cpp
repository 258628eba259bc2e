// tests/support/fake_console.cpp

#include "tests/support/fake_console.h"

#include "dra/base/time.h"

namespace dra::support {

FakeConsole::FakeConsole(const Options& options)
    : console_{.streams = {.out = out_,
                           .err = err_,
                           .read_input = [input = options.input]() -> dra::Result<std::string> {
                             return input;
                           }},
               .environment = {.variables = options.environment,
                               .service_account = "/nowhere",
                               .clock = [now = dra::base::parse_rfc3339(
                                             options.now)] { return now.value(); }},
               .now = dra::base::parse_rfc3339(options.now).value(),
               .width = options.width,
               .screen = options.screen,
               .terminal = options.terminal,
               .program = options.program} {}

}  // namespace dra::support
