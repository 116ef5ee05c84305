# SPDX-License-Identifier: MIT
# sample_ssr without a window: lamps are mirrored where they must be, at an odd size too; marching by the pyramid and texel
# by texel find the same; roughness blurs; nothing mirrors itself; a movie, and wrong usage.
# WEIR_SEED draws how thin a picture is. bash sample_ssr.sh SAMPLE FOLDER
. "$(dirname "${BASH_SOURCE[0]}")/sample_common.sh"
hold sample_ssr ffmpeg ffprobe
sample=$held/sample_ssr
seed=${WEIR_SEED:-$RANDOM}
echo "WEIR_SEED=$seed"

# at NAME SIZE ARGUMENTS...: NAME.png, at the beginning of the scene.
at() {
    render "$1" --size "$2" "${@:3}"
    [ "$(field "$1.png" width,height)" = "${2/x/,}" ] || fail "$1.png has another size than $2"
}

# texels PICTURE [FILTER WIDTH]: red, green and blue of each texel, a line a row.
texels() {
    local width=${3:-$(field "$1" width)}
    ffmpeg -nostdin -v error -i "$1" -vf "${2:-null},format=rgb24" -f rawvideo - | od -An -v -t u1 -w$((3 * width))
}

# mirrored WIDTH HEIGHT: of the lamps that on.png shows, and whose mirror image is well within it and on the floor, which
# alone has colours in steps.png, their number; and how many on.png mirrors and off.png does not. Places are computed by the
# scene's own rules (samples/scene/scene.c), at its beginning.
mirrored() {
    for name in on off steps; do
        ffmpeg -nostdin -v error -y -i $name.png -f rawvideo -pix_fmt rgb24 $name.raw
    done
    python3 - "$1" "$2" <<'PROGRAM'
import math, sys
width, height = int(sys.argv[1]), int(sys.argv[2])
pictures = {name: open(name + ".raw", "rb").read() for name in ("on", "off", "steps")}

def texel(name, x, y):
    at = 3 * (y * width + x)
    return pictures[name][at:at + 3]

def dot(a, b):
    return sum(p * q for p, q in zip(a, b))

aspect = width / height
tan_y = 0.31 / (aspect / 1.5 if aspect < 1.5 else 1)
tan_x = tan_y * aspect
eye = (8.6 * math.sin(0.55), 2.45, 8.6 * math.cos(0.55))
forward = (-eye[0], 1.30 - eye[1], -eye[2])
forward = [c / math.hypot(*forward) for c in forward]
flat = math.hypot(forward[0], forward[2])
right = (-forward[2] / flat, 0, forward[0] / flat)
up = (-right[2] * forward[1], right[2] * forward[0] - right[0] * forward[2], right[0] * forward[1])

def place(point): # in the picture, and how far away
    point = [p - e for p, e in zip(point, eye)]
    away = dot(point, forward)
    return width * (0.5 + 0.5 * dot(point, right) / away / tan_x), height * (0.5 - 0.5 * dot(point, up) / away / tan_y), away

def is_shown(x, y, u, v): # the lamp is seen where it is, and nothing hides the floor around its mirror image
    return sum(texel("on", x, y)) >= 550 and all(
        sum(texel("steps", u + i, v + j)) >= sum(texel("off", u + i, v + j)) + 100
        for i in range(-2, 3) for j in range(-2, 3))

def has(u, v, own): # the colour of a lamp is there, and without reflections it is not
    on, off = texel("on", u, v), texel("off", u, v)
    return on[own] > on[2 - own] + 8 and on[own] > off[own] + 60

candidates = found = 0
for i in range(56):
    radius = 4.4 + 0.20 * i if i < 10 else 10.5 + 0.42 * (i - 10)
    high = 0.35 + 2.4 * abs(math.sin(1.7 * i)) + 0.12 * math.sin(i)
    size = 0.035 + 0.035 * abs(math.sin(5.1 * i)) + 0.0022 * radius
    x, z = radius * math.sin(2.39996323 * i), radius * math.cos(2.39996323 * i)
    if place((x, high, z))[2] < 1:
        continue
    (lamp_x, lamp_y, _), (u, v, away) = place((x, high, z)), place((x, -high, z))
    if (size / away / tan_y * height / 2 < 1.5 or not 0 <= lamp_x < width or not 0.1 * height <= lamp_y < height or
            not 0.12 * width <= u <= 0.88 * width or v > 0.97 * height or
            not is_shown(int(lamp_x), int(lamp_y), int(u), int(v))):
        continue
    candidates += 1
    found += any(has(int(u) + k % 3 - 1, int(v) + k // 3 - 1, 2 if i % 5 == 3 else 0) for k in range(9))
print(candidates, found)
PROGRAM
}

sizes=481x271
[ -z "$samples_all" ] || sizes="480x270 481x271"
for size in $sizes; do
    width=${size%x*} height=${size#*x}
    at on $size --roughness 0
    at off $size --roughness 0 --no-reflections --validation
    at steps $size --steps --validation
    read -r candidates found <<<"$(mirrored "$width" "$height")"
    compare "lamps at $size whose mirror image must be seen" "$candidates" ">=" 4
    compare "of these, those that are where they must be" "$found" "==" "$candidates"
done

# Marching texel by texel finds the same but for single texels at edges, and takes more steps: their colours are red where there are many, green where few.
at linear 481x271 --roughness 0 --linear --validation
expect_psnr linear.png on.png 50
at many 481x271 --steps --linear
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
    at rough 481x271 --roughness $roughness
    now=$(detail rough.png)
    compare "detail at roughness $roughness" "$now" "<" "$(awk "BEGIN { print 0.8 * $last }")"
    last=$now
done

# A movie, thin pictures, and wrong usage.
run_sample film.txt --headless --validation --size 193x107 --frames 5 --fps 30 --capture film.mov --picture film.png >/dev/null
expect_movie film.mov 193 107 5
expect_counts film.txt
expect_last film.mov 4 film.png 34
expect_passes film.txt scene "depth pyramid" "colour pyramid" trace resolve combine
thin=(1x97 3x97) # the first compiles kernels again
at thin "${thin[seed % 2]}" --validation
[ -z "$samples_all" ] || at full 1280x720 --validation
expect_status 2 "roughness" "$sample" --headless --roughness 1.5
expect_status 2 "roughness" "$sample" --headless --roughness nan
expect_status 2 "exposure" "$sample" --headless --exposure 7
expect_help
