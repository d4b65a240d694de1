/** For tests: a call that was answered as an example of the API reference, without what is of this run alone. */
import type { CallExample } from './call-examples.ts'
import type { InjectInput } from '../testing/inject.ts'
import type { Route } from '@trunkline/contract/route'

const DAY = '2026-11-20'
const AT_MS = Date.parse(`${DAY}T08:00:00Z`)
/** Of `newId`; words of as many letters have no digit. */
const ID = /\b(?=[a-z]*\d)[a-z0-9]{16}\b/g
const TIME = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3})?Z/g
/** In the names of files. */
const FILE_TIME = /\b\d{4}-\d\d-\d\dT\d{6}Z/g
const FOLDER = /\/(?:tmp|root|home|work|dev)\/[^\s"']*(?=\/)/g
/** What lets somebody in, or stands in for it: what was answered in a test goes nowhere else. */
const SECRET_FIELDS =
  /^(?:token|password|oldPassword|newPassword|currentPassword|code|codes|recoveryCodes|secret|apiKey|passphrase|community|uri|publicKey|certificate|authority|clientDataJSON|attestationObject|authenticatorData|signature|challenge|binding|ticket)$/i
/** In addresses and answers of a provider. */
const SECRET_PARTS = /\b(state|nonce|code|code_challenge)=[\w-]+/g
/** Long enough for every one of them, and of characters that all take. */
const SECRET = 'not-shown-here'

export function exampleOf(
  { path }: Route,
  { params, query, body }: InjectInput<Route>,
  answer: unknown,
): CallExample {
  const ids = new Map<string, string>()
  // Recipes may carry more than the path takes.
  const taken = Object.entries(params ?? {}).filter(([name]) => path.includes(`:${name}`))
  const given = {
    params: taken.length === 0 ? undefined : Object.fromEntries(taken),
    query,
    body,
  }
  const shown = Object.fromEntries(
    Object.entries(given).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, cleaned(value, '', ids)]],
    ),
  )
  return { ...shown, answer: cleaned(answer, '', ids) }
}

function cleaned(value: unknown, field: string, ids: Map<string, string>): unknown {
  if (typeof value === 'string') return cleanedText(value, field, ids)
  if (typeof value === 'number') return value > AT_MS / 2 ? AT_MS : value
  if (Array.isArray(value)) {
    // One of a list shows what it is made of.
    return value.slice(0, 1).map((item) => cleaned(item, field, ids))
  }
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [name, cleaned(part, name, ids)]),
  )
}

function cleanedText(text: string, field: string, ids: Map<string, string>): string {
  if (text !== '' && SECRET_FIELDS.test(field)) return SECRET
  if (field === 'proof') return '0'.repeat(text.length)
  if (field === 'machine') return 'console-1'
  return text
    .replaceAll(ID, (id) => {
      // Tests name things by ids, so that no two are called alike.
      if (field === 'title') return 'North'
      const shown = ids.get(id) ?? `id${String(ids.size + 1).padStart(14, '0')}`
      ids.set(id, shown)
      return shown
    })
    .replaceAll(
      TIME,
      (_, parts: string | undefined) => `${DAY}T08:00:00${parts === undefined ? '' : '.000'}Z`,
    )
    .replaceAll(FILE_TIME, `${DAY}T080000Z`)
    .replaceAll(SECRET_PARTS, `$1=${SECRET}`)
    .replaceAll(FOLDER, '/var/lib/trunkline')
}
