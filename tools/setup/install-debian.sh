#!/bin/sh
# Installs the named Debian packages as root without letting one of them start a service: Trunkline
# runs its own supervisord, its tests their own PostgreSQL. Debian asks /usr/sbin/policy-rc.d before
# a package starts anything (101 = forbidden); what stood there before is put back in every case.
set -eu

policy=${TRUNKLINE_POLICY_FILE:-/usr/sbin/policy-rc.d}
saved=$policy.trunkline-saved
mark='# put here by the set-up of Trunkline while it installs packages'
export DEBIAN_FRONTEND=noninteractive

put_back() {
  if [ -f "$policy" ] && grep -qxF "$mark" "$policy"; then rm -f "$policy"; fi
  if [ -e "$saved" ] || [ -L "$saved" ]; then mv -f "$saved" "$policy"; fi
}

# A run that was killed half-way left its policy behind.
put_back
trap put_back EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP
if [ -e "$policy" ] || [ -L "$policy" ]; then mv -f "$policy" "$saved"; fi
printf '#!/bin/sh\n%s\nexit 101\n' "$mark" >"$policy"
chmod 755 "$policy"

updated=no
update() {
  echo 'Reading the package lists (apt-get update)'
  apt-get -o DPkg::Lock::Timeout=300 update
  updated=yes
}
install() {
  apt-get -o DPkg::Lock::Timeout=300 -o Dpkg::Use-Pty=0 -o Dpkg::Options::=--force-confold \
    install -y --no-install-recommends "$@"
}

# Lists that are missing or too old to know a package are read first; old lists that name a version
# the mirror no longer has make the download fail, and are read then.
apt-get install --simulate --no-install-recommends "$@" >/dev/null 2>&1 || update
install "$@" || { [ "$updated" = no ] && update && install "$@"; }

# Nor at the next boot: only for what this run installed.
if command -v systemctl >/dev/null 2>&1; then
  for package in "$@"; do
    case $package in
      supervisor | postgresql | prometheus) systemctl --quiet disable "$package.service" || true ;;
      snmptrapd) systemctl --quiet disable snmptrapd.service snmptrapd.socket || true ;;
    esac
  done
fi
