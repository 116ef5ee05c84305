# SPDX-License-Identifier: MIT
# sample_ssr without a window: lamps are mirrored where they must be, at an odd size too; marching by the pyramid and texel
# by texel find the same; roughness blurs; nothing mirrors itself; a movie, and wrong usage.
# WEIR_SEED draws how thin a picture is. bash sample_ssr.sh SAMPLE FOLDER
. "$(dirname "${BASH_SOURCE[0]}")/sample_common.sh"
hold sample_ssr ffmpeg ffprobe
sample=$held/sample_ssr
seed=${WEIR_SEED:-$RANDOM}
echo "WEIR_SEED=$seed"

# render NAME SIZE ARGUMENTS...: NAME.png, at the beginning of the scene.
render() {
    local name=$1 size=$2
    shift 2
    run_sample "$name.txt" --headless --size "$size" --frames 1 --picture "$name.png" "$@" >/dev/null
    [ "$(field "$name.png" width,height)" = "${size%x*},${size#*x}" ] || fail "$name.png has another size than $size"
}

# compare NAME VALUE OPERATOR BOUND
compare() {
    awk -v a="$2" -v b="$4" "BEGIN { exit !(a $3 b) }" || fail "$1 is $2 and should be $3 $4"
    printf '%s: %s (%s %s)\n' "$1" "$2" "$3" "$4"
}

# texels PICTURE [FILTER WIDTH]: red, green and blue of each texel, a line a row.
texels() {
    local width=${3:-$(field "$1" width)}
    ffmpeg -nostdin -v error -i "$1" -vf "${2:-null},format=rgb24" -f rawvideo - | od -An -v -t u1 -w$((3 * width))
}

# lamps WIDTH HEIGHT: name of the colour, place of each lamp in the picture, of its mirror image, and its radius there,
# by the scene's own rules (samples/common/scene.c), at its beginning.
lamps() {
    awk -v width="$1" -v height="$2" '
        function abs(x) { return x < 0 ? -x : x }
        function place(x, y, z) { # sets px, py and away
            x -= ex; y -= ey; z -= ez
            away = x * fx + y * fy + z * fz
            px = width * (0.5 + 0.5 * (x * rx + z * rz) / away / tan_x)
            py = height * (0.5 - 0.5 * (x * ux + y * uy + z * uz) / away / tan_y)
        }
        BEGIN {
            aspect = width / height
            tan_y = 0.31 / (aspect < 1.5 ? aspect / 1.5 : 1); tan_x = tan_y * aspect
            azimuth = 0.55
            ex = 8.6 * sin(azimuth); ey = 2.45; ez = 8.6 * cos(azimuth)
            fx = -ex; fy = 1.30 - ey; fz = -ez
            s = sqrt(fx * fx + fy * fy + fz * fz); fx /= s; fy /= s; fz /= s
            s = sqrt(fx * fx + fz * fz); rx = -fz / s; rz = fx / s
            ux = -rz * fy; uy = rz * fx - rx * fz; uz = rx * fy
            for (i = 0; i < 56; ++i) {
                radius = i < 10 ? 4.4 + 0.20 * i : 10.5 + 0.42 * (i - 10)
                up = 0.35 + 2.4 * abs(sin(1.7 * i)) + 0.12 * sin(i)
                size = 0.035 + 0.035 * abs(sin(5.1 * i)) + 0.0022 * radius
                x = radius * sin(2.39996323 * i); z = radius * cos(2.39996323 * i)
                place(x, up, z)
                if (away < 1) continue
                lamp_x = px; lamp_y = py
                place(x, -up, z)
                print i % 5 == 3 ? "blue" : "red", lamp_x, lamp_y, px, py, size / away / tan_y * height / 2
            }
        }'
}

# mirrored WIDTH HEIGHT: of the lamps that the picture shows, and whose mirror image is well within it and on the floor,
# which alone has colours in the picture of the steps, their number; and how many on.png mirrors and off.png does not.
mirrored() {
    lamps "$1" "$2" >lamps.txt
    for name in on off steps; do
        texels $name.png >$name.texels
    done
    awk '
        FILENAME == "lamps.txt" { lamp[++num] = $0; next }
        FNR == 1 { name = FILENAME; sub(/[.].*/, "", name) }
        { height = FNR; width = NF / 3; for (i = 1; i <= NF; ++i) code[name, FNR - 1, i - 1] = $i }
        function sum(name, x, y) { return code[name, y, 3 * x] + code[name, y, 3 * x + 1] + code[name, y, 3 * x + 2] }
        # The lamp is seen where it is, and nothing hides the floor around its mirror image.
        function counts(x, y, at_x, at_y,   u, v) {
            if (sum("on", x, y) < 550) return 0
            for (v = -2; v <= 2; ++v)
                for (u = -2; u <= 2; ++u)
                    if (sum("steps", at_x + u, at_y + v) < sum("off", at_x + u, at_y + v) + 100) return 0
            return 1
        }
        # The colour of a lamp is there or in a texel beside it, and without reflections it is not.
        function has(x, y, blue,   own, other) {
            own = 3 * x + (blue ? 2 : 0); other = 3 * x + (blue ? 0 : 2)
            return code["on", y, own] > code["on", y, other] + 8 && code["on", y, own] > code["off", y, own] + 60
        }
        END {
            for (i = 1; i <= num; ++i) {
                split(lamp[i], l, " ")
                if (l[6] < 1.5 || l[2] < 0 || l[2] >= width || l[3] < 0.1 * height || l[3] >= height) continue
                if (l[4] < 0.12 * width || l[4] > 0.88 * width || l[5] > 0.97 * height) continue
                if (!counts(int(l[2]), int(l[3]), int(l[4]), int(l[5]))) continue
                ++candidates
                is_there = 0
                for (k = 0; k < 9; ++k)
                    is_there = is_there || has(int(l[4]) + k % 3 - 1, int(l[5]) + int(k / 3) - 1, l[1] == "blue")
                found += is_there
            }
            print candidates + 0, found + 0
        }' lamps.txt on.texels off.texels steps.texels
}

sizes=481x271
[ -z "$samples_all" ] || sizes="480x270 481x271"
for size in $sizes; do
    width=${size%x*} height=${size#*x}
    render on $size --roughness 0
    render off $size --roughness 0 --no-reflections --validation
    render steps $size --steps --validation
    read -r candidates found <<<"$(mirrored "$width" "$height")"
    compare "lamps at $size whose mirror image must be seen" "$candidates" ">=" 4
    compare "of these, those that are where they must be" "$found" "==" "$candidates"
done

# Marching texel by texel finds the same but for single texels at edges, and takes more steps: their colours are red where there are many, green where few.
render linear 481x271 --roughness 0 --linear --validation
expect_psnr linear.png on.png 50
render many 481x271 --steps --linear
# red PICTURE: the mean of red, less that of green, of its lower half.
red() {
    texels "$1" "crop=iw:ih/2:0:ih/2,scale=1:1:flags=area" 1 | awk '{ print $1 - $2 }'
}
compare "red less green in the steps texel by texel" "$(red many.png)" ">" "$(($(red steps.png) + 30))"

# Where rays leave the picture the floor mirrors the sky, as it does without reflections, and never itself: at the lower
# corners nothing stands.
paste -d ' ' <(texels on.png crop=48:27:0:244 48) <(texels off.png crop=48:27:0:244 48) | awk '
    { for (i = 1; i <= 144; ++i) { d = $i - $(i + 144); num += d > 1 || d < -1 } }
    END { print num + 0 }' >corner.txt
compare "codes of the empty corner that reflections change" "$(cat corner.txt)" "<" 40

# A rougher floor has less detail where it mirrors the display.
# detail PICTURE: the mean square of the steps from texel to texel.
detail() {
    ffmpeg -nostdin -v error -i "$1" -vf "crop=90:45:307:184,format=gray" -f rawvideo - | od -An -v -t u1 -w90 | awk '
        { for (i = 2; i <= NF; ++i) { d = $i - $(i - 1); sum += d * d; ++num } }
        END { printf "%.3f", sum / num }'
}
last=$(detail on.png)
for roughness in 0.1 0.2 0.5; do
    render rough 481x271 --roughness $roughness
    now=$(detail rough.png)
    compare "detail at roughness $roughness" "$now" "<" "$(awk "BEGIN { print 0.8 * $last }")"
    last=$now
done

# A movie, thin pictures, and wrong usage.
run_sample film.txt --headless --validation --size 193x107 --frames 5 --fps 30 --capture film.mov --picture film.png >/dev/null
expect_movie film.mov 193 107 5
expect_counts film.txt
ffmpeg -nostdin -v error -y -i film.mov -vf "select=eq(n\,4)" -vsync passthrough -c:v ffv1 last.mkv
expect_psnr last.mkv film.png 34
grep -q "GPU time of each pass" film.txt || fail "no word of the passes' times"
if ! grep -q "no timestamps on a" film.txt; then
    for pass in scene "depth pyramid" "colour pyramid" trace resolve combine; do
        grep -q "$pass .* us" film.txt || fail "no time of the pass $pass"
    done
fi
thin=(1x97 3x97) # the first compiles kernels again
render thin "${thin[seed % 2]}" --validation
[ -z "$samples_all" ] || render full 1280x720 --validation
expect_status 2 "roughness" "$sample" --headless --roughness 1.5
expect_status 2 "roughness" "$sample" --headless --roughness nan
expect_status 2 "exposure" "$sample" --headless --exposure 7
expect_status 2 "missing" "$sample" --headless --roughness
expect_status 2 "unknown option" "$sample" --headless --output film.mov
expect_status 1 "no/such" "$sample" --headless --frames 1 --size 192x108 --picture no/such/folder/bad.png
[[ $("$sample" --help) == *Example* ]] || fail "--help has no example"
