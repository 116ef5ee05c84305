#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# clean_root.sh ROOT PACKAGE.deb...: a root of files of this machine's packages: those that each installation of Debian has,
# and what PACKAGE.deb... depend on, as dpkg here knows it. dpkg in there knows the same ones, and refuses what needs others.
# No mirror is asked, nothing is unpacked.
set -euo pipefail
root=$1
shift
data=/var/lib/dpkg

depends=
for package; do
    depends+=$(dpkg-deb -f "$package" Depends),
done
columns='${db:Status-Abbrev}\t${Architecture}\t${Package}\t${binary:Package}\t${Essential}\t${Provides}'
mapfile -t packages < <(dpkg-query -W -f "$columns"'\t${Pre-Depends},${Depends}\n' |
    awk -F '\t' -v native="$(dpkg --print-architecture)" -v wanted="$depends" '
        # The first of each alternative that is here; packages that are made now are not.
        function want(fields,    list, ways, i, j) {
            list_length = split(fields, list, ",")
            for (i = 1; i <= list_length; ++i) {
                ways_length = split(list[i], ways, "|")
                for (j = 1; j <= ways_length; ++j) {
                    sub(/^ */, "", ways[j])
                    sub(/[ (:].*/, "", ways[j])
                    if (!(ways[j] in full) && ways[j] in provider) ways[j] = provider[ways[j]]
                    if (ways[j] in full) break
                }
                if (j <= ways_length && !(ways[j] in chosen)) {
                    chosen[ways[j]] = 1
                    queue[++last] = ways[j]
                }
            }
        }
        /^ii/ && ($2 == native || $2 == "all") {
            full[$3] = $4
            needs[$3] = $7
            if ($5 == "yes") wanted = wanted "," $3
            count = split($6, names, ",")
            for (i = 1; i <= count; ++i) {
                sub(/^ */, "", names[i])
                sub(/[ (].*/, "", names[i])
                if (!(names[i] in provider)) provider[names[i]] = $3
            }
        }
        END {
            want(wanted)
            for (next_one = 1; next_one <= last; ++next_one) {
                print full[queue[next_one]]
                want(needs[queue[next_one]])
            }
        }')

# The database of dpkg.
mkdir -p "$root$data"/{info,triggers,updates} "$root"/{dev,tmp}
dpkg-query -s "${packages[@]}" >"$root$data/status"
cp "$data/info/format" "$root$data/info"
lists=()
for package in "${packages[@]}"; do
    cp "$data/info/$package".* "$root$data/info"
    lists+=("$data/info/$package.list")
done
cp "$data/triggers/ldconfig" "$root$data/triggers"

# The files, but for those that nobody reads there.
: >"$root/dev/null"
for folder in /*; do # such as /lib
    [ ! -L "$folder" ] || { cp -P "$folder" "$root" && mkdir -p "$root/$(readlink "$folder")"; }
done
sort -u "${lists[@]}" | grep -vE '^/(usr/share/(doc|man|locale|info|i18n|zoneinfo|fonts|icons)|var/cache)/' |
    tar -C / -c --no-recursion --ignore-failed-read -T - 2>/dev/null |
    tar -C "$root" -x --keep-directory-symlink --no-same-owner
mkdir -p "$root/var/cache/ldconfig"
