#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# weir palette: pictures, folders and movies, judged by what FFmpeg decodes of them and by what a mean shift must do;
# palettes; and bad input: a message, the exit status, nothing left behind.
source "$(dirname "$0")/cli_common.sh"

# palette INPUT OUTPUT OPTIONS...: without one message. Every fourth time the validation layer listens.
num_calls=0
palette() {
    local validation=()
    ((num_calls++ % 4)) || validation=(--validation)
    "$weir" palette "$@" "${validation[@]}" >stdout.txt 2>stderr.txt || fail "weir palette $*: $(cat stderr.txt)"
    [ ! -s stderr.txt ] || fail "weir palette $* says $(cat stderr.txt)"
}

# pixels FILE [FILTER]: RGBA, as FFmpeg decodes it. FILTER gets RGBA: FFmpeg scales indices of a palette inexactly.
pixels() { ffmpeg -nostdin -v error -i "$1" -vf "format=rgba,${2:-null}" -f rawvideo -pix_fmt rgba -; }

# same FILE FILE [FILTER]: the same pixels; FILTER is applied to the second.
same() { cmp -s <(pixels "$1") <(pixels "$2" "${3:-null}") || fail "$1 and $2 differ (${3:-as they are})"; }

# colors FILE...: those that can be seen in any of the pictures, as in a .hex file, the most used first.
colors() {
    local file
    for file in "$@"; do pixels "$file"; done | od -An -v -t x1 -w4 |
        awk '$4 != "00" { n[$1 $2 $3]++ } END { for (c in n) print n[c], c }' | LC_ALL=C sort -k 1,1nr -k 2 | cut -d ' ' -f 2
}

# raw FILE WIDTHxHEIGHT FORMAT VALUES...: a PNG file of these bytes.
raw() {
    local file=$1 size=$2 format=$3
    shift 3
    # shellcheck disable=SC2059
    printf "$(printf '\\x%02x' "$@")" | ffmpeg -v error -y -f rawvideo -s "$size" -pix_fmt "$format" -i pipe: "$file" ||
        fail "ffmpeg did not make $file"
}

# expect_values FILE VALUES...: four a pixel.
expect_values() {
    local file=$1 got
    shift
    got=$(pixels "$file" | od -An -v -t u1 | xargs)
    [ "$got" = "$*" ] || fail "$file holds $got and should hold $*"
}

# expect_greys FILE CODES...: one a pixel. FFmpeg's own way from a palette to grey rounds.
expect_greys() {
    local file=$1 code values=()
    shift
    for code in "$@"; do values+=("$code" "$code" "$code" 255); done
    expect_values "$file" "${values[@]}"
}

# expect_kind FILE PIXEL_FORMAT
expect_kind() {
    local got
    got=$(field "$1" codec_name,pix_fmt)
    [ "$got" = "png,$2" ] || fail "$1 is $got and should be png,$2"
}

# told FILE: how many colours the line on it says that there are in and out.
told() { sed -n "s/^$1:.* \([0-9][0-9]*\) colours\? -> \([0-9]*\) at radius .*/\1 \2/p" stdout.txt; }

# expect_told FILE SOURCE: the numbers of the line are those of the pictures.
expect_told() {
    local wanted
    wanted="$(colors "$2" | wc -l) $(colors "$1" | wc -l)"
    [ "$(told "$1")" = "$wanted" ] || fail "$1: \"$(cat stdout.txt)\", and there are $wanted"
}

make picture.png testsrc2=s=48x32:r=1:d=1,format=gbrp,gblur=sigma=1 -frames:v 1 -pix_fmt rgb24
make flat.png "smptebars=s=64x48:r=1:d=1,format=gbrp" -frames:v 1 -pix_fmt rgb24
make other.png mandelbrot=s=80x60:r=1,format=gbrp -frames:v 1 -pix_fmt rgb24
ffmpeg -nostdin -v error -y -i picture.png -pix_fmt rgba \
    -vf "format=rgba,geq=r='r(X,Y)':g='g(X,Y)':b='b(X,Y)':a='if(lt(X,16),0,if(lt(X,32),128,255))'" alpha.png

# The line, and the number of colours before and after.
palette picture.png few.png
grep -q "^few.png: [0-9]* colours -> [0-9]* at radius 0.02, [0-9]* steps\?, [0-9]* evaluations, .*on " stdout.txt ||
    fail "$(cat stdout.txt)"
expect_told few.png picture.png
read -r before after < <(told few.png)
[ "$after" -lt "$before" ] && [ "$after" -gt 1 ] || fail "$before colours become $after"
expect_psnr few.png picture.png 20
cp few.png default.png

# What the function is: what is given again stays the same, every time and anyhow it is said.
palette picture.png few.png --radius 0.02 --weight equal --light raw
cmp few.png default.png || fail "the defaults are others than the help says"
palette picture.png few.png --radius=2e-2
cmp few.png default.png || fail "2e-2 is not 0.02"

# Radius 0 keeps everything, the largest keeps one colour.
for file in picture.png alpha.png flat.png; do
    palette $file kept.png --radius 0
    same kept.png $file
    expect_told kept.png $file
    palette $file one.png --radius 1.7320508
    [ "$(told one.png | cut -d ' ' -f 2)" = 1 ] || fail "the largest radius leaves $(told one.png)"
    expect_told one.png $file
done

# Two greys that are neighbours meet in the middle of their cube roots: 102.0 of 100 and 104, and 101.0 of three and one.
raw greys.png 4x1 gray 100 100 104 100
palette greys.png met.png
expect_greys met.png 102 102 102 102
palette greys.png met.png --weight frequency
expect_greys met.png 101 101 101 101
palette greys.png met.png --radius 0.009
expect_greys met.png 100 100 104 100
# A radius is told with the digits that it takes.
palette greys.png met.png --radius 0.112067424
grep -q " at radius 0.112067424, " stdout.txt || fail "$(cat stdout.txt)"
# In the dark the cube roots of 10 and 12 are 0.0213 apart, those of their light 0.0096, which meet in 11.0.
raw dark.png 2x1 gray 10 12
palette dark.png met.png
expect_greys met.png 10 12
palette dark.png met.png --light srgb
expect_greys met.png 11 11

# Every colour once: weights say nothing. Turned or repeated pixels: the same colours.
make once.png "nullsrc=s=32x32:r=1:d=1,format=gbrp,geq=r='8*X':g='8*Y':b='4*X+3*Y'" -frames:v 1 -pix_fmt rgb24
palette once.png by_palette.png --radius 0.05
palette once.png by_frequency.png --radius 0.05 --weight frequency
cmp by_palette.png by_frequency.png || fail "weights of 1 are not all the same"
for weight in equal frequency; do
    palette picture.png straight.png --weight $weight
    for filter in hflip transpose scale=iw*2:ih*2:flags=neighbor; do
        ffmpeg -nostdin -v error -y -i picture.png -vf $filter -pix_fmt rgb24 moved.png
        palette moved.png moved_few.png --weight $weight
        same moved_few.png straight.png $filter
    done
done

# Alpha stays, what cannot be seen does not count and stays, and alpha does not weigh.
palette alpha.png alpha_few.png
ffmpeg -nostdin -v error -y -i alpha.png -vf crop=32:32:16:0 -pix_fmt rgb24 seen.png
palette seen.png seen_few.png
cmp <(pixels alpha_few.png crop=32:32:16:0,format=rgb24) <(pixels seen_few.png format=rgb24) ||
    fail "pixels with alpha become other colours"
cmp <(pixels alpha_few.png crop=16:32:0:0) <(pixels alpha.png crop=16:32:0:0) || fail "pixels with alpha 0 change"
cmp <(pixels alpha_few.png format=rgba,alphaextract) <(pixels alpha.png format=rgba,alphaextract) || fail "alpha changes"
raw hidden.png 2x1 rgba 1 2 3 0 200 100 50 0
palette hidden.png hidden_few.png --export hidden.hex
expect_values hidden_few.png 1 2 3 0 200 100 50 0
[ "$(told hidden_few.png)" = "0 0" ] || fail "no colour that can be seen: $(cat stdout.txt)"
[ -e hidden.hex ] && [ ! -s hidden.hex ] || fail "the palette of nothing is $(cat hidden.hex)"
palette hidden.png hidden_few.png --colors 3
expect_values hidden_few.png 1 2 3 0 200 100 50 0

# Kinds of files: indexed up to 256, with alpha where there is one.
palette other.png plain.png --radius 0
[ "$(colors other.png | wc -l)" -gt 256 ] || fail "other.png has too few colours to test with"
expect_kind plain.png rgb24
palette other.png indexed.png --colors 256
expect_kind indexed.png pal8
palette alpha.png indexed.png --colors 16
expect_kind indexed.png rgba # what cannot be seen is kept, and has more
ffmpeg -nostdin -v error -y -i alpha.png -vf crop=32:32:16:0 visible.png
palette visible.png indexed.png --colors 16
expect_kind indexed.png pal8
cmp <(pixels indexed.png format=rgba,alphaextract) <(pixels visible.png format=rgba,alphaextract) || fail "an indexed file has another alpha"
# 256 colours, and one more.
make most.png "nullsrc=s=16x16:r=1:d=1,format=gbrp,geq=r='16*X':g='16*Y':b=9" -frames:v 1 -pix_fmt rgb24
palette most.png kept.png --radius 0
expect_kind kept.png pal8
same kept.png most.png
ffmpeg -nostdin -v error -y -i most.png -vf "pad=17:16:0:0:white" -pix_fmt rgb24 more.png
palette more.png kept.png --radius 0
expect_kind kept.png rgb24
same kept.png more.png

# A number of colours by mean shift: at most so many, by a radius that gives the same when it is given.
for number in 1 5 64; do
    palette picture.png number.png --colors $number --method mean_shift
    [ "$(colors number.png | wc -l)" -le $number ] || fail "$(colors number.png | wc -l) colours, not $number"
    expect_told number.png picture.png
    radius=$(sed -n 's/.* at radius \([0-9.e-]*\).*/\1/p' stdout.txt)
    palette picture.png again.png --radius "$radius"
    cmp number.png again.png || fail "--radius $radius is not what --method mean_shift --colors $number found"
    # Where it is not met, the radius is the least of those that were tried, which are 1 % apart.
    if [ "$(colors number.png | wc -l)" -lt $number ]; then
        palette picture.png again.png --radius "$(awk -v r="$radius" 'BEGIN { print 0.9 * r }')"
        [ "$(colors again.png | wc -l)" -gt $number ] || fail "0.9 of radius $radius still leaves at most $number"
    fi
done
palette most.png number.png --colors 256 --method mean_shift
grep -q "at radius 0, " stdout.txt || fail "few colours are reduced: $(cat stdout.txt)"
same number.png most.png

# A number of colours by k-means: so many, and for each pixel the nearest.
for options in "" "--metric oklab" "--metric oklab --light srgb" "--weight equal"; do
    for number in 1 5 64; do
        # shellcheck disable=SC2086
        palette picture.png number.png --colors $number $options --export number.hex
        [ "$(colors number.png | wc -l)" = $number ] || fail "$(colors number.png | wc -l) colours, not $number"
        cmp number.hex <(colors number.png) || fail "number.hex is not what number.png has"
        grep -q "^number.png: $(colors picture.png | wc -l) colours -> $number by k-means" stdout.txt ||
            fail "$(cat stdout.txt)"
    done
done
palette most.png number.png --colors 256
same number.png most.png
palette picture.png number.png --colors 5 --method k_means
palette picture.png again.png --colors 5
cmp number.png again.png || fail "--colors 5 is not what --method k_means finds"
palette picture.png number.png --colors 257
grep -q "at radius" stdout.txt || fail "more than 256 colours: $(cat stdout.txt)"

# One step, and a table: what a colour goes to is another, and stays near.
palette picture.png step.png --limit 1
grep -q ", 1 step, " stdout.txt || fail "$(cat stdout.txt)"
! cmp -s step.png default.png || fail "one step is all of them"
[ "$(colors step.png | wc -l)" -gt "$(colors default.png | wc -l)" ] || fail "one step leaves fewer colours than all"
palette picture.png table.png --table --radius 0
paste <(pixels table.png | od -An -v -t u1 -w1) <(pixels picture.png | od -An -v -t u1 -w1) |
    awk '{ d = $1 - $2; if (d > 2 || d < -2) exit 1 }' || fail "a table of 64 steps moves codes by more than half a step"
for channel in 1 2 3; do
    [ "$(colors table.png | cut -c $((2 * channel - 1))-$((2 * channel)) | sort -u | wc -l)" -le 64 ] ||
        fail "a table of 64 steps has more"
done
palette picture.png table.png --table
expect_psnr table.png picture.png 20

# Pictures of other kinds are read; more than 8 bits are rounded: 25828 of 65535 is 100.498 of 255, and 25829 is 100.502.
raw deep.png 1x1 gray16be $((25828 / 256)) $((25828 % 256))
palette deep.png kept.png --radius 0
expect_greys kept.png 100
grep -q "^kept.png: rounded to 8 bits, 1 colour -> 1 at radius 0" stdout.txt || fail "$(cat stdout.txt)"
raw deep.png 1x1 gray16be $((25829 / 256)) $((25829 % 256))
palette deep.png kept.png --radius 0
expect_greys kept.png 101
for kind in pal8 gray ya8 rgba; do
    ffmpeg -nostdin -v error -y -i picture.png -pix_fmt $kind kind.png
    palette kind.png kept.png --radius 0
    same kept.png kind.png
done
ffmpeg -nostdin -v error -y -i picture.png -c:v png upright.mov
note_turn upright.mov 90 turned.mov
palette turned.mov kept.png --radius 0
same kept.png turned.mov
[ "$(field kept.png width,height)" = 32,48 ] || fail "a turned picture has $(field kept.png width,height)"

# Palettes: all colours that are there, the most used first.
palette picture.png few.png --export few.hex
cmp few.hex <(colors few.png) || fail "few.hex is not what few.png has"
palette picture.png few.png --export few.gpl
[ "$(head -n 4 few.gpl | tr '\n' '|')" = "GIMP Palette|Name: picture.png|Columns: 16|#|" ] || fail "$(head -n 5 few.gpl)"
cmp <(tail -n +5 few.gpl | awk '{ printf "%02x%02x%02x\n", $1, $2, $3 }') few.hex || fail "few.gpl has other colours"
palette picture.png few.png --export strip.png
columns=$(wc -l <few.hex)
columns=$((columns < 64 ? columns : 64))
[ "$(field strip.png width)" = $((16 * columns)) ] || fail "a strip is $(field strip.png width) wide"
cmp <(pixels strip.png scale=iw/16:ih/16:flags=neighbor | od -An -v -t x1 -w4 | awk '$4 == "ff" { print $1 $2 $3 }') few.hex ||
    fail "strip.png has other colours"
palette alpha.png few.png --export few.hex
cmp few.hex <(colors few.png) || fail "few.hex has what cannot be seen"

# A folder: every picture by itself; with --share two halves become what the whole becomes.
mkdir pictures halves
cp picture.png pictures/a2.png
cp other.png pictures/a10.png
palette pictures folder --weight frequency
[ "$(sed 's/:.*//' stdout.txt | xargs)" = "folder/a2.png folder/a10.png folder" ] || fail "$(cat stdout.txt)"
grep -q "^folder: 2 of 2 pictures$" stdout.txt || fail "$(cat stdout.txt)"
for pair in "picture a2" "other a10"; do
    read -r source name <<<"$pair"
    palette $source.png alone.png --weight frequency
    cmp alone.png folder/$name.png || fail "$source.png of a folder becomes another picture"
done
ffmpeg -nostdin -v error -y -i other.png -vf crop=80:20:0:0 halves/h_1.png
ffmpeg -nostdin -v error -y -i other.png -vf crop=80:40:0:20 halves/h_2.png
for weight in equal frequency; do
    palette other.png whole.png --weight $weight --export whole.hex
    palette halves shared --share --weight $weight --export shared.hex
    same shared/h_1.png whole.png crop=80:20:0:0
    same shared/h_2.png whole.png crop=80:40:0:20
    cmp shared.hex whole.hex || fail "the palette of two halves is not that of the whole"
    [ "$(told shared)" = "$(colors other.png | wc -l) $(wc -l <whole.hex)" ] || fail "$(cat stdout.txt)"
    grep -q "^shared/h_1.png: $(colors shared/h_1.png | wc -l) colour" stdout.txt || fail "$(cat stdout.txt)"
done
palette 'halves/h_%d.png' sequence --share --colors 16 --export sequence.hex
[ "$(ls sequence | xargs)" = "h_1.png h_2.png" ] || fail "sequence has $(ls sequence | xargs)"
cmp sequence.hex <(colors sequence/*.png) || fail "sequence.hex is not what the pictures have"
[ "$(wc -l <sequence.hex)" -le 16 ] || fail "$(wc -l <sequence.hex) colours and not 16"

# A shared palette keeps a rare saturated colour: two red pixels of one picture of greens and blues.
mkdir frames_rare
soft="nullsrc=s=96x96:r=1:d=1,format=gbrp,geq=r='20+mod(X*7+Y*3,10)':g='2*X+mod(Y*5,9)':b='2*Y+mod(X*3,11)'"
make frames_rare/r_1.png "$soft" -frames:v 1 -pix_fmt rgb24
make frames_rare/r_2.png "$soft,format=rgb24,drawbox=40:40:2:1:0xfa0a14:fill" -frames:v 1 -pix_fmt rgb24
palette frames_rare/r_2.png rare.png --colors 16
! grep -q "fa0a14" <(colors rare.png) || fail "red is not rare enough to test with"
palette frames_rare rare --share --colors 16
grep -q "fa0a14" <(colors rare/r_2.png) || fail "a rare red is lost: $(colors rare/r_2.png | xargs)"

# Dither: of the same palette, and each form another picture; what is there already stays.
for dither in ordered blue_noise diffusion; do
    palette frames_rare/r_1.png dithered.png --colors 8 --dither $dither
    palette frames_rare/r_1.png plain8.png --colors 8
    cmp <(colors dithered.png | sort) <(colors plain8.png | sort) || fail "$dither dither has other colours"
    ! cmp -s <(pixels dithered.png) <(pixels plain8.png) || fail "$dither dither does nothing"
    cp dithered.png dithered_$dither.png
    palette most.png dithered.png --colors 256 --dither $dither
    same dithered.png most.png
done
! cmp -s dithered_ordered.png dithered_blue_noise.png || fail "ordered dither is blue noise"

# What fails of a folder is named, and the rest is done.
head -c 300 other.png >pictures/broken.png
for share in "" --share; do
    # shellcheck disable=SC2086
    expect_status 1 "pictures/broken.png" "$weir" palette pictures some$share $share ${share:+--export some.hex}
    grep -q "error: pictures/broken.png was left out" stderr.txt || fail "$(cat stderr.txt)"
    grep -q "^some$share: 2 of 3 pictures" stdout.txt || fail "$(cat stdout.txt)"
    [ "$(ls -A some$share | xargs)" = "a10.png a2.png" ] || fail "some$share has $(ls -A some$share | xargs)"
done
cmp some.hex <(colors some--share/*.png) || fail "some.hex is not what the pictures have"
mkdir bad void
cp pictures/broken.png bad
expect_status 1 "bad/broken.png" "$weir" palette bad none
expect_status 1 "bad/broken.png" "$weir" palette bad none --share --export none.hex
expect_status 1 "void: no picture in this folder" "$weir" palette void none
expect_status 1 "cannot write picture: Not a directory; name a folder for the pictures" \
    bash -c 'echo >picture; exec "$0" palette halves picture' "$weir"
expect_no none none.hex

# A movie: frames as pictures are, by frequency, and alpha says nothing.
mkdir frames opaque
for frame in 1 2 3; do
    ffmpeg -nostdin -v error -y -f lavfi -i testsrc2=s=48x32:r=3:d=1 -vf "select=eq(n\,$frame-1)" -frames:v 1 \
        -pix_fmt rgb24 frames/f_$frame.png
done
radius="at radius [0-9.]*, [0-9]* steps\?"
while IFS=: read -r -u 3 options line; do
    # shellcheck disable=SC2086
    "$weir" palette frames movie.mov $options --validation >stdout.txt 2>stderr.txt || fail "movie: $(cat stderr.txt)"
    expect_movie movie.mov 48 32 3
    grep -q "^movie.mov: $line" stdout.txt || fail "$(cat stdout.txt)"
    grep -q "^movie.mov: 3 frames, 48x32, HapY" stderr.txt || fail "$(cat stderr.txt)"
    # shellcheck disable=SC2086
    palette frames reduced --weight frequency $options
    "$weir" transcode reduced pictures.mov --quiet || fail "no movie of reduced pictures"
    cmp <(pixels movie.mov) <(pixels pictures.mov) || fail "frames are not what pictures are ($options)"
done 3<<END
:[0-9. ]* colours -> [0-9. ]* $radius at most, [0-9]* evaluations
--radius 0.05 --light srgb:[0-9. ]* colours -> [0-9. ]* $radius at most, [0-9]* evaluations
--limit 2:[0-9. ]* colours -> [0-9. ]* $radius at most, [0-9]* evaluations
--table:[0-9. ]* colours -> [0-9. ]* $radius at most, [0-9]* evaluations
--colors 4 --dither ordered:[0-9. ]* colours -> 4 by k-means
--colors 4 --share:one palette, [0-9]* colours -> 4 by k-means
END
"$weir" transcode frames plain.mov --quiet
! cmp -s <(pixels plain.mov) <(pixels pictures.mov) || fail "frames are not reduced"
mkdir clear
ffmpeg -nostdin -v error -y -i picture.png -pix_fmt rgba \
    -vf "format=rgba,geq=r='r(X,Y)':g='g(X,Y)':b='b(X,Y)':a='2*X'" clear/p.png
ffmpeg -nostdin -v error -y -i clear/p.png -pix_fmt rgb24 opaque/p.png
expect_status 0 "its alpha is left out" "$weir" palette clear clear.mov
"$weir" palette opaque opaque.mov 2>/dev/null >stdout.txt
cmp <(pixels clear.mov) <(pixels opaque.mov) || fail "alpha changes the colours of a movie"
make clip.mkv testsrc2=s=80x48:r=25:d=1 -c:v libx264 -preset ultrafast -pix_fmt yuv420p
"$weir" palette clip.mkv clip.mov >stdout.txt 2>stderr.txt || fail "clip.mov: $(cat stderr.txt)"
expect_movie clip.mov 80 48 25
expect_psnr clip.mov clip.mkv 20

# The way to a GIF file that the manual names: the same colours.
palette frames few --share --colors 256
ffmpeg -nostdin -v error -y -framerate 10 -i few/f_%d.png -lavfi \
    "split[a][b];[a]palettegen=reserve_transparent=0[p];[b][p]paletteuse=dither=none" few.gif
cmp <(pixels few.gif) <(cat few/*.png | ffmpeg -v error -f image2pipe -i - -f rawvideo -pix_fmt rgba -) ||
    fail "few.gif has other colours than its pictures"

# The command line.
for radius in -1 -0.1 nan inf 2 1.7320509 x "" 0x1p-5 1e-2x; do
    expect_status 2 "radius $radius: a number from 0 to 1.7320508 is wanted" \
        "$weir" palette picture.png out.png --radius "$radius"
done
expect_status 2 "radius wants a value" "$weir" palette picture.png out.png --radius
expect_status 2 "colors 0: a whole number from 1 to 16777216 is wanted" "$weir" palette picture.png out.png --colors 0
expect_status 2 "colors: it finds its own radius" "$weir" palette picture.png out.png --colors 9 --radius 0
expect_status 2 "colors: --method k_means finds 256 at most" \
    "$weir" palette picture.png out.png --colors 257 --method k_means
expect_status 2 "radius: --method k_means finds a number" \
    "$weir" palette picture.png out.png --method k_means --radius 0.02
expect_status 2 "limit: it is for --method mean_shift" "$weir" palette picture.png out.png --colors 9 --limit 4
expect_status 2 "light: .*add --metric oklab" "$weir" palette picture.png out.png --colors 9 --light srgb
expect_status 2 "metric: .*add --method k_means" "$weir" palette picture.png out.png --metric codes
expect_status 2 "dither: .*add --method k_means" "$weir" palette picture.png out.png --dither ordered
expect_status 2 'unknown dither "riemersma"; known: none, ordered, blue_noise, diffusion' \
    "$weir" palette picture.png out.png --colors 9 --dither riemersma
expect_status 2 'unknown method "median_cut"; known: mean_shift, k_means' \
    "$weir" palette picture.png out.png --method median_cut
expect_status 2 'unknown metric "rgb"; known: codes, oklab' "$weir" palette picture.png out.png --metric rgb
expect_status 2 "limit 0: a whole number" "$weir" palette picture.png out.png --limit 0
expect_status 2 'unknown weight "pixels"; known: equal, frequency' "$weir" palette picture.png out.png --weight pixels
expect_status 2 'unknown light "linear"; known: raw, srgb' "$weir" palette picture.png out.png --light linear
expect_status 2 "out.txt: a palette is a file that ends in .gpl, .hex or .png" \
    "$weir" palette picture.png out.png --export out.txt
expect_status 2 "ends in .gpl" "$weir" palette picture.png out.png --export .gpl
expect_status 2 "share: it is for several pictures" "$weir" palette picture.png out.png --share
expect_status 2 "export: each picture has its own palette; add --share" "$weir" palette halves out --export out.gpl
expect_status 2 "out.jpg: the output is a picture or a movie, its name ends in .png or .mov" \
    "$weir" palette picture.png out.jpg
for output in out.png out.jpg out.mp4; do
    for input in halves 'halves/h_%d.png'; do
        expect_status 2 "$output: several pictures become files of a folder, .* this is the name of a file; .*: $output/" \
            "$weir" palette "$input" $output
    done
done
for input in halves picture.png clip.mkv; do
    expect_status 2 "out.gif: no GIF files are written; .*--share --colors 256" "$weir" palette $input out.gif
done
expect_no out.png out.jpg out.mp4 out.gif
mkdir there.gif there.mov
for output in there.gif there.mov made.png/; do
    palette halves $output
    [ "$(ls $output | xargs)" = "h_1.png h_2.png" ] || fail "$output has $(ls $output | xargs)"
done
rm -r there.gif there.mov made.png
expect_status 2 "weight equal: a movie would flicker" "$weir" palette clip.mkv out.mov --weight equal
expect_status 2 "share: .*standard input is read once" "$weir" palette - out.mov --share
expect_status 1 "can be read only once" "$weir" palette <(cat clip.mkv) out.mov --share
make s.png color=red:s=4096x4096 -frames:v 1 -pix_fmt rgb24
mapfile -t squares < <(yes s.png | head -n 256) # 2^32 pixels
expect_status 1 "share: .* counts 255 frames of 4096x4096 at most" "$weir" palette "${squares[@]}" out.mov --share
expect_status 2 "colors: a radius would be looked for" "$weir" palette clip.mkv out.mov --colors 257
expect_status 2 "dither diffusion: it is for pictures" "$weir" palette clip.mkv out.mov --colors 9 --dither diffusion
expect_status 2 "export: it is for pictures" "$weir" palette clip.mkv out.mov --export out.gpl
expect_status 1 "no.*device" "$weir" palette picture.png out.png --device 99
expect_status 1 "no Vulkan" env VK_ICD_FILENAMES=/dev/null VK_DRIVER_FILES=/dev/null "$weir" palette picture.png out.png

# Input.
: >empty.png
make light.exr testsrc2=s=16x16:r=1:d=1 -frames:v 1 -pix_fmt gbrpf32le
limit=$("$weir" info | sed -n 's/^  limits *\([0-9]*\) texels a side.*/\1/p' | head -n 1)
make wide.png "nullsrc=s=$((limit + 2))x2:r=1:d=1,geq=r=9:g=9:b=9,format=rgb24" -frames:v 1
expect_status 1 "missing.png: No such file" "$weir" palette missing.png out.png
expect_status 1 "empty.png is empty" "$weir" palette empty.png out.png
expect_status 1 "pictures/broken.png" "$weir" palette pictures/broken.png out.png
expect_status 1 "light.exr holds linear light" "$weir" palette light.exr out.png
expect_status 1 "wide.png is $((limit + 2))x2; .* takes at most $limit a side" "$weir" palette wide.png out.png
expect_status 1 "missing.mkv" "$weir" palette missing.mkv out.mov

# Output: what was there is replaced by a whole file, or stays.
expect_status 1 "no_folder/out.png': No such file" "$weir" palette picture.png no_folder/out.png
mkdir folder.png # is a folder all the same
palette picture.png folder.png
[ "$(ls folder.png)" = picture.png ] || fail "a picture for a folder is $(ls folder.png)"
printf before >older.png
expect_status 1 "older.png' after 0 bytes" limited 2 "$weir" palette other.png older.png --radius 0
[ "$(cat older.png)" = before ] || fail "a failure took the file that was there"
cp picture.png input.png
ln input.png link.png
expect_status 1 "input.png is the input itself" "$weir" palette input.png input.png
expect_status 1 "link.png is the input itself" "$weir" palette input.png link.png
expect_status 1 "input.png is the input itself" "$weir" palette input.png out.png --export input.png
expect_status 1 "out.png is the output itself" "$weir" palette input.png out.png --export out.png
expect_status 1 "halves/h_1.png is the input itself" "$weir" palette halves out --share --export halves/h_1.png
cmp input.png picture.png || fail "the input was changed"
expect_status 1 "no_folder/few.gpl': No such file" "$weir" palette picture.png kept.png --export no_folder/few.gpl
same kept.png default.png
expect_no out.png out.mov out no_folder
palette picture.png older.png
cmp older.png default.png || fail "the file that was there was not replaced"

# Ctrl-C: what is there is whole, and the status is 1.
mkdir many
for ((i = 0; i < 400; i++)); do ln other.png many/$i.png; done
env --default-signal=INT "$weir" palette many ended >stdout.txt 2>stderr.txt &
process=$!
for ((i = 0; i < 1000; i++)); do
    [ ! -s ended/0.png ] || break
    sleep 0.01
done
kill -s INT $process
status=0
wait $process || status=$?
[ $status = 1 ] || fail "status $status after Ctrl-C: $(cat stderr.txt)"
grep -q interrupted stderr.txt || fail "no word of it: $(cat stderr.txt)"
palette other.png alone.png
for file in ended/*; do
    cmp "$file" alone.png || fail "$file is not whole"
done
[ "$(find ended -type f | wc -l)" -lt 400 ] || fail "Ctrl-C ended nothing"
[ -z "$(find . -name '.weir*')" ] || fail "something was left behind: $(find . -name '.weir*')"
echo passed
