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
exec /usr/lib/trunkline-agent/node /usr/lib/trunkline-agent/agent/bin/trunkline-agent.mjs "$@"
