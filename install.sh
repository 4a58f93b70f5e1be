#!/bin/sh
# Installs queuectl, a durable background job queue in one binary.
#
#   curl -fsSL BASE/install.sh | QUEUECTL_BASE_URL=BASE sh
#   curl -fsSL BASE/install.sh | QUEUECTL_BASE_URL=BASE sh -s -- --system
#   sh install.sh --help
#
# It downloads one file, checks its SHA-256, tries it, and moves it into place as
# the last step. It needs no root and changes no file of your shell. In a clone
# of the sources, `sh install.sh` builds the program instead of downloading it.
#
# Everything stands between braces: a shell runs nothing of a copy that was cut off.
{

# `tools/deno task release` fills these in. A copy with sums installs the same bytes for ever.
DEFAULT_BASE_URL=''
RELEASE_VERSION=''
RELEASE_SUMS=''

# What the runtime inside the program asks for.
LEAST_GLIBC=2.27

# A network that drops packets must not look like a slow one.
CONNECT_TIMEOUT_S=20

# Read here, because zsh changes $0 inside functions.
SELF=$0
if [ -n "${ZSH_VERSION:-}" ]; then emulate sh; fi

usage() {
  cat <<'END'
Usage: sh install.sh [OPTIONS]

  --version V        the release to install (default: the one this copy belongs to)
  --dir D            the folder for the program
                     (default: ~/.local/bin; for root and with --system /usr/local/bin)
  --system           for all users: needs root
  --no-completions   install no completions for shells and no man pages
  --uninstall        remove the program, its completions and man pages; keep the data
  --purge-data       with --uninstall: remove the jobs and their output, too
  --dry-run          say what would be done, and do nothing
  --help             this text

  QUEUECTL_BASE_URL  where the releases are: https://..., or a folder such as /media/usb
END
}

say() { printf '%s\n' "$*"; }
warn() { printf 'install.sh: %s\n' "$*" >&2; }

# fail MESSAGE [HINT]
fail() {
  warn "$1"
  [ $# -lt 2 ] || printf 'Try: %s\n' "$2" >&2
  exit 1
}

fail_usage() {
  warn "$1"
  printf 'Try: sh install.sh --help\n' >&2
  exit 2
}

have() { command -v "$1" >/dev/null 2>&1; }

# quoted WORD: as a shell needs it typed.
quoted() {
  case $1 in
    *[!A-Za-z0-9_./:@%+,-]* | '') printf "'%s'\n" "$(printf '%s\n' "$1" | sed "s/'/'\\\\''/g")" ;;
    *) printf '%s\n' "$1" ;;
  esac
}

# ---------------------------------------------------------------- what is asked for

read_options() {
  version='' dir='' system=no completions=yes action=install purge=no dry_run=no
  while [ $# -gt 0 ]; do
    case $1 in
      --version=* | --dir=*)
        option=${1%%=*}
        value=${1#*=}
        shift
        set -- "$option" "$value" "$@"
        continue
        ;;
      --version | --dir)
        [ -n "${2:-}" ] || fail_usage "missing value for $1"
        if [ "$1" = --version ]; then version=${2#v}; else dir=$2; fi
        shift
        ;;
      --system) system=yes ;;
      --no-completions) completions=no ;;
      --uninstall) action=uninstall ;;
      --purge-data) purge=yes ;;
      --dry-run) dry_run=yes ;;
      --help | -h)
        usage
        exit 0
        ;;
      *) fail_usage "unknown option \"$1\"" ;;
    esac
    shift
  done
  [ "$purge" = no ] || [ "$action" = uninstall ] || fail_usage "--purge-data goes with --uninstall"
  case $version in
    *[!A-Za-z0-9.+-]* | .* | -*) fail_usage "not a version: \"$version\"" ;;
  esac
}

find_place() {
  uid=$(id -u)
  if [ "$system" = yes ]; then
    [ "$uid" -eq 0 ] || fail "--system installs for all users, which only root may do" "sudo sh install.sh --system"
  elif [ "$uid" -eq 0 ] && [ -z "$dir" ]; then
    system=yes
  fi
  if [ -z "$dir" ]; then
    if [ "$system" = yes ]; then
      dir=/usr/local/bin
    else
      [ -n "${HOME:-}" ] || fail "HOME is not set, so there is no usual folder for programs" "sh install.sh --dir FOLDER"
      dir=$HOME/.local/bin
    fi
  fi
  case $dir in
    /*) ;;
    *) dir=$PWD/$dir ;;
  esac
  # As the user may have it on PATH.
  named_dir=$dir
  # With links followed: so the system names the programs that run.
  if [ -d "$dir" ]; then dir=$(cd "$dir" && pwd -P) || fail "cannot enter the folder $dir"; fi
  case $dir in
    /) dest=/queuectl ;;
    *) dest=${dir%/}/queuectl ;;
  esac
}

# The clone this script is a file of; empty when there is none. A script that came
# through a pipe is no file, wherever the shell stands.
find_checkout() {
  checkout=
  case $SELF in
    install.sh | */install.sh) ;;
    *) return 0 ;;
  esac
  [ -f "$SELF" ] || return 0
  folder=$(cd "$(dirname "$SELF")" && pwd -P) || return 0
  if [ -x "$folder/tools/deno" ] && grep -q '"name": "queuectl"' "$folder/deno.json" 2>/dev/null; then
    checkout=$folder
  fi
}

# ---------------------------------------------------------------- this machine

find_target() {
  kernel=$(uname -s)
  [ "$kernel" = Linux ] || fail "there is no release for $kernel: queuectl is released for Linux"
  machine=$(uname -m)
  case $machine in
    x86_64 | amd64) target=x86_64-unknown-linux-gnu loader=/lib64/ld-linux-x86-64.so.2 ;;
    aarch64 | arm64) target=aarch64-unknown-linux-gnu loader=/lib/ld-linux-aarch64.so.1 ;;
    *) fail "there is no release for the processor $machine: only for x86_64 and aarch64" ;;
  esac
  # A 64-bit kernel may carry a 32-bit system.
  if have getconf && [ "$(getconf LONG_BIT 2>/dev/null)" = 32 ]; then
    fail "this is a 32-bit system on a 64-bit processor: queuectl needs a 64-bit one"
  fi
  check_libc
}

check_libc() {
  glibc=
  if have getconf; then
    glibc=$(getconf GNU_LIBC_VERSION 2>/dev/null) || glibc=
    glibc=${glibc#glibc }
  fi
  if [ -z "$glibc" ]; then
    if { have ldd && ldd --version 2>&1 | grep -qi musl; } || ls /lib/ld-musl-* >/dev/null 2>&1; then
      fail "this system uses musl (Alpine and others): queuectl needs the GNU C library, glibc $LEAST_GLIBC or newer" \
        "a container or a chroot of Debian, Fedora or another system with glibc"
    fi
    [ -e "$loader" ] || fail "this system has no GNU C library ($loader is missing): queuectl needs glibc $LEAST_GLIBC or newer"
    return 0
  fi
  is_at_least "$glibc" "$LEAST_GLIBC" ||
    fail "this system has glibc $glibc: queuectl needs $LEAST_GLIBC or newer"
}

# is_at_least A B: versions of two numbers
is_at_least() {
  case $1 in *.*) ;; *) return 0 ;; esac
  major=${1%%.*} minor=${1#*.}
  minor=${minor%%[!0-9]*}
  [ "$major" -gt "${2%%.*}" ] || { [ "$major" -eq "${2%%.*}" ] && [ "${minor:-0}" -ge "${2#*.}" ]; }
}

sha256_of() {
  if have sha256sum; then
    sha256sum <"$1" | cut -d ' ' -f 1
  elif have shasum; then
    shasum -a 256 <"$1" | cut -d ' ' -f 1
  elif have openssl; then
    openssl dgst -sha256 <"$1" | sed 's/.* //'
  else
    fail "no program here computes SHA-256, so a download could not be checked" "install coreutils, perl or openssl"
  fi
}

# The version of the program at $1; fails when it is not queuectl, or does not run.
version_of() {
  line=$("$1" version 2>/dev/null </dev/null) || return 1
  case $line in
    "queuectl "[0-9]*) printf '%s\n' "${line#queuectl }" ;;
    *) return 1 ;;
  esac
}

# Processes that run the program at $dest, replaced meanwhile or not. Those of
# other users are seen by root only.
running_from_dest() {
  # shellcheck disable=SC2012 # one call for all: `readlink` for each takes a second on a busy machine
  ls -ld /proc/[0-9]*/exe 2>/dev/null | while read -r line; do
    case $line in
      *" -> $dest" | *" -> $dest (deleted)") ;;
      *) continue ;;
    esac
    pid=${line%%/exe -> *}
    printf '%s\n' "${pid##*/}"
  done
}

# ---------------------------------------------------------------- the release

find_release() {
  base=${QUEUECTL_BASE_URL:-$DEFAULT_BASE_URL}
  base=${base%/}
  [ -n "$base" ] || fail "this copy does not know where the releases are: QUEUECTL_BASE_URL must say it" \
    "QUEUECTL_BASE_URL=https://... sh install.sh"
  version=${version:-$RELEASE_VERSION}
  [ -n "$version" ] || fail "this copy belongs to no release, so it needs the version" "sh install.sh --version V"
  if [ "$version" = "$RELEASE_VERSION" ]; then sums=$RELEASE_SUMS; else sums=; fi
  check_base
}

check_base() {
  case $base in
    https://* | file:///* | /*) ;;
    http://localhost | http://localhost[:/]* | http://127.0.0.1 | http://127.0.0.1[:/]*) ;;
    'http://[::1]' | 'http://[::1]'[:/]*) ;;
    http://*)
      # With the sums in this copy a download cannot be exchanged on the way.
      [ -n "$sums" ] || fail "refusing $base: over plain http the sums themselves could be forged" "an https:// address"
      ;;
    *) fail "not an address of releases: \"$base\"" "QUEUECTL_BASE_URL=https://... sh install.sh" ;;
  esac
}

# fetch URL FILE
fetch() {
  case $1 in
    /*) cp "$1" "$2" ;;
    file:///*) cp "${1#file://}" "$2" ;;
    *)
      if have curl; then
        fetch_by_curl "$1" "$2"
      elif have wget; then
        fetch_by_wget "$1" "$2"
      else
        fail "there is neither curl nor wget to download with" "install curl"
      fi
      ;;
  esac
}

fetch_by_curl() {
  set -- --fail --location --connect-timeout "$CONNECT_TIMEOUT_S" --output "$2" "$1"
  # A redirect must not lead from https to http.
  case $base in https://*) set -- --proto-redir =https "$@" ;; esac
  if [ -t 2 ]; then set -- --progress-bar "$@"; else set -- --silent --show-error "$@"; fi
  curl "$@"
}

fetch_by_wget() {
  # BusyBox knows no long options.
  wget -q -T "$CONNECT_TIMEOUT_S" -O "$2" "$1"
}

# download FILE: from the folder of the release into $work.
download() {
  url=$base/v$version/$1
  if ! fetch "$url" "$work/$1" || [ ! -f "$work/$1" ]; then
    fail "cannot download $url into $dir: see the line above; nothing was changed"
  fi
}

# sum_of FILE: empty when the release does not have it.
sum_of() {
  while read -r sum name; do
    if [ "${name#\*}" = "$1" ]; then
      printf '%s\n' "$sum"
      return 0
    fi
  done <<END
$sums
END
}

# Takes the smallest file of the release that can be unpacked here.
choose_file() {
  program=queuectl-$target
  if have zstd && [ -n "$(sum_of "$program.zst")" ]; then
    file=$program.zst unpack='zstd -q -d -c'
  elif have gzip && [ -n "$(sum_of "$program.gz")" ]; then
    file=$program.gz unpack='gzip -d -c'
  else
    file=$program unpack=
  fi
  if [ -z "$(sum_of "$program")" ] || [ -z "$(sum_of "$file")" ]; then
    fail "the release $version has no program for $target"
  fi
}

# check_sum FILE: of the release, in $work.
check_sum() {
  wanted=$(sum_of "$1")
  found=$(sha256_of "$work/$1") || exit 1
  [ "$wanted" = "$found" ] || fail "refusing $1: its SHA-256 is $found and should be $wanted; nothing was changed" \
    "run this again; if it stays so, tell whoever runs $base"
}

# ---------------------------------------------------------------- a place to work in

# The download is made beside its place: a rename is atomic within one file system only.
make_work() {
  # What is made here goes again when something fails.
  made=
  folder=$dir
  while [ ! -e "$folder" ] && [ ! -L "$folder" ]; do
    made=$folder
    folder=$(dirname "$folder")
  done
  work=
  trap clean_up EXIT
  trap 'exit 129' HUP
  trap 'exit 130' INT
  trap 'exit 143' TERM
  # A folder for all users is for all users, whatever root's umask.
  if [ "$system" = yes ]; then umask 022; fi
  if mkdir -p "$dir" 2>/dev/null && work=$(mktemp -d "$dir/.queuectl-install.XXXXXX" 2>/dev/null); then return 0; fi
  fail "cannot write to $dir; nothing was changed" "sh install.sh --dir FOLDER, with a folder of your own"
}

# shellcheck disable=SC2317 # called by the trap
clean_up() {
  if [ -n "${work:-}" ]; then rm -rf "$work"; fi
  folder=$dir
  while [ -n "$made" ]; do
    # Fails, as it should, when the program is in it.
    rmdir "$folder" 2>/dev/null || break
    [ "$folder" != "$made" ] || break
    folder=$(dirname "$folder")
  done
}

# ---------------------------------------------------------------- install

check_dest() {
  [ ! -d "$dest" ] || fail "$dest is a folder: it is left alone" "sh install.sh --dir FOLDER"
  old_version=
  if [ -e "$dest" ] || [ -L "$dest" ]; then
    old_version=$(version_of "$dest") ||
      fail "$dest is another program, or a broken one: it is left alone" "remove it, or sh install.sh --dir FOLDER"
  fi
}

install_release() {
  find_target
  find_release
  if [ "$dry_run" = yes ]; then
    say "Would download queuectl $version for $target from $base/v$version"
    say_plan
    return 0
  fi
  check_dest
  make_work
  if [ -z "$sums" ]; then
    download SHA256SUMS
    sums=$(cat "$work/SHA256SUMS")
  fi
  choose_file
  if [ -n "$old_version" ] && [ "$(sha256_of "$dest")" = "$(sum_of "$program")" ]; then
    unchanged=yes
  else
    say "Downloading queuectl $version for $target"
    download "$file"
    check_sum "$file"
    if [ -n "$unpack" ]; then
      # shellcheck disable=SC2086 # a program and its options
      $unpack <"$work/$file" >"$work/$program" ||
        fail "cannot unpack $file in $dir: is the disk full? Nothing was changed"
      check_sum "$program"
    fi
    put_in_place "$work/$program"
  fi
}

install_build() {
  if [ "$dry_run" = yes ]; then
    say "Would build queuectl from the sources in $checkout"
    say_plan
    return 0
  fi
  check_dest
  make_work
  say "Building queuectl from the sources in $checkout"
  (cd "$checkout" && tools/deno task compile) || fail "cannot build queuectl: see above; nothing was changed"
  version=$(version_of "$checkout/dist/queuectl") || fail "the program that was built does not run"
  if [ -n "$old_version" ] && cmp -s "$checkout/dist/queuectl" "$dest"; then
    unchanged=yes
  else
    cp "$checkout/dist/queuectl" "$work/queuectl" || fail "cannot write to $dir: is the disk full? Nothing was changed"
    put_in_place "$work/queuectl"
  fi
}

# put_in_place FILE: the one step that changes something, and the last that can fail.
put_in_place() {
  chmod 755 "$1"
  new_version=$(version_of "$1") || {
    "$1" version >/dev/null </dev/null || :
    fail "the program does not run in $dir (see above; is it mounted noexec?); nothing was changed"
  }
  [ "$new_version" = "$version" ] || fail "the program says it is version $new_version, not $version; nothing was changed"
  mv -f "$1" "$dest" || fail "cannot write $dest; nothing was changed"
}

say_plan() {
  say "Would install it as $dest"
  if [ "$completions" = yes ]; then say "Would install completions for:$(shells_here), and man pages"; fi
}

shells_here() {
  for shell in bash zsh fish; do
    if have "$shell"; then printf ' %s' "$shell"; fi
  done
}

# extra WORDS...: `queuectl WORDS...` for the completions and the man pages. They are
# no reason to fail, and an older version may lack the command.
extra() {
  if [ "$system" = yes ]; then set -- "$@" --system; fi
  notes=$("$dest" "$@" 2>&1 >/dev/null </dev/null) && return 0
  warn "\`queuectl $*\` failed: $(printf '%s\n' "$notes" | sed 's/^queuectl: //;q')"
  return 1
}

# extras install|uninstall
extras() {
  done_for='' rc_lines=''
  user_shell=${SHELL:-}
  for shell in $(shells_here); do
    extra completions "$shell" "$1" || continue
    done_for="$done_for $shell,"
    # zsh, and bash without bash-completion, find the file by a line of the user only.
    if [ "$shell" = "${user_shell##*/}" ]; then rc_lines=$(printf '%s\n' "$notes" | sed -n '/add this line/{p;n;p;}'); fi
  done
  if extra man "$1"; then done_for="$done_for man pages,"; fi
  done_for=${done_for%,}
}

# ---------------------------------------------------------------- the last lines

say_installed() {
  if [ "$unchanged" = yes ]; then
    say "queuectl $version is already installed as $dest: nothing was changed"
  elif [ -n "$old_version" ]; then
    say "Installed queuectl $version as $dest, in place of $old_version"
  else
    say "Installed queuectl $version as $dest"
  fi
  if [ -n "${done_for:-}" ]; then say "Completions and help:$done_for"; fi
  if [ -n "${rc_lines:-}" ]; then
    say
    say "$rc_lines"
  fi
  say_restart
  say_path
  say
  say "Next:"
  # No comments behind the commands: an interactive zsh would take them for arguments.
  say "  $typed run -- echo hello"
  say "  $typed worker start"
  say "  $typed enqueue 'sleep 5; date'"
}

# Running processes keep the old file until they are started again.
say_restart() {
  [ "$unchanged" = no ] && [ -n "$old_version" ] || return 0
  others=
  for pid in $(running_from_dest); do
    words=$(tr '\0' '\n' <"/proc/$pid/cmdline" 2>/dev/null) || continue
    case $words in
      *__supervisor*)
        db=$(printf '%s\n' "$words" | sed -n '/^--db$/{n;p;}')
        pool=$(printf '%s\n' "$words" | sed -n '/^--pool$/{n;p;}')
        command="$(quoted "$dest")${db:+ --db $(quoted "$db")} worker restart"
        [ "${pool:-default}" = default ] || command="$command --pool $(quoted "$pool")"
        say
        say "Workers of version $old_version still run. They finish their jobs and are replaced by:"
        say "  $command"
        ;;
      *__worker*) ;;
      *) others="$others $pid" ;;
    esac
  done
  if [ -n "$others" ]; then say "Version $old_version still runs in other processes, until they end:$others"; fi
}

say_path() {
  typed=queuectl
  case ":${PATH:-}:" in
    *":$dir:"* | *":$dir/:"* | *":$named_dir:"* | *":$named_dir/:"*)
      first=$(command -v queuectl 2>/dev/null) || first=$dest
      if [ "$(without_links "$first")" != "$dest" ]; then
        warn "PATH finds another program first: $first"
        typed=$(quoted "$dest")
      fi
      ;;
    *)
      typed=$(quoted "$dest")
      say
      user_shell=${SHELL:-}
      case ${user_shell##*/} in
        fish)
          say "To have it on PATH, type once:"
          say "  fish_add_path $(quoted "$dir")"
          ;;
        zsh) say_path_line "\$HOME/.zshrc" ;;
        bash) say_path_line "\$HOME/.bashrc" ;;
        *) say_path_line "\$HOME/.profile" ;;
      esac
      ;;
  esac
  case $dir in
    # The PATH of cron.
    /bin | /usr/bin) ;;
    *) say "In a crontab write $(quoted "$dest"): cron does not search $dir." ;;
  esac
}

# without_links FILE: its path with the links among its folders followed.
without_links() {
  folder=$(cd "$(dirname "$1")" 2>/dev/null && pwd -P) || folder=
  printf '%s\n' "${folder%/}/${1##*/}"
}

# say_path_line FILE: for shells that share the syntax of sh.
say_path_line() {
  say "To have it on PATH, add this line to $1:"
  say "  export PATH=$(quoted "$dir"):\"\$PATH\""
}

# ---------------------------------------------------------------- uninstall

# As the program itself finds it: see lib/config/paths.ts.
find_data() {
  if [ "$uid" -eq 0 ]; then
    data=/var/lib/queuectl
    return 0
  fi
  case ${XDG_DATA_HOME:-} in
    /*) data=${XDG_DATA_HOME%/}/queuectl && return 0 ;;
  esac
  user_home=$(awk -F : -v uid="$uid" '$3 == uid { print $6; exit }' /etc/passwd 2>/dev/null) || user_home=
  data=${user_home:-${HOME:-}}/.local/share/queuectl
}

uninstall() {
  find_data
  check_unused
  if [ -e "$dest" ] || [ -L "$dest" ]; then
    remove_program
  else
    say "There is no queuectl at $dest: nothing was removed"
    other=$(command -v queuectl 2>/dev/null) || other=
    if [ -n "$other" ]; then say "There is one at $other: name its folder by --dir"; fi
  fi
  if [ "$purge" = yes ]; then purge_data; else say_data; fi
}

# Before anything is removed: half of a removal would be worse than none.
check_unused() {
  pids=$(running_from_dest | tr '\n' ' ')
  [ -z "$pids" ] || fail "queuectl still runs from $dest (pid ${pids% }): nothing was removed" \
    "$(quoted "$dest") worker stop"
  if [ "$purge" = yes ] && is_in_use "$data"; then
    fail "processes still use the jobs in $data: nothing was removed" "queuectl worker stop"
  fi
}

# is_in_use FOLDER: whether a process has a file of it open. A worker always has its lock.
is_in_use() {
  [ -d "$1" ] || return 1
  real=$(cd "$1" && pwd -P) || return 1
  # shellcheck disable=SC2010 # one call for all, and only whether a name is among them
  ls -l /proc/[0-9]*/fd 2>/dev/null | grep -qF -e " -> $real/"
}

remove_program() {
  [ ! -d "$dest" ] || fail "$dest is a folder: it is left alone"
  version=$(version_of "$dest") || fail "$dest is another program, or a broken one: it is left alone" "rm $(quoted "$dest")"
  if [ "$dry_run" = yes ]; then
    say "Would remove $dest (version $version), its completions and man pages"
    return 0
  fi
  if [ ! -w "$dir" ]; then
    fail "cannot write to $dir: nothing was removed" "sudo sh install.sh --uninstall"
  fi
  [ "$completions" = no ] || extras uninstall
  rm -f "$dest" || fail "cannot remove $dest"
  say "Removed $dest"
}

say_data() {
  if [ -e "$data" ]; then
    say "The jobs stay in $data; to remove them, too: sh install.sh --uninstall --purge-data"
  else
    say "There are no jobs in $data; a database elsewhere (--db, QUEUECTL_DB) stays as it is"
  fi
}

# Only what the program makes there. The folder goes when nothing else is in it.
purge_data() {
  if [ ! -e "$data/queue.db" ] && [ ! -e "$data/queue.db.d" ]; then
    say "There are no jobs in $data"
    return 0
  fi
  if [ "$dry_run" = yes ]; then
    say "Would remove the jobs in $data"
    return 0
  fi
  rm -rf "$data/queue.db" "$data/queue.db-wal" "$data/queue.db-shm" "$data/queue.db-journal" "$data/queue.db.d" ||
    fail "cannot remove the jobs in $data"
  if rmdir "$data" 2>/dev/null; then
    say "Removed the jobs, and $data"
  else
    say "Removed the jobs; $data stays, because other files are in it"
  fi
}

main() {
  read_options "$@"
  find_place
  if [ "$action" = uninstall ]; then
    uninstall
    return 0
  fi
  unchanged=no old_version=
  find_checkout
  # A copy of a release, or one that is asked for a release, installs a release anywhere.
  if [ -n "$checkout" ] && [ -z "$version$RELEASE_VERSION" ]; then install_build; else install_release; fi
  [ "$dry_run" = no ] || return 0
  [ "$completions" = no ] || extras install
  say_installed
}

set -eu
main "$@"
exit 0
}
