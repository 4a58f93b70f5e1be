# The part of the completion script that is the same for every command table;
# zsh.ts adds the functions that hold the table.

_queuectl() {
  local db spelled command flag word ret=1
  local -i i behind=0
  local -a given arguments

  # Learn the command, its arguments so far, and the database.
  for ((i = 2; i < CURRENT; i++)); do
    word=${(Q)words[i]}
    if [[ $word == -- ]]; then
      behind=$i
      break
    elif [[ $word == --*=* ]]; then
      given+=("${word%%=*}")
      [[ $word == --db=* ]] && db=${word#--db=}
    elif _queuectl_takes_value "$word"; then
      given+=("$word")
      (( i + 1 == CURRENT )) && flag=$word
      [[ $word == --db ]] && db=${(Q)words[i + 1]}
      (( i += 1 ))
    elif [[ $word == -?* ]]; then
      given+=("$word")
    elif (( $#arguments == 0 )) && _queuectl_is_known "${spelled:+$spelled }$word"; then
      spelled="${spelled:+$spelled }$word"
    else
      arguments+=("$word")
    fi
  done
  local REPLY
  _queuectl_command_of "$spelled"
  command=$REPLY

  if (( behind )); then
    if _queuectl_takes_program "$command"; then
      # What follows is a command line of its own.
      shift $behind words
      (( CURRENT -= behind ))
      _normal && ret=0
    else
      _queuectl_argument_values "$command" $(( $#arguments + CURRENT - behind - 1 )) && ret=0
    fi
  elif [[ -n $flag ]]; then
    _queuectl_flag_values "$command" "$flag" && ret=0
  elif [[ $PREFIX == --*=* ]]; then
    flag=${PREFIX%%=*}
    compset -P '--[^=]#=' || compset -P '*='
    _queuectl_flag_values "$command" "$flag" && ret=0
  elif [[ $PREFIX == -* ]]; then
    _queuectl_offer_flags && ret=0
  else
    (( $#arguments == 0 )) && _queuectl_offer_words command "$spelled" && ret=0
    [[ -n $command ]] && _queuectl_argument_values "$command" $#arguments && ret=0
    (( ret )) && [[ -z $PREFIX ]] && _queuectl_offer_flags && ret=0
  fi
  return ret
}

_queuectl_is_known() {
  local REPLY
  local -a reply
  _queuectl_command_of "$1"
  _queuectl_next_words "$1"
  [[ -n $REPLY || $#reply -gt 0 ]]
}

# TAG WORDS: offers what may come next after these words of a command's name.
_queuectl_offer_words() {
  local -a reply
  _queuectl_next_words "$2"
  (( $#reply )) && _describe -t commands "$1" reply
}

_queuectl_offer_flags() {
  local -a reply kept
  local entry
  _queuectl_flags "$command"
  for entry in $reply; do
    [[ -n ${given[(re)${entry%%:*}]} ]] && ! _queuectl_is_repeatable "${entry%%:*}" && continue
    kept+=("$entry")
  done
  _describe -o 'option' kept
}

# list|one WORD...: offers the words; with "list" behind the last comma. No space
# follows a word that ends with a colon: that is only the beginning of a value.
_queuectl_offer_choices() {
  local expl ret=1
  local -a choices beginnings before
  choices=("${(@)argv[2,-1]:#*:}")
  beginnings=("${(@M)argv[2,-1]:#*:}")
  if [[ $1 == list ]] && compset -P '*,'; then
    before=("${(@s:,:)IPREFIX##*=}")
    choices=("${(@)choices:|before}")
  fi
  (( $#choices )) && _wanted values expl 'value' compadd -a choices && ret=0
  (( $#beginnings )) && _wanted values expl 'value' compadd -S '' -a beginnings && ret=0
  return ret
}

# list|one KIND: offers what the store knows, the best first, with a few words on each.
_queuectl_offer_stored() {
  local expl line separator program=${(Q)words[1]}
  local -i width=0
  local -a lines found shown call before
  [[ $1 == list ]] && compset -P '*,' && before=("${(@s:,:)IPREFIX##*=}")
  call=("${program/#\~\//$HOME/}")
  [[ -n $db ]] && call+=(--db "${db/#\~\//$HOME/}")
  call+=(__complete --describe "$2" -- "${(Q)PREFIX}" "${(@)arguments}")
  lines=("${(@f)$("${call[@]}" 2>/dev/null </dev/null)}")
  # The newest jobs come first: more lines than the screen has would push them out at its top.
  [[ $2 == job* && -z $PREFIX ]] && lines=("${(@)lines[1,LINES-4]}")
  for line in $lines; do
    [[ -n ${before[(re)${line%%$'\t'*}]} ]] && continue
    found+=("${line%%$'\t'*}")
    (( ${(m)#found[-1]} > width )) && width=${(m)#found[-1]}
  done
  (( $#found )) || return 1

  zstyle -s ":completion:$curcontext:$2" list-separator separator || separator=--
  for line in $lines; do
    [[ -n ${before[(re)${line%%$'\t'*}]} ]] && continue
    if [[ $line == *$'\t'?* ]]; then
      line="${(mr:width:)${line%%$'\t'*}} $separator ${line#*$'\t'}"
      # A line that wraps would hide which value it belongs to.
      shown+=("${(mr:COLUMNS-1:)line}")
      shown[-1]=${shown[-1]%%[[:space:]]#}
    else
      shown+=("${line%%$'\t'*}")
    fi
  done
  local -a listed
  [[ ${lines[1]} == *$'\t'?* ]] && listed=(-l)
  _wanted -V "queuectl-${2%%:*}" expl "${2%%:*}" compadd $listed -d shown -a found
}
