#!/bin/sh
# A host that damages what was sent before its hashes are checked.
case $1 in
*"at=1"*)
  for blob in "$XDG_CACHE_HOME"/fuselage/engines/.partial-*/blob-*; do
    printf XX | dd of="$blob" conv=notrunc 2>/dev/null
  done
  ;;
esac
exec sh -c "$1"
