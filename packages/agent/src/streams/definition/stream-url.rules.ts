/**
 * The addresses of a stream's inputs and pushes: read strictly into typed values, so that no text
 * of them reaches a command line unread, and shown without their secrets. Pure.
 */
import type { RistLeg, SrtLeg } from '@trunkline/contract/agent/program.messages'
import { AdvancedParameter } from '@trunkline/contract/contributions/link.schema'
import { SRT_ADVANCED_KEYS } from '@trunkline/contract/contributions/srt-parameter.rules'
import { LatencyMs } from '@trunkline/contract/contributions/input.schema'
import {
  HostName,
  Ipv4,
  isMulticast,
  Passphrase,
  Port,
  RemotePort,
  wholeNumber,
  wholeNumberIn,
} from '@trunkline/contract/text.schema'
import { z } from 'zod'
import type { IngestSource, PushTarget, UdpEnd } from '../../commands/channel.command.ts'
import { isHttpUrl, maskedHttpUrl, parseHttpUrl } from './http-url.rules.ts'

/** Why an address is not taken: an operator's sentence that begins after the field's name. */
export class UrlRefused extends Error {
  override readonly name = 'UrlRefused'
}

const MAX_URL_CHARACTERS = 500
/** What stands for a secret in an answer; it is no passphrase character, so no secret looks so. */
const MASK = '***'
const ADDRESS = /^(srt|rist|udp):\/\/(@?)([^:/?@]*):(\d{1,5})(?:\?(.*))?$/
/** Server, application and the key as the last part of the path. */
const RTMP = /^(rtmps?:\/\/[A-Za-z0-9.-]+(?::\d{1,5})?(?:\/[A-Za-z0-9._~-]+)+\/)([^/]+)$/
const RTMP_KEY = /^[A-Za-z0-9._~?&=:%+-]{1,300}$/
const DEFAULT_LATENCY_MS = 3000
const DEFAULT_TTL = 1

interface Address {
  scheme: 'srt' | 'rist' | 'udp'
  /** True for the `@` that means our own address. */
  isOurs: boolean
  host: string
  port: number
  query: Map<string, string>
}

/**
 * `srt://:6010?passphrase=…&latency=300`, `rist://@:6012?buffer=300`, `udp://239.1.2.3:5000`,
 * `http://user:password@media.example/one/mpegts`.
 */
export function parseInputUrl(url: string): IngestSource {
  if (isHttpUrl(url)) return httpEnd(limited(url))
  const address = parseAddress(
    url,
    'srt://:PORT, rist://@:PORT, udp://IP:PORT or http(s)://HOST/PATH',
  )
  if (address.scheme === 'udp') return udpEnd(address, Ipv4.or(z.literal('')), Port)
  return { kind: 'link', leg: address.scheme === 'srt' ? srtLeg(address) : ristLeg(address) }
}

/** As inputs, with the other end's host; and `rtmp://HOST/APP/KEY`. */
export function parsePushUrl(url: string): PushTarget {
  const rtmp = RTMP.exec(limited(url))
  if (rtmp) return rtmpTarget(url, rtmp[2] ?? '')
  const address = parseAddress(
    url,
    'srt://HOST:PORT, rist://HOST:PORT, udp://HOST:PORT or rtmp://HOST/APP/KEY',
  )
  if (address.scheme === 'udp') return udpEnd(address, HostName, RemotePort)
  return { kind: 'link', leg: address.scheme === 'srt' ? srtLeg(address) : ristLeg(address) }
}

/** The address as answers show it. */
export function publicUrl(url: string): string {
  if (isHttpUrl(url)) return maskedHttpUrl(url, MASK)
  return url
    .replace(/\b(passphrase|secret)=[^&]*/gi, `$1=${MASK}`)
    .replace(RTMP, (_whole, server: string) => server + MASK)
}

/** True for an address that an answer gave and that hides something. */
export function isMasked(url: string): boolean {
  return url.includes(MASK)
}

function limited(url: string): string {
  if (url.length <= MAX_URL_CHARACTERS) return url
  throw new UrlRefused(`must be at most ${MAX_URL_CHARACTERS} characters long. Shorten it.`)
}

function parseAddress(url: string, forms: string): Address {
  const match = ADDRESS.exec(limited(url))
  if (!match) throw new UrlRefused(`must look like ${forms}.`)
  const [, scheme, at, host = '', port, query] = match
  return {
    scheme: scheme as Address['scheme'],
    isOurs: at === '@',
    host,
    port: checked(RemotePort, port, 'port'),
    query: parseQuery(query ?? ''),
  }
}

function parseQuery(text: string): Map<string, string> {
  const query = new Map<string, string>()
  for (const pair of text === '' ? [] : text.split('&')) {
    const equals = pair.indexOf('=')
    const key = pair.slice(0, equals).toLowerCase()
    if (equals < 1) throw new UrlRefused(`has '${pair}', which is not key=value.`)
    if (query.has(key)) throw new UrlRefused(`names ${key} twice. Keep one.`)
    query.set(key, pair.slice(equals + 1))
  }
  return query
}

/** Without a host we listen, with one we call; `mode` may say the same but not otherwise. */
function modeOf({ scheme, isOurs, host, query }: Address): 'listen' | 'call' {
  const word = query.get('mode')
  const listens = isOurs || host === '' || word === 'listener'
  const known = scheme === 'srt' ? ['listener', 'caller'] : []
  if (word !== undefined && !known.includes(word)) {
    throw new UrlRefused(
      scheme === 'srt' ? 'has a mode that is neither listener nor caller.' : UNKNOWN_MODE,
    )
  }
  if (listens && word === 'caller') {
    throw new UrlRefused('has no host to call: name it, as in srt://HOST:PORT.')
  }
  return listens ? 'listen' : 'call'
}

const UNKNOWN_MODE =
  "has no mode in RIST: write '@' before the colon to listen, as in rist://@:PORT."

function srtLeg(address: Address): SrtLeg {
  const { query } = address
  const advanced = [...query]
    .filter(
      ([key]) => !['mode', 'latency', 'maxbw', 'passphrase', 'pbkeylen', 'adapter'].includes(key),
    )
    .map(([key, value]) => advancedParameter(key, value))
  return {
    protocol: 'srt',
    ...outerLeg(address, query.get('passphrase'), srtKeyBits(query.get('pbkeylen'))),
    latencyMs: checked(LatencyMs, query.get('latency') ?? DEFAULT_LATENCY_MS, 'latency'),
    maxBandwidthBytes: checked(
      wholeNumber(0, 1_250_000_000, 'must be bytes per second, 0 for no cap.'),
      query.get('maxbw') ?? 0,
      'maxbw',
    ),
    advanced,
  }
}

function advancedParameter(key: string, value: string): AdvancedParameter {
  if (!(SRT_ADVANCED_KEYS as readonly string[]).includes(key)) {
    throw new UrlRefused(`has an unknown parameter ${quoted(key)}. Remove it.`)
  }
  return checked(AdvancedParameter, { key, value }, key)
}

function srtKeyBits(length: string | undefined): 128 | 256 {
  if (length === undefined || length === '16') return 128
  if (length === '32') return 256
  throw new UrlRefused('has a pbkeylen that is neither 16 nor 32.')
}

const RIST_KEYS = [
  'buffer',
  'bandwidth',
  'reorder-buffer',
  'rtt-min',
  'profile',
  'secret',
  'aes-type',
  'adapter',
  'mode',
]

function ristLeg(address: Address): RistLeg {
  const { query } = address
  const unknown = [...query.keys()].find((key) => !RIST_KEYS.includes(key))
  if (unknown !== undefined) {
    throw new UrlRefused(`has an unknown parameter ${quoted(unknown)}. Remove it.`)
  }
  const bits = query.get('aes-type') ?? '128'
  if (bits !== '128' && bits !== '256') {
    throw new UrlRefused('has an aes-type that is neither 128 nor 256.')
  }
  const profile = query.get('profile') ?? 'main'
  if (profile !== 'main' && profile !== 'simple') {
    throw new UrlRefused('has a profile that is neither main nor simple.')
  }
  return {
    protocol: 'rist',
    ...outerLeg(address, query.get('secret'), bits === '256' ? 256 : 128),
    profile,
    bufferMs: checked(LatencyMs, query.get('buffer') ?? DEFAULT_LATENCY_MS, 'buffer'),
    bandwidthKbps: checked(
      wholeNumber(0, 10_000_000, 'must be kbit/s, 0 for the default.'),
      query.get('bandwidth') ?? 0,
      'bandwidth',
    ),
    reorderBufferMs: optionalMs(query, 'reorder-buffer', 5000),
    rttMinMs: optionalMs(query, 'rtt-min', 30_000),
    statIntervalMs: STATISTICS_MS,
  }
}

const STATISTICS_MS = 2000

function optionalMs(query: Map<string, string>, key: string, max: number): number | null {
  const value = query.get(key)
  if (value === undefined) return null
  return checked(wholeNumberIn(0, max, 'ms'), value, key)
}

function outerLeg(address: Address, passphrase: string | undefined, bits: 128 | 256) {
  const { host, port, query } = address
  const mode = modeOf(address)
  return {
    mode,
    host: host === '' ? '' : checked(HostName, host, 'host'),
    port: mode === 'listen' ? checked(Port, port, 'port') : port,
    adapterIp: adapterOf(query),
    key:
      passphrase === undefined
        ? null
        : { passphrase: checked(Passphrase, passphrase, 'passphrase'), bits },
  } as const
}

function adapterOf(query: Map<string, string>): string {
  const adapter = query.get('adapter')
  return adapter === undefined ? '' : checked(Ipv4, adapter, 'adapter')
}

function udpEnd(
  { host, port, query }: Address,
  hosts: z.ZodType<string>,
  ports: z.ZodType<number>,
): UdpEnd {
  const unknown = [...query.keys()].find((key) => !['adapter', 'ttl'].includes(key))
  if (unknown !== undefined) {
    throw new UrlRefused(`has an unknown parameter ${quoted(unknown)}. Remove it.`)
  }
  const ttl = checked(wholeNumberIn(0, 255, ''), query.get('ttl') ?? DEFAULT_TTL, 'ttl')
  return {
    kind: 'udp',
    host: checked(hosts, host, 'host'),
    port: checked(ports, port, 'port'),
    adapterIp: adapterOf(query),
    ttl,
  }
}

function httpEnd(url: string): IngestSource {
  const end = parseHttpUrl(url)
  if (end) return end
  throw new UrlRefused(
    'must look like http://HOST/PATH, http://USER:PASSWORD@HOST:PORT/PATH?KEY=VALUE or the same with https, of letters, digits and . _ ~ - / : , @ + = & alone.',
  )
}

function rtmpTarget(url: string, key: string): PushTarget {
  if (!RTMP_KEY.test(key)) {
    throw new UrlRefused(
      'has a stream key with characters other than letters, digits and . _ ~ ? & = : % + -',
    )
  }
  return { kind: 'rtmp', url, secret: key }
}

/** UDP ports of this host that the input takes for itself; two inputs must not share one. */
export function portsOf(source: IngestSource): number[] {
  if (source.kind === 'http') return []
  if (source.kind === 'udp') return isMulticast(source.host) ? [] : [source.port]
  const { leg } = source
  if (leg.mode === 'call') return []
  const simple = leg.protocol === 'rist' && leg.profile === 'simple'
  return simple ? [leg.port, leg.port + 1] : [leg.port]
}

/** What must be looked up before a program of this end is started; '' when nothing. */
export function hostToLookUp(end: IngestSource | PushTarget): string {
  if (end.kind !== 'link' || end.leg.protocol !== 'rist' || end.leg.mode !== 'call') return ''
  return Ipv4.safeParse(end.leg.host).success ? '' : end.leg.host
}

function checked<T>(schema: z.ZodType<T>, value: unknown, name: string): T {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  throw new UrlRefused(
    `has a ${name} that does not fit: it ${parsed.error.issues[0]?.message ?? 'is not allowed.'}`,
  )
}

function quoted(text: string): string {
  return `'${text.slice(0, 40)}'`
}
