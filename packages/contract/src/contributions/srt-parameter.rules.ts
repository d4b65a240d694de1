/**
 * The SRT parameters that may be set by name: what each is for, its unit and its limits, as SRT 1.5
 * documents its socket options. Form, API and agent check values by this one table.
 */

interface NumberRule {
  readonly kind: 'number'
  /** '' for a bare count or number. */
  readonly unit: string
  readonly least: number
  readonly greatest: number
  readonly meaning: string
}
interface ChoiceRule {
  readonly kind: 'choice'
  readonly choices: readonly string[]
  readonly meaning: string
}
interface TextRule {
  readonly kind: 'text'
  readonly pattern: RegExp
  /** How it is written: goes on from 'must be'. */
  readonly form: string
  readonly meaning: string
}
export type SrtParameterRule = NumberRule | ChoiceRule | TextRule

/** Latencies cross the wire as 16 bits of milliseconds. */
const MOST_LATENCY_MS = 65_535
/** A day: no sane pause is longer. */
const MOST_PAUSE_MS = 86_400_000
/** 10 Gbit/s. */
const MOST_BYTES_PER_SECOND = 1_250_000_000
/** 20 s of 100 Mbit/s; SRT takes memory in step with it. */
const MOST_BUFFER_BYTES = 268_435_456
/** Its loss lists take memory for each from the start. */
const MOST_WINDOW_PACKETS = 1_000_000
/** An UDP packet of an Ethernet frame, and what of it is left for media in live mode. */
const ETHERNET_BYTES = 1500
const MOST_PAYLOAD_BYTES = 1456
const MOST_KEY_PACKETS = 2_147_483_647

function number(unit: string, least: number, greatest: number, meaning: string): NumberRule {
  return { kind: 'number', unit, least, greatest, meaning }
}

function choice(choices: readonly string[], meaning: string): ChoiceRule {
  return { kind: 'choice', choices, meaning }
}

function onOff(meaning: string): ChoiceRule {
  return choice(['0', '1'], meaning)
}

function text(pattern: RegExp, form: string, meaning: string): TextRule {
  return { kind: 'text', pattern, form, meaning }
}

/**
 * The tool ignores unknown keys silently and lets a duplicate override (dataplane.md 3.3), so
 * `mode`, `adapter`, `port`, `passphrase` and `pbkeylen` are not here.
 */
const SRT_PARAMETERS = {
  latency: number(
    'ms',
    0,
    MOST_LATENCY_MS,
    'Time for retransmission of lost packets, in both directions.',
  ),
  rcvlatency: number(
    'ms',
    0,
    MOST_LATENCY_MS,
    'Time for retransmission of what this end receives.',
  ),
  peerlatency: number(
    'ms',
    0,
    MOST_LATENCY_MS,
    'The least time that the other end must allow for retransmission.',
  ),
  maxbw: number(
    'bytes/s',
    -1,
    MOST_BYTES_PER_SECOND,
    'Most that is sent; -1 for no cap, 0 to follow the input.',
  ),
  inputbw: number('bytes/s', 0, MOST_BYTES_PER_SECOND, 'Rate of the input; 0 to measure it.'),
  mininputbw: number(
    'bytes/s',
    0,
    MOST_BYTES_PER_SECOND,
    'The least that a measured input counts as.',
  ),
  oheadbw: number('%', 5, 100, 'Bandwidth above the rate of the input for retransmission.'),
  mss: number('bytes', 76, ETHERNET_BYTES, 'Largest packet on the network, its headers included.'),
  fc: number(
    'packets',
    32,
    MOST_WINDOW_PACKETS,
    'Flow window: packets sent and not acknowledged yet.',
  ),
  sndbuf: number('bytes', 1456, MOST_BUFFER_BYTES, 'Size of the send buffer.'),
  rcvbuf: number('bytes', 1456, MOST_BUFFER_BYTES, 'Size of the receive buffer.'),
  ipttl: number('hops', 1, 255, 'Routers that a packet may cross.'),
  iptos: number('', 0, 255, 'Type of service (ToS) in the IP header.'),
  tlpktdrop: onOff('Whether packets that arrive too late are dropped.'),
  snddropdelay: number(
    'ms',
    -1,
    MOST_PAUSE_MS,
    'How much later the sender drops late packets; -1 for never.',
  ),
  nakreport: onOff('Whether the receiver repeats its loss reports (NAK).'),
  conntimeo: number('ms', 0, MOST_PAUSE_MS, 'Time limit for connecting.'),
  peeridletimeo: number(
    'ms',
    0,
    MOST_PAUSE_MS,
    'Time without packets after which the peer counts as lost.',
  ),
  lossmaxttl: number(
    'packets',
    0,
    10_000,
    'Reorder tolerance: packets that may overtake one before it counts as lost.',
  ),
  drifttracer: onOff('Whether clock drift between both ends is compensated.'),
  linger: number('s', 0, 180, 'How long a closed link still sends its last packets.'),
  payloadsize: number(
    'bytes',
    0,
    MOST_PAYLOAD_BYTES,
    'Media in a packet; seven TS packets are 1316.',
  ),
  streamid: text(
    /^.+$/,
    '1 to 200 characters',
    'Sent to the listener, which may select a stream by it. No effect in mode Listen.',
  ),
  congestion: choice(['live', 'file'], 'Congestion control.'),
  messageapi: onOff('Whether packet boundaries are kept (message mode).'),
  kmrefreshrate: number(
    'packets',
    0,
    MOST_KEY_PACKETS,
    'Packets after which the stream key changes.',
  ),
  kmpreannounce: number(
    'packets',
    0,
    MOST_KEY_PACKETS,
    'How long before that the new key is announced.',
  ),
  enforcedencryption: onOff('Whether a peer with another passphrase is refused.'),
  packetfilter: text(
    /^fec(,[a-z]+:[A-Za-z0-9]+)*$/,
    'such as fec,cols:10,rows:5',
    'Forward error correction.',
  ),
  retransmitalgo: choice(['0', '1'], 'Retransmission: 0 after every loss report, 1 reduced.'),
  transtype: choice(['live', 'file'], 'Sets many others at once; live is for media.'),
  minversion: text(
    /^0x[0-9A-Fa-f]{5,6}$/,
    'hexadecimal, such as 0x010300 for 1.3.0',
    'The oldest SRT version accepted from the peer.',
  ),
  bindtodevice: text(
    /^[A-Za-z0-9._-]{1,15}$/,
    'the name of a network device, such as eth0',
    'Sends and receives by this device only.',
  ),
  groupconnect: onOff('Whether a listener takes bonded connections.'),
} as const satisfies Record<string, SrtParameterRule>

export type SrtAdvancedKey = keyof typeof SRT_PARAMETERS

export const SRT_ADVANCED_KEYS = Object.keys(SRT_PARAMETERS) as [
  SrtAdvancedKey,
  ...SrtAdvancedKey[],
]

export function srtParameterRule(key: SrtAdvancedKey): SrtParameterRule {
  return SRT_PARAMETERS[key]
}

/** 'ms, 0 to 65535'; 'live or file'; what the value must look like. */
export function srtParameterRange(key: SrtAdvancedKey): string {
  const rule = srtParameterRule(key)
  switch (rule.kind) {
    case 'number': {
      const range = `${rule.least} to ${rule.greatest}`
      return rule.unit === '' ? range : `${range} ${rule.unit}`
    }
    case 'choice':
      return rule.choices.join(' or ')
    case 'text':
      return rule.form
  }
}

/** Null when the value fits; else the end of a sentence that begins with the key. */
export function srtParameterFault(key: SrtAdvancedKey, value: string): string | null {
  return fits(srtParameterRule(key), value) ? null : `must be ${srtParameterRange(key)}.`
}

/** Without leading zeros: the tool reads 010 as 8, and takes no 08 at all. */
const NUMBER = /^(0|-?[1-9]\d{0,11})$/

function fits(rule: SrtParameterRule, value: string): boolean {
  switch (rule.kind) {
    case 'number':
      return NUMBER.test(value) && Number(value) >= rule.least && Number(value) <= rule.greatest
    case 'choice':
      return rule.choices.includes(value)
    case 'text':
      return rule.pattern.test(value)
  }
}
