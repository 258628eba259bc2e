#compdef kubectl-dra
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
