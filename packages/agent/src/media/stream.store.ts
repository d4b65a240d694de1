/** The streams of this host's channel server, in one file that is whole or as it was before. */
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { writePrivate } from '../supervisor/private-file.ts'
import { StoredStream } from './stream.schema.ts'

const StreamFile = z.object({ streams: z.array(StoredStream) })

/** Throws when the file is there and cannot be read: streams are not forgotten in silence. */
export function load(folder: string): StoredStream[] {
  const file = fileIn(folder)
  if (!existsSync(file)) return []
  return StreamFile.parse(JSON.parse(readFileSync(file, 'utf8'))).streams
}

export function save(folder: string, streams: readonly StoredStream[]): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  writePrivate(fileIn(folder), JSON.stringify({ streams }, null, 2))
}

function fileIn(folder: string): string {
  return join(folder, 'streams.json')
}
