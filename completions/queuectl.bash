# bash completion for queuectl. Made from the command table by `deno task generate`; do not edit.

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

# The command that these words mean, or nothing.
__queuectl_command_of() {
  case $1 in
    'enqueue') echo 'enqueue' ;;
    'job enqueue') echo 'enqueue' ;;
    'enqueue-batch') echo 'enqueue-batch' ;;
    'job enqueue-batch') echo 'enqueue-batch' ;;
    'list') echo 'list' ;;
    'job list') echo 'list' ;;
    'show') echo 'show' ;;
    'job show') echo 'show' ;;
    'output') echo 'output' ;;
    'job output') echo 'output' ;;
    'logs') echo 'logs' ;;
    'job logs') echo 'logs' ;;
    'cancel') echo 'cancel' ;;
    'job cancel') echo 'cancel' ;;
    'retry') echo 'retry' ;;
    'job retry') echo 'retry' ;;
    'edit') echo 'edit' ;;
    'job edit') echo 'edit' ;;
    'run') echo 'run' ;;
    'job run') echo 'run' ;;
    'wait') echo 'wait' ;;
    'job wait') echo 'wait' ;;
    'why') echo 'why' ;;
    'job why') echo 'why' ;;
    'dlq list') echo 'dlq list' ;;
    'dlq') echo 'dlq list' ;;
    'dlq show') echo 'dlq show' ;;
    'dlq retry') echo 'dlq retry' ;;
    'dlq purge') echo 'dlq purge' ;;
    'worker start') echo 'worker start' ;;
    'worker stop') echo 'worker stop' ;;
    'worker restart') echo 'worker restart' ;;
    'worker scale') echo 'worker scale' ;;
    'worker status') echo 'worker status' ;;
    'worker logs') echo 'worker logs' ;;
    'worker run') echo 'worker run' ;;
    'service print') echo 'service print' ;;
    'service install') echo 'service install' ;;
    'service uninstall') echo 'service uninstall' ;;
    'queue list') echo 'queue list' ;;
    'queue') echo 'queue list' ;;
    'queue set') echo 'queue set' ;;
    'queue pause') echo 'queue pause' ;;
    'queue resume') echo 'queue resume' ;;
    'queue clear') echo 'queue clear' ;;
    'queue remove') echo 'queue remove' ;;
    'batch list') echo 'batch list' ;;
    'batch') echo 'batch list' ;;
    'batch show') echo 'batch show' ;;
    'batch seal') echo 'batch seal' ;;
    'template create') echo 'template create' ;;
    'template add') echo 'template create' ;;
    'template list') echo 'template list' ;;
    'template') echo 'template list' ;;
    'template show') echo 'template show' ;;
    'template remove') echo 'template remove' ;;
    'status') echo 'status' ;;
    'stats') echo 'stats' ;;
    'metrics') echo 'metrics' ;;
    'audit') echo 'audit' ;;
    'cleanup') echo 'cleanup' ;;
    'backup') echo 'backup' ;;
    'restore') echo 'restore' ;;
    'doctor') echo 'doctor' ;;
    'export') echo 'export' ;;
    'import') echo 'import' ;;
    'config list') echo 'config list' ;;
    'config') echo 'config list' ;;
    'config get') echo 'config get' ;;
    'config set') echo 'config set' ;;
    'config unset') echo 'config unset' ;;
    'man') echo 'man' ;;
    'man install') echo 'man install' ;;
    'man uninstall') echo 'man uninstall' ;;
    'completions') echo 'completions' ;;
    'version') echo 'version' ;;
    'help') echo 'help' ;;
  esac
}

# The words that may come next.
__queuectl_next_words() {
  case $1 in
    '') echo 'enqueue enqueue-batch list show output logs cancel retry edit run wait why dlq worker service queue batch template status stats metrics audit cleanup backup restore doctor export import config man completions version help' ;;
    'job') echo 'enqueue enqueue-batch list show output logs cancel retry edit run wait why' ;;
    'dlq') echo 'list show retry purge' ;;
    'worker') echo 'start stop restart scale status logs run' ;;
    'service') echo 'print install uninstall' ;;
    'queue') echo 'list set pause resume clear remove' ;;
    'batch') echo 'list show seal' ;;
    'template') echo 'create add list show remove' ;;
    'config') echo 'list get set unset' ;;
    'man') echo 'install uninstall' ;;
  esac
}

# Flags that take the next word as their value.
__queuectl_takes_value() {
  case $1 in
    --db | --format | --command | --template | --id | --queue | --priority | --tag | --max-retries | --retries | --max-attempts | --backoff | --backoff-base | --backoff-delay | --backoff-max | --backoff-jitter | --ok-on | --fail-on | --snooze-on | --retry-on | --run-at | --delay | --expires | --timeout | --kill-grace | --after | --after-any | --lock | --key | --key-scope | --on-conflict | --batch | --when | --cwd | --env | --env-file | --secret-env | --secret-file | --stdin | --umask | --nice | --memory | --cpu-time | --on-batch-done | --state | --search | --since | --limit | -n | --sort | --run | --tail | --older-than | --count | --concurrency | -c | --pool | --level | --idle-exit | --max-jobs | --name | --run-as | --dir | --rate | --max-pending | --salvage | --backup) return 0 ;;
  esac
  return 1
}

# The flags of a command.
__queuectl_flags() {
  echo '--db --trust-owner --json --format --no-color --quiet --verbose --yes --help --version'
  case $1 in
    'enqueue') echo '--command --template --id --queue --priority --tag --max-retries --max-attempts --backoff --backoff-base --backoff-delay --backoff-max --backoff-jitter --ok-on --fail-on --snooze-on --retry-on --run-at --delay --expires --allow-past --timeout --kill-grace --after --after-any --lock --key --key-scope --on-conflict --batch --when --cwd --env --env-file --secret-env --secret-file --stdin --umask --nice --memory --cpu-time --no-output --on-batch-done' ;;
    'enqueue-batch') echo '--lines --ids --template --queue --priority --tag --max-retries --max-attempts --backoff --backoff-base --backoff-delay --backoff-max --backoff-jitter --ok-on --fail-on --snooze-on --retry-on --run-at --delay --expires --allow-past --timeout --kill-grace --after --after-any --lock --key --key-scope --on-conflict --batch --when --cwd --env --env-file --secret-env --secret-file --stdin --umask --nice --memory --cpu-time --no-output --on-batch-done' ;;
    'list') echo '--state --queue --tag --batch --search --since --limit --sort --watch' ;;
    'show') echo '--compat' ;;
    'output') echo '--run --stdout --stderr --raw' ;;
    'logs') echo '--follow --tail --timestamps' ;;
    'cancel') echo '--state --queue --tag --batch --search --since' ;;
    'retry') echo '--state --queue --tag --batch --search --since' ;;
    'edit') echo '--command --queue --priority --tag --max-retries --max-attempts --backoff --backoff-base --backoff-delay --backoff-max --backoff-jitter --ok-on --fail-on --snooze-on --retry-on --run-at --delay --expires --allow-past --timeout --kill-grace --lock --key --key-scope --when --cwd --env --env-file --secret-env --secret-file --stdin --umask --nice --memory --cpu-time --no-output' ;;
    'run') echo '--quiet-on-success --on-workers --command --template --id --queue --priority --tag --max-retries --max-attempts --backoff --backoff-base --backoff-delay --backoff-max --backoff-jitter --ok-on --fail-on --snooze-on --retry-on --run-at --delay --expires --allow-past --timeout --kill-grace --after --after-any --lock --key --key-scope --on-conflict --batch --when --cwd --env --env-file --secret-env --secret-file --stdin --umask --nice --memory --cpu-time --no-output' ;;
    'wait') echo '--queue --tag --batch --since --any --timeout' ;;
    'dlq list') echo '--queue --tag --batch --search --since --limit --sort' ;;
    'dlq show') echo '--compat' ;;
    'dlq retry') echo '--all --queue --since' ;;
    'dlq purge') echo '--older-than --queue --dry-run' ;;
    'worker start') echo '--count --concurrency --queue --pool --foreground' ;;
    'worker stop') echo '--timeout --force --pool' ;;
    'worker restart') echo '--count --concurrency --queue --pool' ;;
    'worker scale') echo '--pool' ;;
    'worker status') echo '--pool' ;;
    'worker logs') echo '--follow --level --tail --pool' ;;
    'worker run') echo '--concurrency --queue --drain --wait-retries --no-wait-retries --idle-exit --max-jobs' ;;
    'service print') echo '--user --system --name --count --concurrency --queue --pool --run-as' ;;
    'service install') echo '--user --system --name --count --concurrency --queue --pool --run-as --now --replace --dir' ;;
    'service uninstall') echo '--user --system --name --pool --dir' ;;
    'queue set') echo '--concurrency --rate --max-pending --paused --no-paused' ;;
    'batch seal') echo '--on-batch-done' ;;
    'template create') echo '--replace --command --queue --priority --tag --max-retries --max-attempts --backoff --backoff-base --backoff-delay --backoff-max --backoff-jitter --ok-on --fail-on --snooze-on --retry-on --run-at --delay --expires --allow-past --timeout --kill-grace --after --after-any --lock --key --key-scope --on-conflict --batch --when --cwd --env --env-file --secret-env --secret-file --stdin --umask --nice --memory --cpu-time --no-output' ;;
    'stats') echo '--since --queue' ;;
    'metrics') echo '--prometheus' ;;
    'audit') echo '--since --limit' ;;
    'cleanup') echo '--older-than --state --queue --dry-run' ;;
    'backup') echo '--replace' ;;
    'doctor') echo '--fix --quick --salvage --backup' ;;
    'export') echo '--state --queue --tag --batch --search --since --replace' ;;
    'config list') echo '--show-origin' ;;
    'config get') echo '--show-origin' ;;
    'man install') echo '--user --system --dir' ;;
    'man uninstall') echo '--user --system --dir' ;;
    'completions') echo '--user --system --dir' ;;
    'version') echo '--licenses' ;;
  esac
}

# Flags that may be given again.
__queuectl_is_repeatable() {
  case $1 in
    --tag | --after | --after-any | --env | --env-file | --secret-env | --secret-file | --state | --queue) return 0 ;;
  esac
  return 1
}

# Offers the values of a flag: COMMAND FLAG.
__queuectl_flag_values() {
  case "$1 $2" in
    'enqueue --template') __queuectl_offer_stored template ;;
    'enqueue --queue') __queuectl_offer_stored queue ;;
    'enqueue --tag') __queuectl_offer_stored tag ;;
    'enqueue --backoff') __queuectl_offer_words 'exponential: linear: fixed:' ;;
    'enqueue --fail-on') __queuectl_offer_words 'timeout signal spawn' list ;;
    'enqueue --retry-on') __queuectl_offer_words 'timeout signal spawn' list ;;
    'enqueue --after') __queuectl_offer_stored job:after list ;;
    'enqueue --after-any') __queuectl_offer_stored job:wait list ;;
    'enqueue --key-scope') __queuectl_offer_words 'active waiting window:' ;;
    'enqueue --on-conflict') __queuectl_offer_words 'skip attach replace fail' ;;
    'enqueue --batch') __queuectl_offer_stored batch:open ;;
    'enqueue --cwd') __queuectl_offer_files -d ;;
    'enqueue --env-file') __queuectl_offer_files -f ;;
    'enqueue --stdin') __queuectl_offer_files -f ;;
    'enqueue-batch --template') __queuectl_offer_stored template ;;
    'enqueue-batch --queue') __queuectl_offer_stored queue ;;
    'enqueue-batch --tag') __queuectl_offer_stored tag ;;
    'enqueue-batch --backoff') __queuectl_offer_words 'exponential: linear: fixed:' ;;
    'enqueue-batch --fail-on') __queuectl_offer_words 'timeout signal spawn' list ;;
    'enqueue-batch --retry-on') __queuectl_offer_words 'timeout signal spawn' list ;;
    'enqueue-batch --after') __queuectl_offer_stored job:after list ;;
    'enqueue-batch --after-any') __queuectl_offer_stored job:wait list ;;
    'enqueue-batch --key-scope') __queuectl_offer_words 'active waiting window:' ;;
    'enqueue-batch --on-conflict') __queuectl_offer_words 'skip attach replace fail' ;;
    'enqueue-batch --batch') __queuectl_offer_stored batch:open ;;
    'enqueue-batch --cwd') __queuectl_offer_files -d ;;
    'enqueue-batch --env-file') __queuectl_offer_files -f ;;
    'enqueue-batch --stdin') __queuectl_offer_files -f ;;
    'list --state') __queuectl_offer_words 'scheduled blocked pending processing completed failed dead cancelled' list ;;
    'list --queue') __queuectl_offer_stored queue list ;;
    'list --tag') __queuectl_offer_stored tag ;;
    'list --batch') __queuectl_offer_stored batch ;;
    'list --sort') __queuectl_offer_words 'seq -seq priority -priority created_at -created_at updated_at -updated_at run_at -run_at duration -duration' ;;
    'cancel --state') __queuectl_offer_words 'scheduled blocked pending processing failed' list ;;
    'cancel --queue') __queuectl_offer_stored queue list ;;
    'cancel --tag') __queuectl_offer_stored tag ;;
    'cancel --batch') __queuectl_offer_stored batch ;;
    'retry --state') __queuectl_offer_words 'scheduled completed failed dead cancelled' list ;;
    'retry --queue') __queuectl_offer_stored queue list ;;
    'retry --tag') __queuectl_offer_stored tag ;;
    'retry --batch') __queuectl_offer_stored batch ;;
    'edit --queue') __queuectl_offer_stored queue ;;
    'edit --tag') __queuectl_offer_stored tag ;;
    'edit --backoff') __queuectl_offer_words 'exponential: linear: fixed:' ;;
    'edit --fail-on') __queuectl_offer_words 'timeout signal spawn' list ;;
    'edit --retry-on') __queuectl_offer_words 'timeout signal spawn' list ;;
    'edit --key-scope') __queuectl_offer_words 'active waiting window:' ;;
    'edit --cwd') __queuectl_offer_files -d ;;
    'edit --env-file') __queuectl_offer_files -f ;;
    'edit --stdin') __queuectl_offer_files -f ;;
    'run --template') __queuectl_offer_stored template ;;
    'run --queue') __queuectl_offer_stored queue ;;
    'run --tag') __queuectl_offer_stored tag ;;
    'run --backoff') __queuectl_offer_words 'exponential: linear: fixed:' ;;
    'run --fail-on') __queuectl_offer_words 'timeout signal spawn' list ;;
    'run --retry-on') __queuectl_offer_words 'timeout signal spawn' list ;;
    'run --after') __queuectl_offer_stored job:after list ;;
    'run --after-any') __queuectl_offer_stored job:wait list ;;
    'run --key-scope') __queuectl_offer_words 'active waiting window:' ;;
    'run --on-conflict') __queuectl_offer_words 'skip attach replace fail' ;;
    'run --batch') __queuectl_offer_stored batch:open ;;
    'run --cwd') __queuectl_offer_files -d ;;
    'run --env-file') __queuectl_offer_files -f ;;
    'run --stdin') __queuectl_offer_files -f ;;
    'wait --queue') __queuectl_offer_stored queue list ;;
    'wait --tag') __queuectl_offer_stored tag ;;
    'wait --batch') __queuectl_offer_stored batch ;;
    'dlq list --queue') __queuectl_offer_stored queue list ;;
    'dlq list --tag') __queuectl_offer_stored tag ;;
    'dlq list --batch') __queuectl_offer_stored batch ;;
    'dlq list --sort') __queuectl_offer_words 'seq -seq priority -priority created_at -created_at updated_at -updated_at run_at -run_at duration -duration' ;;
    'dlq retry --queue') __queuectl_offer_stored queue list ;;
    'dlq purge --queue') __queuectl_offer_stored queue list ;;
    'worker start --queue') __queuectl_offer_stored queue list ;;
    'worker start --pool') __queuectl_offer_stored pool ;;
    'worker stop --pool') __queuectl_offer_stored pool:here ;;
    'worker restart --queue') __queuectl_offer_stored queue list ;;
    'worker restart --pool') __queuectl_offer_stored pool:here ;;
    'worker scale --pool') __queuectl_offer_stored pool:here ;;
    'worker status --pool') __queuectl_offer_stored pool ;;
    'worker logs --level') __queuectl_offer_words 'debug info warn error' ;;
    'worker logs --pool') __queuectl_offer_stored pool ;;
    'worker run --queue') __queuectl_offer_stored queue list ;;
    'service print --queue') __queuectl_offer_stored queue list ;;
    'service print --pool') __queuectl_offer_stored pool ;;
    'service install --queue') __queuectl_offer_stored queue list ;;
    'service install --pool') __queuectl_offer_stored pool ;;
    'service install --dir') __queuectl_offer_files -d ;;
    'service uninstall --pool') __queuectl_offer_stored pool ;;
    'service uninstall --dir') __queuectl_offer_files -d ;;
    'template create --queue') __queuectl_offer_stored queue ;;
    'template create --tag') __queuectl_offer_stored tag ;;
    'template create --backoff') __queuectl_offer_words 'exponential: linear: fixed:' ;;
    'template create --fail-on') __queuectl_offer_words 'timeout signal spawn' list ;;
    'template create --retry-on') __queuectl_offer_words 'timeout signal spawn' list ;;
    'template create --after') __queuectl_offer_stored job:after list ;;
    'template create --after-any') __queuectl_offer_stored job:wait list ;;
    'template create --key-scope') __queuectl_offer_words 'active waiting window:' ;;
    'template create --on-conflict') __queuectl_offer_words 'skip attach replace fail' ;;
    'template create --batch') __queuectl_offer_stored batch:open ;;
    'template create --cwd') __queuectl_offer_files -d ;;
    'template create --env-file') __queuectl_offer_files -f ;;
    'template create --stdin') __queuectl_offer_files -f ;;
    'stats --queue') __queuectl_offer_stored queue ;;
    'cleanup --state') __queuectl_offer_words 'completed dead cancelled' list ;;
    'cleanup --queue') __queuectl_offer_stored queue list ;;
    'doctor --salvage') __queuectl_offer_files -f ;;
    'doctor --backup') __queuectl_offer_files -f ;;
    'export --state') __queuectl_offer_words 'scheduled blocked pending processing completed failed dead cancelled' list ;;
    'export --queue') __queuectl_offer_stored queue list ;;
    'export --tag') __queuectl_offer_stored tag ;;
    'export --batch') __queuectl_offer_stored batch ;;
    'man install --dir') __queuectl_offer_files -d ;;
    'man uninstall --dir') __queuectl_offer_files -d ;;
    'completions --dir') __queuectl_offer_files -d ;;
    *' --db') __queuectl_offer_files -f ;;
    *' --format') __queuectl_offer_words 'table json ndjson plain' ;;
  esac
}

# Offers the values of an argument: COMMAND and how many stand before it.
__queuectl_argument_values() {
  case "$1 $2" in
    'enqueue 0') __queuectl_offer_files -c ;;
    'enqueue-batch 0') __queuectl_offer_files -f ;;
    'show 0') __queuectl_offer_stored job ;;
    'output 0') __queuectl_offer_stored job ;;
    'logs 0') __queuectl_offer_stored job ;;
    'cancel '*) __queuectl_offer_stored job:cancel ;;
    'retry '*) __queuectl_offer_stored job:retry ;;
    'edit 0') __queuectl_offer_stored job:edit ;;
    'run 0') __queuectl_offer_files -c ;;
    'wait '*) __queuectl_offer_stored job:wait ;;
    'why 0') __queuectl_offer_stored job ;;
    'dlq show 0') __queuectl_offer_stored job:dead ;;
    'dlq retry '*) __queuectl_offer_stored job:dead ;;
    'queue set 0') __queuectl_offer_stored queue ;;
    'queue pause 0') __queuectl_offer_stored queue:pause ;;
    'queue resume 0') __queuectl_offer_stored queue:resume ;;
    'queue clear 0') __queuectl_offer_stored queue:clear ;;
    'queue remove 0') __queuectl_offer_stored queue:remove ;;
    'batch show 0') __queuectl_offer_stored batch ;;
    'batch seal 0') __queuectl_offer_stored batch:open ;;
    'template create 1') __queuectl_offer_files -c ;;
    'template show 0') __queuectl_offer_stored template ;;
    'template remove 0') __queuectl_offer_stored template ;;
    'backup 0') __queuectl_offer_files -f ;;
    'restore 0') __queuectl_offer_files -f ;;
    'export 0') __queuectl_offer_files -f ;;
    'import 0') __queuectl_offer_files -f ;;
    'config get 0') __queuectl_offer_stored setting ;;
    'config set 0') __queuectl_offer_stored setting ;;
    'config set 1') __queuectl_offer_stored setting-value ;;
    'config unset 0') __queuectl_offer_stored setting:stored ;;
    'man '*) __queuectl_offer_words "$(__queuectl_next_words "$typed")" ;;
    'completions 0') __queuectl_offer_words 'bash zsh fish' ;;
    'completions 1') __queuectl_offer_words 'install uninstall' ;;
    'help '*) __queuectl_offer_words "$(__queuectl_next_words "$typed")" ;;
  esac
}

# Commands that take a program behind "--".
__queuectl_takes_program() {
  case $1 in
    'enqueue' | 'edit' | 'run' | 'template create') return 0 ;;
  esac
  return 1
}

complete -F _queuectl queuectl
