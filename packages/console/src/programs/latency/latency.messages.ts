/** Sentences about the latency that a link needs. */
import { decimalText } from '@trunkline/contract/number-text.rules'
import {
  LATENCY_LEAST_STEPS,
  LATENCY_STEP_MS,
  type LatencyAdvice,
  type MeasuredPath,
} from '@trunkline/contract/paths/latency.calls'
import {
  appliedLatency,
  endsToSet,
  type LatencyVerdict,
  LEAST_RTT_MS,
  TABLE_LOSS_PERCENT,
} from '@trunkline/contract/paths/latency.rules'
import type { Family, Shape } from '@trunkline/contract/fleet/state-view.rules'
import { agoText, durationText, fineText, numberText } from '../../shared/format.ts'

export const LATENCY_LABEL = 'Latency'
export const ADVICE_FAILED = 'The advice on latency could not be read.'

export type Needed = NonNullable<LatencyAdvice['needed']>

export function endsOf({ protocol, isReceiver, ownMs, other, negotiatedMs }: LatencyAdvice) {
  return { protocol, isReceiver, ownMs, otherMs: other?.latencyMs ?? null, negotiatedMs }
}

export function headlineText({ ownMs, measured, needed }: LatencyAdvice): string {
  const set = `Latency: ${ms(ownMs)} set`
  if (needed !== null && measured !== null) {
    const loss = measured.loss?.worstPercent ?? 0
    return `${set}, ${ms(needed.latencyMs)} needed by RTT ${fineText(measured.rttMs.p95)} ms and loss ${percent(loss)} of the last hour`
  }
  return `${set}. ${missingText(measured)}`
}

function missingText(measured: MeasuredPath | null): string {
  const least = durationText(LATENCY_LEAST_STEPS * LATENCY_STEP_MS)
  const steps = measured?.steps ?? 0
  if (steps >= LATENCY_LEAST_STEPS) {
    return 'What it needs is not known: no packets were counted in the last hour.'
  }
  return `What it needs is not known yet: RTT was read for ${durationText(steps * LATENCY_STEP_MS)} of the last hour, and ${least} with a connected peer are needed.`
}

/** The link was stopped, or has lost its peer. Advice is read every minute, a step takes up to another. */
const OLD_AFTER_MS = 180_000

export function isOld({ lastAtMs }: MeasuredPath, nowMs: number): boolean {
  return nowMs - lastAtMs > OLD_AFTER_MS
}

/** Beside the figures that stand on it. */
export function oldText({ lastAtMs }: MeasuredPath, nowMs: number): string {
  return `The last RTT was read ${agoText(nowMs - lastAtMs)}: these figures are old. Start the link, or check its peer.`
}

export const VERDICT_VIEWS: Readonly<Record<LatencyVerdict, { family: Family; shape: Shape }>> = {
  low: { family: 'warn', shape: 'triangle' },
  right: { family: 'ok', shape: 'disc' },
  high: { family: 'warn', shape: 'half-disc' },
}

export function verdictText(advice: LatencyAdvice, { verdict, latencyMs }: Needed): string {
  switch (verdict) {
    case 'low':
      return `Too low: lost packets cannot be retransmitted in time. ${placeText(advice, latencyMs)}`
    case 'right':
      return 'Right.'
    case 'high': {
      const more = appliedLatency(endsOf(advice)).delayMs - latencyMs
      return `Higher than needed: ${ms(more)} more delay on air. ${placeText(advice, latencyMs)}`
    }
  }
}

function placeText(advice: LatencyAdvice, latencyMs: number): string {
  const { isOwn, isOther } = endsToSet(endsOf(advice), latencyMs)
  if (isOwn && isOther) return `Set ${ms(latencyMs)} at both ends.`
  if (isOwn) return `Set ${ms(latencyMs)} at this end.`
  if (!isOther) return 'Check the advanced parameters of both ends.'
  const { other } = advice
  return other === null
    ? `Set ${ms(latencyMs)} at the other end.`
    : `Set ${ms(latencyMs)} at '${other.title}'.`
}

/** Which of the two ends counts. */
export function endsText({ protocol, other, negotiatedMs }: LatencyAdvice): string {
  const far =
    other === null
      ? 'The setting of the other end is not known here.'
      : `'${other.title}' at the other end has ${ms(other.latencyMs)} set.`
  if (protocol === 'rist') {
    return `RIST buffers at both ends: the receiver's buffer is the delay, and the sender can retransmit only what its own buffer still holds. ${far}`
  }
  const agreed = negotiatedMs === null ? '' : ` They have agreed on ${ms(negotiatedMs)}.`
  return `SRT uses the higher latency of both ends. ${far}${agreed}`
}

export function evidenceText({ rttMs, loss, steps, lastAtMs }: MeasuredPath, nowMs: number) {
  const { median, p95, highest } = rttMs
  const read = durationText(steps * LATENCY_STEP_MS)
  const roundTrip = `RTT: median ${fineText(median)} ms, 95th percentile ${fineText(p95)} ms, highest ${fineText(highest)} ms.`
  return `${roundTrip} ${lossText(loss)} Jitter: not reported by the tool. Read for ${read} of the last hour, last ${agoText(nowMs - lastAtMs)}.`
}

function lossText(loss: MeasuredPath['loss']): string {
  if (loss === null) return 'Loss: no packets counted.'
  const figures = `Loss: ${percent(loss.percent)} of all packets, ${percent(loss.worstPercent)} in the worst minutes (95th percentile)`
  return loss.countedBy === 'receiver'
    ? `${figures}, counted by the receiver.`
    : `${figures}, at most: a sender counts retransmitted packets, some of them twice.`
}

export function ruleText({ protocol, measured }: LatencyAdvice, { multiplier }: Needed): string {
  const loss = measured?.loss?.worstPercent ?? 0
  const same =
    protocol === 'rist' ? ' RIST retransmits in the same way, so the same multipliers apply.' : ''
  const beyond =
    loss > TABLE_LOSS_PERCENT
      ? ` No latency makes up for a loss above ${TABLE_LOSS_PERCENT} %: correct the network first.`
      : ''
  return `Rule: RTT × ${multiplier} at this loss, by the multipliers of the SRT Deployment Guide (Haivision). An RTT below ${LEAST_RTT_MS} ms counts as ${LEAST_RTT_MS} ms.${same}${beyond}`
}

/** It opens the settings; nothing is saved by it. */
export function fillInText(latencyMs: number): string {
  return `Use ${ms(latencyMs)}…`
}

function ms(value: number): string {
  return `${numberText(value)} ms`
}

function percent(value: number): string {
  return `${decimalText(value, 1)} %`
}
