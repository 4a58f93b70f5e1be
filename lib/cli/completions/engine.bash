# shellcheck shell=bash
# The part of the completion script that is the same for every command table;
# bash.ts adds the functions that hold the table.

_queuectl() {
  local words db='' path='' command='' typed='' given=' ' flag='' cur plain='' quote='' word i last behind=0
  local arguments=()
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
    elif ((${#arguments[@]} == 0)) && __queuectl_is_known "${path:+$path }$word"; then
      path="${path:+$path }$word"
    else
      __queuectl_unquote "$word"
      arguments+=("$plain")
      typed="${typed:+$typed }$plain"
    fi
  done
  command=$(__queuectl_command_of "$path")

  if [[ $behind == 0 && -z $flag && $cur == --*=* ]]; then
    flag=${cur%%=*}
    cur=${cur#*=}
    __queuectl_unquote "$cur"
    __queuectl_flag_values "$command" "$flag"
    # Where = does not break words, the reply has to carry the flag as well.
    if [[ $COMP_WORDBREAKS != *=* ]]; then
      for i in "${!COMPREPLY[@]}"; do COMPREPLY[i]="$flag=${COMPREPLY[i]}"; done
    fi
  else
    __queuectl_unquote "$cur"
    if ((behind > 0)) && __queuectl_takes_program "$command"; then
      __queuectl_offer_program "$behind"
    elif ((behind > 0)); then
      __queuectl_argument_values "$command" "$((${#arguments[@]} + last - behind - 1))"
    elif [[ -n $flag ]]; then
      __queuectl_flag_values "$command" "$flag"
    elif [[ $cur == -* ]]; then
      __queuectl_offer_flags
    else
      ((${#arguments[@]} == 0)) && __queuectl_offer_words "$(__queuectl_next_words "$path")"
      [[ -n $command ]] && __queuectl_argument_values "$command" "${#arguments[@]}"
      [[ ${#COMPREPLY[@]} == 0 && -z $cur ]] && __queuectl_offer_flags
    fi
  fi
  __queuectl_trim
  # What ends with a colon is only the beginning of a value.
  [[ ${#COMPREPLY[@]} == 1 && ${COMPREPLY[0]} == *: ]] && compopt -o nospace 2>/dev/null
  return 0
}

# bash splits words at =, : and @ as well; joins them again, up to the cursor.
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
      [[ $word == [=:@]* || ${COMP_WORDS[i - 1]} == *[=:@] ]] && joined=1
    fi
    if ((joined)); then
      words[${#words[@]} - 1]+=$word
    else
      words+=("$word")
    fi
    line=${line#*"$word"}
  done
}

# WORD as typed: sets plain to what it says, and quote to the quote that is open.
__queuectl_unquote() {
  local rest=$1
  plain='' quote=''
  case $rest in
    \'* | \"*)
      quote=${rest:0:1}
      rest=${rest:1}
      [[ $rest == *"$quote" ]] && rest=${rest%"$quote"}
      ;;
  esac
  if [[ $quote == \' ]]; then
    plain=$rest
    return
  fi
  while [[ $rest == *\\* ]]; do
    plain+=${rest%%\\*}
    rest=${rest#*\\}
    plain+=${rest:0:1}
    rest=${rest:1}
  done
  plain+=$rest
}

__queuectl_is_known() {
  [[ -n $(__queuectl_command_of "$1")$(__queuectl_next_words "$1") ]]
}

# WORDS [list]: offers those of the words that fit; with "list" behind the last comma.
__queuectl_offer_words() {
  local candidate
  for candidate in $1; do __queuectl_offer "$candidate" "${2-}"; done
}

# KIND [list]: offers what the store knows. Never through compgen -W, which would expand the values.
__queuectl_offer_stored() {
  local candidate program=${words[0]/#\~\//$HOME/} wanted=$plain
  [[ ${2-} == list ]] && wanted=${plain##*,}
  db=${db#[\"\']}
  db=${db%[\"\']}
  # The best ones come first; older versions of bash sort all the same.
  compopt -o nosort 2>/dev/null
  while IFS= read -r candidate; do
    __queuectl_offer "$candidate" "${2-}"
  done < <("$program" ${db:+--db "${db/#\~\//$HOME/}"} __complete "$1" -- "$wanted" \
    ${arguments[@]+"${arguments[@]}"} 2>/dev/null </dev/null)
}

__queuectl_offer() {
  local before='' stands='' candidate=$1 quoted
  if [[ $2 == list && $plain == *,* ]]; then
    stands="${plain%,*},"
    before="${cur#"$quote"}"
    before="${before%,*},"
    [[ ",$stands" == *",$candidate,"* ]] && return
  fi
  [[ $stands$candidate == "$plain"* ]] || return
  if [[ -n $quote ]]; then
    # Inside quotes these would need more than a backslash, and no name of ours has them.
    [[ $candidate == *[\'\"\\\$\`!]* ]] && return
    COMPREPLY+=("$before$candidate")
  else
    printf -v quoted %q "$candidate"
    COMPREPLY+=("$before$quoted")
  fi
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
  while IFS= read -r candidate; do COMPREPLY+=("$candidate"); done < <(compgen "$1" -- "$plain")
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

# Readline replaces only what stands behind the last of the characters that break words.
__queuectl_trim() {
  local i before='' found breaks
  [[ -z $quote ]] || return 0
  for breaks in : @; do
    [[ $COMP_WORDBREAKS == *"$breaks"* && $cur == *"$breaks"* ]] || continue
    found="${cur%"$breaks"*}$breaks"
    ((${#found} > ${#before})) && before=$found
  done
  [[ -n $before ]] || return 0
  for i in "${!COMPREPLY[@]}"; do COMPREPLY[i]=${COMPREPLY[i]#"$before"}; done
}
