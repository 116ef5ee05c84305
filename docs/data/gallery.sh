#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The gallery of the samples: bash gallery.sh page | pictures BIN | times BIN
#
# page       prints docs/gallery.md: of each sample its picture, what it shows (samples/NAME/about.md), and the GPU times that
#            docs/figures/gallery has of it.
# pictures   renders the pictures to docs/images/sample_NAME.png.
# times      measures the GPU times anew, where the device has time stamps and is no software device.
set -euo pipefail
cd "$(dirname "$0")/../.."
names=(capture bloom ssr hiz palette mips)
declare -A titles=([capture]="Capture" [bloom]="Bloom, depth of field, exposure" [ssr]="Reflections" [hiz]="Occlusion culling"
    [palette]="Palette" [mips]="Mips")
declare -A picture=(
    [capture]="--size 1280x720 --frames 90 --fps 60 --capture demo.mov"
    [bloom]="--size 1280x720 --frames 36 --fps 1"
    [ssr]="--size 1280x720 --frames 36 --fps 1 --roughness 0.13 --exposure 0.5"
    [hiz]="--size 1279x719 --frames 13 --fps 6 --wrong"
    [palette]="--size 1280x720 --frames 30 --colors 16"
    [mips]="--size 1280x720 --frames 1 --view plane")
# What is measured, a line a run.
declare -A runs=(
    [capture]=""
    [bloom]="--frames 200
--frames 200 --taps 4"
    [ssr]="--frames 200
--frames 200 --linear"
    [hiz]="--frames 400
--frames 400 --no-culling
--frames 400 --size 3840x2160
--frames 400 --size 3840x2160 --no-culling
--frames 200 --boxes 1000000
--frames 200 --boxes 1000000 --no-culling"
    [palette]="--frames 200 --colors 16
--frames 200 --colors 16 --keep"
    [mips]="--frames 200 --view plane
--frames 200 --view difference --level 5")

# table NAME: the times of a file as a table, a column a run.
table() {
    local file=docs/figures/gallery/$1.txt
    [ -f "$file" ] || return 0
    printf '\nGPU times of each pass [µs], medians, 1920x1080 where no size is said; %s:\n\n' "$(sed -n '1s/^# //p' "$file")"
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
    cat <<'TEXT'
# Gallery

What the samples show. `./dev build` makes them all; each runs in a window, and with `--headless --frames N --picture FILE.png` without one; `--help` says the rest. They draw by `VK_KHR_dynamic_rendering`, which every driver of Vulkan 1.3 has, and bind by `VK_KHR_push_descriptor`. `./dev gallery` makes the pictures, on a GPU the times, and this page anew.

Five more, of one file and about a hundred lines each, are made to be read: [samples/minimal](../samples/minimal). `minimal_capture` and `minimal_audio` run in a window too.
TEXT
    local name
    for name in "${names[@]}"; do
        printf '\n## %s\n\n![%s](images/sample_%s.png)\n\n' "${titles[$name]}" "${titles[$name]}" "$name"
        cat "samples/$name/about.md"
        printf '\nThe picture: `sample_%s --headless %s --picture FILE.png`.\n' "$name" "${picture[$name]}"
        table "$name"
    done
}

pictures() {
    local name file bin
    bin=$(realpath "$1")
    mkdir -p build/gallery
    for name in "${names[@]}"; do
        file=$PWD/docs/images/sample_$name.png
        # shellcheck disable=SC2086 # words
        (cd build/gallery && "$bin/sample_$name" --headless ${picture[$name]} --picture "$file" >/dev/null)
        [ "$(stat -c %s "$file")" -lt 400000 ] || pngquant --force --output "$file" 256 "$file"
        echo "docs/images/${file##*/}: $(stat -c %s "$file") bytes"
    done
}

times() {
    local name options size
    mkdir -p docs/figures/gallery build/gallery
    for name in "${names[@]}"; do
        [ -n "${runs[$name]}" ] || continue
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
