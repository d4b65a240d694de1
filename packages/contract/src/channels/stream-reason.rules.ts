/**
 * What is wrong with a stream that goes out, and what to check: the same sentence in an alarm and on a
 * signal path. Apart from the views, which every page loads.
 */
import { FINDING_CAUSES, NO_BACKUP, ON_BACKUP } from './stream-view.rules.ts'
import type { StreamFinding } from './stream.schema.ts'

export const FINDING_REASONS: Readonly<Record<StreamFinding['kind'], string>> = {
  black: 'The picture is black. Check the camera and the encoder’s source.',
  frozen: 'The picture is frozen. Check the camera and the encoder’s source.',
  silent: 'The audio is silent. Check the microphone and the audio source.',
}

export const BACKUP_REASON =
  'The primary source is lost, and a backup source is shown. Check what sends the primary source.'

const NO_BACKUP_REASON = 'No backup source can take over. Check what sends the backup source.'

/** By the causes that `viewOfStream` gives; undefined for any other. */
export function reasonOfCause(cause: string): string | undefined {
  return REASONS.get(cause)
}

const REASONS: ReadonlyMap<string, string> = new Map([
  [ON_BACKUP, BACKUP_REASON],
  [NO_BACKUP, NO_BACKUP_REASON],
  [FINDING_CAUSES.black, FINDING_REASONS.black],
  [FINDING_CAUSES.frozen, FINDING_REASONS.frozen],
  [FINDING_CAUSES.silent, FINDING_REASONS.silent],
])
