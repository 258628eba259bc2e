// cmd/completion.cpp: `kubectl dra completion`, and the scripts that it prints.

#include "cmd/completion.h"

#include <algorithm>
#include <array>

#include "cmd/command.h"
#include "cmd/commands.h"
#include "dra/base/text.h"

namespace dra::cmd {
namespace {

constexpr std::string_view kBash =
    R"(# Completion of kubectl-dra in bash: source this file, or put it where bash-completion looks for files.
_kubectl_dra() {
  local line directive=0 i n
  local -a words=()
  # bash has split the line at = and : too; here they are parts of words.
  for ((i = 1; i <= COMP_CWORD; i++)); do
    n=${#words[@]}
    if ((n > 0)) && [[ ${COMP_WORDS[i]} == [=:]* || ${words[n - 1]} == *[=:] ]]; then
      words[n - 1]+=${COMP_WORDS[i]}
    else
      words[n]=${COMP_WORDS[i]}
    fi
  done
  COMPREPLY=()
  while IFS= read -r line; do
    case $line in
      :*) directive=${line#:} ;;
      *) COMPREPLY+=("${line%%$'\t'*}") ;;
    esac
  done < <("${COMP_WORDS[0]}" __complete "${words[@]}" 2>/dev/null)
  ((directive & 4)) || compopt -o default 2>/dev/null
  ((directive & 2)) && compopt -o nospace 2>/dev/null
  ((directive & 32)) && compopt -o nosort 2>/dev/null
  return 0
}
complete -F _kubectl_dra kubectl-dra
)";

constexpr std::string_view kFish =
    R"(# Completion of kubectl-dra in fish: put this file into ~/.config/fish/completions.
function __kubectl_dra_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    set -l program $words[1]
    set -e words[1]
    # A value after = is offered with the flag before it, as fish completes whole words.
    set -l before (string match -r -- '^--[^=]*=' "$current")
    for line in ($program __complete $words "$current" 2>/dev/null)
        switch $line
            case ':0'
                for path in (__fish_complete_path (string replace -r -- '^--[^=]*=' '' "$current"))
                    echo "$before$path"
                end
            case ':*'
            case '*'
                echo "$before$line"
        end
    end
end
complete -c kubectl-dra -f -k -a '(__kubectl_dra_complete)'
)";

constexpr std::string_view kKubectl = R"(#!/bin/sh
# Completion of `kubectl dra` in every shell in which kubectl completes: kubectl calls this program, which
# must be on PATH and executable under the name kubectl_complete-dra.
exec kubectl-dra __complete "$@"
)";

constexpr std::string_view kPowershell =
    R"(# Completion of kubectl-dra in PowerShell: add this file to $PROFILE.
Register-ArgumentCompleter -Native -CommandName 'kubectl-dra' -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)
    $words = @($commandAst.CommandElements |
        Select-Object -Skip 1 |
        Where-Object { $_.Extent.EndOffset -lt $cursorPosition } |
        ForEach-Object { $_.ToString() })
    # An empty word is lost on its way to a program unless arguments are passed as they are.
    $empty = if ("$PSNativeCommandArgumentPassing" -in '', 'Legacy') { '""' } else { '' }
    $words += if ($wordToComplete -eq '') { $empty } else { $wordToComplete }
    $before = if ($wordToComplete -match '^(--[^=]*=)') { $Matches[1] } else { '' }
    & $commandAst.CommandElements[0].ToString() __complete @words 2>$null |
        Where-Object { -not $_.StartsWith(':') } |
        ForEach-Object {
            $value, $text = $_ -split "`t", 2
            if (-not $text) { $text = $value }
            [System.Management.Automation.CompletionResult]::new(
                "$before$value", $value, 'ParameterValue', $text)
        }
}
)";

constexpr std::string_view kZsh = R"(#compdef kubectl-dra
# Completion of kubectl-dra in zsh: put this file into a directory of $fpath under the name _kubectl-dra,
# or source it after compinit.
_kubectl-dra() {
  local line value text directive=0 current=$PREFIX
  local -a candidates values shown
  while IFS= read -r line; do
    case $line in
      :*) directive=${line#:} ;;
      *)
        value=${line%%$'\t'*}
        text=${${line#"$value"}#$'\t'}
        values+=("$value")
        shown+=("$value${text:+  -- $text}")
        candidates+=("${value//:/\\:}${text:+:$text}")
        ;;
    esac
  done < <("${(Q)words[1]}" __complete "${(@Q)words[2,CURRENT-1]}" "$current" 2>/dev/null)
  [[ $current == --*=* ]] && compset -P '*='
  if (( $#candidates )); then
    if (( directive & 32 )); then
      # _describe would put those of one description together.
      compadd -V kubectl-dra -l -d shown -a values
    elif (( directive & 2 )); then
      _describe -V 'kubectl-dra' candidates -S ''
    else
      _describe -V 'kubectl-dra' candidates
    fi
  elif (( ! (directive & 4) )); then
    _files
  fi
}
if [[ $funcstack[1] == _kubectl-dra ]]; then
  _kubectl-dra "$@"
else
  compdef _kubectl-dra kubectl-dra
fi
)";

constexpr std::array<CompletionScript, 5> kScripts = {{
    {"bash", "kubectl-dra.bash", kBash},
    {"fish", "kubectl-dra.fish", kFish},
    {"kubectl", "kubectl_complete-dra", kKubectl},
    {"powershell", "kubectl-dra.ps1", kPowershell},
    {"zsh", "kubectl-dra.zsh", kZsh},
}};

class Completion final : public Command {
 public:
  Info info() const override {
    return {
        .name = "completion",
        .usage = "bash|fish|kubectl|powershell|zsh",
        .summary = "Print a shell completion script for commands, flags and names.",
        .description =
            "The scripts of the shells complete `kubectl-dra`. For `kubectl dra`, kubectl itself "
            "asks a program kubectl_complete-dra on PATH, which `completion kubectl` prints.\n\n"
            "Names of claims, pods, pools, slices, devices and attributes come from the server, "
            "file "
            "or demo that the flags already typed name; pods that wait come first.",
        .examples =
            {{"completion kubectl > ~/.local/bin/kubectl_complete-dra",
              "complete `kubectl dra` wherever kubectl completes; make the file executable"},
             {"completion bash > ~/.kubectl-dra.bash",
              "complete `kubectl-dra` in bash; source the file in ~/.bashrc"}},
        .task = Task::Other,
        .min_args = 1,
        .max_args = 1,
        .arguments = ArgumentKind::Shells};
  }

  Result<ExitCode> run(Context& context) override {
    const std::string& shell = context.args().front();
    const auto script = std::ranges::find(kScripts, shell, &CompletionScript::shell);
    if (script == kScripts.end()) {
      std::vector<std::string> shells;
      shells.reserve(kScripts.size());
      for (const CompletionScript& known : kScripts)
        shells.emplace_back(known.shell);
      return Error{ErrorKind::BadInput, base::format("there is no script for \"{}\"", shell),
                   "there is one for: " + base::join(shells, ", ")};
    }
    context.print_text(script->text);
    return ExitCode::Done;
  }
};

}  // namespace

std::span<const CompletionScript> completion_scripts() { return kScripts; }

std::unique_ptr<Command> make_completion() { return std::make_unique<Completion>(); }

}  // namespace dra::cmd
