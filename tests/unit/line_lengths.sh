#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# No line of C or GLSL is longer than 100 columns, and no comment at the end of a line goes on below it or breaks the
# line: it stands above. clang-format breaks code of C, but no comments, and does not know GLSL. Without arguments it
# first proves that it finds what is wrong.
set -euo pipefail

# Prints the lines of files that begin with a value whose name is on the line before, because of the comment behind it,
# and those that go on with the comment of the line before.
broken_comments() {
    awk 'FNR == 1 { before = ""; column = 0 }
        {
            match($0, /\/\/ /)
            alone = $0 ~ /^ *\/\/ /
            if ((alone && RSTART == column) || (before ~ /=$/ && $0 ~ /^ *[0-9]+, *\/\//)) {
                print FILENAME ":" FNR ":" $0
            }
            if (!alone) { column = RSTART } else if (RSTART != column) { column = 0 }
            before = $0
        }' "$@"
}
export -f broken_comments

# Prints the lines of files below ROOT that are wrong. Characters count, not bytes: é is one column.
# tests/e2e/readme/record.c is as it stands in README.md.
check() {
    local root=$1
    cd "$root"
    find src capture samples shaders tests -type d -name node_modules -prune -o \
        \( -name '*.[ch]' -o -name '*.comp' -o -name '*.vert' -o -name '*.frag' -o -name '*.glsl' \) \
        ! -path tests/e2e/readme/record.c -print0 |
        LC_ALL=C.UTF-8 xargs -0 -r bash -c 'grep -HnE "^.{101}" "$@"; broken_comments "$@"' check || true
}

if [ $# = 1 ]; then
    found=$(check "$1")
    [ -z "$found" ] || { printf '%s\n' "$found"; exit 1; }
    exit 0
fi

root=$(cd "$(dirname "$0")/../.." && pwd)
planted=$(mktemp -d)
trap 'rm -rf "$planted"' EXIT
mkdir -p "$planted"/{src,capture,samples,shaders,tests}
column() { printf '%*s' "$1" '' | sed "s/ /$2/g"; }
for file in src/x.c capture/x.h samples/x.frag shaders/x.glsl tests/x.comp; do
    printf '// %s\n' "$(column 98 x)" >"$planted/$file" # 101
    if bash "$0" "$planted" >/dev/null; then
        echo "a planted line of 101 columns was not found: $file"
        exit 1
    fi
    printf '// %s\n' "$(column 97 é)" >"$planted/$file"
done
bash "$0" "$planted" # 100 columns are right, of two bytes each as well
for broken in 'int a; // one\n       // two\n' '    A =\n        107, // one\n'; do
    # shellcheck disable=SC2059
    printf "$broken" >"$planted/src/x.c"
    if bash "$0" "$planted" >/dev/null; then
        printf '%s' "a planted comment was not found: $broken"
        exit 1
    fi
done
printf '    // one\n    // two\n    A = 107, // three\n    // four\n' >"$planted/src/x.c"
bash "$0" "$planted"
bash "$0" "$root"
