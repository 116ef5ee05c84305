# SPDX-License-Identifier: MIT
# sample_bloom without a window: a movie and a picture, every size, wrong usage. WEIR_SEED draws whether a picture is one
# texel or narrow, and its taps. bash bloom_headless.sh SAMPLE FOLDER [--all]
. "$(dirname "${BASH_SOURCE[0]}")/sample_common.sh"
hold sample_bloom ffmpeg ffprobe
sample=$held/sample_bloom
thin=(1x1 3x301) # the first compiles kernels again, and is drawn one time in four
seed=${WEIR_SEED:-$RANDOM}
echo "WEIR_SEED=$seed"
taps=(13 4)
[ "${3:-}" = --all ] || { thin=("${thin[seed % 4 != 0]}") && taps=("${taps[seed / 4 % 2]}"); }

# small SIZE TAPS: a picture, and what was said in size.txt.
small() {
    render size --validation --size "$1" --frames 3 --taps "$2"
    [ "$(field size.png width,height)" = "${1%x*},${1#*x}" ] || fail "a picture of another size than $1"
}

run_sample log.txt --headless --validation --size 192x108 --frames 5 --fps 30 --capture film.mov --picture film.png
expect_movie film.mov 192 108 5
expect_counts log.txt
expect_last film.mov 4 film.png 34

# A pass each on a GPU; on a software device the reason why not.
expect_passes log.txt scene downsample "circle-of-confusion pyramid" "colour pyramid" upsample "luminance pyramid" adapt combine

# A device that compiles kernels during the first frame says how far it is, pass by pass.
MESA_SHADER_CACHE_DISABLE=true run_sample first.txt --headless --no-bloom --no-dof --no-adapt --size 100x60 --frames 2 >/dev/null
if grep -q "no timestamps on a software device" first.txt; then
    sed -n 's/.*the first frame, which may compile shaders: \(.*\), \([0-9]*\) of 2$/\2 \1/p' first.txt >passes.txt
    grep -qx "1 scene" passes.txt && sort -nc passes.txt ||
        fail "no word of the passes of the first frame: $(cat first.txt)"
    [ "$(grep -c "may compile" first.txt)" = "$(wc -l <passes.txt)" ] || fail "$(cat first.txt)"
fi

for size in "${thin[@]}"; do
    for num in "${taps[@]}"; do
        small "$size" "$num"
    done
done
small 321x179 4 # the first pictures have 13
grep -q "no timestamps on a" size.txt || grep -q "bloom pyramid .* us" size.txt || fail "no time of the bloom pyramid"
for switches in --no-bloom --no-dof --no-adapt; do
    run_sample switches.txt --headless --validation --size 192x108 --frames 2 $switches >/dev/null
done

expect_status 2 "focus" "$sample" --headless --focus 0.5
expect_status 2 "focus" "$sample" --headless --focus near
expect_status 2 "focus" "$sample" --headless --focus nan
expect_status 2 "strength" "$sample" --headless --strength 3.5
expect_status 2 "strength" "$sample" --headless --strength ""
expect_status 2 "taps" "$sample" --headless --taps 5
expect_status 2 "light" "$sample" --headless --light 7
expect_status 2 "light-from" "$sample" --headless --light-from -1
expect_status 1 "no/such" "$sample" --headless --frames 1 --size 192x108 --picture no/such/folder/bad.png
expect_status 1 "no/such" "$sample" --headless --frames 1 --size 192x108 --capture no/such/folder/bad.mov
expect_no bad.mov
expect_help
