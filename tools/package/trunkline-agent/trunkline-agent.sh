#!/bin/sh
# Runs as the agent's user: what `enrol` stores must be readable by the agent, and by nobody else.
set -eu
if [ "$(id -u)" = 0 ]; then
  export HOME=/var/lib/trunkline-agent
  exec setpriv --reuid trunkline-agent --regid trunkline-agent --init-groups -- "$0" "$@"
fi
if ! [ -r /etc/trunkline-agent/agent.json ]; then
  echo "Run this as root: sudo trunkline-agent ${1-}" >&2
  exit 1
fi
# Authorities of the site are trusted as well; without the package ca-certificates there are none.
authorities=
if [ -d /etc/ssl/certs ]; then authorities=--use-system-ca; fi
exec /usr/lib/trunkline-agent/node $authorities /usr/lib/trunkline-agent/agent/bin/trunkline-agent.mjs "$@"
