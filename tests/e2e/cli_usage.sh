#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Help, versions, usage errors and weir info.
docs=$(cd "$(dirname "$0")/../../docs" && pwd)
source "$(dirname "$0")/cli_common.sh"
hold weir

grep -q "^weir [0-9]*\.[0-9]*\.[0-9]* (" <<<"$("$weir" --version)" || fail "--version says $("$weir" --version)"
"$weir" --help >help.txt
for command in record info transcode mips texture palette recover join; do
    grep -q "^  $command " help.txt || fail "weir --help does not list $command"
    "$weir" $command --help >one.txt
    "$weir" help $command >two.txt
    cmp -s one.txt two.txt || fail "weir help $command is not weir $command --help"
    grep -q "^Example:" one.txt || fail "weir $command --help has no example"
    [ "$(wc -l <one.txt)" -le 40 ] || fail "weir $command --help is longer than a screen: $(wc -l <one.txt) lines"
    grep -q "^weir $command --help all " <<<"$(tail -n 1 one.txt)" || fail "weir $command --help does not end with --help all"
    "$weir" $command --help all >all.txt
    "$weir" help $command all | cmp -s - all.txt || fail "weir help $command all is not weir $command --help all"
    [ "$(cat help.txt one.txt all.txt | wc -L)" -le 80 ] || fail "a line of the help of $command has $(cat help.txt one.txt all.txt | wc -L) columns"
    # The page of the command, or that of all of them, has each option; examples have no other ones.
    options=$(sed -n 's/^  --\([a-z0-9-]*\) .*/\1/p' all.txt)
    for option in $(sed -n 's/^  --\([a-z0-9-]*\) .*/\1/p' one.txt) $(grep '^| `--' "$docs/weir-$command.md" | cut -d '|' -f 2 | grep -oE -- '--[a-z0-9-]+'); do
        grep -qx -- "${option#--}" <<<"$options" || fail "weir $command --help all does not have $option"
    done
    for option in $options; do
        grep -q -- "\`--$option[ \`]" "$docs/weir-$command.md" "$docs/weir.md" ||
            fail "docs/weir-$command.md does not have --$option"
    done
    for option in $(grep -hoE "(^|\| )weir $command [^#|]*" "$docs"/*.md | sed 's/ -- .*//' | grep -oE -- ' --[a-z0-9-]+' | sort -u); do
        grep -qx -- "${option#--}" <<<"$options" || fail "an example of weir $command in docs has $option"
    done
done
expect_status 2 "Commands:" "$weir"
expect_status 2 'unknown command "cook"; known: record, transcode, mips, texture, palette, recover, join, play, info' "$weir" cook

# Names of one command say what they are to another.
expect_status 2 'unknown command "bench": weir-bench is a program of its own; known: ' "$weir" bench encode
expect_status 2 "weir-bench is a program of its own" "$weir" help bench
expect_status 2 "unknown option --level (did you mean --levels?); " "$weir" mips in.png out --level 3
expect_status 2 'unknown codec "ycocg_bc3": frames of hap_q are .*; known: hap_q, hap, .*, hap_hdr$' "$weir" transcode a.png a.mov --codec ycocg_bc3
expect_status 2 'unknown effort "exhaustive": .*; known: default, fast, high, live$' "$weir" transcode a.png a.mov --effort exhaustive
"$weir" transcode --help >help.txt
grep -q -- "--codec NAME .* hap_q, hap, hap_alpha, hap_q_alpha, .* hap_hdr " <<<"$(tr -s ' \n' ' ' <help.txt)" ||
    fail "transcode does not name the codecs"
grep -q -- "--effort NAME .*: default, fast, high, live --" <<<"$(tr -s ' \n' ' ' <help.txt)" || fail "transcode offers other efforts than those of movies"
grep -q -- "--effort NAME .*: default, fast, high, exhaustive, live --srgb" <<<"$("$weir" texture --help | tr -s ' \n' ' ')" ||
    fail "texture lacks an effort"

# Every effort and every codec that texture offers is taken or refused as the help says.
"$weir" texture --help all >help.txt
grep -q -- "--effort NAME .* (exhaustive: bc4, bc5, eac only): " <<<"$(tr -s ' \n' ' ' <help.txt)" || fail "the help does not limit exhaustive"
codecs=$(tr '\n' ' ' <help.txt | sed 's/.*--codec NAME *[^:]*: //; s/ --effort.*//; s/, */ /g')
for codec in $(numbers_of $codecs); do
    case $codec in
    bc4* | bc5* | eac*) expect_status 1 "no device 99" \
        "$weir" texture no_file.png out.ktx2 --codec $codec --effort exhaustive --device 99 ;;
    rgba*) expect_status 2 "--effort: $codec stores texels as they are" \
        "$weir" texture no_file.png out.ktx2 --codec $codec --effort exhaustive --device 99 ;;
    *) expect_status 2 "--effort exhaustive: $codec takes default, fast, high, live$" \
        "$weir" texture no_file.png out.ktx2 --codec $codec --effort exhaustive --device 99 ;;
    esac
done
[ "$(wc -w <<<"$codecs")" -ge 18 ] || fail "the help names few codecs: $codecs"

# Names as people type them, and those of the table that the help prints. The error says which codec was taken.
expect_codec() {
    expect_status 2 "--srgb: $2 holds\|--effort exhaustive: $2 takes" \
        "$weir" texture no_file.png out.ktx2 --srgb --effort exhaustive --codec "$1"
}
for pair in $(numbers_of BC7=bc7 dxt1=bc1 DXT5=bc3 dxt5=bc3 Rgtc=bc5 rgtc1=bc4 bptc=bc7 etc2rgb=etc2_rgb ETC2-RGBA=etc2_rgba \
    etc2=etc2_rgb bc6h-signed=bc6h_signed); do
    expect_codec "${pair%=*}" "${pair#*=}"
done
aliases=$(sed '1,/Other names of codecs:/d; /^Example/,$d; s/ = /=/g; s/,/ /g' help.txt)
[ "$(wc -w <<<"$aliases")" -ge 15 ] || fail "the help names few aliases: $aliases"
for pair in $(numbers_of $aliases); do
    expect_codec "${pair%=*}" "${pair#*=}"
    grep -q "^| .*\`${pair#*=}\`.*| .*\`${pair%=*}\`" "$docs"/weir*.md || fail "docs/weir*.md does not have $pair"
done
for name in $(numbers_of hapq Hap-Q HapY HAP_Q Hap1 HapA hap-alpha-only haph); do
    expect_status 1 "no_file.png" "$weir" transcode no_file.png out.mov --codec "$name"
done
expect_no out.ktx2 out.mov

# A slip is answered with what was probably meant, an unknown word with the known ones alone.
expect_status 2 'unknown command "textrue" (did you mean texture?); known: ' "$weir" textrue
expect_status 2 'unknown option --cdec (did you mean --codec?); ' "$weir" texture a.png b.ktx2 --cdec bc1
expect_status 2 'unknown option --zzz; ' "$weir" texture a.png b.ktx2 --zzz
expect_status 2 'unknown codec "bc77" (did you mean bc7?); known: bc1, ' "$weir" texture a.png b.ktx2 --codec bc77
expect_status 2 'unknown codec "dtx5" (did you mean dxt5?); known: bc1, ' "$weir" texture a.png b.ktx2 --codec dtx5
expect_status 2 'unknown codec "bc9"; known: bc1, ' "$weir" texture a.png b.ktx2 --codec bc9 # as near to bc1 as to bc7
expect_status 2 'unknown compression "snapy" (did you mean snappy?); ' "$weir" transcode a.png a.mov --compression snapy
expect_status 2 'unknown format "rbga8_srgb" (did you mean rgba8_srgb?)' "$weir" mips a.png out --format rbga8_srgb
expect_status 2 'unknown weight "frequancy" (did you mean frequency?)' "$weir" palette a.png b.png --weight frequancy

expect_status 1 "cannot open device" "$weir" info device
expect_status 2 "unknown option -x" "$weir" info -x
expect_status 2 "wants a value" "$weir" transcode in.mp4 out.mov --size
if [ -e /dev/full ]; then
    expect_status 1 "cannot write" sh -c '"$1" info >/dev/full' sh "$weir"
fi
too_long() { (ulimit -f 1 && exec "$program" transcode --help); }
expect_status 1 "cannot write" too_long

expect_status 0 "^Device 0: " "$weir" info
for word in driver Vulkan queues encode readback swapchain pyramids required recommended; do
    grep -q "^  $word " stdout.txt || fail "weir info says nothing of $word"
done

"$weir" info --json >info.json
expect_json info.json
