# Completion of kubectl-dra in bash: source this file, or put it where bash-completion looks for files.
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
