/** Several objects at once: in parts that one call takes, with what became of each. */
import { BULK_LIMIT, type LinkFailure } from '@trunkline/contract/contributions/link.schema'
import { ApiError, sentenceFor } from '../../lib/api-error.ts'
import { inputHasOutputs } from '../contribution.messages.ts'

export interface BulkOutcome {
  /** Names or ids, as the call gives them. */
  done: readonly string[]
  failed: readonly LinkFailure[]
}

/** Told how many have been answered by now. */
export type OnProgress = (answered: number) => void

/** What one call takes of a list, each. */
export function partsOf(names: readonly string[]): string[][] {
  const count = Math.ceil(names.length / BULK_LIMIT)
  return Array.from({ length: count }, (_, at) =>
    names.slice(at * BULK_LIMIT, (at + 1) * BULK_LIMIT),
  )
}

/** A list that is longer than one call takes goes in several, one after the other. */
export async function inParts(
  names: readonly string[],
  send: (part: string[]) => Promise<BulkOutcome>,
  onProgress: OnProgress,
): Promise<BulkOutcome> {
  const done: string[] = []
  const failed: LinkFailure[] = []
  let answered = 0
  for (const part of partsOf(names)) {
    // One after the other on purpose: each may keep a host busy.
    // oxlint-disable-next-line no-await-in-loop
    const outcome = await send(part).catch((error: unknown) => failureOf(error, part))
    done.push(...outcome.done)
    failed.push(...outcome.failed)
    answered += part.length
    onProgress(answered)
  }
  return { done, failed }
}

/** A call that was refused as a whole: each by its own sentence, or all by one; '' where it has none. */
function failureOf(error: unknown, names: readonly string[]): BulkOutcome {
  if (error instanceof ApiError && error.failed.length > 0) {
    return { done: [], failed: error.failed }
  }
  const sentence = sentenceFor(error, '')
  return { done: [], failed: names.map((name) => ({ name, error: sentence })) }
}

interface Named {
  id: string
  name?: string
  title: string
}

export interface TitledFailure {
  id: string
  title: string
  error: string
}

/** Replies name objects by `name` or by id; operators know them by title. */
export function withTitles(
  failed: readonly LinkFailure[],
  objects: readonly Named[],
): readonly TitledFailure[] {
  const known = new Map<string, Named>()
  for (const object of objects) {
    known.set(object.id, object)
    if (object.name !== undefined) known.set(object.name, object)
  }
  return failed.map(({ name, error }) => {
    const object = known.get(name)
    return { id: object?.id ?? name, title: object?.title ?? name, error }
  })
}

/**
 * How many outputs keep an input from being deleted, out of the refusal; null for another refusal.
 */
export function outputsThatHold(sentence: string): number | null {
  const count = Number(/has (\d+) number of Outputs\.$/.exec(sentence)?.[1] ?? NaN)
  return sentence === inputHasOutputs(count) ? count : null
}
