/** supervisord's own file and its event listener's script: paths of the layout alone, no other text. */
import { readFileSync } from 'node:fs'
import type { Layout } from './layout.ts'

/** Has an underscore, so that no program id can be it. */
export const LISTENER_NAME = 'host_events'

export function mainConfText(layout: Layout): string {
  return `[unix_http_server]
file=${layout.socket}
chmod=0700

[supervisord]
logfile=${layout.supervisorLog}
logfile_maxbytes=1MB
logfile_backups=1
pidfile=${layout.supervisorDir}/supervisord.pid
childlogdir=${layout.logsDir}
directory=${layout.base}
identifier=trunkline
nodaemon=true
silent=true
nocleanup=true
umask=077
; five a program
minfds=${openFilesLimit()}

[rpcinterface:supervisor]
supervisor.rpcinterface_factory = supervisor.rpcinterface:make_main_rpcinterface

[eventlistener:${LISTENER_NAME}]
command=setpriv --pdeathsig TERM sh ${layout.listenerScript}
events=PROCESS_STATE,SUPERVISOR_STATE_CHANGE
; kept while the agent is away; what overflows is read from the whole list at its return
buffer_size=500
autostart=true
autorestart=true
startsecs=0
startretries=1000000
stdout_logfile=NONE
stderr_logfile=${layout.logsDir}/${LISTENER_NAME}.err
stderr_logfile_maxbytes=64KB
stderr_logfile_backups=0

[include]
files = programs/*.conf
`
}

/** Room for 800 programs, where the system allows it: supervisord does not start when it does not. */
const OPEN_FILES = 4096

function openFilesLimit(): number {
  const limits = readFileSync('/proc/self/limits', 'utf8')
  const hard = Number(/^Max open files\s+\S+\s+(\d+)/m.exec(limits)?.[1] ?? OPEN_FILES)
  return Math.min(OPEN_FILES, hard)
}

/**
 * supervisord's event listener protocol (READY, header line, payload, RESULT) in shell, because a
 * shell stays at a megabyte. Each event becomes one line in a FIFO. It is opened for reading and
 * writing: opening never waits for the agent, and the agent's going is no end of file.
 */
export function listenerScriptText(layout: Layout): string {
  return `exec 3<>'${layout.eventsFifo}'
while :; do
  printf 'READY\\n'
  IFS= read -r header || exit 0
  payload=$(head -c "\${header##*len:}")
  printf '%s %s\\n' "$header" "$payload" >&3
  printf 'RESULT 2\\nOK'
done
`
}
