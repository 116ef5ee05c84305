#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# completion.sh SHELL FOLDER PROGRAMS: the shell itself completes command lines of weir: commands, options, names, and
# files by their ending.
set -euo pipefail
shell=$1 folder=$2
here=$(cd "$(dirname "$0")" && pwd)
scripts=$here/../../capture/weir/completion
export PATH=$3:$PATH
fail() { printf 'FAILED: %s\n' "$*" >&2; exit 1; }
command -v "$shell" >/dev/null || { echo "skipped: no $shell here"; exit 77; }
rm -rf "$folder"
mkdir -p "$folder/files/dir"
cd "$folder/files"
export HOME=${PWD%/files} # for .bash_history and what fish makes, and without anyone's .inputrc
touch a.gpl b.hex c.png d.mov "e f.ktx2" g.txt

# Each answers with what LINE completes to, a word a line.
# bash reads the line with readline, whose M-* inserts all; the program prints its arguments.
complete_bash() {
    cat >../bashrc <<RC
source '$scripts/weir'
weir() { printf '<%s>\n' "\$@"; }
RC
    printf '%s\e*\n' "$1" | TERM=dumb bash --noprofile --rcfile ../bashrc -i 2>/dev/null |
        sed -n 's/^<\(.*\)>$/\1/p'
}
# zsh has its line editor on a terminal only, which zpty makes.
complete_zsh() {
    zsh -f "$here/completion.zsh" "$scripts" "$1"
}
# fish 4 answers with words too that only have the typed letters somewhere, as --mips for --s.
complete_fish() {
    fish --no-config -c 'source $argv[1]; complete -C $argv[2]' "$scripts/weir.fish" "$1" | cut -f 1 |
        awk -v typed="${1##* }" 'index($0, typed) == 1'
}

# expect LINE WORD...: the line, whose last word is being typed, completes to these words and no others.
num=0
expect() {
    local line=$1 got wanted
    shift
    # bash and zsh tell the whole line; what stands before the last word is no answer.
    got=$(complete_"$shell" "$line" | sed 's/^--[a-z]*=//; s#/$##; s/\\//g')
    if [ "$shell" != fish ]; then
        got=$(tail -n +"$(wc -w <<<"${line% *}")" <<<"$got")
    fi
    got=$(sort <<<"$got")
    wanted=$(printf '%s\n' "$@" | sort)
    [ "$got" = "$wanted" ] || fail "$shell completes \"$line\" to: ${got//$'\n'/, }; wanted: ${wanted//$'\n'/, }"
    num=$((num + 1))
}
expect "weir tex" texture
expect "weir help pal" palette
expect "weir texture --con" --container
expect "weir texture --s" --slice --srgb --strict --swizzle
expect "weir texture --codec eac" eac_r11 eac_rg11 eac_r11_snorm eac_rg11_snorm
expect "weir texture --codec=etc2" etc2_rgb etc2_rgb8a1 etc2_rgba
expect "weir texture --codec bc1 --alpha " straight multiply ignore unread data
expect "weir transcode --effort " default fast high live
expect "weir palette --export " a.gpl b.hex c.png dir
expect "weir palette in.png --export=" a.gpl b.hex c.png dir
expect "weir mips in.png " dir
expect "weir transcode --codec hap_q in.png " a.gpl b.hex c.png d.mov "e f.ktx2" g.txt dir
expect "weir texture in.png in.png " a.gpl b.hex c.png d.mov "e f.ktx2" g.txt dir
expect "weir palette " a.gpl b.hex c.png d.mov "e f.ktx2" g.txt dir
expect "weir palette --limit 5 " a.gpl b.hex c.png d.mov "e f.ktx2" g.txt dir
echo "passed: $shell completed $num lines"
