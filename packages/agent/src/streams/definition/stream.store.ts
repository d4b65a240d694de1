/** The streams of this host's channel server, in one file that is whole or as it was before. */
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { writePrivate } from '../../supervisor/private-file.ts'
import { StoredStream } from './stream.schema.ts'

const StreamFile = z.object({ streams: z.array(StoredStream) })

/** The file is there and cannot be read. Its message names it, the cause and the fix. */
export class StreamsUnreadable extends Error {
  override readonly name = 'StreamsUnreadable'

  constructor(file: string, cause: string) {
    super(
      `The streams of this channel server cannot be read from ${file}: ${cause}. Correct the file, or move it away to begin without streams, and restart the agent.`,
    )
  }
}

/** Throws StreamsUnreadable: streams are not forgotten in silence, nor is their file written over. */
export function load(folder: string): StoredStream[] {
  const file = fileIn(folder)
  const text = textOf(file)
  if (text === null) return []
  const parsed = StreamFile.safeParse(jsonOf(file, text))
  if (parsed.success) return parsed.data.streams
  const [issue] = parsed.error.issues
  const field = issue?.path.join('.') || 'the whole file'
  throw new StreamsUnreadable(file, `${field} does not fit (${issue?.message ?? 'unknown'})`)
}

/** Null where there is none: only then nothing was ever kept. */
function textOf(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw new StreamsUnreadable(file, error instanceof Error ? error.message : String(error))
  }
}

function jsonOf(file: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    // Not the whole message: it quotes the file, and that holds passphrases.
    const [place = ''] = / at position .+$/.exec(String(error)) ?? []
    throw new StreamsUnreadable(file, `it is no JSON${place}`)
  }
}

export function save(folder: string, streams: readonly StoredStream[]): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  writePrivate(fileIn(folder), JSON.stringify({ streams }, null, 2))
}

function fileIn(folder: string): string {
  return join(folder, 'streams.json')
}
