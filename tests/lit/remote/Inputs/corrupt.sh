#!/bin/sh
# A host that damages what was sent before its hashes are checked. The script comes first on the input, see FarShell.
size=${1#*count=}
script=$(dd bs=1 count="${size%% *}" 2>/dev/null)
case $script in
*"at=1"*)
  for blob in "$XDG_CACHE_HOME"/fuselage/engines/.partial-*/blob-*; do
    printf XX | dd of="$blob" conv=notrunc 2>/dev/null
  done
  ;;
esac
{ printf "%s\n" "$script"; cat; } | sh -c "$1"
