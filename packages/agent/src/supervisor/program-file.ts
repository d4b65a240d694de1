/**
 * What supervisord knows of a program: a section, in which no text but the id and our own paths
 * ever stands, and a unit script with the quoted command. One bad section would make supervisord
 * refuse all of them, and even its own start (dataplane.md 0.1 rule 1).
 */
import { execFile } from 'node:child_process'
import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { ProgramId } from '@trunkline/contract/agent/program.messages'
import { START_MARK } from '@trunkline/contract/program-state'
import { z } from 'zod'
import type { Unit } from '../commands/unit.ts'
import { timesFileOf } from '../logs/log-times.ts'
import { pidMark } from '../logs/start-mark.ts'
import { logFile, pictureFile, scriptFile, sectionFile, type Layout } from './layout.ts'
import { writePrivateIfChanged } from './private-file.ts'
import type { Supervisor } from './supervisor.ts'
import { FAULT, isFault, type SupervisorClient } from './supervisor.client.ts'

/** A caller whose peer is away asks again after this pause: faster is a storm (dataplane.md 3.3). */
const REPEAT_PAUSE_S = 2
/**
 * After a connection that lasted: its peer was there and is most likely started again, and the tool
 * itself goes on asking for 3 s. Whoever is refused has run for less than this.
 */
const LASTED_S = 10
const FIRST_PAUSE_S = 0.2

export function sectionText(layout: Layout, programId: string, autostart: boolean): string {
  return `[program:${programId}]
command=setpriv --pdeathsig TERM sh ${scriptFile(layout, programId)}
directory=${layout.base}
autostart=${autostart}
autorestart=true
startsecs=1
startretries=3
stopsignal=TERM
stopwaitsecs=5
stopasgroup=true
killasgroup=true
redirect_stderr=false
stdout_logfile=${logFile(layout, programId, 'out')}
stdout_logfile_maxbytes=512KB
stdout_logfile_backups=1
stderr_logfile=${logFile(layout, programId, 'err')}
stderr_logfile_maxbytes=512KB
stderr_logfile_backups=1
`
}

/** Without a word about the far end: nobody has seen it yet (decisions.md 35). */
const START_LINE = `printf '%s %s %s\\n' '${START_MARK}' "$(date -u +%Y-%m-%dT%H:%M:%SZ)" "${pidMark('$$')}" >&2`

/** POSIX shell. Throws when an argument cannot be passed to a process at all. */
export function scriptText(unit: Unit): string {
  const command = `setpriv --pdeathsig TERM ${unit.argv.map(quote).join(' ')}`
  if (unit.repeat === 'never') return `#!/bin/sh\n${START_LINE}\nexec ${command}\n`
  return unit.repeat === 'always'
    ? loopText('', `${START_LINE}\n  `, command, BUT_SIGNALS)
    : loopText(`${START_LINE}\n`, '', command, '[ "$code" -eq 0 ]')
}

/** 128 and more is a signal's; 255 is ffmpeg's own word for one that it took. */
const BUT_SIGNALS = '[ "$code" -lt 128 ] || [ "$code" -eq 255 ]'

/** `once` and `each`: shell lines before the loop and before each try. `isAgain`: a shell condition. */
function loopText(once: string, each: string, command: string, isAgain: string): string {
  // In the background and awaited: a shell handles a signal only once its foreground child is gone.
  // supervisord gives each program a process group of its own: `kill 0` reaches that and no more.
  return `#!/bin/sh
${once}end() {
  trap '' TERM
  kill -TERM 0
  wait
  exit 143
}
trap end TERM
while :; do
  begun=$(date +%s)
  ${each}${command} &
  wait "$!"
  code=$?
  ${isAgain} || exit "$code"
  pause=${REPEAT_PAUSE_S}
  [ "$(($(date +%s) - begun))" -lt ${LASTED_S} ] || pause=${FIRST_PAUSE_S}
  setpriv --pdeathsig TERM sleep "$pause" &
  wait "$!"
done
`
}

/** Inside single quotes the shell reads nothing but the closing quote. */
function quote(argument: string): string {
  if (argument.includes('\0')) throw new Error('An argument holds a zero byte.')
  return `'${argument.replaceAll("'", String.raw`'\''`)}'`
}

const run = promisify(execFile)

/** Tried by the shell before it is taken; a running process keeps the script it was started with. */
export async function writeScript(layout: Layout, programId: string, unit: Unit): Promise<void> {
  const file = scriptFile(layout, programId)
  const draft = `${file}.new`
  try {
    writeFileSync(draft, scriptText(unit), { mode: 0o600 })
    await run('sh', ['-n', draft])
  } catch (error) {
    rmSync(draft, { force: true })
    throw error
  }
  renameSync(draft, file)
}

/** `autostart` is read when supervisord itself starts next; a loaded program does not notice. */
export function writeSection(layout: Layout, programId: string, autostart: boolean): void {
  writePrivateIfChanged(sectionFile(layout, programId), sectionText(layout, programId, autostart))
}

/**
 * Makes a new section known to supervisord. When it cannot read its files, this one is taken away
 * again, so that no start of supervisord ever meets it.
 */
export async function takeSection(
  supervisor: Supervisor,
  programId: string,
  autostart: boolean,
): Promise<void> {
  const { layout } = supervisor
  writeSection(layout, programId, autostart)
  try {
    await supervisor.readFiles()
    await supervisor.client.addProcessGroup(programId)
  } catch (error) {
    if (isFault(error, FAULT.alreadyAdded)) return
    rmSync(sectionFile(layout, programId), { force: true })
    throw error
  }
}

/**
 * supervisord reads all sections or none. One of ours that it cannot read any more, as after a fault of
 * the disk, is written anew; its process does not notice. Throws what is wrong with anybody else's.
 */
export async function readSections(layout: Layout, client: SupervisorClient): Promise<void> {
  const rewritten = new Set<string>()
  for (;;) {
    try {
      await client.reloadConfig()
      return
    } catch (error) {
      const programId = unreadableIn(error)
      const record = programId === null ? null : recordOf(layout, programId)
      if (programId === null || record === null || rewritten.has(programId)) throw error
      rewritten.add(programId)
      writeSection(layout, programId, record.wanted === 'running')
    }
  }
}

/** Of which program the section is that the fault names. */
function unreadableIn(error: unknown): string | null {
  if (!isFault(error, FAULT.cannotReread)) return null
  const [, name = ''] = /\/programs\/([^/'"\s]+)\.conf/.exec(String(error)) ?? []
  return ProgramId.safeParse(name).success ? name : null
}

const Recorded = z.object({ wanted: z.string() })

/** Null for a program that is none of ours. */
function recordOf(layout: Layout, programId: string): z.output<typeof Recorded> | null {
  try {
    const text = readFileSync(join(layout.programsDir, `${programId}.json`), 'utf8')
    return Recorded.safeParse(JSON.parse(text)).data ?? null
  } catch {
    return null
  }
}

/**
 * The process must have ended. Nothing is read again for it: what supervisord has read counts only when
 * a group is added, and that follows a reading.
 */
export async function dropSection(
  { layout, client }: Supervisor,
  programId: string,
): Promise<void> {
  await client.removeProcessGroup(programId).catch((error: unknown) => {
    if (!isFault(error, FAULT.badName)) throw error
  })
  rmSync(sectionFile(layout, programId), { force: true })
}

export function removeProgramFiles(layout: Layout, programId: string): void {
  const logs = (['out', 'err'] as const).flatMap((stream) => {
    const file = logFile(layout, programId, stream)
    return [file, `${file}.1`, timesFileOf(file)]
  })
  const picture = pictureFile(layout, programId)
  const pictures = [picture, `${picture}.tmp`]
  for (const file of [scriptFile(layout, programId), ...logs, ...pictures]) {
    rmSync(file, { force: true })
  }
}

/**
 * Before supervisord starts: every section as we would write it now, whatever happened to the
 * files meanwhile. A file that is none of ours is set aside, or supervisord would not start.
 */
export function restoreSections(layout: Layout): void {
  for (const name of readdirSync(layout.sectionsDir)) {
    const programId = name.endsWith('.conf') ? name.slice(0, -'.conf'.length) : ''
    const file = join(layout.sectionsDir, name)
    if (ProgramId.safeParse(programId).success) {
      writeSection(layout, programId, /^autostart=true$/m.test(readFileSync(file, 'utf8')))
    } else {
      renameSync(file, join(layout.supervisorDir, `set-aside-${name}`))
    }
  }
}
