/** The small picture that an encoder writes of what it sees: read when somebody asks, never kept. */
import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs'
import type { Thumbnail } from '@trunkline/contract/agent/program.messages'
import { pictureFile, type Layout } from '../supervisor/layout.ts'
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
  if (program.state !== 'running' || program.startedAtMs === null) return null
  const earliestMs = Math.max(newerThanMs, program.startedAtMs)
  const picture = readPicture(pictureFile(layout, program.id), earliestMs)
  return picture && { jpegBase64: picture.bytes.toString('base64'), takenAtMs: picture.takenAtMs }
}

function readPicture(
  file: string,
  earliestMs: number,
): { bytes: Buffer; takenAtMs: number } | null {
  try {
    const fd = openSync(file, 'r')
    try {
      const { mtimeMs, size } = fstatSync(fd)
      const takenAtMs = Math.floor(mtimeMs)
      if (takenAtMs <= earliestMs || size > MAX_BYTES) return null
      const bytes = readFileSync(fd)
      return isWhole(bytes) ? { bytes, takenAtMs } : null
    } finally {
      closeSync(fd)
    }
  } catch {
    // None was taken yet, or its folder is out of order: the stream does not depend on it.
    return null
  }
}

function isWhole(bytes: Buffer): boolean {
  return bytes.subarray(0, 2).equals(JPEG_START) && bytes.subarray(-2).equals(JPEG_END)
}
