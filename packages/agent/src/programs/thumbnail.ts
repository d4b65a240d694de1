/** The small picture that an encoder writes of what it sees: read when somebody asks, never kept. */
import type { Thumbnail } from '@trunkline/contract/agent/program.messages'
import { pictureFile, type Layout } from '../supervisor/layout.ts'
import { readPlainFile } from '../host/files.ts'
import type { Program } from './program.ts'

/** What base64 makes of it stays within the 200,000 characters of an answer. */
const MAX_BYTES = 150_000
const JPEG_START = Buffer.from([0xff, 0xd8])
const JPEG_END = Buffer.from([0xff, 0xd9])

/**
 * Null when there is none after `newerThanMs`, and while the program does not run. A picture of an
 * earlier run is none.
 */
export function thumbnailOf(
  layout: Layout,
  program: Program,
  newerThanMs: number,
): Thumbnail | null {
  const picture = smallPictureOf(layout, program, newerThanMs)
  return picture && { jpegBase64: picture.bytes.toString('base64'), takenAtMs: picture.takenAtMs }
}

/** Its bytes as they stand in the file. */
export function smallPictureOf(
  layout: Layout,
  program: Program,
  newerThanMs: number,
): { bytes: Buffer; takenAtMs: number } | null {
  if (program.state !== 'running' || program.startedAtMs === null) return null
  return readPicture(pictureFile(layout, program.id), Math.max(newerThanMs, program.startedAtMs))
}

/** Null also when its folder is out of order: the stream does not depend on it. */
function readPicture(
  file: string,
  earliestMs: number,
): { bytes: Buffer; takenAtMs: number } | null {
  const found = readPlainFile(file, MAX_BYTES + 1)
  if (found === null) return null
  const { bytes, changedAtMs } = found
  const takenAtMs = Math.floor(changedAtMs)
  if (takenAtMs <= earliestMs || bytes.length > MAX_BYTES) return null
  return isWhole(bytes) ? { bytes, takenAtMs } : null
}

function isWhole(bytes: Buffer): boolean {
  return bytes.subarray(0, 2).equals(JPEG_START) && bytes.subarray(-2).equals(JPEG_END)
}
