#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# cli_warm.sh WEIR FOLDER KEEPING: compiled kernels stay in the user's cache folder, and whatever lies there harms nothing.
# KEEPING is keeping_driver.c.
source "$(dirname "$0")/cli_common.sh"
export WEIR_GIVEN=$folder/given.txt XDG_CACHE_HOME=$folder/cache
preloading=("LD_PRELOAD=$3")
keeping() { env "${preloading[@]}" "$@"; }
make in.png testsrc2=s=20x12:r=1:d=1 -frames:v 1

texture() { expect_status 0 out.ktx2 keeping "$weir" texture in.png out.ktx2 --codec bc4 --effort fast; }
# expect_given SIZE WHY: so many bytes reached the driver.
expect_given() { [ "$(cat given.txt)" = "$1" ] || fail "$2: the driver was given $(cat given.txt) bytes, and not $1"; }

part warm
cd "$folder"
expect_status 2 'no codec has that name' "$weir" info --warm nonsense
[ ! -e cache ] || fail "a command that was refused makes a folder"
expect_status 0 "$XDG_CACHE_HOME/weir/kernels-.*MB, .* s" keeping "$weir" info --warm bc4
file=$(echo cache/weir/*)
expect_given 0 'without a file'
[ "$(stat -c %a cache/weir "$file" | xargs)" = "700 600" ] || fail "others may read: $(ls -la cache/weir)"

# Every kernel is asked for, each for a source that it takes.
expect_status 0 "MB, .* s" keeping WEIR_COMPILES_NOTHING=1 XDG_CACHE_HOME="$PWD/all" "$weir" info --warm
[ ! -s stderr.txt ] && [ "$(stat -c %s all/weir/*)" -gt 90000 ] || fail "of all kernels: $(cat stderr.txt) $(ls -l all/weir)"

part use
cd "$folder"
# A head of Weir's own stands before what the driver gets.
expect_given_all() {
    local size=$1
    texture
    [ "$(cat given.txt)" -gt $((size - 100)) ] && [ "$(cat given.txt)" -lt "$size" ] ||
        fail "of a file of $size bytes the driver gets $(cat given.txt)"
}
size=$(stat -c %s "$file")
[ "$size" -gt 4000 ] || fail "four efforts are in $size bytes"
expect_given_all "$size"

part damage
cd "$folder"
cp "$file" good
# change COMMAND...: it changes the file, which is not taken then, is replaced, and taken again.
change() {
    cp good "$file"
    "$@"
    texture
    [ ! -s stderr.txt ] || fail "$*: of what heals itself it says: $(cat stderr.txt)"
    expect_given 0 "$*"
    [ -f "$file" ] && [ ! -L "$file" ] && [ "$(stat -c %a "$file")" = 600 ] || fail "$*: $(ls -l "$file")"
    expect_given_all "$(stat -c %s "$file")"
}
for at in 0 8 17 30 41 100 $(($(stat -c %s good) - 1)); do
    change zero "$file" "$at" 1 <(printf '\377')
done
for length in 1 40 72 $(($(stat -c %s good) - 1)); do
    change truncate -s "$length" "$file"
done
change truncate -s 0 "$file"
change truncate -s 1G "$file"
change chmod 660 "$file"
change rm "$file"
link() { cp good elsewhere && ln -sf "$folder/elsewhere" "$file"; }
change link
cmp good elsewhere || fail "a link was followed"

part nowhere
cd "$folder"
for name in "$file" cache cache/weir; do
    rm -rf cache && mkdir -p "$(dirname "$name")"
    [ "$name" != "$file" ] && touch "$name" || mkdir "$name" # something else has the name
    texture
    expect_given 0 "$name is in the way"
done
rm -rf cache
for place in "XDG_CACHE_HOME= HOME=" "XDG_CACHE_HOME=relative HOME=relative" "XDG_CACHE_HOME=$(printf '/%.0s' {1..4090})"; do
    expect_status 0 out.ktx2 keeping env $place "$weir" texture in.png out.ktx2 --codec bc4 --effort fast
    [ ! -e relative/weir ] || fail "a folder that is not absolute"
done
expect_status 1 'no kernels are kept' keeping env XDG_CACHE_HOME= HOME= "$weir" info --warm bc4
expect_status 0 out.ktx2 keeping env XDG_CACHE_HOME= HOME="$folder" "$weir" texture in.png out.ktx2 --codec bc4
[ -f .cache/weir/"$(basename "$file")" ] || fail "without XDG_CACHE_HOME it is not in .cache"

part several
cd "$folder"
for i in 1 2 3 4; do
    keeping "$weir" texture in.png "out$i.ktx2" --codec bc4 --effort fast 2>"err$i" &
done
wait
cat err? >errors
[ ! -s errors ] || fail "of several at a time: $(cat errors)"
expect_given_all "$(stat -c %s "$file")"
expect_clean
