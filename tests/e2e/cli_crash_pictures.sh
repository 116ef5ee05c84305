#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# A picture that crashes FFmpeg's libraries, under weir texture, palette and mips: it is told with its name, the others are
# made, and nothing is left of it.
source "$(dirname "$0")/texture_common.sh"
source "$(dirname "$0")/cli_common.sh"
source "$(dirname "$0")/crash.sh"
hold weir

mkdir pictures good
for name in a b c d; do
    make pictures/$name.png "testsrc2=s=64x48:r=1:d=1,hue=h=$((36#$name * 40))" -frames:v 1
done
cp pictures/[acd].png good/
"$weir" texture good textures "${soonest[@]}" >/dev/null
"$weir" palette good few >/dev/null
"$weir" palette good shared --share --colors 16 --export shared.gpl >/dev/null

# expect_left_out OUTPUT WANTED: the last run made all pictures but b, as they are in the folder WANTED, and nothing else.
expect_left_out() {
    local file
    grep -q "pictures/b.png was left out" stderr.txt || fail "$(cat stderr.txt)"
    grep -q "$1: 3 of 4 pictures" stdout.txt || fail "the summary is $(cat stdout.txt)"
    [ "$(ls -A "$1" | xargs)" = "$(ls -A "$2" | xargs)" ] || fail "$1 has $(ls -A "$1" | xargs)"
    for file in "$2"/*; do
        cmp "$file" "$1/${file##*/}" || fail "$1/${file##*/} is another file after a crash"
    done
}

expect_status 1 "the process that read pictures/b.png was killed, by the system" \
    crashing KILL 1 b.png "$weir" texture pictures crashed "${soonest[@]}"
expect_left_out crashed textures
expect_status 1 "the process that read pictures/b.png crashed" crashing ABRT 1 b.png "$weir" palette pictures crashed_few
expect_left_out crashed_few few

# One palette for all: as if the picture had not been there, whichever of the three readings of it crashes.
for packet in 1 2 3; do
    rm -rf crashed_shared crashed.gpl
    expect_status 1 "the process that read pictures/b.png crashed" crashing SEGV $packet b.png \
        "$weir" palette pictures crashed_shared --share --colors 16 --export crashed.gpl
    expect_left_out crashed_shared shared
    cmp <(tail -n +3 shared.gpl) <(tail -n +3 crashed.gpl) || fail "another palette after a crash at reading $packet"
done

# Several, the last among them, and all.
expect_status 1 "pictures/d.png was left out" crashing SEGV 1 d.png "$weir" texture pictures no_last "${soonest[@]}"
[ "$(ls -A no_last | xargs)" = "a.ktx2 b.ktx2 c.ktx2" ] || fail "a crash at the last picture left $(ls -A no_last)"
expect_status 1 "pictures/d.png was left out" crashing SEGV 1 pictures/ "$weir" texture pictures none "${soonest[@]}"
grep -q "none: 0 of 4 pictures" stdout.txt || fail "$(cat stdout.txt)"
[ "$(grep -c "crashed" stderr.txt)" = 4 ] || fail "$(cat stderr.txt)"
expect_status 1 "pictures/d.png was left out" crashing SEGV 1 pictures/ "$weir" palette pictures none --share
expect_no none

# One picture. What was there before stays.
printf before >older.ktx2
cp older.ktx2 older.png
expect_status 1 "the process that read pictures/b.png crashed (Aborted): the file may be damaged" \
    crashing ABRT 1 b.png "$weir" texture pictures/b.png older.ktx2 "${soonest[@]}"
expect_status 1 "pictures/b.png crashed" crashing ABRT 1 b.png "$weir" palette pictures/b.png older.png --export no.gpl
expect_no no.gpl
expect_status 1 "pictures/b.png crashed" crashing ABRT 1 b.png "$weir" mips pictures/b.png none --method per_level
expect_no none
[ "$(cat older.ktx2 older.png)" = beforebefore ] || fail "a crash took what was there"

# In the middle of the message with the picture, or of the picture behind it.
for message in 1 2; do
    export WEIR_CRASH_MESSAGE=$message
    for words in "texture pictures/b.png none/b.ktx2 ${soonest[*]}" "palette pictures/b.png none.png" \
        "mips pictures/b.png none --method per_level"; do
        # shellcheck disable=SC2086
        expect_status 1 "the process that read pictures/b.png crashed" crashing ABRT 0 none "$weir" $words
    done
    expect_status 1 "pictures/d.png was left out" crashing ABRT 0 none "$weir" texture pictures none "${soonest[@]}"
    grep -q "none: 0 of 4 pictures" stdout.txt || fail "$(cat stdout.txt)"
done
unset WEIR_CRASH_MESSAGE
expect_no none none.png
echo passed
