/** Why a hop of a signal path is bad or off, and what to do, in the words of its kind. Pure. */
import { reasonOfCause } from '../channels/stream-reason.rules.ts'
import type { ProgramStatus } from '../fleet/fleet.schema.ts'
import type { StateView } from '../fleet/state-view.rules.ts'
import { CAUSES, STATE_WORDS } from '../fleet/state-words.ts'
import { decimalText, wholeText } from '../number-text.rules.ts'
import { troubleOfHop } from './hop-state.rules.ts'
import { neededLatencyMs } from './latency.rules.ts'
import type { HiddenHop, HopKind, ShownHop } from './path.schema.ts'

/** A hop with its state as it is now. */
export type JudgedHop =
  | (Pick<
      ShownHop,
      'isShown' | 'key' | 'side' | 'kind' | 'title' | 'server' | 'hostKey' | 'link'
    > & {
      state: StateView
      /** What its host observes; null of a channel or destination, and while nothing is read. */
      status: Pick<ProgramStatus, 'cause' | 'peer' | 'reading'> | null
      /** What its media server says is wrong with the source of a channel; '' for nothing. */
      sourceError: string
      /** Of a channel: ports at which callers of its sources are connected (`takenPortsOf`). */
      takenPorts: readonly number[]
    })
  | HiddenHop

export type Shown = Exclude<JudgedHop, HiddenHop>

const HOP_WORDS: Readonly<Record<HopKind, string>> = {
  encoder: 'encoder',
  feeder: 'feeder',
  input: 'input',
  output: 'output',
  destination: 'destination',
  channel: 'channel',
  push: 'push output',
}

/** Each a whole text: other languages quote otherwise. */
const HOP_NAMES: Readonly<Record<HopKind, (title: string) => string>> = {
  encoder: (title) => `encoder '${title}'`,
  feeder: (title) => `feeder '${title}'`,
  input: (title) => `input '${title}'`,
  output: (title) => `output '${title}'`,
  destination: (title) => `destination '${title}'`,
  channel: (title) => `channel '${title}'`,
  push: (title) => `push output '${title}'`,
}

export function nameOf({ kind, title, server }: Pick<Shown, 'kind' | 'title' | 'server'>): string {
  const place = server === '' ? '' : ` on ${server}`
  return `${HOP_NAMES[kind](title)}${place}`
}

/** Why nothing comes from a hop that nobody wants to run, as far as that is known. */
export function quietOffText(off: Shown): string {
  const name = capital(nameOf(off))
  switch (off.state.word) {
    case STATE_WORDS.stopped:
      return `${name} is stopped on purpose.${offRemedy(off)}`
    case STATE_WORDS.disabled:
      return off.state.cause === CAUSES.mayRun
        ? `${name} is disabled on purpose, and may still run: its host does not answer.`
        : `${name} is disabled on purpose.${offRemedy(off)}`
    case STATE_WORDS.notConfigured:
      return `${name} is not configured.${offRemedy(off)}`
    default:
      return `${name} is not set to run. ${processReason(off)}`
  }
}

const OFF_REMEDIES: Readonly<Record<string, string>> = {
  [STATE_WORDS.stopped]: ' Start it to send the stream.',
  [STATE_WORDS.disabled]: ' Enable and start it to send the stream.',
  [STATE_WORDS.notConfigured]: ' Configure and start it to send the stream.',
}

function offRemedy({ state }: Shown): string {
  return OFF_REMEDIES[state.word] ?? ''
}

/** A Local input runs no program, and is as it shall be; a sender whose receiver is off runs. */
export function isOff({ family, shape, word }: StateView): boolean {
  return family === 'off' && shape !== 'house' && word !== STATE_WORDS.running
}

export interface Neighbours {
  before: readonly Shown[]
  behind: readonly Shown[]
}

export function reasonOf(hop: Shown, near: Neighbours): string {
  if (hop.kind === 'push') return pushReason(hop.state)
  switch (troubleOfHop(hop.state, hop.kind)) {
    case 'process':
      return processReason(hop)
    case 'link':
      return linkReason(hop, near)
    case 'media':
      return hop.kind === 'channel' ? channelReason(hop, near) : mediaReason(hop, near)
    case null:
      return ''
  }
}

/** Words of a host's sentences are texts of their own: other languages have both. */
const PORT_TAKEN = 'UDP port'
const SELF_EXPLAINED = ['Check ', 'first picture']
const STARTS_AGAIN = 'is started again'
const PORT_IN_USE = /srt_bind|address already in use/i

function processReason({ kind, state, server, link, status, sourceError }: Shown): string {
  const cause = status?.cause ?? ''
  if (state.cause === CAUSES.receiverDown) return stop(sourceError)
  if (state.word === STATE_WORDS.unknown || state.cause === CAUSES.notRead) {
    return 'Its current state is not known.'
  }
  if (state.cause === CAUSES.notHeard) {
    return `Its host has not answered yet, so it is not known whether it is running. If this stays, check power, network and agent of ${server || 'the host'}.`
  }
  if (state.cause === CAUSES.serverSilent) {
    return `The media server does not answer. Check that ${server || 'it'} runs and can be reached.`
  }
  if (state.cause === CAUSES.noSuchStream) {
    return 'The media server has no stream of this name. Add the stream there, or remove the channel.'
  }
  if (state.shape === 'diamond-x') {
    return `Its host does not answer, so it is not known whether it is running. Check power, network and agent of ${server || 'the host'}.`
  }
  // The host says who has it and what to do.
  if (cause.startsWith(PORT_TAKEN)) return cause
  if (PORT_IN_USE.test(cause)) {
    const port = link?.mode === 'listen' ? `Port ${link.port}` : 'Its port'
    return `${port} is in use by another program on its host. End that program, or choose another port.`
  }
  if (state.cause === CAUSES.paused) return cause
  if (state.cause === CAUSES.notInstalled) {
    return stop(cause || 'The host has no such program yet')
  }
  const why =
    cause === '' ? 'Its program does not run.' : `Its program does not run: ${stop(cause)}`
  if (startsAgain(cause)) return why
  if (state.shape === 'octagon-square') {
    return cause === '' ? 'It does not run although it should. Start it.' : `${why} Start it.`
  }
  return `${why} Read the log of the ${HOP_WORDS[kind]}, correct the cause and start it again.`
}

/** Its host says in the cause that it starts the program again by itself. */
export function startsAgain(cause: string): boolean {
  return cause.includes(STARTS_AGAIN)
}

export const KEY_REASONS: Readonly<Record<string, string>> = {
  [CAUSES.wrongPassphrase]:
    'The two ends have different passphrases. Enter the same passphrase at both ends.',
  [CAUSES.wrongSecret]:
    'The two ends have different secrets. Enter the same passphrase at both ends.',
  [CAUSES.wrongSecretBefore]:
    'The two ends had different secrets when last heard. Enter the same passphrase at both ends, and check that the far end sends.',
  [CAUSES.oneEndClear]:
    'One end encrypts, the other does not. Set the same encryption at both ends.',
  [CAUSES.rejected]: 'The far end rejects the call. Check the stream ID.',
  [CAUSES.settingsDiffer]:
    'The SRT settings do not match. Compare the advanced parameters of both ends.',
  [CAUSES.unknownName]:
    'The host name that it calls cannot be resolved. Check the host name, or use its IP address.',
}

function linkReason(hop: Shown, { before, behind }: Neighbours): string {
  const { link, state, status } = hop
  // The other end may know more of it.
  for (const { state: known } of [hop, ...behind, ...before]) {
    const reason = KEY_REASONS[known.cause]
    if (reason !== undefined) return reason
  }
  const receiver = receiverThatIsOff(behind)
  if (receiver !== undefined) return offReason('Nothing receives it', receiver)
  const sender = before.find((previous) => isOff(previous.state))
  if (sender !== undefined && hop.kind !== 'output')
    return offReason('Nothing is sent to it', sender)
  if (link === null) return `It has no peer: ${state.cause}.`
  return link.mode === 'call'
    ? callerReason(hop, link, behind)
    : listenerReason(link, status?.peer ?? '')
}

function receiverThatIsOff(behind: readonly Shown[]): Shown | undefined {
  return behind.find((next) => isOff(next.state) && next.kind !== 'destination')
}

function callerReason(
  { state, status }: Shown,
  { host, port, protocol }: Link,
  behind: readonly Shown[],
): string {
  const place = `${host}:${port}`
  if (state.cause === CAUSES.refused) {
    return `Nothing listens at ${place}. Start the receiver, or check host and port.`
  }
  // An SRT listener takes one caller. What a channel shows may come from another of its sources.
  const taken = behind.find(({ kind, state: { family }, status: seen, takenPorts }) => {
    if (kind === 'channel') return takenPorts.includes(port)
    return kind === 'input' && family === 'ok' && seen?.peer === 'connected'
  })
  if (protocol === 'srt' && taken !== undefined) {
    return `${capital(nameOf(taken))} has another caller, and takes only one. Stop the other sender, or use another port.`
  }
  const check = `Check that the receiver runs, and that no firewall blocks UDP port ${port}.`
  return status?.peer === 'disconnected'
    ? `The peer at ${place} is gone. ${check}`
    : `Nobody answers at ${place}. ${protocol === 'rist' ? ristCheck(port) : check}`
}

/** RIST does not report why nobody answers. */
function ristCheck(port: number): string {
  return `Check that the receiver runs with the same profile, encryption and passphrase, and that no firewall blocks UDP port ${port}.`
}

type Link = NonNullable<ShownHop['link']>

function listenerReason({ port }: Link, peer: ProgramStatus['peer']): string {
  const check = `Check that the sender runs, that it calls this port, and that no firewall blocks UDP port ${port}.`
  return peer === 'disconnected'
    ? `Its peer on port ${port} is gone. ${check}`
    : `Nobody calls port ${port}. ${check}`
}

function mediaReason(hop: Shown, { before, behind }: Neighbours): string {
  const { kind, state } = hop
  switch (state.cause) {
    case CAUSES.slow:
      return 'It is slower than real time: the host has too little CPU. Stop other programs there, or choose a smaller video format.'
    case CAUSES.losing:
      return lossReason(hop, behind)
    case CAUSES.pathSilent:
      return 'One of its two paths is silent. Check the network of that path.'
  }
  const content = reasonOfCause(state.cause)
  if (content !== undefined) return content
  if (kind === 'encoder') {
    return 'Its picture source is lost. Check the signal at its card and the cable.'
  }
  const source = before.find((previous) => isOff(previous.state))
  if (source !== undefined) return offReason('Nothing is sent to it', source)
  return kind === 'input'
    ? 'The peer is connected but sends no media. Check what feeds the sender.'
    : 'It receives nothing on its host. Restart the program that feeds it.'
}

function lossReason({ link, status }: Shown, behind: readonly Shown[]): string {
  const receiver = receiverThatIsOff(behind)
  if (receiver !== undefined) return offReason('Nothing receives it', receiver)
  const reading = status?.reading
  const otherwise = 'It loses packets. Check the network, and the bandwidth limit of the link.'
  if (link === null || reading?.kind !== 'link' || reading.rttMs === null) return otherwise
  const { lostPackets, packets, rttMs } = reading
  const all = packets + (lostPackets ?? 0)
  const lossPercent = lostPackets === null || all === 0 ? 0 : (lostPackets / all) * 100
  const neededMs = neededLatencyMs({ rttMs, lossPercent })
  if (link.latencyMs >= neededMs) return otherwise
  return `Its latency of ${link.latencyMs} ms is too low for an RTT of ${wholeText(rttMs)} ms and ${decimalText(lossPercent, 1)} % loss. Set ${neededMs} ms or more at both ends.`
}

function channelReason({ state, sourceError }: Shown, { before }: Neighbours): string {
  const [finding = ''] = state.cause.split(', ')
  const reason = reasonOfCause(finding)
  if (reason !== undefined) return reason
  const source = before.find((previous) => isOff(previous.state))
  if (source !== undefined) return offReason('Its source brings nothing', source)
  const why = sourceError === '' ? 'Its source brings no media.' : stop(sourceError)
  // What its server says may end with what to do, or with nothing to do yet.
  if (SELF_EXPLAINED.some((words) => why.includes(words))) return why
  return `${why} Check what sends to the channel.`
}

function pushReason({ word, cause }: StateView): string {
  if (word === STATE_WORDS.unknown) return 'Its current state is not known.'
  // A media server that answers in sentences says what to check.
  if (cause.endsWith('.')) return cause
  const why = cause === '' ? word : capital(cause)
  return `${why}. Check its address and key, and that the far end takes the stream.`
}

function offReason(what: string, off: Shown): string {
  const word = off.state.word.toLowerCase()
  return `${what}: ${nameOf(off)} is ${word}.${offRemedy(off)}`
}

function stop(text: string): string {
  return text.endsWith('.') ? text : `${text}.`
}

export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
