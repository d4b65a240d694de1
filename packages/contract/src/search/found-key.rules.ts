/** Objects named by kind and id in one text, as an address carries them: 'encoder:a1,input:b2'. */
import { z } from 'zod'

export const FOUND_KINDS = [
  'encoder',
  'feeder',
  'input',
  'output',
  'channel',
  'destination',
  'server',
  'template',
  'group',
  'user',
] as const
export type FoundKind = (typeof FOUND_KINDS)[number]

/** A feeder goes by its name. */
export interface FoundKey {
  kind: FoundKind
  id: string
}

const MOST_KEYS = 12
/** As many of the longest kind and id. */
const LONGEST = MOST_KEYS * 80
const SENTENCE = `must be at most ${MOST_KEYS} objects such as 'encoder:a1,input:b2'. Check kinds and ids.`

export function keyText({ kind, id }: FoundKey): string {
  return `${kind}:${id}`
}

/** Null for a text that is none. */
export function readKey(text: string): FoundKey | null {
  const at = text.indexOf(':')
  const id = text.slice(at + 1)
  const kind = FOUND_KINDS.find((known) => known === text.slice(0, at))
  return kind === undefined || id === '' || id.length > 64 ? null : { kind, id }
}

export const FoundKeys = z
  .string()
  .max(LONGEST, SENTENCE)
  .default('')
  .transform((text, check) => {
    const texts = text === '' ? [] : text.split(',')
    const keys = texts.flatMap((part) => readKey(part) ?? [])
    if (keys.length < texts.length || keys.length > MOST_KEYS) {
      check.addIssue({ code: 'custom', message: SENTENCE })
    }
    return keys
  })
