#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Each name of <weir/renamed.h>: a program that uses it does not compile, and the error has the new name, which
# exists. docs/api-changes/1.md has both.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
include=$root/src/include
table=$root/docs/api-changes/1.md
status=0

pairs=$(tr -d '\n\\' <"$include/weir/renamed.h" |
    grep -oE 'WEIR_RENAMED\([A-Za-z_]+, [A-Za-z_]+\)' | sed -E 's/.*\((.*), (.*)\)/\1 \2/' | grep -vx 'old new')
[ "$(grep -c . <<<"$pairs")" = "$(grep -cE '^#define [A-Za-z_]+ +(WEIR_RENAMED|\\)' "$include/weir/renamed.h")" ] ||
    { echo "renamed.h has definitions that this test does not read"; exit 1; }

# A program with all of the old names, one a line.
use_all() { # LANGUAGE STANDARD COMPILER
    { echo '#include <weir/weir.h>'; cut -d' ' -f1 <<<"$pairs"; } |
        "$3" -x "$1" -std="$2" -I"$include" -fsyntax-only "${@:4}" - 2>&1
}
for way in "c c11 gcc -fmax-errors=0" "c++ c++17 g++ -fmax-errors=0" \
    "c c11 clang -ferror-limit=0" "c++ c++17 clang++ -ferror-limit=0"; do
    read -ra compile <<<"$way"
    command -v "${compile[2]}" >/dev/null || { echo "${compile[2]} is missing: ./dev setup installs it"; exit 1; }
    if said=$(use_all "${compile[@]}"); then
        echo "$way compiles the old names"
        status=1
    fi
    while read -r old new; do
        grep -q "error: .*\b$old was renamed to $new with version" <<<"$said" ||
            { echo "$way does not say that $old is $new now"; status=1; }
    done <<<"$pairs"
done

while read -r old new; do
    grep -qwr --exclude=renamed.h -- "$new" "$include/weir" ||
        { echo "$old was renamed to $new, which no header has"; status=1; }
    ! grep -qwr --exclude=renamed.h -- "$old" "$include/weir" ||
        { echo "$old is still in a header"; status=1; }
    # The codes of the log have one row for all of them.
    [[ $old == WEIR_LOG_* && $new == WEIR_LOG_CODE_* ]] || grep -qw -- "$old" "$table" ||
        { echo "docs/api-changes/1.md does not have $old"; status=1; }
done <<<"$pairs"
grep -q WEIR_LOG_CODE_ "$table" || { echo "docs/api-changes/1.md does not have WEIR_LOG_CODE_"; status=1; }
echo "$(grep -c . <<<"$pairs") names"
exit $status
