#!/bin/sh
# collect-packages.sh OUT PACKAGE...: installs Debian packages and copies the files that they added to OUT, all with one time, so that
# equal packages give equal layers. OUT/var/lib/dpkg/status.d names the packages, for scanners.
set -eu
out=$1
shift
installed() { dpkg-query --show --showformat '${binary:Package}\n' | sort; }
installed >/tmp/before
apt-get update
apt-get install -y --no-install-recommends "$@"
# git needs Perl for commands that people type, and OpenSSH needs systemd to create a user when it is installed: half of the size.
removed=$(dpkg-query --show --showformat '${binary:Package}\n' perl 'perl-modules-*' 'libperl*' systemd 'systemd-*' 'libsystemd-shared*' 2>/dev/null || true)
for package in $removed; do grep -qx "$package" /tmp/before || dpkg --purge --force-depends "$package"; done
installed >/tmp/after
mkdir -p "$out/var/lib/dpkg/status.d" "$out/etc/ssl/certs"
for package in "$@" $(comm -13 /tmp/before /tmp/after); do
  dpkg --status "$package" >"$out/var/lib/dpkg/status.d/${package%:*}"
  dpkg --listfiles "$package" | while read -r path; do
    if [ -d "$path" ] && [ ! -L "$path" ]; then continue; fi
    case $path in /usr/share/doc/*/copyright) ;; /usr/share/doc/* | /usr/share/man/* | /usr/share/locale/* | /usr/share/perl*) continue ;; esac
    [ -e "$path" ] || [ -L "$path" ] || continue
    # A merged /usr: /lib/x is /usr/lib/x.
    folder=$(realpath "$(dirname "$path")")
    mkdir -p "$out$folder"
    cp -a "$path" "$out$folder/"
  done
done
# Written by the scripts of the package, not part of it.
if [ -e /etc/ssl/certs/ca-certificates.crt ]; then cp -a /etc/ssl/certs/ca-certificates.crt "$out/etc/ssl/certs/"; fi
# Processes have one user: no program changes it.
find "$out" -type f -perm /6000 -exec chmod ug-s {} +
find "$out" -exec touch --no-dereference --date=@0 {} +
