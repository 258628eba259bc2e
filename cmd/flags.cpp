// cmd/flags.cpp: CLI11 splits the words into flags and arguments; this is the only file that
// includes it. Values are checked here, so that all messages are this program's own.
//
// CLI11 2.1.2 reads `-n=ml` as the value "=ml", and `--namespace=` as a flag whose value is the
// next word. Both are rewritten before CLI11 sees them, as kubectl reads them differently.

#include "cmd/flags.h"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <algorithm>
#include <charconv>
#include <iterator>

#include "dra/base/text.h"

namespace dra::cmd {
namespace {

Error bad_flag(std::string message, std::string hint = {}) {
  return {ErrorKind::BadInput, std::move(message), std::move(hint)};
}

const Flag* find_letter(std::span<const Flag> flags, char letter) {
  const auto found = std::ranges::find(flags, letter, &Flag::letter);
  return letter == '\0' || found == flags.end() ? nullptr : &*found;
}

bool is_flag_word(std::string_view word) { return word.size() > 1 && word.front() == '-'; }

// "--namespace=" -> "--namespace", ""; "-n=ml" -> "--namespace=ml".
void rewrite(std::span<const Flag> flags, const std::string& word, std::vector<std::string>& out) {
  std::string long_form = word;
  if (word.size() > 2 && word[0] == '-' && word[2] == '=') {
    if (const Flag* flag = find_letter(flags, word[1])) {
      long_form = "--" + std::string(flag->name) + word.substr(2);
    }
  }
  const std::size_t equals = long_form.find('=');
  const bool no_value = equals != std::string::npos && equals + 1 == long_form.size();
  const Flag* flag = long_form.starts_with("--")
                         ? find_flag(flags, std::string_view(long_form).substr(2, equals - 2))
                         : nullptr;
  if (no_value && flag != nullptr && takes_value(*flag)) {
    out.push_back(long_form.substr(0, equals));
    out.emplace_back();
  } else {
    out.push_back(std::move(long_form));
  }
}

// "a", "a or b", "a, b or c"
std::string list_of(std::span<const std::string_view> words) {
  std::string list;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) list += i + 1 == words.size() ? " or " : ", ";
    list += words[i];
  }
  return list;
}

struct Rewritten {
  std::vector<std::string> words;
  const Flag* unfinished = nullptr;  // the last word is this flag without its value
};

Rewritten rewrite_all(std::span<const Flag> flags, const std::vector<std::string>& words) {
  Rewritten out;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == "--") {
      out.words.insert(out.words.end(), words.begin() + static_cast<std::ptrdiff_t>(i),
                       words.end());
      return out;
    }
    const Flag* waiting = waiting_for_value(flags, words[i]);
    if (waiting == nullptr) {
      rewrite(flags, words[i], out.words);
    } else if (i + 1 == words.size()) {
      out.unfinished = waiting;
    } else if (!waiting->at_end.empty() && is_flag_word(words[i + 1])) {
      out.words.push_back(words[i]);
      out.words.emplace_back(waiting->at_end);
    } else {
      out.words.push_back(words[i]);
      out.words.push_back(words[++i]);
    }
  }
  return out;
}

std::string cli_name(const Flag& flag) {
  const std::string name = "--" + std::string(flag.name);
  return flag.letter == '\0' ? name : base::format("-{},{}", flag.letter, name);
}

// The result of CLI11: the values of each flag, and the arguments.
struct Found {
  std::vector<std::vector<std::string>> values;
  std::vector<std::string> rest;
};

// CLI11 compares each flag that is added with all before it, which takes longer than all else at
// the start of the program.
bool may_occur(const Flag& flag, const std::vector<std::string>& words) {
  return std::ranges::any_of(words, [&flag](std::string_view word) {
    if (word.starts_with("--")) return word.substr(2).starts_with(flag.name);
    return flag.letter != '\0' && word.starts_with('-') && word.find(flag.letter) != word.npos;
  });
}

Result<Found> split_words(std::span<const Flag> flags, std::vector<std::string> words) {
  try {
    CLI::App app;
    app.set_help_flag();
    app.allow_extras();
    std::vector<CLI::Option*> options;
    for (const Flag& flag : flags) {
      options.push_back(nullptr);
      if (!may_occur(flag, words)) continue;
      options.back() =
          takes_value(flag) ? app.add_option(cli_name(flag)) : app.add_flag(cli_name(flag));
      options.back()->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    }
    std::ranges::reverse(words);  // CLI11 parses from the end
    app.parse(std::move(words));
    Found found;
    for (const CLI::Option* option : options)
      found.values.push_back(option == nullptr ? std::vector<std::string>() : option->results());
    found.rest = app.remaining();
    return found;
  } catch (const CLI::Error& error) {
    return bad_flag(std::string("the command line cannot be read: ") + error.what());
  }
}

Result<Done> set_target(const Flag& flag, bool* target, const std::string& value) {
  constexpr std::string_view true_words[] = {"1", "t", "T", "true", "TRUE", "True"};
  constexpr std::string_view false_words[] = {"0", "f", "F", "false", "FALSE", "False"};
  const bool is_true = std::ranges::find(true_words, value) != std::end(true_words);
  if (!is_true && std::ranges::find(false_words, value) == std::end(false_words)) {
    return bad_flag(base::format("--{} is true or false, not \"{}\"", flag.name, value));
  }
  *target = is_true;
  return Done{};
}

Result<Done> set_target(const Flag& flag, int* target, const std::string& value) {
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), *target);
  if (error != std::errc() || end != value.data() + value.size()) {
    return bad_flag(base::format("--{} needs a number, not \"{}\"", flag.name, value));
  }
  return Done{};
}

Result<Done> set_target(const Flag&, std::string* target, const std::string& value) {
  *target = value;
  return Done{};
}

Result<Done> set_target(const Flag&, std::vector<std::string>* target, const std::string& value) {
  target->push_back(value);
  return Done{};
}

// CLI11 gives a flag without a value the value "true".
Result<Done> set_target(const Flag&, std::optional<std::string>* target, const std::string& value) {
  *target = value == "true" ? std::string() : value;
  return Done{};
}

Result<Done> check_choice(const Flag& flag, const std::string& value) {
  const bool left_out =
      std::holds_alternative<std::optional<std::string>*>(flag.target) && value == "true";
  if (flag.choices.empty() || flag.open || left_out ||
      std::ranges::find(flag.choices, value) != flag.choices.end()) {
    return Done{};
  }
  const std::string_view nearest = base::nearest(value, flag.choices);
  return bad_flag(
      base::format("--{} cannot be \"{}\": use {}", flag.name, value, list_of(flag.choices)),
      nearest.empty() ? std::string() : base::format("did you mean {}?", nearest));
}

Result<Done> set_values(const Flag& flag, const std::vector<std::string>& values) {
  if (values.empty()) return Done{};
  if (auto* const* several = std::get_if<std::vector<std::string>*>(&flag.target)) {
    (*several)->clear();
    for (const std::string& value : values) {
      DRA_TRY(check_choice(flag, value));
      (*several)->push_back(value);
    }
    return Done{};
  }
  DRA_TRY(check_choice(flag, values.back()));
  return std::visit([&](auto* target) { return set_target(flag, target, values.back()); },
                    flag.target);
}

// "-h, -n or -o"
std::string letters_of(std::span<const Flag> flags) {
  std::vector<std::string> letters;
  for (const Flag& flag : flags) {
    if (flag.letter != '\0') letters.push_back(base::format("-{}", flag.letter));
  }
  std::ranges::sort(letters);
  return list_of(std::vector<std::string_view>(letters.begin(), letters.end()));
}

Error unknown_flag(std::span<const Flag> flags, const std::string& word) {
  const bool is_long = word.starts_with("--");
  const std::string shown = is_long ? word.substr(0, word.find('=')) : word.substr(0, 2);
  std::vector<std::string_view> names;
  for (const Flag& flag : flags)
    names.push_back(flag.name);
  // `-output` has one dash too few. A single letter is similar to every short flag.
  constexpr std::size_t shortest = 3;
  const std::string name = word.substr(is_long ? 2 : 1, word.find('=') - (is_long ? 2 : 1));
  const std::string_view nearest =
      name.size() < shortest ? std::string_view() : base::nearest(name, names);
  std::string hint;
  if (!nearest.empty()) {
    hint = base::format("did you mean --{}?", nearest);
  } else if (!is_long) {
    hint = base::format("with one letter there are {}; --help says more", letters_of(flags));
  }
  return bad_flag("unknown flag " + shown, std::move(hint));
}

// The flags of the identity, besides --user and --token.
std::vector<Flag> identity_flags(session::ConnectionFlags& connection) {
  return {
      {"as", '\0', "USER", "Act as this user, if the server lets you.", &connection.as},
      {"as-group", '\0', "GROUP",
       "Act as a member of this group, with --as. Can be given several times.",
       &connection.as_group},
      {"as-uid", '\0', "UID", "Act as the user with this UID, with --as.", &connection.as_uid},
      {"as-user-extra", '\0', "KEY=VALUE",
       "Act with this extra attribute, with --as. Can be given several times.",
       &connection.as_user_extra},
      {"client-certificate", '\0', "FILE", "Path to a client certificate file for TLS.",
       &connection.client_certificate},
      {"client-key", '\0', "FILE", "Path to a client key file for TLS.", &connection.client_key},
      {"kuberc", '\0', "FILE",
       "Let only those credential plugins run that this kuberc allows, instead of $KUBERC or "
       "~/.kube/kuberc.",
       &connection.kuberc},
      {"password", '\0', "PASSWORD",
       "Refused: API servers no longer take passwords. Use a token or a certificate.",
       &connection.password},
      {"username", '\0', "NAME",
       "Refused: API servers no longer take user names with passwords. Use a token or a "
       "certificate.",
       &connection.username},
  };
}

}  // namespace

bool takes_value(const Flag& flag) {
  return !std::holds_alternative<bool*>(flag.target) &&
         !std::holds_alternative<std::optional<std::string>*>(flag.target);
}

const Flag* find_flag(std::span<const Flag> flags, std::string_view name) {
  const auto found = std::ranges::find(flags, name, &Flag::name);
  return found == flags.end() ? nullptr : &*found;
}

const Flag* waiting_for_value(std::span<const Flag> flags, std::string_view word) {
  if (!is_flag_word(word)) return nullptr;
  if (word.starts_with("--")) {
    const Flag* flag = find_flag(flags, word.substr(2));
    return flag != nullptr && takes_value(*flag) ? flag : nullptr;
  }
  for (std::size_t i = 1; i < word.size(); ++i) {
    const Flag* flag = find_letter(flags, word[i]);
    if (flag == nullptr) return nullptr;
    if (takes_value(*flag)) return i + 1 == word.size() ? flag : nullptr;
  }
  return nullptr;
}

Result<Arguments> parse_flags(std::span<const Flag> flags, const std::vector<std::string>& words) {
  Rewritten rewritten = rewrite_all(flags, words);
  Found found = DRA_TRY(split_words(flags, std::move(rewritten.words)));
  Arguments arguments;
  bool only_arguments = false;
  for (const std::string& word : found.rest) {
    if (!only_arguments && word == "--") {
      only_arguments = true;
    } else if (!only_arguments && is_flag_word(word)) {
      return unknown_flag(flags, word);
    } else {
      arguments.push_back(word);
    }
  }
  if (rewritten.unfinished != nullptr) {
    const Flag& flag = *rewritten.unfinished;
    if (flag.at_end.empty()) {
      return bad_flag(base::format("--{} needs a value", flag.name),
                      base::format("write --{}={}", flag.name, flag.value));
    }
    found.values[static_cast<std::size_t>(&flag - flags.data())].emplace_back(flag.at_end);
  }
  for (std::size_t i = 0; i < flags.size(); ++i)
    DRA_TRY(set_values(flags[i], found.values[i]));
  return arguments;
}

Arguments read_flags(std::span<const Flag> flags, const std::vector<std::string>& words) {
  const auto found = split_words(flags, rewrite_all(flags, words).words);
  if (!found.ok()) return {};
  Arguments arguments;
  bool only_arguments = false;
  for (const std::string& word : found.value().rest) {
    const bool mark = !only_arguments && word == "--";
    if (!mark && (only_arguments || !is_flag_word(word))) arguments.push_back(word);
    only_arguments |= mark;
  }
  for (std::size_t i = 0; i < flags.size(); ++i) {
    // An invalid or incomplete value does not change the target.
    static_cast<void>(set_values(flags[i], found.value().values[i]));
  }
  return arguments;
}

namespace {

// kubectl accepts each of them with any command.
std::vector<Flag> idle_flags(IdleFlags& idle) {
  return {
      {"cache-dir", '\0', "DIRECTORY",
       "Accepted for compatibility with kubectl: nothing is cached.", &idle.cache_dir},
      {"log-flush-frequency", '\0', "TIME",
       "Accepted for compatibility with kubectl: each line of the log is written at once.",
       &idle.log_flush_frequency},
      {"match-server-version", '\0', "",
       "Accepted for compatibility with kubectl: this program has no release in common with a "
       "server. See --assume-server.",
       &idle.match_server_version},
      {.name = "profile",
       .value = "PROFILE",
       .help = "Accepted for compatibility with kubectl: nothing is profiled.",
       .target = &idle.profile,
       .choices = {"block", "cpu", "goroutine", "heap", "mutex", "none", "threadcreate", "trace"}},
      {"profile-output", '\0', "FILE",
       "Accepted for compatibility with kubectl: nothing is profiled.", &idle.profile_output},
      {"vmodule", '\0', "PATTERN=LEVEL,...",
       "Accepted for compatibility with kubectl: -v sets the level of the whole log.",
       &idle.vmodule},
  };
}

std::vector<std::string_view> demo_names() {
  std::vector<std::string_view> names;
  for (const snapshot::Demo& demo : snapshot::demos())
    names.push_back(demo.name);
  return names;
}

}  // namespace

std::vector<Flag> global_flags(GlobalFlags& globals) {
  session::ConnectionFlags& connection = globals.connection;
  std::vector<Flag> flags = {
      {"assume-server", '\0', "VERSION",
       "Compute as this release of Kubernetes does, such as v1.36, whatever the server is.",
       &globals.assume_server},
      {"certificate-authority", '\0', "FILE", "Trust servers whose certificate FILE vouches for.",
       &connection.certificate_authority},
      {"cluster", '\0', "CLUSTER", "Use this cluster of the kubeconfig.", &connection.cluster},
      {"color",
       '\0',
       "WHEN",
       "Use colours: auto (on a terminal), always or never.",
       &globals.colour,
       {"always", "auto", "never"}},
      {"context", '\0', "CONTEXT", "Use this context of the kubeconfig.", &connection.context},
      {"demo", '\0', "NAME", "Look at a built-in cluster instead of a server.", &globals.demo,
       demo_names()},
      {"disable-compression", '\0', "", "Do not ask the server for compressed answers.",
       &connection.disable_compression},
      {"feature-gates", '\0', "GATE=BOOL",
       "Assume that these feature gates of the scheduler are on (true) or off (false), on top of "
       "the release's defaults; all=true means all of DRA. If one gate is given several times, "
       "the last one counts.",
       &globals.feature_gates},
      {"help", 'h', "", "Show what the command does and which flags it has.", &globals.help},
      {"insecure-skip-tls-verify", '\0', "",
       "Do not check the server's certificate: this makes the connection insecure.",
       &connection.insecure_skip_tls_verify},
      {"kubeconfig", '\0', "FILE", "Read this kubeconfig instead of $KUBECONFIG or ~/.kube/config.",
       &connection.kubeconfig},
      {"namespace", 'n', "NAMESPACE", "Look into this namespace instead of the context's.",
       &connection.namespace_},
      {"proxy-url", '\0', "URL", "Go through this proxy to the server.", &connection.proxy_url},
      {"request-timeout", '\0', "TIME",
       "Give up on a single request after this time, such as 10s or 1m; 0 waits without end.",
       &connection.request_timeout},
      {"server", 's', "ADDRESS", "Address of the API server.", &connection.server},
      {"snapshot", '\0', "FILE",
       "Look at the objects in a file, a directory or standard input (-) instead of a server. Can "
       "be given several times.",
       &globals.snapshot},
      {"tls-server-name", '\0', "NAME", "The name that the server's certificate must have.",
       &connection.tls_server_name},
      {"token", '\0', "TOKEN", "Bearer token for authentication to the API server.",
       &connection.token},
      {"user", '\0', "USER", "Use this user of the kubeconfig.", &connection.user},
      {"v", 'v', "LEVEL",
       "Log on standard error: 1 which credential plugin runs, 6 each request, up to 8 headers.",
       &globals.verbosity},
      {"warnings-as-errors", '\0', "",
       "Fail, after the output, if the server has sent warnings along with it.",
       &globals.warnings_as_errors},
  };
  std::ranges::move(identity_flags(connection), std::back_inserter(flags));
  std::ranges::move(idle_flags(globals.idle), std::back_inserter(flags));
  std::ranges::sort(flags, {}, &Flag::name);
  return flags;
}

}  // namespace dra::cmd
