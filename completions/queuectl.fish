# fish completion for queuectl. Made from the command table by `deno task generate`; do not edit.

# The part of the completion script that is the same for every command table;
# fish.ts adds the functions and the `complete` lines that hold the table.

# The words before the cursor, without variables that are set for the command.
function __queuectl_tokens
    set -l tokens (commandline -opc)
    while string match -qr -- '^[A-Za-z_][A-Za-z0-9_]*=' "$tokens[1]"
        set -e tokens[1]
    end
    printf '%s\n' $tokens
end

# Learns the command, its arguments so far and the database from the words
# before the cursor. Every condition below asks for it, so the answer is kept
# until the words change.
function __queuectl_walk
    set -l tokens (__queuectl_tokens)
    set -l seen (string join \n -- $tokens)
    if set -q __queuectl_seen; and test "$__queuectl_seen" = "$seen"
        return
    end
    set -g __queuectl_seen $seen
    set -g __queuectl_path ''
    set -g __queuectl_arguments
    set -g __queuectl_behind 0
    set -g __queuectl_db
    set -l i 2
    while test $i -le (count $tokens)
        set -l token $tokens[$i]
        set -l longer (string trim -- "$__queuectl_path $token")
        if test "$token" = --
            set -g __queuectl_behind $i
            break
        else if string match -q -- '--db=*' $token
            set -g __queuectl_db (string replace -- '--db=' '' $token)
        else if __queuectl_takes_value $token
            set i (math $i + 1)
            test "$token" = --db; and set -g __queuectl_db $tokens[$i]
        else if string match -q -- '-?*' $token
            # A flag without a value, or with its value behind =.
        else if test (count $__queuectl_arguments) -eq 0; and __queuectl_is_known $longer
            set -g __queuectl_path $longer
        else
            set -g __queuectl_arguments $__queuectl_arguments $token
        end
        set i (math $i + 1)
    end
    set -g __queuectl_command (__queuectl_command_of $__queuectl_path)
end

# PATH: these words were typed, and nothing after them.
function __queuectl_at
    __queuectl_walk
    test $__queuectl_behind -eq 0 -a (count $__queuectl_arguments) -eq 0 -a "$__queuectl_path" = "$argv[1]"
end

# COMMAND: this command is being typed, and "--" was not.
function __queuectl_in
    __queuectl_walk
    test $__queuectl_behind -eq 0 -a "$__queuectl_command" = "$argv[1]"
end

function __queuectl_before_dashes
    __queuectl_walk
    test $__queuectl_behind -eq 0
end

# COMMAND INDEX: this argument of the command comes next ("any" for all of them).
function __queuectl_argument
    __queuectl_walk
    test "$__queuectl_command" = "$argv[1]"; or return 1
    set -l index (count $__queuectl_arguments)
    if test $__queuectl_behind -gt 0
        __queuectl_takes_program "$__queuectl_command"; and return 1
        set index (math $index + (count (__queuectl_tokens)) - $__queuectl_behind)
    else if string match -q -- '-*' (commandline -ct)
        # An option is being typed.
        return 1
    end
    test "$argv[2]" = any -o "$argv[2]" = "$index"
end

# A program and its arguments are being typed behind "--".
function __queuectl_program_follows
    __queuectl_walk
    test $__queuectl_behind -gt 0; and __queuectl_takes_program "$__queuectl_command"
end

# Completes what stands behind "--" as a command line of its own. The text is part of
# the option: as a word of its own it would be taken for an option when it begins with one.
function __queuectl_program
    set -l tokens (__queuectl_tokens)
    set -e tokens[1..$__queuectl_behind]
    set -l line (string join ' ' -- (string escape -- $tokens) (commandline -ct))
    complete --do-complete="$line"
end

# Programs of the machine.
function __queuectl_programs
    set -l word (commandline -ct)
    complete --do-complete="$word"
end

# KIND: what the store knows, the best first, with a few words on each.
function __queuectl_stored
    __queuectl_walk
    set -l program (string replace -r '^~/' "$HOME/" -- (__queuectl_tokens)[1])
    type -q -- $program; or return
    set -l wanted (__queuectl_before_cursor | string replace -r '^.*,' '' | string unescape --no-quoted)
    set -l place
    test -n "$__queuectl_db"; and set place --db (string replace -r '^~/' "$HOME/" -- $__queuectl_db)
    $program $place __complete --describe $argv[1] -- "$wanted" $__queuectl_arguments 2>/dev/null </dev/null
end

# The value as far as it is typed: without the flag before it, and without the quote that is open.
function __queuectl_before_cursor
    commandline -ct | string replace -r '^--[^=]*=' '' | string replace -r '^["\']' ''
end

# Reads candidates, and offers each that is new behind what stands before the last comma.
function __queuectl_list
    set -l before (__queuectl_before_cursor | string match -r '^.*,')
    set -l given (string split -- , "$before")
    while read -l line
        contains -- (string split -m 1 \t -- $line)[1] $given; or echo "$before$line"
    end
end

# The command that these words mean, or nothing.
function __queuectl_command_of
    switch "$argv"
        case 'enqueue'
            echo 'enqueue'
        case 'job enqueue'
            echo 'enqueue'
        case 'enqueue-batch'
            echo 'enqueue-batch'
        case 'job enqueue-batch'
            echo 'enqueue-batch'
        case 'list'
            echo 'list'
        case 'job list'
            echo 'list'
        case 'show'
            echo 'show'
        case 'job show'
            echo 'show'
        case 'output'
            echo 'output'
        case 'job output'
            echo 'output'
        case 'logs'
            echo 'logs'
        case 'job logs'
            echo 'logs'
        case 'cancel'
            echo 'cancel'
        case 'job cancel'
            echo 'cancel'
        case 'retry'
            echo 'retry'
        case 'job retry'
            echo 'retry'
        case 'edit'
            echo 'edit'
        case 'job edit'
            echo 'edit'
        case 'run'
            echo 'run'
        case 'job run'
            echo 'run'
        case 'wait'
            echo 'wait'
        case 'job wait'
            echo 'wait'
        case 'why'
            echo 'why'
        case 'job why'
            echo 'why'
        case 'dlq list'
            echo 'dlq list'
        case 'dlq'
            echo 'dlq list'
        case 'dlq show'
            echo 'dlq show'
        case 'dlq retry'
            echo 'dlq retry'
        case 'dlq purge'
            echo 'dlq purge'
        case 'worker start'
            echo 'worker start'
        case 'worker stop'
            echo 'worker stop'
        case 'worker restart'
            echo 'worker restart'
        case 'worker scale'
            echo 'worker scale'
        case 'worker status'
            echo 'worker status'
        case 'worker logs'
            echo 'worker logs'
        case 'worker run'
            echo 'worker run'
        case 'service print'
            echo 'service print'
        case 'service install'
            echo 'service install'
        case 'service uninstall'
            echo 'service uninstall'
        case 'queue list'
            echo 'queue list'
        case 'queue'
            echo 'queue list'
        case 'queue set'
            echo 'queue set'
        case 'queue pause'
            echo 'queue pause'
        case 'queue resume'
            echo 'queue resume'
        case 'queue clear'
            echo 'queue clear'
        case 'queue remove'
            echo 'queue remove'
        case 'batch list'
            echo 'batch list'
        case 'batch'
            echo 'batch list'
        case 'batch show'
            echo 'batch show'
        case 'batch seal'
            echo 'batch seal'
        case 'template create'
            echo 'template create'
        case 'template add'
            echo 'template create'
        case 'template list'
            echo 'template list'
        case 'template'
            echo 'template list'
        case 'template show'
            echo 'template show'
        case 'template remove'
            echo 'template remove'
        case 'status'
            echo 'status'
        case 'stats'
            echo 'stats'
        case 'metrics'
            echo 'metrics'
        case 'audit'
            echo 'audit'
        case 'cleanup'
            echo 'cleanup'
        case 'backup'
            echo 'backup'
        case 'restore'
            echo 'restore'
        case 'doctor'
            echo 'doctor'
        case 'export'
            echo 'export'
        case 'import'
            echo 'import'
        case 'config list'
            echo 'config list'
        case 'config'
            echo 'config list'
        case 'config get'
            echo 'config get'
        case 'config set'
            echo 'config set'
        case 'config unset'
            echo 'config unset'
        case 'man'
            echo 'man'
        case 'man install'
            echo 'man install'
        case 'man uninstall'
            echo 'man uninstall'
        case 'completions'
            echo 'completions'
        case 'version'
            echo 'version'
        case 'help'
            echo 'help'
    end
end

# Whether a command's name begins with these words.
function __queuectl_is_known
    contains -- "$argv" 'enqueue' 'job' 'job enqueue' 'enqueue-batch' 'job enqueue-batch' 'list' 'job list' 'show' 'job show' 'output' 'job output' 'logs' 'job logs' 'cancel' 'job cancel' 'retry' 'job retry' 'edit' 'job edit' 'run' 'job run' 'wait' 'job wait' 'why' 'job why' 'dlq' 'dlq list' 'dlq show' 'dlq retry' 'dlq purge' 'worker' 'worker start' 'worker stop' 'worker restart' 'worker scale' 'worker status' 'worker logs' 'worker run' 'service' 'service print' 'service install' 'service uninstall' 'queue' 'queue list' 'queue set' 'queue pause' 'queue resume' 'queue clear' 'queue remove' 'batch' 'batch list' 'batch show' 'batch seal' 'template' 'template create' 'template add' 'template list' 'template show' 'template remove' 'status' 'stats' 'metrics' 'audit' 'cleanup' 'backup' 'restore' 'doctor' 'export' 'import' 'config' 'config list' 'config get' 'config set' 'config unset' 'man' 'man install' 'man uninstall' 'completions' 'version' 'help'
end

# Flags that take the next word as their value.
function __queuectl_takes_value
    contains -- "$argv" --db --format --command --template --id --queue --priority --tag --max-retries --retries --max-attempts --backoff --backoff-base --backoff-delay --backoff-max --backoff-jitter --ok-on --fail-on --snooze-on --retry-on --run-at --delay --expires --timeout --kill-grace --after --after-any --lock --key --key-scope --on-conflict --batch --when --cwd --env --env-file --secret-env --secret-file --stdin --umask --nice --memory --cpu-time --on-batch-done --state --search --since --limit -n --sort --run --tail --older-than --count --concurrency -c --pool --level --idle-exit --max-jobs --name --run-as --dir --rate --max-pending --salvage --backup
end

# Commands that take a program behind "--".
function __queuectl_takes_program
    contains -- "$argv" 'enqueue' 'edit' 'run' 'template create'
end

# The words that may come next.
function __queuectl_next_words
    switch "$argv"
        case ''
            printf '%s\t%s\n' 'enqueue' 'Add a job; prints its id' 'enqueue-batch' 'Add many jobs from a file or standard input, all or none' 'list' 'List jobs, newest first' 'show' 'Show one job: state, reason, rules and runs' 'output' 'Print what a job wrote to stdout and stderr' 'logs' 'Print what all runs of a job wrote, live with -f' 'cancel' 'Cancel jobs, waiting or running' 'retry' 'Run jobs now or again, with a fresh count of attempts' 'edit' 'Change the options of a job that waits' 'run' 'Run a job now, show its output, exit as it does' 'wait' 'Wait until jobs have ended; exit as they did' 'why' 'Say why a job does not run, and what to do about it' 'dlq' 'list, show, retry, purge' 'worker' 'start, stop, restart, scale, status, logs, run' 'service' 'print, install, uninstall' 'queue' 'list, set, pause, resume, clear, remove' 'batch' 'list, show, seal' 'template' 'create, list, show, remove' 'status' 'Show queues, states and workers at a glance' 'stats' 'Show how runs ended, how long they took and waited' 'metrics' 'Print numbers for monitoring' 'audit' 'Show who changed what, and when' 'cleanup' 'Remove finished jobs with their runs and output' 'backup' 'Copy the database while workers go on' 'restore' 'Put a backup in the place of the database' 'doctor' 'Look for whatever is wrong, and say what to do' 'export' 'Write jobs as NDJSON, oldest first' 'import' 'Bring back jobs of an export, all or none' 'config' 'list, get, set, unset' 'man' 'Show a manual page, or print it for man' 'completions' 'Print or install the completions of a shell' 'version' 'Print the version' 'help' 'Show the overview, or the help of a command'
        case 'job'
            printf '%s\t%s\n' 'enqueue' 'Add a job; prints its id' 'enqueue-batch' 'Add many jobs from a file or standard input, all or none' 'list' 'List jobs, newest first' 'show' 'Show one job: state, reason, rules and runs' 'output' 'Print what a job wrote to stdout and stderr' 'logs' 'Print what all runs of a job wrote, live with -f' 'cancel' 'Cancel jobs, waiting or running' 'retry' 'Run jobs now or again, with a fresh count of attempts' 'edit' 'Change the options of a job that waits' 'run' 'Run a job now, show its output, exit as it does' 'wait' 'Wait until jobs have ended; exit as they did' 'why' 'Say why a job does not run, and what to do about it'
        case 'dlq'
            printf '%s\t%s\n' 'list' 'List dead jobs, newest first' 'show' 'Show one dead job: why it died, and all its runs' 'retry' 'Run dead jobs again, with a fresh count of attempts' 'purge' 'Remove dead jobs with their runs and output'
        case 'worker'
            printf '%s\t%s\n' 'start' 'Start workers in the background' 'stop' 'Stop the workers; running jobs finish first' 'restart' 'Replace workers one by one, without a gap' 'scale' 'Change how many workers a pool has' 'status' 'List workers: where, since when, at what' 'logs' 'Show what background workers logged' 'run' 'Run one worker in the foreground'
        case 'service'
            printf '%s\t%s\n' 'print' 'Print a systemd unit for a pool of workers' 'install' 'Write the systemd unit of a pool, and start it' 'uninstall' 'Stop the service and remove its unit; jobs stay'
        case 'queue'
            printf '%s\t%s\n' 'list' 'List queues, their limits and how many jobs they hold' 'set' 'Change the limits of a queue; none takes one away' 'pause' 'Start no more jobs of a queue; what runs goes on' 'resume' 'Let the jobs of a paused queue run again' 'clear' 'Cancel all jobs of a queue that wait; what runs goes on' 'remove' 'Forget a queue that holds nothing unfinished'
        case 'batch'
            printf '%s\t%s\n' 'list' 'List batches and how far they are, newest first' 'show' 'Show one batch: its jobs by state, and what follows' 'seal' 'Say that no more jobs are added to a batch'
        case 'template'
            printf '%s\t%s\n' 'create' 'Keep job options under a name' 'add' 'Keep job options under a name' 'list' 'List templates' 'show' 'Show what a template says' 'remove' 'Forget a template; jobs made from it stay'
        case 'config'
            printf '%s\t%s\n' 'list' 'List all settings and their values' 'get' 'Print the value of a setting, or list all' 'set' 'Change a setting; workers follow without a restart' 'unset' 'Give a setting back its default'
        case 'man'
            printf '%s\t%s\n' 'install' 'Write the manual pages to where man looks for them' 'uninstall' 'Remove the manual pages that `man install` wrote'
    end
end

# Files only where they are asked for.
complete -c queuectl -f
complete -c queuectl -n __queuectl_program_follows -a '(__queuectl_program)'

# Commands
complete -c queuectl -n '__queuectl_at \'\'' -a '(__queuectl_next_words \'\')'
complete -c queuectl -n '__queuectl_at \'job\'' -a '(__queuectl_next_words \'job\')'
complete -c queuectl -n '__queuectl_at \'dlq\'' -a '(__queuectl_next_words \'dlq\')'
complete -c queuectl -n '__queuectl_at \'worker\'' -a '(__queuectl_next_words \'worker\')'
complete -c queuectl -n '__queuectl_at \'service\'' -a '(__queuectl_next_words \'service\')'
complete -c queuectl -n '__queuectl_at \'queue\'' -a '(__queuectl_next_words \'queue\')'
complete -c queuectl -n '__queuectl_at \'batch\'' -a '(__queuectl_next_words \'batch\')'
complete -c queuectl -n '__queuectl_at \'template\'' -a '(__queuectl_next_words \'template\')'
complete -c queuectl -n '__queuectl_at \'config\'' -a '(__queuectl_next_words \'config\')'
complete -c queuectl -n '__queuectl_at \'man\'' -a '(__queuectl_next_words \'man\')'

# Global options
complete -c queuectl -n '__queuectl_before_dashes' -l db -r -F -d 'Use this database (environment: QUEUECTL_DB)'
complete -c queuectl -n '__queuectl_before_dashes' -l trust-owner -d 'Use the database although others may write it (environment: QUEUECTL_TRUST_OWNER=PATH)'
complete -c queuectl -n '__queuectl_before_dashes' -l json -d 'Print JSON, the same as --format json'
complete -c queuectl -n '__queuectl_before_dashes' -l format -x -k -a '(printf \'%s\\t\\n\' table json ndjson plain)' -d 'Print as table, json, ndjson or plain'
complete -c queuectl -n '__queuectl_before_dashes' -l no-color -d 'Never use colour (environment: NO_COLOR)'
complete -c queuectl -n '__queuectl_before_dashes' -l quiet -s q -d 'Print no notes, only results, warnings and errors'
complete -c queuectl -n '__queuectl_before_dashes' -l verbose -s v -d 'Say more, and show the stack of an error'
complete -c queuectl -n '__queuectl_before_dashes' -l yes -s y -d 'Answer yes to every question'
complete -c queuectl -n '__queuectl_before_dashes' -l help -s h -d 'Show help'
complete -c queuectl -n '__queuectl_before_dashes' -l version -d 'Show the version'

# enqueue
complete -c queuectl -n '__queuectl_argument \'enqueue\' 0' -a '(__queuectl_programs)'
complete -c queuectl -n '__queuectl_in \'enqueue\'' -l command -x -d 'Shell command, also when it looks like JSON'
complete -c queuectl -n '__queuectl_in \'enqueue\'' -l template -x -k -a '(__queuectl_stored template)' -d 'Take what is not said here from this template'
complete -c queuectl -n '__queuectl_in \'enqueue\'' -l id -x -d 'Name the job instead of getting a random id'
complete -c queuectl -n '__queuectl_in \'enqueue\'' -l queue -x -k -a '(__queuectl_stored queue)' -d 'Put it into this queue'
complete -c queuectl -n '__queuectl_in \'enqueue\'' -l priority -x -d 'Higher runs first'
complete -c queuectl -n '__queuectl_in \'enqueue\'' -l tag -x -k -a '(__queuectl_stored tag)' -d 'Mark the job, to find it again'
complete -c queuectl -n '__queuectl_in \'enqueue\'' -l max-retries -x -d 'Retry a failed run at most N times (setting: max_retries)'
complete -c queuectl -n '__queuectl_in \'enqueue\'' -l max-attempts -x -d 'Run at most N times in all'
complete -c queuectl -n '__queuectl_in \'enqueue\'' -l backoff -x -k -a '(printf \'%s\\t\\n\' exponential: linear: fixed:)' -d 'Wait between tries: exponential:BASE, linear:D or fixed:D'
complete -c queuectl -n '__queuectl_in \'enqueue\'' -l backoff-base -x -d 'Base of the exponential backoff'
complete -c queuectl -n '__queuectl_in \'enqueue\'' -l backoff-delay -x -d 'Delay of the linear and fixed backoff'
complete -c queuectl -n '__queuectl_in \'enqueue\'' -l backoff-max -x -d 'Never wait longer than this'
complete -c queuectl -n '__queuectl_in \'enqueue\'' -l backoff-jitter -x -d 'Spread the delay by this share'
complete -c queuectl -n '__queuectl_in \'enqueue\'' -l ok-on -x -d 'Exit codes that count as success, such as 0,3'
complete -c queuectl -n '__queuectl_in \'enqueue\'' -l fail-on -x -k -a '(printf \'%s\\t\\n\' timeout signal spawn | __queuectl_list)' -d 'Exit codes that are never retried, such as 64-78'
complete -c queuectl -n '__queuectl_in \'enqueue\'' -l snooze-on -x -d 'Exit codes that mean try again later, such as 75:10m'
complete -c queuectl -n '__queuectl_in \'enqueue\'' -l retry-on -x -k -a '(printf \'%s\\t\\n\' timeout signal spawn | __queuectl_list)' -d 'Retry only these: codes, timeout, signal, spawn'
complete -c queuectl -n '__queuectl_in \'enqueue\'' -l run-at -x -d 'Not before this time: +30s, 02:00, 2026-12-01 02:00'
complete -c queuectl -n '__queuectl_in \'enqueue\'' -l delay -x -d 'Not before this much time has passed'
complete -c queuectl -n '__queuectl_in \'enqueue\'' -l expires -x -d 'Cancel it when it still waits then: 2h, 02:00'
complete -c queuectl -n '__queuectl_in \'enqueue\'' -l allow-past -d 'Accept a --run-at or --expires that has passed'
complete -c queuectl -n '__queuectl_in \'enqueue\'' -l timeout -x -d 'Stop a run that takes longer (setting: job_timeout)'
complete -c queuectl -n '__queuectl_in \'enqueue\'' -l kill-grace -x -d 'Time between TERM and KILL (setting: kill_grace)'
complete -c queuectl -n '__queuectl_in \'enqueue\'' -l after -x -k -a '(__queuectl_stored job:after | __queuectl_list)' -d 'Run when these jobs have completed'
complete -c queuectl -n '__queuectl_in \'enqueue\'' -l after-any -x -k -a '(__queuectl_stored job:wait | __queuectl_list)' -d 'Run when these jobs have ended, however they did'
complete -c queuectl -n '__queuectl_in \'enqueue\'' -l lock -x -d 'Run at most one job with this lock at a time'
complete -c queuectl -n '__queuectl_in \'enqueue\'' -l key -x -d 'Have at most one job with this key'
complete -c queuectl -n '__queuectl_in \'enqueue\'' -l key-scope -x -k -a '(printf \'%s\\t\\n\' active waiting window:)' -d 'Among which: active, waiting, or window:D since creation'
complete -c queuectl -n '__queuectl_in \'enqueue\'' -l on-conflict -x -k -a '(printf \'%s\\t\\n\' skip attach replace fail)' -d 'When the key is held; a running job is never replaced'
complete -c queuectl -n '__queuectl_in \'enqueue\'' -l batch -x -k -a '(__queuectl_stored batch:open)' -d 'Make it a member of this batch'
complete -c queuectl -n '__queuectl_in \'enqueue\'' -l when -x -d 'Only where load<4 mem>2G free:/data>10G file:/run/ok'
complete -c queuectl -n '__queuectl_in \'enqueue\'' -l cwd -x -a '(__fish_complete_directories (commandline -ct))' -d 'Run in this directory instead of the present one'
complete -c queuectl -n '__queuectl_in \'enqueue\'' -l env -x -d 'Set an environment variable'
complete -c queuectl -n '__queuectl_in \'enqueue\'' -l env-file -r -F -d 'Set those of a file with a K=V on each line'
complete -c queuectl -n '__queuectl_in \'enqueue\'' -l secret-env -x -d 'Take K from the worker, and keep its value out of output'
complete -c queuectl -n '__queuectl_in \'enqueue\'' -l secret-file -x -d 'The same, with the value from a file when the job starts'
complete -c queuectl -n '__queuectl_in \'enqueue\'' -l stdin -r -F -d 'What the job reads from its standard input'
complete -c queuectl -n '__queuectl_in \'enqueue\'' -l umask -x -d 'File mode mask, such as 027'
complete -c queuectl -n '__queuectl_in \'enqueue\'' -l nice -x -d 'Scheduling niceness, -20 to 19'
complete -c queuectl -n '__queuectl_in \'enqueue\'' -l memory -x -d 'Most memory that each of its processes may map'
complete -c queuectl -n '__queuectl_in \'enqueue\'' -l cpu-time -x -d 'Most computing time of each of its processes'
complete -c queuectl -n '__queuectl_in \'enqueue\'' -l no-output -d 'Do not keep what the job prints'
complete -c queuectl -n '__queuectl_in \'enqueue\'' -l on-batch-done -x -d 'Enqueue this when the last job of the batch has ended'

# enqueue-batch
complete -c queuectl -n '__queuectl_argument \'enqueue-batch\' 0' -F
complete -c queuectl -n '__queuectl_in \'enqueue-batch\'' -l lines -d 'Each line is a shell command'
complete -c queuectl -n '__queuectl_in \'enqueue-batch\'' -l ids -d 'Print the ids of the new jobs'
complete -c queuectl -n '__queuectl_in \'enqueue-batch\'' -l template -x -k -a '(__queuectl_stored template)' -d 'Take what is not said here from this template'
complete -c queuectl -n '__queuectl_in \'enqueue-batch\'' -l queue -x -k -a '(__queuectl_stored queue)' -d 'Put it into this queue'
complete -c queuectl -n '__queuectl_in \'enqueue-batch\'' -l priority -x -d 'Higher runs first'
complete -c queuectl -n '__queuectl_in \'enqueue-batch\'' -l tag -x -k -a '(__queuectl_stored tag)' -d 'Mark the job, to find it again'
complete -c queuectl -n '__queuectl_in \'enqueue-batch\'' -l max-retries -x -d 'Retry a failed run at most N times (setting: max_retries)'
complete -c queuectl -n '__queuectl_in \'enqueue-batch\'' -l max-attempts -x -d 'Run at most N times in all'
complete -c queuectl -n '__queuectl_in \'enqueue-batch\'' -l backoff -x -k -a '(printf \'%s\\t\\n\' exponential: linear: fixed:)' -d 'Wait between tries: exponential:BASE, linear:D or fixed:D'
complete -c queuectl -n '__queuectl_in \'enqueue-batch\'' -l backoff-base -x -d 'Base of the exponential backoff'
complete -c queuectl -n '__queuectl_in \'enqueue-batch\'' -l backoff-delay -x -d 'Delay of the linear and fixed backoff'
complete -c queuectl -n '__queuectl_in \'enqueue-batch\'' -l backoff-max -x -d 'Never wait longer than this'
complete -c queuectl -n '__queuectl_in \'enqueue-batch\'' -l backoff-jitter -x -d 'Spread the delay by this share'
complete -c queuectl -n '__queuectl_in \'enqueue-batch\'' -l ok-on -x -d 'Exit codes that count as success, such as 0,3'
complete -c queuectl -n '__queuectl_in \'enqueue-batch\'' -l fail-on -x -k -a '(printf \'%s\\t\\n\' timeout signal spawn | __queuectl_list)' -d 'Exit codes that are never retried, such as 64-78'
complete -c queuectl -n '__queuectl_in \'enqueue-batch\'' -l snooze-on -x -d 'Exit codes that mean try again later, such as 75:10m'
complete -c queuectl -n '__queuectl_in \'enqueue-batch\'' -l retry-on -x -k -a '(printf \'%s\\t\\n\' timeout signal spawn | __queuectl_list)' -d 'Retry only these: codes, timeout, signal, spawn'
complete -c queuectl -n '__queuectl_in \'enqueue-batch\'' -l run-at -x -d 'Not before this time: +30s, 02:00, 2026-12-01 02:00'
complete -c queuectl -n '__queuectl_in \'enqueue-batch\'' -l delay -x -d 'Not before this much time has passed'
complete -c queuectl -n '__queuectl_in \'enqueue-batch\'' -l expires -x -d 'Cancel it when it still waits then: 2h, 02:00'
complete -c queuectl -n '__queuectl_in \'enqueue-batch\'' -l allow-past -d 'Accept a --run-at or --expires that has passed'
complete -c queuectl -n '__queuectl_in \'enqueue-batch\'' -l timeout -x -d 'Stop a run that takes longer (setting: job_timeout)'
complete -c queuectl -n '__queuectl_in \'enqueue-batch\'' -l kill-grace -x -d 'Time between TERM and KILL (setting: kill_grace)'
complete -c queuectl -n '__queuectl_in \'enqueue-batch\'' -l after -x -k -a '(__queuectl_stored job:after | __queuectl_list)' -d 'Run when these jobs have completed'
complete -c queuectl -n '__queuectl_in \'enqueue-batch\'' -l after-any -x -k -a '(__queuectl_stored job:wait | __queuectl_list)' -d 'Run when these jobs have ended, however they did'
complete -c queuectl -n '__queuectl_in \'enqueue-batch\'' -l lock -x -d 'Run at most one job with this lock at a time'
complete -c queuectl -n '__queuectl_in \'enqueue-batch\'' -l key -x -d 'Have at most one job with this key'
complete -c queuectl -n '__queuectl_in \'enqueue-batch\'' -l key-scope -x -k -a '(printf \'%s\\t\\n\' active waiting window:)' -d 'Among which: active, waiting, or window:D since creation'
complete -c queuectl -n '__queuectl_in \'enqueue-batch\'' -l on-conflict -x -k -a '(printf \'%s\\t\\n\' skip attach replace fail)' -d 'When the key is held; a running job is never replaced'
complete -c queuectl -n '__queuectl_in \'enqueue-batch\'' -l batch -x -k -a '(__queuectl_stored batch:open)' -d 'Make it a member of this batch'
complete -c queuectl -n '__queuectl_in \'enqueue-batch\'' -l when -x -d 'Only where load<4 mem>2G free:/data>10G file:/run/ok'
complete -c queuectl -n '__queuectl_in \'enqueue-batch\'' -l cwd -x -a '(__fish_complete_directories (commandline -ct))' -d 'Run in this directory instead of the present one'
complete -c queuectl -n '__queuectl_in \'enqueue-batch\'' -l env -x -d 'Set an environment variable'
complete -c queuectl -n '__queuectl_in \'enqueue-batch\'' -l env-file -r -F -d 'Set those of a file with a K=V on each line'
complete -c queuectl -n '__queuectl_in \'enqueue-batch\'' -l secret-env -x -d 'Take K from the worker, and keep its value out of output'
complete -c queuectl -n '__queuectl_in \'enqueue-batch\'' -l secret-file -x -d 'The same, with the value from a file when the job starts'
complete -c queuectl -n '__queuectl_in \'enqueue-batch\'' -l stdin -r -F -d 'What the job reads from its standard input'
complete -c queuectl -n '__queuectl_in \'enqueue-batch\'' -l umask -x -d 'File mode mask, such as 027'
complete -c queuectl -n '__queuectl_in \'enqueue-batch\'' -l nice -x -d 'Scheduling niceness, -20 to 19'
complete -c queuectl -n '__queuectl_in \'enqueue-batch\'' -l memory -x -d 'Most memory that each of its processes may map'
complete -c queuectl -n '__queuectl_in \'enqueue-batch\'' -l cpu-time -x -d 'Most computing time of each of its processes'
complete -c queuectl -n '__queuectl_in \'enqueue-batch\'' -l no-output -d 'Do not keep what the job prints'
complete -c queuectl -n '__queuectl_in \'enqueue-batch\'' -l on-batch-done -x -d 'Enqueue this when the last job of the batch has ended'

# list
complete -c queuectl -n '__queuectl_in \'list\'' -l state -x -k -a '(printf \'%s\\t\\n\' scheduled blocked pending processing completed failed dead cancelled | __queuectl_list)' -d 'Only jobs in these states'
complete -c queuectl -n '__queuectl_in \'list\'' -l queue -x -k -a '(__queuectl_stored queue | __queuectl_list)' -d 'Only jobs of these queues'
complete -c queuectl -n '__queuectl_in \'list\'' -l tag -x -k -a '(__queuectl_stored tag)' -d 'Only jobs with this tag'
complete -c queuectl -n '__queuectl_in \'list\'' -l batch -x -k -a '(__queuectl_stored batch)' -d 'Only jobs of this batch'
complete -c queuectl -n '__queuectl_in \'list\'' -l search -x -d 'Only jobs with this text in their id or command'
complete -c queuectl -n '__queuectl_in \'list\'' -l since -x -d 'Only jobs made within this time'
complete -c queuectl -n '__queuectl_in \'list\'' -l limit -s n -x -d 'Show at most N; 0 shows all'
complete -c queuectl -n '__queuectl_in \'list\'' -l sort -x -k -a '(printf \'%s\\t\\n\' seq -seq priority -priority created_at -created_at updated_at -updated_at run_at -run_at duration -duration)' -d 'Sort by this field, smallest first; a - before it turns that around'
complete -c queuectl -n '__queuectl_in \'list\'' -l watch -s w -d 'Show it again whenever it changes, until Ctrl-C'

# show
complete -c queuectl -n '__queuectl_argument \'show\' 0' -k -a '(__queuectl_stored job)'
complete -c queuectl -n '__queuectl_in \'show\'' -l compat -d 'With --json: add the older field names'

# output
complete -c queuectl -n '__queuectl_argument \'output\' 0' -k -a '(__queuectl_stored job)'
complete -c queuectl -n '__queuectl_in \'output\'' -l run -x -d 'Of this run instead of the last one'
complete -c queuectl -n '__queuectl_in \'output\'' -l stdout -d 'Only stdout, the bytes alone'
complete -c queuectl -n '__queuectl_in \'output\'' -l stderr -d 'Only stderr, the bytes alone'
complete -c queuectl -n '__queuectl_in \'output\'' -l raw -d 'Both, the bytes alone, without headers'

# logs
complete -c queuectl -n '__queuectl_argument \'logs\' 0' -k -a '(__queuectl_stored job)'
complete -c queuectl -n '__queuectl_in \'logs\'' -l follow -s f -d 'Go on until the job is finished'
complete -c queuectl -n '__queuectl_in \'logs\'' -l tail -x -d 'Begin with the last N lines of what is there'
complete -c queuectl -n '__queuectl_in \'logs\'' -l timestamps -d 'Before each line when it was read, or when its run ended'

# cancel
complete -c queuectl -n '__queuectl_argument \'cancel\' any' -k -a '(__queuectl_stored job:cancel)'
complete -c queuectl -n '__queuectl_in \'cancel\'' -l state -x -k -a '(printf \'%s\\t\\n\' scheduled blocked pending processing failed | __queuectl_list)' -d 'Only jobs in these states'
complete -c queuectl -n '__queuectl_in \'cancel\'' -l queue -x -k -a '(__queuectl_stored queue | __queuectl_list)' -d 'Only jobs of these queues'
complete -c queuectl -n '__queuectl_in \'cancel\'' -l tag -x -k -a '(__queuectl_stored tag)' -d 'Only jobs with this tag'
complete -c queuectl -n '__queuectl_in \'cancel\'' -l batch -x -k -a '(__queuectl_stored batch)' -d 'Only jobs of this batch'
complete -c queuectl -n '__queuectl_in \'cancel\'' -l search -x -d 'Only jobs with this text in their id or command'
complete -c queuectl -n '__queuectl_in \'cancel\'' -l since -x -d 'Only jobs made within this time'

# retry
complete -c queuectl -n '__queuectl_argument \'retry\' any' -k -a '(__queuectl_stored job:retry)'
complete -c queuectl -n '__queuectl_in \'retry\'' -l state -x -k -a '(printf \'%s\\t\\n\' scheduled completed failed dead cancelled | __queuectl_list)' -d 'Only jobs in these states'
complete -c queuectl -n '__queuectl_in \'retry\'' -l queue -x -k -a '(__queuectl_stored queue | __queuectl_list)' -d 'Only jobs of these queues'
complete -c queuectl -n '__queuectl_in \'retry\'' -l tag -x -k -a '(__queuectl_stored tag)' -d 'Only jobs with this tag'
complete -c queuectl -n '__queuectl_in \'retry\'' -l batch -x -k -a '(__queuectl_stored batch)' -d 'Only jobs of this batch'
complete -c queuectl -n '__queuectl_in \'retry\'' -l search -x -d 'Only jobs with this text in their id or command'
complete -c queuectl -n '__queuectl_in \'retry\'' -l since -x -d 'Only jobs made within this time'

# edit
complete -c queuectl -n '__queuectl_argument \'edit\' 0' -k -a '(__queuectl_stored job:edit)'
complete -c queuectl -n '__queuectl_in \'edit\'' -l command -x -d 'Shell command, also when it looks like JSON'
complete -c queuectl -n '__queuectl_in \'edit\'' -l queue -x -k -a '(__queuectl_stored queue)' -d 'Put it into this queue'
complete -c queuectl -n '__queuectl_in \'edit\'' -l priority -x -d 'Higher runs first'
complete -c queuectl -n '__queuectl_in \'edit\'' -l tag -x -k -a '(__queuectl_stored tag)' -d 'Mark the job, to find it again'
complete -c queuectl -n '__queuectl_in \'edit\'' -l max-retries -x -d 'Retry a failed run at most N times (setting: max_retries)'
complete -c queuectl -n '__queuectl_in \'edit\'' -l max-attempts -x -d 'Run at most N times in all'
complete -c queuectl -n '__queuectl_in \'edit\'' -l backoff -x -k -a '(printf \'%s\\t\\n\' exponential: linear: fixed:)' -d 'Wait between tries: exponential:BASE, linear:D or fixed:D'
complete -c queuectl -n '__queuectl_in \'edit\'' -l backoff-base -x -d 'Base of the exponential backoff'
complete -c queuectl -n '__queuectl_in \'edit\'' -l backoff-delay -x -d 'Delay of the linear and fixed backoff'
complete -c queuectl -n '__queuectl_in \'edit\'' -l backoff-max -x -d 'Never wait longer than this'
complete -c queuectl -n '__queuectl_in \'edit\'' -l backoff-jitter -x -d 'Spread the delay by this share'
complete -c queuectl -n '__queuectl_in \'edit\'' -l ok-on -x -d 'Exit codes that count as success, such as 0,3'
complete -c queuectl -n '__queuectl_in \'edit\'' -l fail-on -x -k -a '(printf \'%s\\t\\n\' timeout signal spawn | __queuectl_list)' -d 'Exit codes that are never retried, such as 64-78'
complete -c queuectl -n '__queuectl_in \'edit\'' -l snooze-on -x -d 'Exit codes that mean try again later, such as 75:10m'
complete -c queuectl -n '__queuectl_in \'edit\'' -l retry-on -x -k -a '(printf \'%s\\t\\n\' timeout signal spawn | __queuectl_list)' -d 'Retry only these: codes, timeout, signal, spawn'
complete -c queuectl -n '__queuectl_in \'edit\'' -l run-at -x -d 'Not before this time: +30s, 02:00, 2026-12-01 02:00'
complete -c queuectl -n '__queuectl_in \'edit\'' -l delay -x -d 'Not before this much time has passed'
complete -c queuectl -n '__queuectl_in \'edit\'' -l expires -x -d 'Cancel it when it still waits then: 2h, 02:00'
complete -c queuectl -n '__queuectl_in \'edit\'' -l allow-past -d 'Accept a --run-at or --expires that has passed'
complete -c queuectl -n '__queuectl_in \'edit\'' -l timeout -x -d 'Stop a run that takes longer (setting: job_timeout)'
complete -c queuectl -n '__queuectl_in \'edit\'' -l kill-grace -x -d 'Time between TERM and KILL (setting: kill_grace)'
complete -c queuectl -n '__queuectl_in \'edit\'' -l lock -x -d 'Run at most one job with this lock at a time'
complete -c queuectl -n '__queuectl_in \'edit\'' -l key -x -d 'Have at most one job with this key'
complete -c queuectl -n '__queuectl_in \'edit\'' -l key-scope -x -k -a '(printf \'%s\\t\\n\' active waiting window:)' -d 'Among which: active, waiting, or window:D since creation'
complete -c queuectl -n '__queuectl_in \'edit\'' -l when -x -d 'Only where load<4 mem>2G free:/data>10G file:/run/ok'
complete -c queuectl -n '__queuectl_in \'edit\'' -l cwd -x -a '(__fish_complete_directories (commandline -ct))' -d 'Run in this directory instead of the present one'
complete -c queuectl -n '__queuectl_in \'edit\'' -l env -x -d 'Set an environment variable'
complete -c queuectl -n '__queuectl_in \'edit\'' -l env-file -r -F -d 'Set those of a file with a K=V on each line'
complete -c queuectl -n '__queuectl_in \'edit\'' -l secret-env -x -d 'Take K from the worker, and keep its value out of output'
complete -c queuectl -n '__queuectl_in \'edit\'' -l secret-file -x -d 'The same, with the value from a file when the job starts'
complete -c queuectl -n '__queuectl_in \'edit\'' -l stdin -r -F -d 'What the job reads from its standard input'
complete -c queuectl -n '__queuectl_in \'edit\'' -l umask -x -d 'File mode mask, such as 027'
complete -c queuectl -n '__queuectl_in \'edit\'' -l nice -x -d 'Scheduling niceness, -20 to 19'
complete -c queuectl -n '__queuectl_in \'edit\'' -l memory -x -d 'Most memory that each of its processes may map'
complete -c queuectl -n '__queuectl_in \'edit\'' -l cpu-time -x -d 'Most computing time of each of its processes'
complete -c queuectl -n '__queuectl_in \'edit\'' -l no-output -d 'Do not keep what the job prints'

# run
complete -c queuectl -n '__queuectl_argument \'run\' 0' -a '(__queuectl_programs)'
complete -c queuectl -n '__queuectl_in \'run\'' -l quiet-on-success -d 'Print nothing unless it fails, then everything'
complete -c queuectl -n '__queuectl_in \'run\'' -l on-workers -d 'Leave it to the workers that run already'
complete -c queuectl -n '__queuectl_in \'run\'' -l command -x -d 'Shell command, also when it looks like JSON'
complete -c queuectl -n '__queuectl_in \'run\'' -l template -x -k -a '(__queuectl_stored template)' -d 'Take what is not said here from this template'
complete -c queuectl -n '__queuectl_in \'run\'' -l id -x -d 'Name the job instead of getting a random id'
complete -c queuectl -n '__queuectl_in \'run\'' -l queue -x -k -a '(__queuectl_stored queue)' -d 'Put it into this queue'
complete -c queuectl -n '__queuectl_in \'run\'' -l priority -x -d 'Higher runs first'
complete -c queuectl -n '__queuectl_in \'run\'' -l tag -x -k -a '(__queuectl_stored tag)' -d 'Mark the job, to find it again'
complete -c queuectl -n '__queuectl_in \'run\'' -l max-retries -x -d 'Retry a failed run at most N times (setting: max_retries)'
complete -c queuectl -n '__queuectl_in \'run\'' -l max-attempts -x -d 'Run at most N times in all'
complete -c queuectl -n '__queuectl_in \'run\'' -l backoff -x -k -a '(printf \'%s\\t\\n\' exponential: linear: fixed:)' -d 'Wait between tries: exponential:BASE, linear:D or fixed:D'
complete -c queuectl -n '__queuectl_in \'run\'' -l backoff-base -x -d 'Base of the exponential backoff'
complete -c queuectl -n '__queuectl_in \'run\'' -l backoff-delay -x -d 'Delay of the linear and fixed backoff'
complete -c queuectl -n '__queuectl_in \'run\'' -l backoff-max -x -d 'Never wait longer than this'
complete -c queuectl -n '__queuectl_in \'run\'' -l backoff-jitter -x -d 'Spread the delay by this share'
complete -c queuectl -n '__queuectl_in \'run\'' -l ok-on -x -d 'Exit codes that count as success, such as 0,3'
complete -c queuectl -n '__queuectl_in \'run\'' -l fail-on -x -k -a '(printf \'%s\\t\\n\' timeout signal spawn | __queuectl_list)' -d 'Exit codes that are never retried, such as 64-78'
complete -c queuectl -n '__queuectl_in \'run\'' -l snooze-on -x -d 'Exit codes that mean try again later, such as 75:10m'
complete -c queuectl -n '__queuectl_in \'run\'' -l retry-on -x -k -a '(printf \'%s\\t\\n\' timeout signal spawn | __queuectl_list)' -d 'Retry only these: codes, timeout, signal, spawn'
complete -c queuectl -n '__queuectl_in \'run\'' -l run-at -x -d 'Not before this time: +30s, 02:00, 2026-12-01 02:00'
complete -c queuectl -n '__queuectl_in \'run\'' -l delay -x -d 'Not before this much time has passed'
complete -c queuectl -n '__queuectl_in \'run\'' -l expires -x -d 'Cancel it when it still waits then: 2h, 02:00'
complete -c queuectl -n '__queuectl_in \'run\'' -l allow-past -d 'Accept a --run-at or --expires that has passed'
complete -c queuectl -n '__queuectl_in \'run\'' -l timeout -x -d 'Stop a run that takes longer (setting: job_timeout)'
complete -c queuectl -n '__queuectl_in \'run\'' -l kill-grace -x -d 'Time between TERM and KILL (setting: kill_grace)'
complete -c queuectl -n '__queuectl_in \'run\'' -l after -x -k -a '(__queuectl_stored job:after | __queuectl_list)' -d 'Run when these jobs have completed'
complete -c queuectl -n '__queuectl_in \'run\'' -l after-any -x -k -a '(__queuectl_stored job:wait | __queuectl_list)' -d 'Run when these jobs have ended, however they did'
complete -c queuectl -n '__queuectl_in \'run\'' -l lock -x -d 'Run at most one job with this lock at a time'
complete -c queuectl -n '__queuectl_in \'run\'' -l key -x -d 'Have at most one job with this key'
complete -c queuectl -n '__queuectl_in \'run\'' -l key-scope -x -k -a '(printf \'%s\\t\\n\' active waiting window:)' -d 'Among which: active, waiting, or window:D since creation'
complete -c queuectl -n '__queuectl_in \'run\'' -l on-conflict -x -k -a '(printf \'%s\\t\\n\' skip attach replace fail)' -d 'When the key is held; a running job is never replaced'
complete -c queuectl -n '__queuectl_in \'run\'' -l batch -x -k -a '(__queuectl_stored batch:open)' -d 'Make it a member of this batch'
complete -c queuectl -n '__queuectl_in \'run\'' -l when -x -d 'Only where load<4 mem>2G free:/data>10G file:/run/ok'
complete -c queuectl -n '__queuectl_in \'run\'' -l cwd -x -a '(__fish_complete_directories (commandline -ct))' -d 'Run in this directory instead of the present one'
complete -c queuectl -n '__queuectl_in \'run\'' -l env -x -d 'Set an environment variable'
complete -c queuectl -n '__queuectl_in \'run\'' -l env-file -r -F -d 'Set those of a file with a K=V on each line'
complete -c queuectl -n '__queuectl_in \'run\'' -l secret-env -x -d 'Take K from the worker, and keep its value out of output'
complete -c queuectl -n '__queuectl_in \'run\'' -l secret-file -x -d 'The same, with the value from a file when the job starts'
complete -c queuectl -n '__queuectl_in \'run\'' -l stdin -r -F -d 'What the job reads from its standard input'
complete -c queuectl -n '__queuectl_in \'run\'' -l umask -x -d 'File mode mask, such as 027'
complete -c queuectl -n '__queuectl_in \'run\'' -l nice -x -d 'Scheduling niceness, -20 to 19'
complete -c queuectl -n '__queuectl_in \'run\'' -l memory -x -d 'Most memory that each of its processes may map'
complete -c queuectl -n '__queuectl_in \'run\'' -l cpu-time -x -d 'Most computing time of each of its processes'
complete -c queuectl -n '__queuectl_in \'run\'' -l no-output -d 'Do not keep what the job prints'

# wait
complete -c queuectl -n '__queuectl_argument \'wait\' any' -k -a '(__queuectl_stored job:wait)'
complete -c queuectl -n '__queuectl_in \'wait\'' -l queue -x -k -a '(__queuectl_stored queue | __queuectl_list)' -d 'Only jobs of these queues'
complete -c queuectl -n '__queuectl_in \'wait\'' -l tag -x -k -a '(__queuectl_stored tag)' -d 'Only jobs with this tag'
complete -c queuectl -n '__queuectl_in \'wait\'' -l batch -x -k -a '(__queuectl_stored batch)' -d 'Only jobs of this batch'
complete -c queuectl -n '__queuectl_in \'wait\'' -l since -x -d 'Only jobs made within this time'
complete -c queuectl -n '__queuectl_in \'wait\'' -l any -d 'Until one of them has ended; prints its id'
complete -c queuectl -n '__queuectl_in \'wait\'' -l timeout -x -d 'Give up after this long, with exit code 123'

# why
complete -c queuectl -n '__queuectl_argument \'why\' 0' -k -a '(__queuectl_stored job)'

# dlq list
complete -c queuectl -n '__queuectl_in \'dlq list\'' -l queue -x -k -a '(__queuectl_stored queue | __queuectl_list)' -d 'Only jobs of these queues'
complete -c queuectl -n '__queuectl_in \'dlq list\'' -l tag -x -k -a '(__queuectl_stored tag)' -d 'Only jobs with this tag'
complete -c queuectl -n '__queuectl_in \'dlq list\'' -l batch -x -k -a '(__queuectl_stored batch)' -d 'Only jobs of this batch'
complete -c queuectl -n '__queuectl_in \'dlq list\'' -l search -x -d 'Only jobs with this text in their id or command'
complete -c queuectl -n '__queuectl_in \'dlq list\'' -l since -x -d 'Only jobs made within this time'
complete -c queuectl -n '__queuectl_in \'dlq list\'' -l limit -s n -x -d 'Show at most N; 0 shows all'
complete -c queuectl -n '__queuectl_in \'dlq list\'' -l sort -x -k -a '(printf \'%s\\t\\n\' seq -seq priority -priority created_at -created_at updated_at -updated_at run_at -run_at duration -duration)' -d 'Sort by this field, smallest first; a - before it turns that around'

# dlq show
complete -c queuectl -n '__queuectl_argument \'dlq show\' 0' -k -a '(__queuectl_stored job:dead)'
complete -c queuectl -n '__queuectl_in \'dlq show\'' -l compat -d 'With --json: add the older field names'

# dlq retry
complete -c queuectl -n '__queuectl_argument \'dlq retry\' any' -k -a '(__queuectl_stored job:dead)'
complete -c queuectl -n '__queuectl_in \'dlq retry\'' -l all -d 'All dead jobs'
complete -c queuectl -n '__queuectl_in \'dlq retry\'' -l queue -x -k -a '(__queuectl_stored queue | __queuectl_list)' -d 'Only jobs of these queues'
complete -c queuectl -n '__queuectl_in \'dlq retry\'' -l since -x -d 'Only jobs made within this time'

# dlq purge
complete -c queuectl -n '__queuectl_in \'dlq purge\'' -l older-than -x -d 'Only those that died longer ago than this'
complete -c queuectl -n '__queuectl_in \'dlq purge\'' -l queue -x -k -a '(__queuectl_stored queue | __queuectl_list)' -d 'Only jobs of these queues'
complete -c queuectl -n '__queuectl_in \'dlq purge\'' -l dry-run -d 'Only say how many'

# worker start
complete -c queuectl -n '__queuectl_in \'worker start\'' -l count -s n -x -d 'How many workers'
complete -c queuectl -n '__queuectl_in \'worker start\'' -l concurrency -s c -x -d 'Jobs each worker runs at once (setting: worker_concurrency)'
complete -c queuectl -n '__queuectl_in \'worker start\'' -l queue -x -k -a '(__queuectl_stored queue | __queuectl_list)' -d 'Only these queues, the first before the others'
complete -c queuectl -n '__queuectl_in \'worker start\'' -l pool -x -k -a '(__queuectl_stored pool)' -d 'Name of the pool'
complete -c queuectl -n '__queuectl_in \'worker start\'' -l foreground -d 'Stay: be the supervisor, for an init system'

# worker stop
complete -c queuectl -n '__queuectl_in \'worker stop\'' -l timeout -x -d 'After this, end running jobs and give them back'
complete -c queuectl -n '__queuectl_in \'worker stop\'' -l force -d 'End running jobs now and give them back'
complete -c queuectl -n '__queuectl_in \'worker stop\'' -l pool -x -k -a '(__queuectl_stored pool:here)' -d 'Name of the pool'

# worker restart
complete -c queuectl -n '__queuectl_in \'worker restart\'' -l count -s n -x -d 'How many workers'
complete -c queuectl -n '__queuectl_in \'worker restart\'' -l concurrency -s c -x -d 'Jobs each worker runs at once (setting: worker_concurrency)'
complete -c queuectl -n '__queuectl_in \'worker restart\'' -l queue -x -k -a '(__queuectl_stored queue | __queuectl_list)' -d 'Only these queues, the first before the others'
complete -c queuectl -n '__queuectl_in \'worker restart\'' -l pool -x -k -a '(__queuectl_stored pool:here)' -d 'Name of the pool'

# worker scale
complete -c queuectl -n '__queuectl_in \'worker scale\'' -l pool -x -k -a '(__queuectl_stored pool:here)' -d 'Name of the pool'

# worker status
complete -c queuectl -n '__queuectl_in \'worker status\'' -l pool -x -k -a '(__queuectl_stored pool)' -d 'Name of the pool'

# worker logs
complete -c queuectl -n '__queuectl_in \'worker logs\'' -l follow -s f -d 'Go on as more is written'
complete -c queuectl -n '__queuectl_in \'worker logs\'' -l level -x -k -a '(printf \'%s\\t\\n\' debug info warn error)' -d 'Only this level and above'
complete -c queuectl -n '__queuectl_in \'worker logs\'' -l tail -x -d 'Only the last N entries'
complete -c queuectl -n '__queuectl_in \'worker logs\'' -l pool -x -k -a '(__queuectl_stored pool)' -d 'Name of the pool'

# worker run
complete -c queuectl -n '__queuectl_in \'worker run\'' -l concurrency -s c -x -d 'Run up to N jobs at once (setting: worker_concurrency)'
complete -c queuectl -n '__queuectl_in \'worker run\'' -l queue -x -k -a '(__queuectl_stored queue | __queuectl_list)' -d 'Only these queues, the first before the others'
complete -c queuectl -n '__queuectl_in \'worker run\'' -l drain -d 'Exit when nothing is left to run; exit code 1 if a job died'
complete -c queuectl -n '__queuectl_in \'worker run\'' -l wait-retries -d 'With --drain: wait for the retries of failed jobs'
complete -c queuectl -n '__queuectl_in \'worker run\'' -l no-wait-retries -d 'With --drain: wait for the retries of failed jobs'
complete -c queuectl -n '__queuectl_in \'worker run\'' -l idle-exit -x -d 'Exit after this long without a job'
complete -c queuectl -n '__queuectl_in \'worker run\'' -l max-jobs -x -d 'Exit after N jobs'

# service print
complete -c queuectl -n '__queuectl_in \'service print\'' -l user -d 'A unit of the present user (default, except for root)'
complete -c queuectl -n '__queuectl_in \'service print\'' -l system -d 'A unit of the system (default for root)'
complete -c queuectl -n '__queuectl_in \'service print\'' -l name -x -d 'Name of the unit (default: queuectl, or queuectl-POOL)'
complete -c queuectl -n '__queuectl_in \'service print\'' -l count -s n -x -d 'How many workers'
complete -c queuectl -n '__queuectl_in \'service print\'' -l concurrency -s c -x -d 'Jobs each worker runs at once (setting: worker_concurrency)'
complete -c queuectl -n '__queuectl_in \'service print\'' -l queue -x -k -a '(__queuectl_stored queue | __queuectl_list)' -d 'Only these queues, the first before the others'
complete -c queuectl -n '__queuectl_in \'service print\'' -l pool -x -k -a '(__queuectl_stored pool)' -d 'Name of the pool'
complete -c queuectl -n '__queuectl_in \'service print\'' -l run-as -x -d 'With --system: the user whose jobs run'

# service install
complete -c queuectl -n '__queuectl_in \'service install\'' -l user -d 'A unit of the present user (default, except for root)'
complete -c queuectl -n '__queuectl_in \'service install\'' -l system -d 'A unit of the system (default for root)'
complete -c queuectl -n '__queuectl_in \'service install\'' -l name -x -d 'Name of the unit (default: queuectl, or queuectl-POOL)'
complete -c queuectl -n '__queuectl_in \'service install\'' -l count -s n -x -d 'How many workers'
complete -c queuectl -n '__queuectl_in \'service install\'' -l concurrency -s c -x -d 'Jobs each worker runs at once (setting: worker_concurrency)'
complete -c queuectl -n '__queuectl_in \'service install\'' -l queue -x -k -a '(__queuectl_stored queue | __queuectl_list)' -d 'Only these queues, the first before the others'
complete -c queuectl -n '__queuectl_in \'service install\'' -l pool -x -k -a '(__queuectl_stored pool)' -d 'Name of the pool'
complete -c queuectl -n '__queuectl_in \'service install\'' -l run-as -x -d 'With --system: the user whose jobs run'
complete -c queuectl -n '__queuectl_in \'service install\'' -l now -d 'Enable and start it'
complete -c queuectl -n '__queuectl_in \'service install\'' -l replace -d 'Replace a unit that was edited or is not ours'
complete -c queuectl -n '__queuectl_in \'service install\'' -l dir -x -a '(__fish_complete_directories (commandline -ct))' -d 'Folder of the unit, for an image or a package; systemd is not asked for anything'

# service uninstall
complete -c queuectl -n '__queuectl_in \'service uninstall\'' -l user -d 'A unit of the present user (default, except for root)'
complete -c queuectl -n '__queuectl_in \'service uninstall\'' -l system -d 'A unit of the system (default for root)'
complete -c queuectl -n '__queuectl_in \'service uninstall\'' -l name -x -d 'Name of the unit (default: queuectl, or queuectl-POOL)'
complete -c queuectl -n '__queuectl_in \'service uninstall\'' -l pool -x -k -a '(__queuectl_stored pool)' -d 'Name of the pool'
complete -c queuectl -n '__queuectl_in \'service uninstall\'' -l dir -x -a '(__fish_complete_directories (commandline -ct))' -d 'Folder of the unit, for an image or a package; systemd is not asked for anything'

# queue set
complete -c queuectl -n '__queuectl_argument \'queue set\' 0' -k -a '(__queuectl_stored queue)'
complete -c queuectl -n '__queuectl_in \'queue set\'' -l concurrency -x -d 'Run at most N of its jobs at once'
complete -c queuectl -n '__queuectl_in \'queue set\'' -l rate -x -d 'Start at most N of its jobs in any D, such as 10/1s'
complete -c queuectl -n '__queuectl_in \'queue set\'' -l max-pending -x -d 'Refuse new jobs while N are pending'
complete -c queuectl -n '__queuectl_in \'queue set\'' -l paused -d 'Start no more of its jobs'
complete -c queuectl -n '__queuectl_in \'queue set\'' -l no-paused -d 'Start no more of its jobs'

# queue pause
complete -c queuectl -n '__queuectl_argument \'queue pause\' 0' -k -a '(__queuectl_stored queue:pause)'

# queue resume
complete -c queuectl -n '__queuectl_argument \'queue resume\' 0' -k -a '(__queuectl_stored queue:resume)'

# queue clear
complete -c queuectl -n '__queuectl_argument \'queue clear\' 0' -k -a '(__queuectl_stored queue:clear)'

# queue remove
complete -c queuectl -n '__queuectl_argument \'queue remove\' 0' -k -a '(__queuectl_stored queue:remove)'

# batch show
complete -c queuectl -n '__queuectl_argument \'batch show\' 0' -k -a '(__queuectl_stored batch)'

# batch seal
complete -c queuectl -n '__queuectl_argument \'batch seal\' 0' -k -a '(__queuectl_stored batch:open)'
complete -c queuectl -n '__queuectl_in \'batch seal\'' -l on-batch-done -x -d 'Enqueue this when the last job of the batch has ended'

# template create
complete -c queuectl -n '__queuectl_argument \'template create\' 1' -a '(__queuectl_programs)'
complete -c queuectl -n '__queuectl_in \'template create\'' -l replace -d 'Replace a template of this name'
complete -c queuectl -n '__queuectl_in \'template create\'' -l command -x -d 'Shell command, also when it looks like JSON'
complete -c queuectl -n '__queuectl_in \'template create\'' -l queue -x -k -a '(__queuectl_stored queue)' -d 'Put it into this queue'
complete -c queuectl -n '__queuectl_in \'template create\'' -l priority -x -d 'Higher runs first'
complete -c queuectl -n '__queuectl_in \'template create\'' -l tag -x -k -a '(__queuectl_stored tag)' -d 'Mark the job, to find it again'
complete -c queuectl -n '__queuectl_in \'template create\'' -l max-retries -x -d 'Retry a failed run at most N times (setting: max_retries)'
complete -c queuectl -n '__queuectl_in \'template create\'' -l max-attempts -x -d 'Run at most N times in all'
complete -c queuectl -n '__queuectl_in \'template create\'' -l backoff -x -k -a '(printf \'%s\\t\\n\' exponential: linear: fixed:)' -d 'Wait between tries: exponential:BASE, linear:D or fixed:D'
complete -c queuectl -n '__queuectl_in \'template create\'' -l backoff-base -x -d 'Base of the exponential backoff'
complete -c queuectl -n '__queuectl_in \'template create\'' -l backoff-delay -x -d 'Delay of the linear and fixed backoff'
complete -c queuectl -n '__queuectl_in \'template create\'' -l backoff-max -x -d 'Never wait longer than this'
complete -c queuectl -n '__queuectl_in \'template create\'' -l backoff-jitter -x -d 'Spread the delay by this share'
complete -c queuectl -n '__queuectl_in \'template create\'' -l ok-on -x -d 'Exit codes that count as success, such as 0,3'
complete -c queuectl -n '__queuectl_in \'template create\'' -l fail-on -x -k -a '(printf \'%s\\t\\n\' timeout signal spawn | __queuectl_list)' -d 'Exit codes that are never retried, such as 64-78'
complete -c queuectl -n '__queuectl_in \'template create\'' -l snooze-on -x -d 'Exit codes that mean try again later, such as 75:10m'
complete -c queuectl -n '__queuectl_in \'template create\'' -l retry-on -x -k -a '(printf \'%s\\t\\n\' timeout signal spawn | __queuectl_list)' -d 'Retry only these: codes, timeout, signal, spawn'
complete -c queuectl -n '__queuectl_in \'template create\'' -l run-at -x -d 'Not before this time: +30s, 02:00, 2026-12-01 02:00'
complete -c queuectl -n '__queuectl_in \'template create\'' -l delay -x -d 'Not before this much time has passed'
complete -c queuectl -n '__queuectl_in \'template create\'' -l expires -x -d 'Cancel it when it still waits then: 2h, 02:00'
complete -c queuectl -n '__queuectl_in \'template create\'' -l allow-past -d 'Accept a --run-at or --expires that has passed'
complete -c queuectl -n '__queuectl_in \'template create\'' -l timeout -x -d 'Stop a run that takes longer (setting: job_timeout)'
complete -c queuectl -n '__queuectl_in \'template create\'' -l kill-grace -x -d 'Time between TERM and KILL (setting: kill_grace)'
complete -c queuectl -n '__queuectl_in \'template create\'' -l after -x -k -a '(__queuectl_stored job:after | __queuectl_list)' -d 'Run when these jobs have completed'
complete -c queuectl -n '__queuectl_in \'template create\'' -l after-any -x -k -a '(__queuectl_stored job:wait | __queuectl_list)' -d 'Run when these jobs have ended, however they did'
complete -c queuectl -n '__queuectl_in \'template create\'' -l lock -x -d 'Run at most one job with this lock at a time'
complete -c queuectl -n '__queuectl_in \'template create\'' -l key -x -d 'Have at most one job with this key'
complete -c queuectl -n '__queuectl_in \'template create\'' -l key-scope -x -k -a '(printf \'%s\\t\\n\' active waiting window:)' -d 'Among which: active, waiting, or window:D since creation'
complete -c queuectl -n '__queuectl_in \'template create\'' -l on-conflict -x -k -a '(printf \'%s\\t\\n\' skip attach replace fail)' -d 'When the key is held; a running job is never replaced'
complete -c queuectl -n '__queuectl_in \'template create\'' -l batch -x -k -a '(__queuectl_stored batch:open)' -d 'Make it a member of this batch'
complete -c queuectl -n '__queuectl_in \'template create\'' -l when -x -d 'Only where load<4 mem>2G free:/data>10G file:/run/ok'
complete -c queuectl -n '__queuectl_in \'template create\'' -l cwd -x -a '(__fish_complete_directories (commandline -ct))' -d 'Run in this directory instead of the present one'
complete -c queuectl -n '__queuectl_in \'template create\'' -l env -x -d 'Set an environment variable'
complete -c queuectl -n '__queuectl_in \'template create\'' -l env-file -r -F -d 'Set those of a file with a K=V on each line'
complete -c queuectl -n '__queuectl_in \'template create\'' -l secret-env -x -d 'Take K from the worker, and keep its value out of output'
complete -c queuectl -n '__queuectl_in \'template create\'' -l secret-file -x -d 'The same, with the value from a file when the job starts'
complete -c queuectl -n '__queuectl_in \'template create\'' -l stdin -r -F -d 'What the job reads from its standard input'
complete -c queuectl -n '__queuectl_in \'template create\'' -l umask -x -d 'File mode mask, such as 027'
complete -c queuectl -n '__queuectl_in \'template create\'' -l nice -x -d 'Scheduling niceness, -20 to 19'
complete -c queuectl -n '__queuectl_in \'template create\'' -l memory -x -d 'Most memory that each of its processes may map'
complete -c queuectl -n '__queuectl_in \'template create\'' -l cpu-time -x -d 'Most computing time of each of its processes'
complete -c queuectl -n '__queuectl_in \'template create\'' -l no-output -d 'Do not keep what the job prints'

# template show
complete -c queuectl -n '__queuectl_argument \'template show\' 0' -k -a '(__queuectl_stored template)'

# template remove
complete -c queuectl -n '__queuectl_argument \'template remove\' 0' -k -a '(__queuectl_stored template)'

# stats
complete -c queuectl -n '__queuectl_in \'stats\'' -l since -x -d 'Only runs that ended within this time, at most 7d'
complete -c queuectl -n '__queuectl_in \'stats\'' -l queue -x -k -a '(__queuectl_stored queue)' -d 'Only runs of this queue'

# metrics
complete -c queuectl -n '__queuectl_in \'metrics\'' -l prometheus -d 'Print the Prometheus text format, version 0.0.4'

# audit
complete -c queuectl -n '__queuectl_in \'audit\'' -l since -x -d 'Only what was done within this time'
complete -c queuectl -n '__queuectl_in \'audit\'' -l limit -s n -x -d 'Show at most N; 0 shows all'

# cleanup
complete -c queuectl -n '__queuectl_in \'cleanup\'' -l older-than -x -d 'Only those that finished longer ago than this'
complete -c queuectl -n '__queuectl_in \'cleanup\'' -l state -x -k -a '(printf \'%s\\t\\n\' completed dead cancelled | __queuectl_list)' -d 'Only these: completed, dead, cancelled'
complete -c queuectl -n '__queuectl_in \'cleanup\'' -l queue -x -k -a '(__queuectl_stored queue | __queuectl_list)' -d 'Only jobs of these queues'
complete -c queuectl -n '__queuectl_in \'cleanup\'' -l dry-run -d 'Only say how many'

# backup
complete -c queuectl -n '__queuectl_argument \'backup\' 0' -F
complete -c queuectl -n '__queuectl_in \'backup\'' -l replace -d 'Replace the file if it exists, in one step'

# restore
complete -c queuectl -n '__queuectl_argument \'restore\' 0' -F

# doctor
complete -c queuectl -n '__queuectl_in \'doctor\'' -l fix -d 'Mend what is safe to mend'
complete -c queuectl -n '__queuectl_in \'doctor\'' -l quick -d 'Only look quickly whether the database is damaged'
complete -c queuectl -n '__queuectl_in \'doctor\'' -l salvage -r -F -d 'Save all that can be read of a damaged database'
complete -c queuectl -n '__queuectl_in \'doctor\'' -l backup -r -F -d 'With --salvage: take what cannot be read from this backup'

# export
complete -c queuectl -n '__queuectl_argument \'export\' 0' -F
complete -c queuectl -n '__queuectl_in \'export\'' -l state -x -k -a '(printf \'%s\\t\\n\' scheduled blocked pending processing completed failed dead cancelled | __queuectl_list)' -d 'Only jobs in these states'
complete -c queuectl -n '__queuectl_in \'export\'' -l queue -x -k -a '(__queuectl_stored queue | __queuectl_list)' -d 'Only jobs of these queues'
complete -c queuectl -n '__queuectl_in \'export\'' -l tag -x -k -a '(__queuectl_stored tag)' -d 'Only jobs with this tag'
complete -c queuectl -n '__queuectl_in \'export\'' -l batch -x -k -a '(__queuectl_stored batch)' -d 'Only jobs of this batch'
complete -c queuectl -n '__queuectl_in \'export\'' -l search -x -d 'Only jobs with this text in their id or command'
complete -c queuectl -n '__queuectl_in \'export\'' -l since -x -d 'Only jobs made within this time'
complete -c queuectl -n '__queuectl_in \'export\'' -l replace -d 'Replace the file if it exists, in one step'

# import
complete -c queuectl -n '__queuectl_argument \'import\' 0' -F

# config list
complete -c queuectl -n '__queuectl_in \'config list\'' -l show-origin -d 'Say where each value comes from'

# config get
complete -c queuectl -n '__queuectl_argument \'config get\' 0' -k -a '(__queuectl_stored setting)'
complete -c queuectl -n '__queuectl_in \'config get\'' -l show-origin -d 'Say where each value comes from'

# config set
complete -c queuectl -n '__queuectl_argument \'config set\' 0' -k -a '(__queuectl_stored setting)'
complete -c queuectl -n '__queuectl_argument \'config set\' 1' -k -a '(__queuectl_stored setting-value)'

# config unset
complete -c queuectl -n '__queuectl_argument \'config unset\' 0' -k -a '(__queuectl_stored setting:stored)'

# man
complete -c queuectl -n '__queuectl_argument \'man\' any' -a '(__queuectl_next_words "$__queuectl_arguments")'

# man install
complete -c queuectl -n '__queuectl_in \'man install\'' -l user -d 'For you alone (default, except for root)'
complete -c queuectl -n '__queuectl_in \'man install\'' -l system -d 'For all users, in /usr/local/share/man (default for root)'
complete -c queuectl -n '__queuectl_in \'man install\'' -l dir -x -a '(__fish_complete_directories (commandline -ct))' -d 'In this folder of manual pages, such as /usr/share/man'

# man uninstall
complete -c queuectl -n '__queuectl_in \'man uninstall\'' -l user -d 'For you alone (default, except for root)'
complete -c queuectl -n '__queuectl_in \'man uninstall\'' -l system -d 'For all users, in /usr/local/share/man (default for root)'
complete -c queuectl -n '__queuectl_in \'man uninstall\'' -l dir -x -a '(__fish_complete_directories (commandline -ct))' -d 'In this folder of manual pages, such as /usr/share/man'

# completions
complete -c queuectl -n '__queuectl_argument \'completions\' 0' -k -a '(printf \'%s\\t\\n\' bash zsh fish)'
complete -c queuectl -n '__queuectl_argument \'completions\' 1' -k -a '(printf \'%s\\t\\n\' install uninstall)'
complete -c queuectl -n '__queuectl_in \'completions\'' -l user -d 'For you alone (default, except for root)'
complete -c queuectl -n '__queuectl_in \'completions\'' -l system -d 'For all users (default for root)'
complete -c queuectl -n '__queuectl_in \'completions\'' -l dir -x -a '(__fish_complete_directories (commandline -ct))' -d 'In this folder instead'

# version
complete -c queuectl -n '__queuectl_in \'version\'' -l licenses -d 'Print whose work is inside, and their licences'

# help
complete -c queuectl -n '__queuectl_argument \'help\' any' -a '(__queuectl_next_words "$__queuectl_arguments")'
