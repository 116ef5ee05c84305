#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# clean_root.sh ROOT PACKAGE.deb...: a root of files of this machine's packages: those that each installation of Debian has,
# and what PACKAGE.deb... depend on, as dpkg here knows it. dpkg in there knows the same ones, and refuses what needs others.
# No mirror is asked, nothing is unpacked.
set -euo pipefail
root=$1
shift
data=/var/lib/dpkg

# Of alternatives all that are here count. Packages that are made now are not here yet.
wanted=$(dpkg-query -W -f '${Essential} ${Package}\n' | sed -n 's/^yes //p')
for package; do
    wanted+=" $(dpkg-deb -f "$package" Depends | sed 's/([^)]*)//g' | tr ',|' '  ')"
done
# shellcheck disable=SC2046,SC2086
mapfile -t packages < <(dpkg-query -W -f '${db:Status-Abbrev}${binary:Package}\n' $(
    apt-cache depends --recurse --no-recommends --no-suggests --no-conflicts --no-breaks --no-replaces --no-enhances \
        $wanted 2>/dev/null | sed -n 's/^ *\([a-z0-9][^ :]*\)$/\1/p' | sort -u) 2>/dev/null | sed -n 's/^ii *//p')

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
