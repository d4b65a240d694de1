/**
 * Whether the far end of a link is there, from what the tools print, line by line. Pure. SRT says
 * it in words; RIST says it in half-words that read the wrong way round (dataplane.md 3.2, 4.3).
 */
import type { PeerState } from '@trunkline/contract/program-state'
import { START_MARK } from './start-mark.ts'

export interface PeerView {
  peer: PeerState
  /** What the tool said about a peer that it refuses or is refused by; '' once one is there. */
  trouble: string
  /** RIST: it announced a peer, and no statistics of an exchange with it have come yet. */
  announced: boolean
}

export const NO_PEER_YET: PeerView = { peer: '', trouble: '', announced: false }

export type PeerReader = (view: PeerView, line: string) => PeerView

const SRT_TROUBLE = /REJECT|BADSECRET|UNSECURE|Incorrect passphrase|Password required/

export function readSrtPeer(view: PeerView, line: string): PeerView {
  if (line.startsWith(START_MARK)) return { ...NO_PEER_YET, peer: 'disconnected' }
  // 'disconnected' contains 'connected', so it is tested first.
  if (/disconnected/i.test(line)) return { ...view, peer: 'disconnected' }
  if (/connected|accepted/i.test(line)) return { ...NO_PEER_YET, peer: 'connected' }
  if (view.peer !== 'connected' && SRT_TROUBLE.test(line)) {
    return { ...view, trouble: srtTrouble(line) }
  }
  return view
}

/** From `12:00:00.1/SRT:RcvQ:w1!W:SRT.cn: processConnectRequest: …` the part for people. */
function srtTrouble(line: string): string {
  if (/Incorrect passphrase|BADSECRET/.test(line)) {
    return 'The two ends have different passphrases (SRT: Incorrect passphrase).'
  }
  if (/Password required|UNSECURE|does not/.test(line)) {
    return 'One end encrypts, the other does not (SRT: Password required or unexpected).'
  }
  return line.replace(/^\S*SRT\.cn: /, '')
}

const RIST_HERE = /new status is (0|2)\b|is now alive again/
const RIST_GONE = /timed out after|new status is (1|3)\b|Flow with id \d+ is dead/
const RIST_WRONG_SECRET =
  /Malformed packet, rtp flag value|Disabling packet processing till new NONCE/
const RIST_ONE_SIDE_PLAIN = /configured without keysize/

export function readRistPeer(view: PeerView, line: string): PeerView {
  if (line.includes('-stats":')) return confirmRistPeer(view, line)
  if (line.startsWith(START_MARK)) return { ...NO_PEER_YET, peer: 'disconnected' }
  if (RIST_GONE.test(line)) return { ...view, peer: 'disconnected', announced: false }
  if (RIST_HERE.test(line)) return { ...view, announced: true }
  const trouble = view.peer === 'connected' ? '' : ristTrouble(line)
  return trouble === '' ? view : { ...view, trouble }
}

/**
 * An encrypting receiver announces a plain sender although nothing can pass between them: only an
 * exchange, be it of control packets alone, makes a peer.
 */
function confirmRistPeer(view: PeerView, line: string): PeerView {
  if (!view.announced || !hasExchange(line)) return view
  return { ...NO_PEER_YET, peer: 'connected' }
}

function hasExchange(line: string): boolean {
  const counts = [...line.matchAll(/"(?:received|received_data|received_rtcp)":(\d+)/g)]
  return counts.some((match) => Number(match[1]) > 0)
}

function ristTrouble(line: string): string {
  if (RIST_WRONG_SECRET.test(line)) return 'The two ends have different secrets (RIST).'
  if (RIST_ONE_SIDE_PLAIN.test(line)) return 'One end encrypts, the other does not (RIST).'
  return ''
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
export function readableRistLines(lines: readonly string[]): string[] {
  let view = NO_PEER_YET
  return lines.flatMap((line) => {
    const before = view.peer
    view = readRistPeer(view, line)
    const change = view.peer !== before && view.peer !== '' && !line.startsWith(START_MARK)
    const told = change ? [ristLine(view.peer, line)] : []
    if (line.trim() === '' || line.includes('_stats":') || line.includes('-stats":')) return told
    return [withoutPeerWords(line), ...told]
  })
}

/** 'peer connected count is 0' would read as a connection, 'reconnected' comes before the proof. */
function withoutPeerWords(line: string): string {
  if (line.startsWith(START_MARK)) return line
  return line.replace(/peer connected count/g, 'peer count').replace(/\breconnected\b/g, 'is back')
}
