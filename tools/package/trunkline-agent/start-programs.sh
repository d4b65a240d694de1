#!/bin/sh
# Started by trunkline-agent-programs.service: supervisord, with what the agent has it run.
set -eu
lib=/usr/lib/trunkline-agent
folder=$("$lib/node" "$lib/agent/dist/main.js" prepare-programs /etc/trunkline-agent/agent.json)
# The agent knows its supervisord by the folder that it runs in.
cd "$folder"
exec supervisord -c "$folder/supervisor/supervisord.conf"
