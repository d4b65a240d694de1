/** What the clone dialog holds, which cards it offers, and when it is well. */
import { cloneEncoder, type EncoderHost } from '@trunkline/contract/encoders/encoder.calls'
import type { Encoder } from '@trunkline/contract/encoders/encoder.schema'
import type { BodyOf } from '@trunkline/contract/route'
import type { Sentences } from '../../forms/form.hook.ts'
import { copyTitle } from '../../shared/copy-title.rules.ts'
import { fieldFaults } from '../../forms/field-faults.rules.ts'
import type { Choice } from '../../ui/choice/Select.tsx'
import { isAtHostOf } from './encoder-form.rules.ts'
import { MISSING, PORT_RANGE } from './encoder-record.messages.ts'

/** All as typed. */
export interface CloneValues {
  title: string
  ip: string
  port: string
  /** '' takes the first that is offered. */
  'card-idx': string
}

export const CLONE_LABELS = {
  title: 'Title',
  ip: 'IP',
  port: 'Port',
  'card-idx': 'Card index',
} as const satisfies Record<keyof CloneValues, string>

const CARDS = 64

export function cloneValuesOf({ title, ip, port }: Encoder): CloneValues {
  return {
    title: copyTitle(title),
    ip,
    port: String(port),
    'card-idx': '',
  }
}

/**
 * Of a host that was heard its free cards that can be used; of another, and of one whose cards are
 * all in use, every index that nobody is known to have.
 */
export function freeCards(
  encoder: Encoder,
  host: EncoderHost | undefined,
  values: CloneValues,
): readonly Choice<string>[] {
  const isHere = isAtHostOf(encoder, values)
  const own = encoder.config === null ? [] : [encoder.config['card-idx']]
  const used = isHere ? [...own, ...(host?.taken ?? []).map(({ cardIdx }) => cardIdx)] : []
  const sources = (isHere ? (host?.sources ?? []) : [])
    .filter(({ cardIdx, unusable }) => unusable === '' && !used.includes(cardIdx))
    .toSorted((a, b) => a.cardIdx - b.cardIdx)
  if (sources.length > 0) {
    return sources.map(({ cardIdx, label }) => choice(cardIdx, `${cardIdx}: ${label}`))
  }
  return Array.from({ length: CARDS }, (_, cardIdx) => cardIdx)
    .filter((cardIdx) => !used.includes(cardIdx))
    .map((cardIdx) => choice(cardIdx, String(cardIdx)))
}

function choice(cardIdx: number, label: string): Choice<string> {
  return { value: String(cardIdx), label }
}

/** The chosen one while it is offered, else the first that is. */
export function chosenCard(values: CloneValues, cards: readonly Choice<string>[]): string {
  const isOffered = cards.some(({ value }) => value === values['card-idx'])
  return isOffered ? values['card-idx'] : (cards[0]?.value ?? '0')
}

export function cloneBody(
  encoder: Encoder,
  values: CloneValues,
  card: string,
): BodyOf<typeof cloneEncoder> {
  const { title, ip, port } = values
  const at = isAtHostOf(encoder, values) ? {} : { ip: ip.trim(), port: Number(port) }
  return { title: title.trim(), 'card-idx': Number(card), ...at }
}

export function checkClone(values: CloneValues): Sentences<CloneValues> {
  const { 'card-idx': _, ...typed } = values
  const faults = fieldFaults(cloneEncoder.body.omit({ 'card-idx': true }), typed, CLONE_LABELS)
  if (faults.port !== undefined) faults.port = PORT_RANGE
  for (const name of ['title', 'ip', 'port'] as const) {
    if (values[name].trim() === '') faults[name] = MISSING[name]
  }
  return faults
}
