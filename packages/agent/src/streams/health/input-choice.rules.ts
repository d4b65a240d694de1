/** Which of a stream's inputs is shown. Pure. */
import { sourceRankOf } from '@trunkline/contract/channels/channel.rules'
import type { StoredInput, StoredStream } from '../definition/stream.schema.ts'

export interface InputHealth {
  /** New pictures, or new sound, came a moment ago. */
  isWell: boolean
  /** Without a pause, as far back as the agent has looked; 0 while it is not well. */
  wellForMs: number
}

/** A better input that came back must be stable this long: an unstable input is not shown. */
export const STEADY_MS = 10_000

type Choosing = Pick<StoredStream, 'inputs' | 'currentUrl' | 'selectedUrl'>

/**
 * The input to show from now on; '' without inputs. While none is well the current one stays, so
 * that its last pictures do and its return is seen at once. `isStarting`: the programs have just
 * been started, and which of them is first says nothing; only a choice by hand counts.
 */
export function chooseInput(
  stream: Choosing,
  healthOf: (input: StoredInput) => InputHealth,
  isStarting: boolean,
): string {
  const ranked = rankedInputs(stream)
  const current = ranked.find((input) => input.url === stream.currentUrl)
  if (current === undefined) return firstChoice(ranked, healthOf)
  const better = ranked.slice(0, ranked.indexOf(current))
  const risen = better.find((input) => mayReplace(stream, input, healthOf(input)))
  if (risen !== undefined && (!isStarting || risen.url === stream.selectedUrl)) return risen.url
  if (isStarting || healthOf(current).isWell) return current.url
  return (ranked.find((input) => healthOf(input).isWell) ?? current).url
}

/** A healthy current input is replaced by a better stable input, or by a chosen input. */
function mayReplace(stream: Choosing, input: StoredInput, health: InputHealth): boolean {
  if (!health.isWell) return false
  return input.url === stream.selectedUrl || health.wellForMs >= STEADY_MS
}

function firstChoice(
  ranked: readonly StoredInput[],
  healthOf: (input: StoredInput) => InputHealth,
): string {
  return (ranked.find((input) => healthOf(input).isWell) ?? ranked[0])?.url ?? ''
}

/** The one chosen by hand, then by priority, then as the list has them. */
function rankedInputs({ inputs, selectedUrl }: Choosing): StoredInput[] {
  const rank = (input: StoredInput) => (input.url === selectedUrl ? -1 : sourceRankOf(input))
  // toSorted is stable: equal ranks keep the order of the list.
  return inputs.toSorted((a, b) => rank(a) - rank(b))
}
