/** Finds what somebody changed on the host itself; the next start or change writes our files anew. */
import type { Context } from '../context.ts'
import {
  digestsOf,
  fileTexts,
  scriptState,
  sectionState,
  type FileState,
} from '../supervisor/written-files.ts'
import * as programStore from './program.store.ts'
import type { Program } from './program.ts'

const STATES = { changed: 'changed', gone: 'deleted' } as const

/** Checks all programs, each when nothing else is done with it. A disk that fails is logged. */
export async function findManualChanges(ctx: Context): Promise<void> {
  await Promise.all(
    ctx.board.all().map(async ({ id }) =>
      findManualChange(ctx, id).catch((error: unknown) => {
        ctx.log.warn({ programId: id, reason: String(error) }, 'its files cannot be looked at')
      }),
    ),
  )
}

/** Reports what differs, until the files are written anew. */
export async function findManualChange(ctx: Context, programId: string): Promise<void> {
  await ctx.board.enqueue(programId, async () => {
    const program = ctx.board.find(programId)
    if (!program) return
    const isRecorded = programStore.isThere(ctx.supervisor.layout, programId)
    const sentence = changeSentence(ctx, program) || (isRecorded ? '' : RECORD_DELETED)
    const isNews = sentence !== '' && sentence !== program.changedByHand
    if (isNews) {
      program.changedByHand = sentence
      ctx.log.warn({ programId, sentence }, 'a program was changed by hand')
    }
    // Not otherwise: the record's folder is watched, and each save would bring the next look.
    if (isNews || !isRecorded) ctx.records.save(program)
    ctx.board.publish(program)
  })
}

/** Call after its files were written: no manual change is left in them. */
export function noteFilesWritten(ctx: Context, program: Program): void {
  program.written = digestsOf(fileTexts(ctx.supervisor.layout, program))
  program.changedByHand = ''
}

export function isSectionOurs(ctx: Context, program: Program): boolean {
  const { layout } = ctx.supervisor
  const { section } = fileTexts(layout, program)
  return sectionState(layout, program.id, section, program.written) === 'ours'
}

function changeSentence(ctx: Context, program: Program): string {
  const { layout } = ctx.supervisor
  const { script, section } = fileTexts(layout, program)
  const scriptIs = scriptState(layout, program.id, script, program.written)
  if (scriptIs !== 'ours') return sentenceOf('command file', scriptIs)
  const sectionIs = sectionState(layout, program.id, section, program.written)
  return sectionIs === 'ours' ? '' : sentenceOf('supervisord section', sectionIs)
}

function sentenceOf(what: string, state: Exclude<FileState, 'ours'>): string {
  return `The ${what} of this program was ${STATES[state]} on the host. A restart restores it.`
}

/** Written at once: without it, an agent that starts again would end the program as nobody's. */
const RECORD_DELETED =
  'The record of this program was deleted on the host. The agent has restored it.'
