/**
 * Whether the far end of a link is there, from what the tools print, line by line. Pure. SRT says
 * it in words; RIST says it in half-words that read the wrong way round (dataplane.md 3.2, 4.3).
 */
import type { PeerFacts } from '@trunkline/contract/fleet/observed.schema'
import { START_MARK, type PeerState } from '@trunkline/contract/program-state'

/** What libsrt prints about a peer before it is connected. */
export interface SrtHandshake {
  address: string
  version: string
  /** That the peer asks for what is sent to it; null when not reported. */
  peerLatencyMs: number | null
  encryption: PeerFacts['encryption']
  /** It went so far that a connection may follow. */
  isAnswered: boolean
  /** What ends that insist on encryption would reject: 'unread' by the far end, which has no passphrase. */
  keys: 'alike' | 'differ' | 'unread'
}

export interface PeerView {
  peer: PeerState
  /** Of a peer that is refused or refuses, or that is there and cannot decrypt, or be decrypted; '' otherwise. */
  trouble: string
  /** RIST: when the tool printed the line that says so, the host's clock; null where none does. */
  troubleAtMs: number | null
  /** SRT: calls that were rejected in the try under way; of a listener since it began, or nobody called for long. */
  rejections: number
  /** RIST: the tool's numbers of the far ends, or ways to one, that have not fallen silent. */
  here: readonly number[]
  /** RIST: since which line a far end that is called has left all unanswered; null once one answers. */
  unansweredSinceMs: number | null
  /** How often it was tried since a far end was there last, the try under way among them. */
  tries: number
  /** A far end was there since the program began. */
  wasHere: boolean
  /** SRT: of those whose handshake is under way, and of the peer once it is there. */
  handshakes: readonly SrtHandshake[]
  handshake: SrtHandshake | null
  /** SRT: negotiated for what this end receives, from statistics since the peer came. */
  latencyMs: number | null
  /** RIST: of those who call us and are there. */
  addresses: readonly string[]
  /** Of an ffmpeg that is tried again and again: the process that tries, as its start mark names it. */
  run: string
}

export const NO_PEER_YET: PeerView = {
  peer: '',
  trouble: '',
  troubleAtMs: null,
  rejections: 0,
  here: [],
  unansweredSinceMs: null,
  tries: 0,
  wasHere: false,
  handshakes: [],
  handshake: null,
  latencyMs: null,
  addresses: [],
  run: '',
}

/** A far end is there. */
export const PEER_IS_HERE: PeerView = { ...NO_PEER_YET, peer: 'connected', wasHere: true }

/** How often it did not come about since a far end was there last; 0 while one is there. */
export function retriesOf({ peer, tries, wasHere }: PeerView): number {
  if (peer === 'connected') return 0
  return wasHere ? Math.max(1, tries) : Math.max(0, tries - 1)
}

/** A peer that never connected cannot be lost (M3, Q96). */
export function lostPeer({ wasHere }: PeerView): PeerState {
  return wasHere ? 'disconnected' : ''
}

export type PeerReader = (view: PeerView, line: string) => PeerView

const RIST_WRONG_SECRET =
  /Malformed packet, rtp flag value|Disabling packet processing till new NONCE/
const RIST_ONE_SIDE_PLAIN = /configured without keysize/
/** Anybody may call a listening port, again and again: the latest are remembered. */
const MOST_PEERS = 64
/** A first answer comes within a second, on the slowest way too. */
const ANSWER_LIMIT_MS = 5000
const UNANSWERED =
  'The far end does not answer. Either nothing listens there, a firewall blocks it, or its secret or profile differs: RIST does not report which.'

/**
 * A link may have several far ends, and several ways to one: it is connected while one of them
 * lives. What the tool announces proves nothing (an encrypting receiver announces a plain sender):
 * only an exchange in its statistics, be it of control packets alone, makes a peer.
 */
export function readRistPeer(view: PeerView, line: string): PeerView {
  if (line.includes('-stats":')) return afterRistStatistics(view, line)
  if (line.startsWith(START_MARK)) return NO_PEER_YET
  const change = ristChange(view, line)
  if (change) return change
  const trouble = view.peer === 'connected' ? '' : ristTrouble(line)
  return trouble === '' ? view : { ...view, trouble, troubleAtMs: printedAtMs(line) }
}

/** The tool writes the seconds since 1970 before each line. */
function printedAtMs(line: string): number {
  return Number.parseFloat(line) * 1000
}

// How much may stand between two words is bounded: without it a line that repeats one of them takes
// time by the cube of its length.
const JOINED =
  /Peer with id #(\d+) associated with flow|Peer (\d+) was dead for .{0,100} now alive again/
const LEFT = /Listening peer (\d+) timed out after|Removing timed-out peer (\d+)/
const NOBODY_LEFT = /new status is (1|3), peer connected count is 0/
const FLOW_DEAD = /Flow with id \d+ is dead/

function ristChange(view: PeerView, line: string): PeerView | null {
  const joined = numberIn(JOINED, line)
  if (joined !== null) return { ...view, here: withNumber(view.here, joined) }
  const left = numberIn(LEFT, line)
  if (left !== null) return withoutPeers(asUnanswered(view), [left])
  if (NOBODY_LEFT.test(line)) return withoutPeers(view, view.here)
  // The old flow of a caller that called again is reported dead when the new one flows already.
  return FLOW_DEAD.test(line) ? withoutPeers(view, []) : null
}

/** Something came and was not understood: after this the tool says nothing at all (tried). */
function asUnanswered(view: PeerView): PeerView {
  const isNew = view.unansweredSinceMs !== null && view.trouble === ''
  return isNew ? { ...view, trouble: UNANSWERED, troubleAtMs: null } : view
}

function numberIn(pattern: RegExp, line: string): number | null {
  const match = pattern.exec(line)
  return match ? Number(match[1] ?? match[2]) : null
}

function withNumber(numbers: readonly number[], id: number): readonly number[] {
  return numbers.includes(id) ? numbers : [...numbers, id].slice(-MOST_PEERS)
}

function withoutPeers(view: PeerView, left: readonly number[]): PeerView {
  const here = view.here.filter((id) => !left.includes(id))
  return here.length > 0 ? { ...view, here } : { ...view, here, peer: lostPeer(view) }
}

const SENDER_PEER =
  /"sender-stats":\{"peer":\{.{0,100}?"id":(\d+),.{0,400}?"type":"(\w+)","stats":\{[^}]{0,200}?"received":(\d+),[^}]{0,400}?"rtt":(\d+),"avg_rtt":(\d+)/
const RECEIVER_PEERS = /"id":(\d+),"dead":0,"stats":\{"received_data":(\d+),"received_rtcp":(\d+)/g

function afterRistStatistics(view: PeerView, line: string): PeerView {
  const sender = SENDER_PEER.exec(line)
  const peers = sender ? peersOfSender(sender) : peersOfReceiver(line)
  if (peers.length > 0) {
    const here = peers.reduce(withNumber, view.here)
    return { ...PEER_IS_HERE, here, addresses: view.addresses }
  }
  // Simple's data peer hears nothing at any time, its control peer does.
  return sender && view.peer !== 'connected' ? afterNoAnswer(view, line) : view
}

/**
 * Without a round trip nothing of ours was understood, whatever came: so it is when only this end
 * encrypts.
 */
function peersOfSender([, id, , received, rtt, averageRtt]: RegExpExecArray): number[] {
  const isUnderstood = Number(rtt) > 0 || Number(averageRtt) > 0
  return Number(received) > 0 && isUnderstood ? [Number(id)] : []
}

function peersOfReceiver(line: string): number[] {
  return [...line.matchAll(RECEIVER_PEERS)]
    .filter((match) => Number(match[2]) + Number(match[3]) > 0)
    .map((match) => Number(match[1]))
}

/** With a wrong secret the sender's log is the same as with nobody there (tried). */
function afterNoAnswer(view: PeerView, line: string): PeerView {
  const atMs = printedAtMs(line)
  const since = view.unansweredSinceMs ?? atMs
  const unanswered = { ...view, unansweredSinceMs: since }
  return atMs - since >= ANSWER_LIMIT_MS ? asUnanswered(unanswered) : unanswered
}

const DIFFERENT_SECRETS = 'The two ends have different secrets (RIST).'
const ONE_END_PLAIN = 'One end encrypts, the other does not (RIST).'

function ristTrouble(line: string): string {
  if (RIST_WRONG_SECRET.test(line)) return DIFFERENT_SECRETS
  if (RIST_ONE_SIDE_PLAIN.test(line)) return ONE_END_PLAIN
  return ''
}

/**
 * What is left to say once no other such line follows. Of another secret the tool prints nothing more,
 * whether the far end goes on or is gone; that only one end encrypts it prints every second (tried).
 */
export function pastRistTrouble(trouble: string): string {
  switch (trouble) {
    case DIFFERENT_SECRETS:
      return 'The two ends had different secrets when the far end was last heard (RIST). RIST reports this only once: whether the far end still sends is not known.'
    case ONE_END_PLAIN:
      return 'The far end is not heard now. When it was last heard, only one of the two ends encrypted (RIST).'
    default:
      return trouble
  }
}

/** What an end of a link calls the other: SRT's own words, kept for RIST (M7). */
function ristLine(peer: PeerState, line: string): string {
  const prefix = /^\S*\|\[[A-Z]+\] /.exec(line)?.[0] ?? ''
  return `${prefix.replace(/\|\[[A-Z]+\]/, '|[INFO]')}RIST target ${peer}`
}

/**
 * RIST's lines as an operator and FEED-11 can read them: statistics left out, words about a peer
 * replaced by 'RIST target connected' or 'RIST target disconnected' where its state changes.
 */
function readableRistLines<L extends { text: string }>(lines: readonly L[]): L[] {
  let view = NO_PEER_YET
  return lines.flatMap((line) => {
    const { text } = line
    const before = view.peer
    view = readRistPeer(view, text)
    const change = view.peer !== before && view.peer !== '' && !text.startsWith(START_MARK)
    const changeLine = change ? [{ ...line, text: ristLine(view.peer, text) }] : []
    if (text.trim() === '' || isRistStatistics(text)) return changeLine
    return [{ ...line, text: withoutPeerWords(text) }, ...changeLine]
  })
}

/**
 * What each line says of the peer follows from those before it, back to the start of its process: until
 * all is read, only lines since a start that was read count.
 */
export function pickRistLines<L extends { text: string }>(
  lines: readonly L[],
  isWhole: boolean,
): L[] {
  if (isWhole) return readableRistLines(lines)
  const start = lines.findIndex(({ text }) => text.startsWith(START_MARK))
  return start < 0 ? [] : readableRistLines(lines.slice(start))
}

export function isRistStatistics(line: string): boolean {
  return line.includes('-stats":') || line.includes('_stats":')
}

/** 'peer connected count is 0' would read as a connection, 'reconnected' comes before the proof. */
function withoutPeerWords(line: string): string {
  if (line.startsWith(START_MARK)) return line
  return line.replace(/peer connected count/g, 'peer count').replace(/\breconnected\b/g, 'is back')
}
