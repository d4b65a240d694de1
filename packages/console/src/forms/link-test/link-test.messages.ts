/** What the test of a link asks and says. */
import type { Family, Shape } from '@trunkline/contract/fleet/state-view.rules'
import type { LinkTest, TestedDirection } from '@trunkline/contract/link-tests/link-test.calls'
import { decimalText } from '@trunkline/contract/number-text.rules'
import { LEAST_RTT_MS, TABLE_LOSS_PERCENT } from '@trunkline/contract/paths/latency.rules'
import { fineText, numberText } from '../../shared/format.ts'

export const TITLE = 'Test a link'
export const START = 'Start test'
export const START_FAILED = 'The test could not be started.'
export const READ_FAILED = 'The test could not be read.'
export const CHOOSE_FROM = 'Choose the sender first.'
export const CHOOSE_TO = 'Choose the server at the other end.'
export const SAME_SERVER = 'A server cannot test a link to itself. Choose another server.'
export const NO_LISTS = 'The lists to choose from could not be read. Close this and open it again.'
export const NOT_READ = 'Checking whether both ends can run a test …'
export const HOST_FAILED =
  'It is not known whether both ends can run a test. Close this and open it again.'
export const PORT_HINT = 'Leave empty for a free one, or name the port that the link will use.'
export const ADDRESS_HINT = 'One of the addresses in the record of this server.'
export const RATE_HINT = 'What the link will carry: 100 to 50,000.'
export const DURATION_HINT = 'Both directions together: 10 to 60.'
export const ENDS_HINT = 'Closing this dialog cancels the test.'

/** What will be sent, before it is. */
export function loadText(from: string, to: string, rateKbps: string, durationS: string): string {
  const rate = numberText(Number(rateKbps))
  const seconds = Number(durationS) / 2
  return `Sends UDP packets at ${rate} kbit/s for ${seconds} s from ${from} to ${to}, then back for the same time. Streams on the same path share its bandwidth meanwhile.`
}

export function addressText(address: string, port: number): string {
  return `UDP ${address}:${port}`
}

const STATE_TEXTS: Readonly<Record<LinkTest['state'], string>> = {
  waiting: 'Waiting for the first answer',
  out: 'Sending',
  back: 'Sending back',
  done: 'Finished',
  cancelled: 'Cancelled',
  failed: 'Failed',
}

export function stateText(test: LinkTest | undefined, durationS: number): string {
  if (test === undefined) return 'Starting'
  const word = STATE_TEXTS[test.state]
  const isRunning = test.state === 'out' || test.state === 'back'
  return isRunning ? `${word}: ${Math.floor(test.elapsedMs / 1000)} of ${durationS} s` : word
}

export function directionText(from: string, to: string): string {
  return `${from} to ${to}`
}

export const NOT_BEGUN = 'Not tested yet.'
export const NOT_TESTED = 'Not tested.'
export const NOT_FINISHED = 'Not finished'

export function headlineText({ needed, receivedPackets, sentPackets }: TestedDirection): string {
  if (needed !== null) return `Set a latency of ${numberText(needed.latencyMs)} ms or more`
  return sentPackets > 0 && receivedPackets === 0 ? 'No packets arrived' : 'Measuring'
}

export function directionView(
  { needed, lossPercent }: TestedDirection,
  isOver: boolean,
): { family: Family; shape: Shape } {
  if (needed === null) {
    return isOver ? { family: 'bad', shape: 'octagon' } : { family: 'move', shape: 'arc' }
  }
  if ((lossPercent ?? 0) > TABLE_LOSS_PERCENT) return { family: 'bad', shape: 'octagon' }
  return (lossPercent ?? 0) > 1
    ? { family: 'warn', shape: 'triangle' }
    : { family: 'ok', shape: 'disc' }
}

/** Name and value, in the order in which they are read. */
export function factsOf(direction: TestedDirection): [string, string][] {
  const { sentKbps, sentPackets, receivedKbps, receivedPackets, rttMs, jitterMs } = direction
  const facts: [string, string][] = [
    ['Sent', `${numberText(sentKbps)} kbit/s, ${numberText(sentPackets)} packets`],
    ['Received', `${numberText(receivedKbps)} kbit/s, ${numberText(receivedPackets)} packets`],
    ['Loss', lossText(direction)],
    ['RTT', rttText(rttMs)],
    ['Jitter', jitterMs === null ? '–' : `${fineText(jitterMs)} ms`],
    ['Reordered', numberText(direction.reordered)],
  ]
  if (direction.duplicates > 0) facts.push(['Duplicates', numberText(direction.duplicates)])
  return facts
}

function lossText({ lossPercent }: TestedDirection): string {
  if (lossPercent === null) return '–'
  return lossPercent > 0 && lossPercent < 0.005
    ? `<${decimalText(0.01, 2)} %`
    : `${decimalText(lossPercent, 2)} %`
}

function rttText(rttMs: TestedDirection['rttMs']): string {
  if (rttMs === null) return '–'
  const { median, p95, highest } = rttMs
  return `median ${fineText(median)} ms, 95th percentile ${fineText(p95)} ms, highest ${fineText(highest)} ms`
}

export function ruleText({ needed }: TestedDirection): string {
  return needed === null
    ? ''
    : `Rule: 95th percentile of the RTT × ${needed.multiplier} at this loss; an RTT below ${LEAST_RTT_MS} ms counts as ${LEAST_RTT_MS} ms.`
}

export const WHERE_TO_SET =
  'For SRT and RIST, by the multipliers of the SRT Deployment Guide (Haivision). SRT uses the higher latency of both ends, RIST needs it at both.'
