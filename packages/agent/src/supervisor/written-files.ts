/** Whether a program's script and section are as we left them, or somebody edited them by hand. */
import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { Unit } from '../commands/unit.ts'
import { scriptFile, sectionFile, type Layout } from './layout.ts'
import { readPlainFile } from '../host/files.ts'
import { scriptText, sectionText } from './program-file.ts'

/** Digests of what was written last: a later version of ours may write the same program otherwise. */
export const WrittenFiles = z.object({ script: z.string(), section: z.string() })
export type WrittenFiles = z.infer<typeof WrittenFiles>

/** What we would write for a program. */
interface FileTexts {
  script: string
  section: string
}

export function fileTexts(
  layout: Layout,
  program: { id: string; unit: Unit; wanted: 'running' | 'stopped' },
): FileTexts {
  return {
    script: scriptText(program.unit),
    section: sectionText(layout, program.id, program.wanted === 'running'),
  }
}

export function digestsOf(texts: FileTexts): WrittenFiles {
  return { script: digest(texts.script), section: digest(texts.section) }
}

/** As they lie there now: for programs of a version that kept no digests. */
export function digestsOnDisk(layout: Layout, programId: string): WrittenFiles {
  return digestsOf({
    script: readOrNull(scriptFile(layout, programId)) ?? '',
    section: readOrNull(sectionFile(layout, programId)) ?? '',
  })
}

/** Whether the script on disk is exactly this one. */
export function hasScript(layout: Layout, programId: string, text: string): boolean {
  return readOrNull(scriptFile(layout, programId)) === text
}

export type FileState = 'ours' | 'changed' | 'gone'

export function scriptState(
  layout: Layout,
  programId: string,
  text: string,
  written: WrittenFiles,
): FileState {
  return stateOf(readOrNull(scriptFile(layout, programId)), text, written.script)
}

export function sectionState(
  layout: Layout,
  programId: string,
  text: string,
  written: WrittenFiles,
): FileState {
  return stateOf(readOrNull(sectionFile(layout, programId)), text, written.section)
}

function stateOf(found: string | null, ours: string, written: string): FileState {
  if (found === null) return 'gone'
  return found === ours || digest(found) === written ? 'ours' : 'changed'
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64url')
}

/** Many times what we ever write: what is longer is not ours, whatever more there is of it. */
const MAX_BYTES = 1_000_000

/** Null when it is not there, or is no file any more. */
function readOrNull(file: string): string | null {
  return readPlainFile(file, MAX_BYTES)?.bytes.toString('utf8') ?? null
}
