# shellcheck shell=bash
# The part of the completion script that is the same for every command table;
# bash.ts adds the functions that hold the table.

_queuectl() {
  local words db='' path='' command='' typed='' given=' ' flag='' cur word i last behind=0 arguments=0
  COMPREPLY=()
  words=()
  __queuectl_split
  last=$((${#words[@]} - 1))
  cur=${words[last]}

  # Learn the command, its arguments so far, and the database.
  for ((i = 1; i < last; i++)); do
    word=${words[i]}
    if [[ $word == -- ]]; then
      behind=$i
      break
    elif [[ $word == --*=* ]]; then
      given+="${word%%=*} "
      [[ $word == --db=* ]] && db=${word#--db=}
    elif __queuectl_takes_value "$word"; then
      given+="$word "
      ((i + 1 == last)) && flag=$word
      [[ $word == --db ]] && db=${words[i + 1]}
      ((i += 1))
    elif [[ $word == -?* ]]; then
      given+="$word "
    elif ((arguments == 0)) && __queuectl_is_known "${path:+$path }$word"; then
      path="${path:+$path }$word"
    else
      ((arguments += 1))
      typed="${typed:+$typed }$word"
    fi
  done
  command=$(__queuectl_command_of "$path")

  if ((behind > 0)); then
    if __queuectl_takes_program "$command"; then
      __queuectl_offer_program "$behind"
    else
      __queuectl_argument_values "$command" "$((arguments + last - behind - 1))"
    fi
  elif [[ -n $flag ]]; then
    __queuectl_flag_values "$command" "$flag"
  elif [[ $cur == --*=* ]]; then
    flag=${cur%%=*}
    cur=${cur#*=}
    __queuectl_flag_values "$command" "$flag"
    # Where = does not break words, the reply has to carry the flag as well.
    if [[ $COMP_WORDBREAKS != *=* ]]; then
      for i in "${!COMPREPLY[@]}"; do COMPREPLY[i]="$flag=${COMPREPLY[i]}"; done
    fi
  elif [[ $cur == -* ]]; then
    __queuectl_offer_flags
  else
    ((arguments == 0)) && __queuectl_offer_words "$(__queuectl_next_words "$path")"
    [[ -n $command ]] && __queuectl_argument_values "$command" "$arguments"
    [[ ${#COMPREPLY[@]} == 0 && -z $cur ]] && __queuectl_offer_flags
  fi
  __queuectl_trim_colons
  return 0
}

# bash splits words at = and : as well; joins them again, up to the cursor.
__queuectl_split() {
  local line=${COMP_LINE:0:COMP_POINT} i word joined
  if [[ -z $line ]]; then
    words=("${COMP_WORDS[@]:0:COMP_CWORD+1}")
    return
  fi
  for ((i = 0; i <= COMP_CWORD; i++)); do
    word=${COMP_WORDS[i]}
    joined=0
    if ((i > 0)) && [[ $line == [![:space:]]* ]]; then
      [[ $word == [=:]* || ${COMP_WORDS[i - 1]} == *[=:] ]] && joined=1
    fi
    if ((joined)); then
      words[${#words[@]} - 1]+=$word
    else
      words+=("$word")
    fi
    line=${line#*"$word"}
  done
}

__queuectl_is_known() {
  [[ -n $(__queuectl_command_of "$1")$(__queuectl_next_words "$1") ]]
}

# WORDS [list]: offers those of the words that fit; with "list" behind the last comma.
__queuectl_offer_words() {
  local candidate
  for candidate in $1; do __queuectl_offer "$candidate" "$2"; done
}

# KIND [list]: offers what the store knows. Never through compgen -W, which would expand the values.
__queuectl_offer_stored() {
  local candidate program=${words[0]/#\~\//$HOME/} wanted=${cur##*,}
  [[ $2 == list ]] || wanted=$cur
  db=${db#[\"\']}
  db=${db%[\"\']}
  while IFS= read -r candidate; do
    __queuectl_offer "$candidate" "$2"
  done < <("$program" ${db:+--db "${db/#\~\//$HOME/}"} __complete "$1" -- "$wanted" 2>/dev/null </dev/null)
}

__queuectl_offer() {
  local before='' candidate=$1
  if [[ $2 == list && $cur == *,* ]]; then
    before="${cur%,*},"
    [[ ",$before" == *",$candidate,"* ]] && return
  fi
  [[ $before$candidate == "$cur"* ]] && COMPREPLY+=("$before$(printf '%q' "$candidate")")
}

__queuectl_offer_flags() {
  local candidate
  for candidate in $(__queuectl_flags "$command"); do
    [[ $given == *" $candidate "* ]] && ! __queuectl_is_repeatable "$candidate" && continue
    [[ $candidate == "$cur"* ]] && COMPREPLY+=("$candidate")
  done
}

# -f, -d or -c: files, directories or programs, as compgen knows them.
__queuectl_offer_files() {
  local candidate
  compopt -o filenames 2>/dev/null
  while IFS= read -r candidate; do COMPREPLY+=("$candidate"); done < <(compgen "$1" -- "$cur")
}

# INDEX of "--": completes what follows as if it were a command line of its own.
__queuectl_offer_program() {
  local first=$(($1 + 1))
  if declare -F _command_offset >/dev/null && ((${#words[@]} == COMP_CWORD + 1)); then
    _command_offset "$first"
  elif ((first == last)); then
    __queuectl_offer_files -c
  else
    __queuectl_offer_files -f
  fi
}

# Readline replaces only what stands behind the last colon.
__queuectl_trim_colons() {
  local i before
  [[ $COMP_WORDBREAKS == *:* && $cur == *:* ]] || return 0
  before="${cur%:*}:"
  for i in "${!COMPREPLY[@]}"; do COMPREPLY[i]=${COMPREPLY[i]#"$before"}; done
}
