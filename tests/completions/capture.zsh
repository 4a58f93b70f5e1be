#!/bin/zsh -f
# Usage: capture.zsh SCRIPT LINE: prints what zsh would offer after typing LINE
# and pressing Tab, one match to a line, `match<Tab>description` where it has one.
#
# Completion only works inside the line editor, so an interactive zsh runs in a
# pseudo terminal; there compadd is replaced by one that also prints its matches.
zmodload zsh/zpty || exit 1

# Prepared by a start-up file, not by typing: until the line editor reads keys by
# itself, what is typed can get lost, so nothing is typed before it says so.
home=$(mktemp -d ${TMPDIR:-/tmp}/capture.XXXXXX) || exit 1
trap 'rm -rf $home' EXIT
print -r -- "script=${(q)1} dump=${(q)${TMPDIR:-/tmp}}/../zcompdump" > $home/.zshrc
cat >> $home/.zshrc <<'SETUP'
PROMPT= RPROMPT= PS2=
zle_bracketed_paste=()
setopt nobeep
autoload -Uz compinit
# What is in $fpath is looked through once for all calls of a test run.
compinit -u -d $dump
source $script
bindkey '^M' undefined
bindkey '^J' undefined
bindkey '^I' complete-word
null-line() { print -n $'\0' }
compprefuncs=(null-line)
comppostfuncs=(null-line exit)
zstyle ':completion:*' list-grouped false
zstyle ':completion:*' insert-tab false
zstyle ':completion:*' list-separator ''
zmodload zsh/zutil
compadd() {
  # Calls that only fill arrays (-O, -A, -D) offer nothing yet.
  if [[ ${@[1,(i)(-|--)]} == *-(O|A|D)\ * ]]; then
    builtin compadd "$@"
    return $?
  fi
  typeset -a __hits __descriptions __given
  if (( $@[(I)-d] )); then
    __given=(${@[$[${@[(i)-d]}+1]]})
    [[ $__given[1] == \(* ]] && eval "__descriptions=$__given" || __descriptions=("${(@P)__given[1]}")
  fi
  builtin compadd -A __hits -D __descriptions "$@"
  setopt localoptions norcexpandparam extendedglob
  typeset -A __prefix
  zparseopts -E P:=__prefix
  [[ -n $__hits ]] || return
  local i
  for i in {1..$#__hits}; do
    print -r -- "$IPREFIX${__hits[i]}${__descriptions[i]:+	${__descriptions[i]##$__hits[i] #}}"
  done
}
zle-line-init() { print ready }
zle -N zle-line-init
SETUP
zpty completer "ZDOTDIR=${(q)home} exec zsh -d -i"
while zpty -r completer line; do [[ $line == *ready* ]] && break; done
zpty -w completer "$2"$'\t'

# The matches stand between two NULs.
local output
output=$(while zpty -r completer; do :; done | tr '\0\r' '\1\n')
output=${output#*$'\1'}
print -rl -- ${(f)output%%$'\1'*}
