#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The gallery of the samples: bash gallery.sh page | pictures BIN | times BIN
#
# page       prints docs/gallery.md with the GPU times that docs/figures/gallery has of each sample.
# pictures   renders the pictures to docs/images/sample_NAME.png, as that page says how.
# times      measures the GPU times anew, where the device has time stamps and is no software device.
set -euo pipefail
cd "$(dirname "$0")/../.."
# What is measured, a line a run.
declare -A runs=(
    [bloom]="--frames 200
--frames 200 --taps 4"
    [ssr]="--frames 200
--frames 200 --linear"
    [hiz]="--frames 400
--frames 400 --no-culling
--frames 200 --boxes 1000000
--frames 200 --boxes 1000000 --no-culling"
    [palette]="--frames 200 --colors 16"
    [mips]="--frames 200 --view plane")

# table NAME: the times of a file as a table, a column a run.
table() {
    local file=docs/figures/gallery/$1.txt
    printf 'GPU times of each pass [µs], medians, 1920x1080 where no size is said; %s:\n\n' "$(sed -n '1s/^# //p' "$file")"
    awk '/^\$/ { run = $0; sub(/^\$ [^ ]* --headless /, "", run); sub(/--size 1920x1080 /, "", run); sub(/--frames [0-9]* ?/, "", run)
                 runs[++num] = run == "" ? "as it is" : "`" run "`"; gsub(/ `$/, "`", runs[num]); next }
         / us over / { pass = $0; sub(/^ */, "", pass); sub(/ +[0-9.]+ us over.*/, "", pass)
                 if (!(pass in seen)) { seen[pass] = 1; order[++passes] = pass }
                 match($0, /[0-9.]+ us/); time[pass, num] = substr($0, RSTART, RLENGTH - 3) }
         END { line = "| |"; rule = "| --- |"
               for (r = 1; r <= num; r++) { line = line " " runs[r] " |"; rule = rule " --- |" }
               print line; print rule
               for (p = 1; p <= passes; p++) { line = "| " order[p] " |"
                   for (r = 1; r <= num; r++) line = line " " time[order[p], r] " |"
                   print line } }' "$file"
}

page() {
    local line skips=
    while IFS= read -r line; do
        [ "$line" != '<!-- /times -->' ] || skips=
        [ -n "$skips" ] || printf '%s\n' "$line"
        [[ $line != '<!-- times: '* ]] || { skips=yes && line=${line#*: } && table "${line% -->}"; }
    done <docs/gallery.md
}

pictures() {
    local command file bin
    bin=$(realpath "$1")
    mkdir -p build/gallery
    sed -n 's/^The picture: `\(.*\) --picture FILE.png`\.$/\1/p' docs/gallery.md | while read -r command; do
        file=$PWD/docs/images/${command%% *}.png
        # shellcheck disable=SC2086 # words
        (cd build/gallery && "$bin"/$command --picture "$file" >/dev/null)
        [ "$(stat -c %s "$file")" -lt 400000 ] || pngquant --force --output "$file" 256 "$file"
        echo "docs/images/${file##*/}: $(stat -c %s "$file") bytes"
    done
}

times() {
    local name options size
    mkdir -p docs/figures/gallery build/gallery
    for name in "${!runs[@]}"; do
        : >build/gallery/times.txt
        while IFS= read -r options; do
            size="--size 1920x1080 "
            [[ $options != *--size* ]] || size=
            echo "\$ sample_$name --headless $size$options" >>build/gallery/times.txt
            # shellcheck disable=SC2086 # words
            "$1/sample_$name" --headless $size $options >build/gallery/run.txt
            grep -E ' us over | boxes: ' build/gallery/run.txt >>build/gallery/times.txt || {
                echo "$name: no GPU times on this device; those that are there stay"
                continue 2
            }
        done <<<"${runs[$name]}"
        {
            sed -n 's/^GPU time of each pass on \(.*\), median:/# \1/p' build/gallery/run.txt | sed "s/\$/, $(date +%F)/"
            cat build/gallery/times.txt
        } >"docs/figures/gallery/$name.txt"
    done
}

case ${1:-} in
page) page ;;
pictures) pictures "$2" ;;
times) times "$2" ;;
*) sed -n 's/^# //p' "$0" | tail -n +2 >&2 && exit 2 ;;
esac
