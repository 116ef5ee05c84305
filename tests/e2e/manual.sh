#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# manual.sh WEIR FOLDER MAN1: every command has a page that man and mandoc find no fault with, and that says what the
# command's help says.
set -euo pipefail
weir=$1 folder=$2 pages=$3
fail() { printf 'FAILED: %s\n' "$*" >&2; exit 1; }
skip() { printf 'skipped: %s\n' "$*"; exit 77; }
for tool in man mandoc lexgrog; do
    command -v $tool >/dev/null || skip "no $tool here, and it is the judge"
done
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"

"$weir" --help >help.txt
mapfile -t commands < <(sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p' help.txt)
[ ${#commands[@]} -ge 5 ] || fail "weir --help lists few commands: $(cat help.txt)"
[ "$(find "$pages" -name '*.1' | wc -l)" = $((${#commands[@]} + 1)) ] || fail "other pages than commands: $(ls "$pages")"

# show PAGE: as plain text in one line, so that no line ends within what is looked for.
show() {
    MANWIDTH=400 MANROFFOPT=-c MAN_KEEP_FORMATTING='' LC_ALL=C.UTF-8 man -E utf-8 --no-hyphenation -l "$1" |
        col -b | tr -s ' \n' ' '
}

for name in weir "${commands[@]/#/weir-}"; do
    page=$pages/$name.1
    warnings=$(LC_ALL=C.UTF-8 man --warnings -E utf-8 -l "$page" 2>&1 >/dev/null)
    [ -z "$warnings" ] || fail "man says of $page: $warnings"
    mandoc -T lint -W warning "$page" || fail "mandoc says this of $page"
    grep -q "\"$name - " <<<"$(lexgrog "$page")" || fail "whatis does not find a name in $page: $(lexgrog "$page")"
    show "$page" >"$name.txt"
    for section in NAME SYNOPSIS DESCRIPTION OPTIONS "EXIT STATUS" EXAMPLES "SEE ALSO"; do
        grep -q " $section " "$name.txt" || fail "$page has no section $section"
    done
    [ "$name" = weir ] || grep -qF "$name(1)" weir.txt || fail "weir(1) does not name $name(1)"
done

# words HELP: the options, the last names of lists, the other names and the examples of a help, one a line.
words() {
    sed -n '/^Options:/,/^$/s/^  \(--[a-z0-9-]*\( [A-Z][A-Za-z.|\/-]*\)\?\)  .*/\1/p' "$1"
    sed -n '/^Options:/,/^$/s/^ .*, \([a-z0-9_]*\)$/\1/p' "$1"
    sed -n '/^Other names of codecs/,/^$/p' "$1" | grep -o '[a-z0-9_]* = ' | sed 's/ = //' || true
    sed -n '/^Example:/,$s/^  //p' "$1"
}
num=0
for command in "${commands[@]}"; do
    "$weir" "$command" --help all >help.txt
    words help.txt >words.txt
    [ "$(grep -c '^--' words.txt)" = "$(grep -c '^  --' help.txt)" ] || fail "options were not read: $(cat words.txt)"
    [ "$(grep -A 1 '^\.TP' "$pages/weir-$command.1" | grep -c '^\\fB\\-\\-')" = "$(grep -c '^--' words.txt)" ] || fail "weir-$command(1) has other options than --help all"
    while read -r text; do
        grep -qF -- " $text" "weir-$command.txt" || fail "weir-$command(1) does not say: $text"
        num=$((num + 1))
    done <words.txt
done
echo "passed: $num words of the help are in the pages"
