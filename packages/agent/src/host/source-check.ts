/** Whether something can be encoded from a source now, found by looking at it and trying it. */
import { constants } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import type { SourceConfig } from '@trunkline/contract/agent/agent-config.schema'
import { outputOf } from './tools.ts'

/** What the sources of a host need besides themselves. */
export interface SourceNeeds {
  hasFfmpeg: boolean
  /** Names of the devices that its ffmpeg can read: lavfi, v4l2, decklink … */
  inputDevices: readonly string[]
  fontFile: string
}

const NO_FFMPEG = 'This host has no ffmpeg. Install the package ffmpeg.'
const NO_FONT =
  'This host has no font for the clock of the test pattern. Install the package fonts-dejavu-core.'
const NO_DECKLINK =
  "This host's ffmpeg has no DeckLink support. Install an ffmpeg that was built with the DeckLink SDK."
const NO_V4L2 =
  "This host's ffmpeg has no Video4Linux support. Install an ffmpeg that was built with it."

/** An operator's sentence, cause and fix; '' when the source can be used. */
export async function sourceFault(source: SourceConfig, needs: SourceNeeds): Promise<string> {
  if (!needs.hasFfmpeg) return NO_FFMPEG
  switch (source.kind) {
    case 'test-pattern':
      return needs.fontFile === '' ? NO_FONT : ''
    case 'decklink':
      return needs.inputDevices.includes('decklink') ? '' : NO_DECKLINK
    case 'v4l2':
      return needs.inputDevices.some((name) => V4L2_NAMES.has(name))
        ? deviceFault(source.device)
        : NO_V4L2
    case 'file':
      return fileFault(source.device)
    default:
      return source.kind satisfies never
  }
}

/** ffmpeg lists its readers by all their names. */
const V4L2_NAMES = new Set(['v4l2', 'video4linux2'])

async function deviceFault(path: string): Promise<string> {
  const found = await stat(path).catch(() => null)
  if (!found) return `There is no device ${path} on this host. Connect it, or correct its path.`
  if (!found.isCharacterDevice()) {
    return `${path} is not a video device. Correct the path in the configuration of the agent.`
  }
  return readFault('device', path)
}

async function fileFault(path: string): Promise<string> {
  const found = await stat(path).catch(() => null)
  if (!found) return `There is no file ${path} on this host. Put it there, or correct its path.`
  if (!found.isFile()) return `${path} is not a file. Name a file with a picture.`
  return (await readFault('file', path)) || pictureFault(path, `${found.mtimeMs} ${found.size}`)
}

async function readFault(what: 'device' | 'file', path: string): Promise<string> {
  const isReadable = await access(path, constants.R_OK).then(
    () => true,
    () => false,
  )
  return isReadable
    ? ''
    : `The agent may not read the ${what} ${path}. Give its user read permission.`
}

const WIDTH_OF_PICTURE =
  '-v error -protocol_whitelist file -select_streams v:0 -show_entries stream=width -of csv=p=0'.split(
    ' ',
  )

/** A file is tried once per state of its content: to try it takes a tenth of a second. */
const tried = new Map<string, { state: string; fault: string }>()

async function pictureFault(path: string, state: string): Promise<string> {
  const known = tried.get(path)
  if (known?.state === state) return known.fault
  const output = await outputOf('ffprobe', [...WIDTH_OF_PICTURE, `file:${path}`])
  const hasPicture = /^[1-9]\d*\b/m.test(output)
  const fault = hasPicture ? '' : `ffmpeg finds no picture in the file ${path}. Name another file.`
  tried.set(path, { state, fault })
  return fault
}
