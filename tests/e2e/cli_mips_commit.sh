#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The files of weir mips take their names whole, when all of them are there; and none of them is its input.
source "$(dirname "$0")/cli_common.sh"
hold weir

failing() { faulty WEIR_FAILING_RENAME="$1" "${@:2}"; }
few=(--method per_level) # whose kernels are the smallest
mips() { "$weir" mips shot.png levels "${few[@]}" --json levels/report.json "$@"; }

make small.png testsrc2=s=16x12:r=1:d=1 -frames:v 1
make large.png testsrc=s=66x48:r=1:d=1 -frames:v 1
cp small.png shot.png
mips >stdout.txt
chmod 640 levels/shot_level01.png
ln levels/shot_level02.png linked.png
echo note >levels/note.txt
cp -a levels older
cp -a levels/shot_level02.png linked.older

# A larger picture: more levels than there were. Every rename fails once, until there are no more: each file is the older one
# or the newer, and nothing is said to be written.
cp large.png shot.png
"$weir" mips shot.png newer "${few[@]}" --json newer/report.json >stdout.txt
for ((n = 1; ; n++)); do
    [ $n -lt 100 ] || fail "the runs never come to their end"
    rm -rf levels
    cp -a older levels
    status=0
    failing $n "$weir" mips shot.png levels "${few[@]}" --json levels/report.json >stdout.txt 2>stderr.txt || status=$?
    [ $status != 0 ] || break
    [ $status = 1 ] || fail "rename $n: status $status: $(cat stderr.txt)"
    grep -q "error: .*Input/output error" stderr.txt || fail "rename $n: $(cat stderr.txt)"
    [ ! -s stdout.txt ] || fail "rename $n: said to be written: $(cat stdout.txt)"
    for file in levels/*.png; do
        cmp -s $file older/${file#*/} || cmp -s $file newer/${file#*/} || fail "rename $n: half of $file is written"
    done
    expect_no levels/.weir-*
done
printf '%s renames failed, one at a time\n' $((n - 1))
[ $n -gt 9 ] || fail "only $((n - 1)) renames failed"
diff <(cd levels && sha256sum *.png) <(cd newer && sha256sum *.png) || fail "levels holds others"
[ "$(stat -c %a levels/shot_level01.png)" = 640 ] || fail "the mode was not kept"
cmp -s linked.png linked.older || fail "a file that had a second name was overwritten"

# A folder that was made is left as it was found where nothing is in it.
expect_status 1 "Input/output error" failing 1 "$weir" mips shot.png new "${few[@]}" --json new/report.json
expect_no new

# What is no file is in the way of one.
mkdir blocked blocked/shot_level03.png
expect_status 1 "shot_level03.png: File exists; it is not a file" "$weir" mips shot.png blocked "${few[@]}"
[ "$(find blocked -mindepth 1)" = blocked/shot_level03.png ] || fail "blocked holds $(find blocked)"

# What a program that was killed has left is removed by the next one; two at a time are refused.
echo half >levels/.weir-shot_level00.png
mips >stdout.txt
expect_no levels/.weir-shot_level00.png
exec {lock}>levels/.weir-mips
flock $lock
expect_status 1 "levels/.weir-mips': another program is writing it; wait" mips
exec {lock}>&-
rm levels/.weir-mips
mips >stdout.txt
[ "$(ls -A levels | grep -c weir)" = 0 ] || fail "levels holds $(ls -A levels)"

# A pipe as the report is written as it is.
"$weir" mips shot.png levels "${few[@]}" --json >(cat >piped.json) >stdout.txt
wait $!
expect_json piped.json
"$weir" mips shot.png levels "${few[@]}" --json /dev/null >stdout.txt
[ -c /dev/null ] || fail "/dev/null is gone"

# An input among its own levels stays as it is. Nothing that leads to the input is written, nor one file twice, and nothing
# at all then.
mkdir own
cp small.png own/good.png
refused() {
    expect_status 1 "$1" "$weir" mips own/good.png own "${few[@]}" "${@:2}"
    cmp -s own/good.png small.png || fail "the input was changed"
    [ -z "$(find own -name '*level00*' -o -name '*levels*' -o -name '.*')" ] || fail "own holds $(ls -A own)"
}
for link in "ln -s" "ln"; do
    (cd own && $link good.png good_level01.png && $link good.png report.json)
    refused "own/good_level01.png is the input itself (own/good.png)"
    rm own/good_level01.png
    refused "own/report.json is the input itself" --json own/report.json
    rm own/report.json
done
refused "own/good.png is the input itself; " --json own/good.png
for name in own/good_level03.png own/../own/good_levels.png; do
    refused "is the output itself" --json $name
    [ ! -e $name ] || fail "$name was made"
done
"$weir" mips own/good.png own "${few[@]}" --json own/report.json >stdout.txt
cmp -s own/good.png small.png || fail "the input was changed"
expect_json own/report.json

expect_clean
echo passed
