#!/bin/sh
# The command line of the service: with its settings, and as its user, so that files belong to it.
set -eu
settings=/etc/trunkline/trunkline.env
if [ "$(id -u)" = 0 ]; then
  export HOME=/var/lib/trunkline
  exec setpriv --reuid trunkline --regid trunkline --init-groups -- "$0" "$@"
fi
if ! [ -r "$settings" ]; then
  echo "Run this as root: sudo trunkline ${1-}" >&2
  exit 1
fi
# Authorities of the site are trusted as well; without the package ca-certificates there are none.
authorities=
if [ -d /etc/ssl/certs ]; then authorities=--use-system-ca; fi
exec /usr/lib/trunkline/node $authorities "--env-file=$settings" /usr/lib/trunkline/api/bin/trunkline.mjs "$@"
