#!/bin/sh
# $1: what this host is not: another machine, without room, without a folder to write to, or without a tool. $2: the script.
bin=$(mktemp -d)
trap 'rm -rf "$bin"' EXIT
case $1 in
arch) printf '#!/bin/sh\necho riscv64\n' >"$bin/uname" ;;
full) printf '#!/bin/sh\necho head\necho /dev/sda 100 99 1 99%% /\n' >"$bin/df" ;;
readonly) : >"$bin/file"; export XDG_CACHE_HOME="$bin/file" ;;
esac
chmod -R u+x "$bin"
PATH=$bin:$PATH sh -c "$2"
