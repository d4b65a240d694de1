/** Where everything of one agent lies on disk: folders, files, and supervisord's socket. */
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { writePrivate } from './private-file.ts'

export interface Layout {
  readonly dataDir: string
  /** The data folder by a path that may stand in a supervisord file. */
  readonly base: string
  readonly supervisorDir: string
  readonly mainConf: string
  readonly sectionsDir: string
  readonly supervisorLog: string
  readonly socket: string
  readonly eventsFifo: string
  readonly listenerScript: string
  /** Outside the data folder; null when the data folder serves. */
  readonly runtimeFolder: string | null
  /** Which process our supervisord is: pid, start time, boot. */
  readonly instanceFile: string
  readonly unitsDir: string
  readonly logsDir: string
  /** What each encoder sees, one small JPEG a program. */
  readonly picturesDir: string
  /** One JSON file a program: what it is, wanted or not, what was counted. */
  readonly programsDir: string
}

/** Longest path a unix socket may have on Linux (sun_path is 108 with its end mark). */
const SOCKET_PATH_BYTES = 107
/** supervisord binds `<socket>.<pid>` first; 7 digits is the longest pid of a 64-bit kernel. */
const PID_SUFFIX_BYTES = 8
/** What supervisord's ini reader, its glob and its word splitting all leave alone. */
const PLAIN_PATH = /^[A-Za-z0-9/._-]+$/

/** Makes the folders, all 0700. */
export function openLayout(dataDir: string): Layout {
  const layout = layoutOf(resolve(dataDir))
  for (const folder of [
    layout.supervisorDir,
    layout.sectionsDir,
    layout.unitsDir,
    layout.logsDir,
    layout.programsDir,
  ]) {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
  }
  makePicturesFolder(layout)
  return layout
}

/** The first folder of ours that somebody deleted under the running agent; null while all are there. */
export function missingFolder(layout: Layout): string | null {
  const { dataDir, supervisorDir, sectionsDir, unitsDir, logsDir, programsDir } = layout
  const folders = [dataDir, supervisorDir, sectionsDir, unitsDir, logsDir, programsDir]
  return folders.find((folder) => !existsSync(folder)) ?? null
}

/** Nothing but pictures depends on it: a disk that does not give it stops no stream and no agent. */
export function makePicturesFolder(layout: Layout): void {
  try {
    mkdirSync(layout.picturesDir, { recursive: true, mode: 0o700 })
  } catch {
    // Something else has its name, or the disk is full or read-only: tried again at the next start.
  }
}

function layoutOf(dataDir: string): Layout {
  mkdirSync(join(dataDir, 'supervisor'), { recursive: true, mode: 0o700 })
  const direct = join(dataDir, 'supervisor', 'supervisor.sock')
  const isPlain = PLAIN_PATH.test(dataDir)
  const fits = Buffer.byteLength(direct) + PID_SUFFIX_BYTES <= SOCKET_PATH_BYTES
  const runtime = isPlain && fits ? null : runtimeFolder(dataDir)
  const base = isPlain || runtime === null ? dataDir : join(runtime, 'data')
  return {
    dataDir,
    base,
    runtimeFolder: runtime,
    supervisorDir: join(base, 'supervisor'),
    mainConf: join(base, 'supervisor', 'supervisord.conf'),
    sectionsDir: join(base, 'supervisor', 'programs'),
    supervisorLog: join(base, 'supervisor', 'supervisord.log'),
    socket: runtime === null ? direct : join(runtime, 'supervisor.sock'),
    eventsFifo: join(base, 'supervisor', 'events.fifo'),
    listenerScript: join(base, 'supervisor', 'events.sh'),
    instanceFile: join(base, 'supervisor', 'instance.json'),
    unitsDir: join(base, 'units'),
    logsDir: join(base, 'logs'),
    picturesDir: join(base, 'pictures'),
    programsDir: join(base, 'programs'),
  }
}

/**
 * A short folder of our own under the system's temporary one, for a data folder whose path is too
 * long for a socket or holds characters that supervisord reads as its own. Remembered, so that
 * whoever comes next finds the same socket; in a copy of a data folder that is the original's, and
 * the copy gets one of its own.
 */
function runtimeFolder(dataDir: string): string {
  const memo = join(dataDir, 'supervisor', 'runtime-folder')
  const known = existsSync(memo) ? readFileSync(memo, 'utf8').trim() : ''
  if (known !== '' && isOwnFolder(known) && leadsTo(known, dataDir)) return known
  const made = mkdtempSync(join(tmpdir(), 'trunkline-'))
  symlinkSync(dataDir, join(made, 'data'))
  writePrivate(memo, made)
  return made
}

/** The same for every path that leads to the data folder, another one for a copy of it. */
export function folderId({ dataDir }: Layout): string {
  const { dev, ino } = statSync(dataDir, { bigint: true })
  return `${dev}:${ino}`
}

/** Once no supervisord uses it. */
export function dropRuntimeFolder(layout: Layout): void {
  if (layout.runtimeFolder === null) return
  rmSync(join(layout.dataDir, 'supervisor', 'runtime-folder'), { force: true })
  rmSync(layout.runtimeFolder, { recursive: true, force: true })
}

/** It was made for this data folder and for no other. */
function leadsTo(runtime: string, dataDir: string): boolean {
  try {
    return readlinkSync(join(runtime, 'data')) === dataDir
  } catch {
    return false
  }
}

/** Anybody may write in the temporary folder: only a folder of ours, closed to others, is trusted. */
function isOwnFolder(path: string): boolean {
  try {
    const stat = lstatSync(path)
    return stat.isDirectory() && stat.uid === process.getuid?.() && (stat.mode & 0o077) === 0
  } catch {
    return false
  }
}

export function scriptFile(layout: Layout, programId: string): string {
  return join(layout.unitsDir, `${programId}.sh`)
}

export function sectionFile(layout: Layout, programId: string): string {
  return join(layout.sectionsDir, `${programId}.conf`)
}

/** 'out' holds statistics, 'err' what the tool says (dataplane.md 0.1 rule 4). */
export function logFile(layout: Layout, programId: string, stream: 'out' | 'err'): string {
  return join(layout.logsDir, `${programId}.${stream}`)
}

/** Written by the program itself, which runs in the layout's base folder. */
export function pictureFile(layout: Layout, programId: string): string {
  return join(layout.picturesDir, `${programId}.jpg`)
}
