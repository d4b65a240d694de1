/** What a change makes of a stream, and which of its inputs is shown. Pure. */
import { StreamRefused } from './stream.refusal.ts'
import type { StoredInput, StoredStream, StreamPut } from './stream.schema.ts'
import { networkOf, refuseLoops } from './stream-loop.rules.ts'
import {
  isMasked,
  parseInputUrl,
  parsePushUrl,
  portsOf,
  publicUrl,
  UrlRefused,
} from './stream-url.rules.ts'
import { TEMPLATES } from './template.rules.ts'

/** Ports of all channel servers' legs. Those of inputs, which the API gives out, lie below. */
export const FIRST_BUS_PORT = 28_000
export const BUS_PORTS = 4000

/** Where new legs of the local bus come from. */
export interface LegSource {
  network: string
  /** A port that nothing has, `taken` aside; null when there is none. */
  pickPort: (taken: ReadonlySet<number>) => number | null
}

/**
 * The stream after the change; `others` are the rest of the server's streams. Throws StreamRefused
 * with the field at fault.
 */
export function changedStream(
  name: string,
  before: StoredStream | null,
  put: StreamPut,
  others: readonly StoredStream[],
  legs: LegSource,
): StoredStream {
  if (put.name !== undefined && put.name !== name) {
    throw new StreamRefused('name', `must be '${name}', as in the address, or be left out.`)
  }
  const inputs = changedInputs(put, before, others, legs)
  const isStillThere = inputs.some((input) => input.url === before?.currentUrl)
  const stream: StoredStream = {
    name,
    title: put.title === undefined ? (before?.title ?? '') : (put.title ?? ''),
    disabled: put.disabled === undefined ? (before?.disabled ?? false) : put.disabled === true,
    inputs,
    pushes: changedPushes(put, before),
    currentUrl: isStillThere ? (before?.currentUrl ?? '') : '',
    selectedUrl: keptSelection(inputs, before),
    ...changedPackaging(put, before),
  }
  refuseSharedPorts(stream, others)
  refuseLoops(stream, [legs.network, ...[...others, stream].flatMap(busNetworks)])
  return stream
}

/** A choice holds as long as its input is there. */
function keptSelection(inputs: readonly StoredInput[], before: StoredStream | null): string {
  const url = before?.selectedUrl ?? ''
  return inputs.some((input) => input.url === url) ? url : ''
}

const SEGMENT_MS = 2000
/** Twelve seconds: what a player that lost its way may still find. */
const PLAYLIST_SEGMENTS = 6

/** Throws StreamRefused for a template that is none of ours. */
function changedPackaging(put: StreamPut, before: StoredStream | null) {
  const { template, segment_duration, segment_count, source_timeout } = put
  if (typeof template === 'string' && !Object.hasOwn(TEMPLATES, template)) {
    const known = Object.keys(TEMPLATES).join(', ')
    throw new StreamRefused('template', `must be one of ${known}, or null to pass the picture on.`)
  }
  return {
    template: template === undefined ? (before?.template ?? null) : template,
    segmentDurationMs: changed(segment_duration, before?.segmentDurationMs, SEGMENT_MS),
    segmentCount: changed(segment_count, before?.segmentCount, PLAYLIST_SEGMENTS),
    sourceTimeoutS: changed(source_timeout, before?.sourceTimeoutS, null),
  }
}

/** An absent field stays, null takes it back to what it is without one. */
function changed<T>(asked: T | null | undefined, before: T | undefined, otherwise: T): T {
  if (asked === undefined) return before ?? otherwise
  return asked ?? otherwise
}

function changedInputs(
  put: StreamPut,
  before: StoredStream | null,
  others: readonly StoredStream[],
  legs: LegSource,
): StoredInput[] {
  const known = before?.inputs ?? []
  if (put.inputs === undefined) return known
  const taken = new Set([...others, ...(before ? [before] : [])].flatMap(busPorts))
  const inputs: StoredInput[] = []
  for (const [at, { url: asked, priority }] of (put.inputs ?? []).entries()) {
    const field = `inputs.${at}.url`
    const url = unmasked(field, asked, known)
    read(field, () => parseInputUrl(url))
    if (inputs.some((entry) => entry.url === url))
      throw new StreamRefused(field, 'is listed twice.')
    const bus = known.find((entry) => entry.url === url)?.bus ?? newBus(legs, taken)
    taken.add(bus.port)
    inputs.push({ url, priority: priority ?? null, bus })
  }
  return inputs
}

function changedPushes(put: StreamPut, before: StoredStream | null): StoredStream['pushes'] {
  const known = before?.pushes ?? []
  if (put.pushes === undefined) return known
  const pushes: StoredStream['pushes'] = []
  for (const [at, { url: asked, disabled }] of (put.pushes ?? []).entries()) {
    const field = `pushes.${at}.url`
    const url = unmasked(field, asked, known)
    read(field, () => parsePushUrl(url))
    if (pushes.some((entry) => entry.url === url))
      throw new StreamRefused(field, 'is listed twice.')
    pushes.push({ url, disabled: disabled === true })
  }
  return pushes
}

/** A client that sends back an answer's address means the stored address. */
function unmasked(field: string, asked: string, known: readonly { url: string }[]): string {
  const url = known.find((entry) => publicUrl(entry.url) === asked)?.url ?? asked
  if (!isMasked(url)) return url
  throw new StreamRefused(field, "has '***' for a secret that is not known here. Type the secret.")
}

function read<T>(field: string, parse: () => T): T {
  try {
    return parse()
  } catch (error) {
    if (error instanceof UrlRefused) throw new StreamRefused(field, error.message)
    throw error
  }
}

/** Two programs on one port would start without a word and share its packets. */
function refuseSharedPorts(stream: StoredStream, others: readonly StoredStream[]): void {
  const holders = new Map<number, string>()
  for (const other of others) {
    for (const port of listenPorts(other)) holders.set(port, `stream '${other.name}'`)
  }
  for (const [at, input] of stream.inputs.entries()) {
    for (const port of portsOf(parseInputUrl(input.url))) {
      const holder = holders.get(port)
      if (holder) {
        throw new StreamRefused(
          `inputs.${at}.url`,
          `has port ${port}, which ${holder} listens on. Choose another.`,
        )
      }
      holders.set(port, 'another input of this stream')
    }
  }
}

/** UDP ports that the stream's inputs take for themselves. */
export function listenPorts(stream: StoredStream): number[] {
  return stream.inputs.flatMap((input) => portsOf(parseInputUrl(input.url)))
}

function busPorts(stream: StoredStream): number[] {
  return stream.inputs.map((input) => input.bus.port)
}

/** A stream keeps the legs that it has, also when new ones come from elsewhere by now. */
function busNetworks(stream: StoredStream): string[] {
  return stream.inputs.map((input) => networkOf(input.bus.ip))
}

/** A group for each port: neither is shared with another leg. */
function newBus({ network, pickPort }: LegSource, taken: ReadonlySet<number>): StoredInput['bus'] {
  const port = pickPort(taken)
  if (port !== null) {
    const offset = port - FIRST_BUS_PORT
    return { ip: `${network}.${Math.floor(offset / 250)}.${(offset % 250) + 1}`, port }
  }
  throw new StreamRefused('inputs', 'are too many: this host has no port left between programs.')
}

/** Something is asked of its programs that was not asked before. */
export function touchesPrograms(before: StoredStream | null, stream: StoredStream): boolean {
  const parts = (version: StoredStream) =>
    JSON.stringify([version.disabled, version.inputs, version.pushes, packagingOf(version)])
  return before === null || parts(before) !== parts(stream)
}

/** All packagers begin together. */
export function startsAnew(before: StoredStream | null, stream: StoredStream): boolean {
  const parts = (version: StoredStream) => JSON.stringify([version.disabled, packagingOf(version)])
  return before === null || before.inputs.length === 0 || parts(before) !== parts(stream)
}

function packagingOf({ template, segmentDurationMs, segmentCount }: StoredStream) {
  return [template, segmentDurationMs, segmentCount]
}
