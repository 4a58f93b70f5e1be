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
