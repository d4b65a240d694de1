/** Text fields as every feature checks them: one line, a limit, and a sentence that names the fix. */
import { z } from 'zod'

export const Id = z.string().min(1).max(64)
/** Anything below space, and DEL: line breaks, tabs, escapes. */
// oxlint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/
/**
 * What has no width, turns the text around it or is half a character: with it a name looks empty, or
 * like another's. The joiners of scripts and emoji are ordinary text.
 */
const UNSEEN = /[\u00ad\u061c\u180e\u200b\u200e\u200f\u2060\u202a-\u202e\u2066-\u2069\ufeff\p{Cs}]/u
const EVERY_CONTROL = new RegExp(CONTROL, 'g')
// oxlint-disable-next-line no-control-regex
const EVERY_OTHER_CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029]/g
const EVERY_UNSEEN = new RegExp(UNSEEN, 'gu')

/** Of a text that others made: as one line, without what is not seen. */
export function seenText(text: string): string {
  return text.replace(EVERY_CONTROL, ' ').replace(EVERY_UNSEEN, '')
}

/** One line of 1 to `max` characters, trimmed. Quotes and shell characters are ordinary text here. */
export function oneLine(max: number) {
  return optionalLine(max).min(1, 'must not be empty. Type at least one character.')
}

export function optionalLine(max: number) {
  return z
    .string()
    .refine((text) => !CONTROL.test(text), 'must be one line. Remove line breaks and tabs.')
    .trim()
    .refine((text) => !UNSEEN.test(text), 'must not contain invisible characters. Type it again.')
    .max(max, `must be at most ${max} characters long. Shorten it.`)
}

export const Title = oneLine(120)
/** Of several lines. What is not seen, and controls but line breaks and tabs, are left out. */
export const Description = z
  .string()
  .max(2000, 'must be at most 2000 characters long. Shorten it.')
  .transform((text) => text.replace(EVERY_OTHER_CONTROL, '').replace(EVERY_UNSEEN, ''))
/** What a host says of itself, as one line. */
export const HostText = z.string().transform(seenText)
export const Email = z
  .string()
  .trim()
  .toLowerCase()
  .max(254, 'must be at most 254 characters long. Shorten it.')
  .refine((text) => !/[\p{Cc}\p{Cf}\p{Cs}]/u.test(text), 'Please enter a valid email')
  .regex(/^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/, 'Please enter a valid email')

/** A whole number, or the digits of one: foreign clients send numbers as text (IN-FORM-24). */
export function wholeNumber(min: number, max: number, sentence: string) {
  return z.preprocess(
    digitsToNumber,
    z.number(sentence).int(sentence).min(min, sentence).max(max, sentence),
  )
}

/** A whole number whose refusal names its range and unit: 'must be 20 to 30000 ms.' */
export function wholeNumberIn(
  min: number,
  max: number,
  unit: '' | 'ms' | 's' | 'kbit/s' | 'bit/s',
) {
  const range = unit === '' ? `must be ${min} to ${max}.` : `must be ${min} to ${max} ${unit}.`
  return wholeNumber(min, max, range)
}

/** A number with or without a fraction, or its text with a decimal point. */
export function decimalNumber(min: number, max: number, sentence: string) {
  return z.preprocess(textToNumber, z.number(sentence).min(min, sentence).max(max, sentence))
}

function textToNumber(value: unknown): unknown {
  return typeof value === 'string' && /^\s*\d{1,9}(\.\d{1,9})?\s*$/.test(value)
    ? Number(value)
    : digitsToNumber(value)
}

/** One of a few numbers, or its digits. */
export function numberChoice<const N extends number>(choices: readonly N[], sentence: string) {
  return z.preprocess(digitsToNumber, z.literal(choices, sentence))
}

/**
 * Around a numeric field that may be left out, with its default or `optional()`: empty text means
 * not set (decisions.md 39).
 */
export function unlessEmpty<T extends z.ZodType>(field: T): T {
  // What goes in and comes out is the field's own.
  return z.preprocess(emptyToUnset, field) as unknown as T
}

function emptyToUnset(value: unknown): unknown {
  return typeof value === 'string' && value.trim() === '' ? undefined : value
}

function digitsToNumber(value: unknown): unknown {
  // -0 is 0 to everybody but the tools that would print its sign.
  if (value === 0) return 0
  return typeof value === 'string' && /^\s*\d{1,15}\s*$/.test(value) ? Number(value) : value
}

/** A port that we connect to: media servers stand on 80 and 443 (SRV-08, decisions.md 34). */
export const RemotePort = wholeNumber(1, 65535, 'must be a port between 1 and 65535.')
/** A port that our media tools listen on: they run without root. */
export const Port = wholeNumber(1024, 65535, 'must be a port between 1024 and 65535.')

/** Without leading zeros: 010 is 8 to some tools and 10 to others. */
const OCTET = '(25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)'
const IPV4 = new RegExp(`^${OCTET}(\\.${OCTET}){3}$`)
/** Read as an IPv4 address by whatever connects, or as nothing: 127.1 and 0x7f.1 are 127.0.0.1, 192.0.2.300 is none. */
const ENDS_IN_NUMBER = /(^|\.)(\d+|0x[0-9a-f]*)$/i
export const Ipv4 = z.string().trim().regex(IPV4, 'must be an IPv4 address such as 192.0.2.10.')
export const MulticastIp = Ipv4.refine(
  (ip) => isMulticast(ip),
  'must be a multicast address between 224.0.0.0 and 239.255.255.255.',
)
/** A host name or an IPv4 address; no scheme, no port, nothing that could end a command or a URI. */
export const HostName = z
  .string()
  .trim()
  .max(253, 'must be at most 253 characters long.')
  .regex(
    /^[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?(\.[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?)*$/,
    'must be a host name or an IPv4 address, without scheme, port or spaces.',
  )
  .refine(
    (text) => !ENDS_IN_NUMBER.test(text) || IPV4.test(text),
    'must be a host name or an IPv4 address such as 192.0.2.10.',
  )

export function isMulticast(ip: string): boolean {
  const first = Number(ip.split('.')[0])
  return first >= 224 && first <= 239
}

/** dataplane.md 0.1 rule 8: what both tools take without escaping. */
export const Passphrase = z
  .string()
  .regex(
    /^[A-Za-z0-9._~-]{10,79}$/,
    'must be 10 to 79 characters from A-Z a-z 0-9 . _ ~ and -. Use Generate A Key.',
  )

/** Of the object that a change was made from; absent for foreign clients (decisions.md 16). */
export const Version = unlessEmpty(
  wholeNumber(1, 2_147_483_647, 'must be the version that was read.').optional(),
)

/**
 * Read-only fields that a client may send back from a reply: taken and ignored (decisions.md 18, 38).
 * `apiResult` and `uptime` are what a client attaches to the rows that it has read (API-84).
 */
export function echoed<const N extends string>(names: readonly N[]) {
  const ignored = z.unknown().optional()
  const all = [...names, 'apiResult', 'uptime'] as const
  return Object.fromEntries(all.map((name) => [name, ignored])) as Record<
    N | 'apiResult' | 'uptime',
    typeof ignored
  >
}
