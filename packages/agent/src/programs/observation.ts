/**
 * What is seen of a running program beside its process: far end, media, a warning, each with the
 * time at which it became so. Decided here, where the lines are read, so that every screen shows
 * the same, and the age of what it shows.
 */
import {
  defaultThreshold,
  lossStepsOf,
  speedStepsOf,
  worstFinding,
} from '@trunkline/contract/alarms/threshold.rules'
import type { MediaFinding, MediaState, Observed } from '@trunkline/contract/fleet/observed.schema'
import type { EncodeReading, Reading } from '@trunkline/contract/fleet/reading.schema'
import { STATISTICS_PACKETS } from '../commands/srt.command.ts'
import { pastRistTrouble, type PeerView } from '../logs/peer-state.ts'
import { pastRejection } from '../logs/srt-peer.ts'
import { SILENT_AFTER_MS, TS_DATAGRAM_BYTES } from '../stats/link-sample.ts'
import { lossOf } from '../stats/loss-window.ts'
import { peerFactsOf } from './peer-facts.ts'
import { hasProcess, newLastLook, peerOf, type Program } from './program.ts'

/** A line may be late by half of the usual time between two. */
const SILENCE_FACTOR = 1.5
/** RIST prints a line for each of its peers at once. */
const ONE_ROUND_MS = 200

/** Call after every line, event and half second. Blanks a rate that does not hold any more. */
export function observe(program: Program, nowMs: number): void {
  if (!hasProcess(program.state) || program.startedAtMs === null) {
    program.observed = null
    program.lastLook = newLastLook(nowMs)
    return
  }
  updatePulse(program)
  program.peer = afterRistTrouble(afterRejections(program, nowMs), nowMs)
  if (isSilent(program, nowMs)) program.reading = blank(program.reading, nowMs)
  const before = program.observed ?? begin(program.startedAtMs)
  const peerChanged = program.lastLook.peer !== peerOf(program)
  const peerSinceMs = peerChanged ? nowMs : before.peerSinceMs
  const media = mediaOf(program, before.media)
  const findings = findingsOf(program, before.findings ?? [], nowMs)
  const worst = worstFinding(findings, defaultThreshold)
  const warning = worst?.kind ?? ''
  const isSameWarning = warning === before.warning
  program.observed = {
    peerSinceMs,
    peerFacts: peerFactsOf(program, { facts: before.peerFacts, peerSinceMs }, nowMs),
    media,
    mediaSinceMs: media === before.media ? before.mediaSinceMs : mediaSinceMs(program, nowMs),
    warning,
    warningSinceMs: isSameWarning ? before.warningSinceMs : (worst?.sinceMs ?? nowMs),
    findings,
  }
  program.lastLook = { ...program.lastLook, peer: peerOf(program) }
}

/** Whoever is rejected calls again within seconds, a slow encoder within half a minute. */
const REJECTION_HOLDS_MS = 60_000

/** A listener is not told that nobody calls it any more. A caller knows by its next try. */
function afterRejections({ unit, peer, lastLook }: Program, nowMs: number): PeerView {
  const isListener = unit.output === 'srt' && unit.repeat === 'never'
  const lastAtMs = lastLook.rejectedAtMs ?? lastLook.watchedSinceMs
  if (!isListener || peer.rejections === 0 || nowMs - lastAtMs < REJECTION_HOLDS_MS) return peer
  return { ...peer, trouble: pastRejection(peer.trouble, 'listener'), rejections: 0 }
}

/** A RIST tool says a trouble once or every second, and never that it is over. Either way: a clock may be set back. */
function afterRistTrouble(peer: PeerView, nowMs: number): PeerView {
  const { trouble, troubleAtMs } = peer
  if (troubleAtMs === null || Math.abs(nowMs - troubleAtMs) < REJECTION_HOLDS_MS) return peer
  return { ...peer, trouble: pastRistTrouble(trouble), troubleAtMs: null }
}

function begin(startedAtMs: number): Observed {
  return {
    peerSinceMs: startedAtMs,
    peerFacts: null,
    media: 'waiting',
    mediaSinceMs: startedAtMs,
    warning: '',
    warningSinceMs: startedAtMs,
    findings: [],
  }
}

function updatePulse(program: Program): void {
  const { reading, lastLook } = program
  if (reading === null || reading.atMs === lastLook.lastReadingAtMs) return
  const isMoving = reading.bitrateKbps > 0
  const gapMs = reading.atMs - (lastLook.lastReadingAtMs ?? reading.atMs)
  const isUsual =
    isMoving && lastLook.movedAtMs === lastLook.lastReadingAtMs && gapMs > ONE_ROUND_MS
  const isSameRound = lastLook.mediaEndMs !== null && gapMs <= ONE_ROUND_MS
  const packets = reading.kind === 'link' ? reading.packets : null
  const newPackets = packets === null || lastLook.packets === null ? 0 : packets - lastLook.packets
  const missing = isUsual ? missingMs(newPackets, gapMs, lastLook.usualPackets) : 0
  program.lastLook = {
    ...lastLook,
    lastReadingAtMs: reading.atMs,
    usualGapMs: isUsual ? gapMs : lastLook.usualGapMs,
    movedAtMs: isMoving ? reading.atMs : lastLook.movedAtMs,
    mediaEndMs: isMoving && !isSameRound ? reading.atMs - missing : lastLook.mediaEndMs,
    packets,
    usualPackets: isUsual ? newPackets : lastLook.usualPackets,
  }
}

/** A tool that reports every two seconds counts fewer packets in the interval in which a stream ends. */
function missingMs(packets: number, gapMs: number, usualPackets: number): number {
  if (packets <= 0 || usualPackets <= 0) return 0
  return gapMs * Math.max(0, 1 - packets / usualPackets)
}

/** "Connected" is not "data flows" (dataplane.md 0.1 rule 7): a rate must not outlive its stream. */
export function isSilent(program: Program, nowMs: number): boolean {
  const { reading, lastLook } = program
  if (reading === null) return false
  const hasRoundTrip = reading.kind === 'link' && reading.rttMs !== null
  if (peerOf(program) === 'disconnected') return reading.bitrateKbps > 0 || hasRoundTrip
  if (reading.bitrateKbps === 0) return false
  const lastAtMs = Math.max(reading.atMs, lastLook.watchedSinceMs)
  return nowMs - lastAtMs > Math.max(SILENT_AFTER_MS, usualGapMs(program, reading) * SILENCE_FACTOR)
}

/** From one reading to the next: as it was last, or as configured. */
function usualGapMs({ spec, lastLook }: Program, reading: Reading): number {
  if (reading.kind === 'encode') return lastLook.usualGapMs
  if (reading.protocol === 'srt') {
    const bits = STATISTICS_PACKETS * TS_DATAGRAM_BYTES * 8
    return Math.max(lastLook.usualGapMs, bits / reading.bitrateKbps)
  }
  const outer = spec === null || spec.kind === 'encoder' ? null : spec.outer
  return Math.max(lastLook.usualGapMs, outer?.protocol === 'rist' ? outer.statIntervalMs : 0)
}

/** The sums stay; what is measured now is nothing. */
function blank(reading: Reading | null, nowMs: number): Reading | null {
  if (reading === null) return null
  const nothing = { atMs: nowMs, bitrateKbps: 0 }
  if (reading.kind === 'encode') return { ...reading, ...nothing, framesPerSecond: 0, speed: 0 }
  const { sendBufferMs: _, ...sums } = reading
  const paths = sums.paths?.map((path) => ({ ...path, bitrateKbps: 0, rttMs: null }))
  return { ...sums, ...nothing, rttMs: null, ...(paths ? { paths } : {}) }
}

function mediaOf({ reading }: Program, before: MediaState): MediaState {
  if (reading !== null && reading.bitrateKbps > 0) return 'moving'
  return before === 'waiting' ? 'waiting' : 'silent'
}

function mediaSinceMs({ reading, lastLook }: Program, nowMs: number): number {
  return reading !== null && reading.bitrateKbps > 0 ? reading.atMs : (lastLook.mediaEndMs ?? nowMs)
}

/** Worst first. What was found before keeps its beginning. */
function findingsOf(
  program: Program,
  before: readonly MediaFinding[],
  nowMs: number,
): MediaFinding[] {
  const { reading } = program
  if (reading === null || reading.bitrateKbps === 0) return []
  const { picture, sound } = contentFindings(program)
  const ofEncoder = reading.kind === 'encode' ? slowFindings(reading) : []
  const found = [...ofEncoder, ...picture, ...linkFindings(program, nowMs), ...sound]
  return found.map((finding) => {
    const known = before.find(({ kind, step }) => kind === finding.kind && step === finding.step)
    return known ?? finding
  })
}

function slowFindings({ speed, atMs: sinceMs }: EncodeReading): MediaFinding[] {
  // 0 is not known yet.
  const steps = speed > 0 ? speedStepsOf(speed) : []
  return steps.map((step) => ({ kind: 'slow', sinceMs, step }))
}

function linkFindings({ reading, lastLook }: Program, nowMs: number): MediaFinding[] {
  if (reading?.kind !== 'link') return []
  const loss = lossOf(lastLook.loss, nowMs)
  const steps = loss === null ? [] : lossStepsOf(loss.share)
  const losing = steps.map((step): MediaFinding => ({
    kind: 'losing',
    sinceMs: loss?.sinceMs ?? nowMs,
    step,
  }))
  const silent = (reading.paths ?? []).flatMap(({ silentSinceMs }) => silentSinceMs ?? [])
  if (silent.length === 0) return losing
  return [...losing, { kind: 'path-silent', sinceMs: Math.min(...silent), step: null }]
}

/** A cut through black, seen by chance in a sample of a link, is no fault: it must last over two looks. */
const CONFIRMED_AFTER_MS = 3000

/** Before the first look after a start of the agent what it knew before still holds. */
function contentFindings({
  unit,
  lastLook,
  observed,
}: Program): Record<'picture' | 'sound', MediaFinding[]> {
  if (lastLook.content === null) {
    const { findings = [], warning = '', warningSinceMs = 0 } = observed ?? {}
    // Of a version that stored no findings its warning is known.
    const stored: readonly MediaFinding[] =
      warning === '' ? [] : [{ kind: warning, sinceMs: warningSinceMs, step: null }]
    const known = observed?.findings === undefined ? stored : findings
    return {
      picture: known.filter(({ kind }) => kind === 'black' || kind === 'frozen'),
      sound: known.filter(({ kind }) => kind === 'silent'),
    }
  }
  const { atMs, picture, sound } = lastLook.content
  // What is found of an encoder lasted over several of its pictures.
  const confirmedAfterMs = unit.output === 'ffmpeg' ? 0 : CONFIRMED_AFTER_MS
  const isLong = (sinceMs: number) => atMs - sinceMs >= confirmedAfterMs
  return {
    picture:
      picture !== null && picture.kind !== 'moving' && isLong(picture.sinceMs)
        ? [{ kind: picture.kind, sinceMs: picture.sinceMs, step: null }]
        : [],
    sound:
      sound?.kind === 'silent' && isLong(sound.sinceMs)
        ? [{ kind: 'silent', sinceMs: sound.sinceMs, step: null }]
        : [],
  }
}
