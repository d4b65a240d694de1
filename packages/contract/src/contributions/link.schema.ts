/** What SRT and RIST links share: modes, encryption, advanced parameters by name. */
import { z } from 'zod'
import { Passphrase } from '../text.schema.ts'

export const LINK_MODES = ['Listen', 'Push'] as const
export const LinkMode = z.enum(LINK_MODES)

/** RIST profile numbers as the wire has them (IN-FORM-09); the tool counts one lower (Q170). */
export const RIST_MAIN = 2
export const RIST_SIMPLE = 1

/**
 * `passphrase` is write-only (decisions.md 17): empty in every reply, with `passphraseSet` beside
 * it. On save empty keeps the stored one; selection 'no' clears it.
 */
export const Encryption = z.strictObject({
  selection: z.enum(['yes', 'no']).default('no'),
  passphrase: z.union([z.literal(''), Passphrase]).default(''),
  type: z.union([z.literal(128), z.literal(256)]).default(128),
  passphraseSet: z.boolean().optional(),
})
export type Encryption = z.output<typeof Encryption>

/**
 * SRT URI keys an operator may set (dataplane.md 3.3). The tool ignores unknown keys silently and
 * lets a duplicate override, so `mode`, `adapter`, `port`, `passphrase` and `pbkeylen` are not here.
 */
export const SRT_ADVANCED_KEYS = [
  'latency',
  'rcvlatency',
  'peerlatency',
  'maxbw',
  'inputbw',
  'mininputbw',
  'oheadbw',
  'mss',
  'fc',
  'sndbuf',
  'rcvbuf',
  'ipttl',
  'iptos',
  'tlpktdrop',
  'snddropdelay',
  'nakreport',
  'conntimeo',
  'peeridletimeo',
  'lossmaxttl',
  'drifttracer',
  'linger',
  'payloadsize',
  'streamid',
  'congestion',
  'messageapi',
  'kmrefreshrate',
  'kmpreannounce',
  'enforcedencryption',
  'packetfilter',
  'retransmitalgo',
  'transtype',
  'minversion',
  'bindtodevice',
  'groupconnect',
] as const

export const AdvancedParameter = z.strictObject({
  key: z
    .string()
    .trim()
    .toLowerCase()
    .pipe(z.enum(SRT_ADVANCED_KEYS, 'is not a parameter that may be set here.')),
  value: z
    .string()
    .trim()
    .regex(
      /^[A-Za-z0-9._~:,/#!=+-]{1,200}$/,
      'must be 1 to 200 characters out of letters, digits and . _ ~ : , / # ! = + -',
    ),
})
export const AdvancedParameters = z
  .array(AdvancedParameter)
  .max(32)
  .refine(
    (list) => new Set(list.map((one) => one.key)).size === list.length,
    'must name each key once.',
  )
export type AdvancedParameter = z.output<typeof AdvancedParameter>
