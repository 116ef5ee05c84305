#!/bin/sh
# SPDX-License-Identifier: MIT
# pages.sh FOLDER SECONDS WEIR...: writes the manual pages of the program weir into a folder, by help2man, from what its
# help says. They have the day of that time since 1970. WEIR may be an emulator and the program.
set -eu
folder=$1 day=$(date -u -d "@$2" +%F)
shift 2
text=$folder/text include=$folder/include
trap 'rm -f "$text" "$include"' EXIT
all=$("$@" --help)
version=$("$@" --version | sed 's/ (.*//;q')
statuses=$(printf '%s\n' "$all" | sed -n '/^Exit status:/,/^$/p')
commands=$(printf '%s\n' "$all" | sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/weir-\1/p')

# page NAME: that of the help on standard input, which begins with a summary, and then how it is called.
page() {
    cat >"$text"
    summary=$(sed 's/^[^:]*: //; s/\.$//; q' "$text")
    case $1 in weir-*) printf '\n%s\n' "$statuses" >>"$text" ;; esac
    sed -i 's/^Exit status:/*Exit Status*/; 1d; 3s/^ */Usage: /; /^Example:/,/^$/{s/^  /  $ /; s/^Example/&s/}' "$text"
    {
        echo '[SEE ALSO]'
        for other in weir $commands; do [ "$other" = "$1" ] || echo ".BR $other (1)"; done | sed '$!s/$/,/'
        [ "$1" != weir ] || printf '%s\n' '[ENVIRONMENT]' "The Vulkan loader reads its own:" '.B VK_DRIVER_FILES' \
            'chooses drivers,' '.B VK_ADD_LAYER_PATH' 'finds layers.' '.B WEIR_UNCONFINED=1' \
            'lets processes that read inputs open all files.'
    } >"$include"
    help2man -N -n "$summary" --version-string "$1 $version" -S "$version" -i "$include" -h "$text" cat |
        sed "/^\.TH /s/\"[A-Z][a-z]* [0-9]*\"/$day/" >"$folder/$1.1"
}
printf '%s\n' "$all" | page weir
for name in $commands; do
    "$@" "${name#weir-}" --help all | page "$name"
done
