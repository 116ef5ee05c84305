#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# No line of C or GLSL is longer than 100 columns. clang-format breaks code of C, but no comments, and does not know
# GLSL. Without arguments it first proves that it finds a line that is too long.
set -euo pipefail

# Prints the lines of files below ROOT that are longer. Characters count, not bytes: é is one column.
# tests/e2e/readme/record.c is as it stands in README.md.
check() {
    local root=$1
    cd "$root"
    find src capture samples shaders tests -type d -name node_modules -prune -o \
        \( -name '*.[ch]' -o -name '*.comp' -o -name '*.vert' -o -name '*.frag' -o -name '*.glsl' \) \
        ! -path tests/e2e/readme/record.c -print0 |
        LC_ALL=C.UTF-8 xargs -0 -r grep -HnE '^.{101}' || true
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
bash "$0" "$root"
