/**
 * Whether the peer of an SRT link is there, who it is and what was negotiated, from what
 * srt-live-transmit and libsrt print (lines of 1.5.1 at level note), line by line. Pure. A listener
 * tells the caller's address, version and latency; a caller tells whom it reached. The size of the
 * key is that of the keying material.
 */
import type { PeerFacts } from '@trunkline/contract/fleet/observed.schema'
import { START_MARK } from '@trunkline/contract/program-state'
import { NO_PEER_YET, PEER_IS_HERE, type PeerView, type SrtHandshake } from './peer-state.ts'

const SRT_TROUBLE = /REJECT|BADSECRET|UNSECURE|Incorrect passphrase|Password required/

export function readSrtPeer(view: PeerView, line: string): PeerView {
  if (line.startsWith(START_MARK)) return NO_PEER_YET
  // 'disconnected' contains 'connected', so it is tested first.
  if (/disconnected/i.test(line)) {
    return { ...view, ...NO_HANDSHAKE, peer: 'disconnected', trouble: '' }
  }
  if (/connected|accepted/i.test(line)) {
    const handshake = onlyAnswered(view.handshakes)
    // A target is whom this end sends to.
    const isSender = /target/.test(line)
    const trouble = keyTrouble(handshake?.keys, isSender) || undecryptedBefore(view)
    return { ...PEER_IS_HERE, handshake, trouble }
  }
  if (line.startsWith('Media path:')) {
    // A try that nobody rejected was answered by nobody.
    const trouble = view.rejections > 0 ? view.trouble : pastRejection(view.trouble, 'caller')
    return { ...view, ...NO_HANDSHAKE, trouble, rejections: 0, tries: view.tries + 1 }
  }
  const undecrypted = UNDECRYPTED.exec(line)?.[1]
  if (undecrypted !== undefined) {
    return { ...view, trouble: undecrypted === 'NOSECRET' ? ONE_END_ENCRYPTS : KEYS_DIFFER }
  }
  if (view.peer === 'connected') return withHandshake(view, afterLateLine(view.handshake, line))
  const handshakes = afterHandshakeLine(view.handshakes, line)
  if (SRT_TROUBLE.test(line)) {
    return { ...view, handshakes, trouble: srtTrouble(line), rejections: view.rejections + 1 }
  }
  return handshakes === view.handshakes ? view : { ...view, handshakes }
}

/**
 * What is left to say of a rejection once no other follows: the library prints nothing of a far end
 * that is gone. Without the words for what differs, which may not be so any more.
 */
export function pastRejection(trouble: string, end: 'caller' | 'listener'): string {
  const reason = /\(SRT: ([^)]+)\)/.exec(trouble)?.[1]
  if (reason === undefined) return ''
  return end === 'caller'
    ? `The far end does not answer now. It rejected the last call that it answered (SRT: ${reason}).`
    : `Nobody calls now. The last call was rejected (SRT: ${reason}).`
}

/** A packet that this end gets and cannot decrypt: with `enforcedencryption=0` it is connected nevertheless. */
const UNDECRYPTED = /SECURITY STATUS: (BADSECRET|NOSECRET) - can't decrypt/
const KEYS_DIFFER =
  'Connected, but the two ends have different passphrases: the stream cannot be decrypted (SRT: BADSECRET).'
const ONE_END_ENCRYPTS =
  'Connected. One end encrypts, the other does not: the stream cannot be decrypted (SRT: NOSECRET).'

function keyTrouble(keys: SrtHandshake['keys'] | undefined, isSender: boolean): string {
  if (keys === 'differ') return KEYS_DIFFER
  // What such an end gets may be clear: it says so where it is not.
  return keys === 'unread' && isSender ? ONE_END_ENCRYPTS : ''
}

/** The library may get packets before the tool says that it is connected. */
function undecryptedBefore({ trouble }: PeerView): string {
  return trouble === KEYS_DIFFER || trouble === ONE_END_ENCRYPTS ? trouble : ''
}

const NO_HANDSHAKE = { handshakes: [], handshake: null, latencyMs: null }

function withHandshake(view: PeerView, handshake: SrtHandshake | null): PeerView {
  return handshake === view.handshake ? view : { ...view, handshake }
}

/** From `12:00:00.1/SRT:RcvQ:w1!W:SRT.cn: processConnectRequest: …` the part for people. */
function srtTrouble(line: string): string {
  if (/Incorrect passphrase|BADSECRET/.test(line)) {
    return 'The two ends have different passphrases (SRT: Incorrect passphrase).'
  }
  if (/Password required|UNSECURE|does not/.test(line)) {
    return 'One end encrypts, the other does not (SRT: Password required or unexpected).'
  }
  return rejection(line) || line.replace(/^\S*SRT\.cn: /, '')
}

const REJECTED_THERE = /REJECT reported from HS processing: (.{1,80}) - not processing further/
const REJECTED_HERE = /rsp\(REJECT\): \d+ - (.{1,80})/
/** Parameters by name that each end has by itself, and both must have alike. */
const SETTINGS_DIFFER =
  /^(MessageAPI\/StreamAPI collision|Congestion controller type collision|Packet Filter settings error|Group settings collision|Peer version too old)$/

/** libsrt's own words are kept in brackets; '' for any other line. */
function rejection(line: string): string {
  const there = REJECTED_THERE.exec(line)?.[1]
  const reason = there ?? REJECTED_HERE.exec(line)?.[1]
  if (reason === undefined) return ''
  if (SETTINGS_DIFFER.test(reason)) {
    return `The SRT settings of the two ends do not match (SRT: ${reason}).`
  }
  if (there === undefined) return `A caller was rejected (SRT: ${reason}).`
  // What a listener rejects by rules of its own; srt-live-transmit reports no more of it (tried).
  return reason === 'Application-defined rejection reason'
    ? 'The far end rejects the call, often because of its stream ID (SRT: Application-defined rejection reason).'
    : `The far end rejects the call (SRT: ${reason}).`
}

const NEW: SrtHandshake = {
  address: '',
  version: '',
  peerLatencyMs: null,
  // Without keying material the stream is clear.
  encryption: 'none',
  isAnswered: false,
  keys: 'alike',
}
/** Anybody may call a listener: the latest are remembered. */
const MOST_CALLERS = 16

const REQUEST = /PASSING request from: (\S+)/
const REQUESTED = /HSREQ\/rcv: .{0,100} vers=0x([0-9a-f]+) .{0,100}delay=(\d+)/
const KEYS = /processSrtMsg_KM(?:REQ|RSP): .{0,100}len=(\d+) KmState: SND=(\w+) RCV=(\w+)/
const BAD_SECRET = /KMREQ\/rcv: .{0,40}Rx process failure - BADSECRET/
const NO_KEYS_ASKED = /Agent has PW, but Peer sent no KMREQ/
const REJECTED = /rsp\(REJECT\)/
const ESTABLISHED = /Connection established to: (\S+)/

/** The one that the last line was about stands last: the library deals with one after the other. */
function afterHandshakeLine(
  handshakes: readonly SrtHandshake[],
  line: string,
): readonly SrtHandshake[] {
  const others = handshakes.slice(0, -1)
  const last = handshakes.at(-1) ?? NEW
  const caller = REQUEST.exec(line)?.[1]
  if (caller !== undefined) return withCaller(handshakes, caller)
  const requested = REQUESTED.exec(line)
  if (requested) {
    const [, version = '', delay] = requested
    const peerLatencyMs = Number(delay)
    return [...others, { ...last, version: versionOf(version), peerLatencyMs, isAnswered: true }]
  }
  const keys = KEYS.exec(line)
  if (keys) {
    const [, length, sending = '', receiving] = keys
    const encryption = receiving === 'SECURED' ? encryptionOf(Number(length)) : ''
    return [...others, { ...last, encryption, isAnswered: true, keys: keysOf(sending) }]
  }
  if (BAD_SECRET.test(line)) return [...others, { ...last, encryption: '', keys: 'differ' }]
  if (NO_KEYS_ASKED.test(line)) return [...others, { ...last, keys: 'unread' }]
  if (REJECTED.test(line)) return others
  const reached = ESTABLISHED.exec(line)?.[1]
  return reached === undefined
    ? handshakes
    : [...others, { ...last, address: reached, isAnswered: true }]
}

function keysOf(sending: string): SrtHandshake['keys'] {
  if (sending === 'BADSECRET') return 'differ'
  return sending === 'NOSECRET' ? 'unread' : 'alike'
}

/** Of the peer once it is there; null when several came so far that it may be any of them. */
function onlyAnswered(handshakes: readonly SrtHandshake[]): SrtHandshake | null {
  const [only, ...others] = handshakes.filter((candidate) => candidate.isAnswered)
  return only === undefined || others.length > 0 ? null : only
}

/** The tool and its library say at the same time that a caller is connected, in either order. */
function afterLateLine(handshake: SrtHandshake | null, line: string): SrtHandshake | null {
  if (!ESTABLISHED.test(line)) return handshake
  return onlyAnswered(afterHandshakeLine(handshake ? [handshake] : [], line))
}

function withCaller(handshakes: readonly SrtHandshake[], address: string): readonly SrtHandshake[] {
  const known = handshakes.find((candidate) => candidate.address === address) ?? { ...NEW, address }
  const others = handshakes.filter((candidate) => candidate.address !== address)
  return [...others, known].slice(-MOST_CALLERS)
}

/** 0x10501 is 1.5.1. */
function versionOf(hex: string): string {
  const version = Number.parseInt(hex, 16)
  return [16, 8, 0].map((shift) => (version >> shift) & 0xff).join('.')
}

const KEY_BYTES = { 16: 'AES-128', 24: 'AES-192', 32: 'AES-256' } as const

/** Header, salt and check take 40 bytes beside the key; the tool tells four times the length (tried). */
function encryptionOf(reportedLength: number): PeerFacts['encryption'] {
  const bytes = reportedLength / 4 - 40
  return bytes === 16 || bytes === 24 || bytes === 32 ? KEY_BYTES[bytes] : ''
}
