/** Which programs a stream is made of. Their ids hold hashes: names and addresses are operator's text. */
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import {
  hlsUnit,
  ingestUnit,
  pushUnit,
  type IngestSource,
  type Packaging,
  type PushTarget,
} from '../../commands/channel.command.ts'
import type { HostFacts } from '../../commands/host-facts.ts'
import { CommandRefused } from '../../commands/refused.ts'
import type { BuiltUnit } from '../../commands/unit.ts'
import type { StoredInput, StoredStream } from '../definition/stream.schema.ts'
import {
  hostToLookUp,
  parseInputUrl,
  parsePushUrl,
  portsOf,
} from '../definition/stream-url.rules.ts'
import { rungsOf } from '../definition/template.rules.ts'

export interface StreamProgram extends BuiltUnit {
  programId: string
  wanted: Wanted
  ports: readonly number[]
  /** The leg that it sends to or reads. */
  bus: StoredInput['bus']
}

/** Why one program of a stream cannot run here, and which field asks for it. */
export interface Refusal {
  field: string
  sentence: string
}

/** Answers an IPv4 address for a host name; rejects with CommandRefused when there is none. */
type LookUp = (host: string) => Promise<string>

/** Letters of the hash: two names meet once in a hundred million streams. */
const HASH_LETTERS = 14
const LINK_HASH_LETTERS = 10
/** Nothing of the local bus leaves this host, whatever the TTL. */
const BUS_TTL = 1

export function streamKey(name: string): string {
  return createHash('sha256').update(name).digest('hex').slice(0, HASH_LETTERS)
}

export function ingestId(stream: StoredStream, url: string): string {
  return `ch-${streamKey(stream.name)}-in-${linkKey(url)}`
}

/** The packager of one input. */
export function hlsId(stream: StoredStream, url: string): string {
  return `ch-${streamKey(stream.name)}-hls-${linkKey(url)}`
}

/** The packagers of all inputs of these streams. */
export function hlsIdsOf(streams: readonly StoredStream[]): Set<string> {
  return new Set(streams.flatMap((stream) => stream.inputs.map(({ url }) => hlsId(stream, url))))
}

export function pushId(stream: StoredStream, url: string): string {
  return `ch-${streamKey(stream.name)}-push-${linkKey(url)}`
}

/** True for programs of this stream, present or past. */
export function belongsTo(programId: string, name: string): boolean {
  return programId.startsWith(`ch-${streamKey(name)}-`)
}

/** Also the name of the folder that an input is packaged into. */
export function linkKey(url: string): string {
  return createHash('sha256').update(url).digest('hex').slice(0, LINK_HASH_LETTERS)
}

/** How many renditions viewers get: one per rung of the template, else the picture as it came. */
export function renditionsOf(stream: StoredStream): number {
  return Math.max(1, rungsOf(stream.template)?.length ?? 0)
}

/**
 * Every program of the stream, stopped ones too, readers first, so that nothing is lost at the
 * start. A program that this host cannot run is a refusal and does not block the others. `folder`:
 * the stream's; each input is packaged into a folder in it.
 */
export async function programsOf(
  stream: StoredStream,
  folder: string,
  facts: HostFacts,
  lookUp: LookUp,
): Promise<Built> {
  if (!currentInput(stream)) return { programs: [], refusals: [] }
  const wanted: Wanted = stream.disabled ? 'stopped' : 'running'
  const hls = stream.inputs.map((input, at) =>
    attempt(`inputs.${at}`, async () => ({
      programId: hlsId(stream, input.url),
      wanted,
      ports: facts.localBusWorks ? [] : [input.bus.port],
      bus: input.bus,
      ...hlsUnit(legOf(input), join(folder, linkKey(input.url)), packagingOf(stream), facts),
    })),
  )
  const ingests = stream.inputs.map((input, at) =>
    attempt(`inputs.${at}.url`, async () => {
      const source = parseInputUrl(input.url)
      return {
        programId: ingestId(stream, input.url),
        wanted,
        ports: portsOf(source),
        bus: input.bus,
        ...ingestUnit(await resolved(source, wanted, lookUp), legOf(input), facts),
      }
    }),
  )
  const pushes = pushAttempts(stream, facts, lookUp)
  return sorted(await Promise.all([...hls, ...pushes, ...ingests]))
}

/** The programs that follow the current input from one leg to another. */
export async function pushesOf(
  stream: StoredStream,
  facts: HostFacts,
  lookUp: LookUp,
): Promise<Built> {
  return sorted(await Promise.all(pushAttempts(stream, facts, lookUp)))
}

interface Built {
  programs: StreamProgram[]
  refusals: Refusal[]
}

function pushAttempts(stream: StoredStream, facts: HostFacts, lookUp: LookUp) {
  const current = currentInput(stream)
  if (!current) return []
  const wanted: Wanted = stream.disabled ? 'stopped' : 'running'
  return stream.pushes.map(async ({ url, disabled }, at) => {
    const own: Wanted = disabled ? 'stopped' : wanted
    return attempt(`pushes.${at}.url`, async () => {
      if (own === 'running') refuseWithoutBus(facts)
      const target = await resolved(parsePushUrl(url), own, lookUp)
      return {
        programId: pushId(stream, url),
        wanted: own,
        ports: [],
        bus: current.bus,
        ...pushUnit(target, legOf(current), facts),
      }
    })
  })
}

function currentInput(stream: StoredStream): StoredInput | undefined {
  return stream.inputs.find((input) => input.url === stream.currentUrl)
}

function packagingOf(stream: StoredStream): Packaging {
  return {
    segmentMs: stream.segmentDurationMs,
    playlistSegments: stream.segmentCount,
    rungs: rungsOf(stream.template) ?? [],
  }
}

type Wanted = 'running' | 'stopped'

async function attempt(
  field: string,
  build: () => Promise<StreamProgram>,
): Promise<StreamProgram | Refusal> {
  try {
    return await build()
  } catch (error) {
    if (!(error instanceof CommandRefused)) throw error
    return { field, sentence: error.message }
  }
}

function sorted(built: readonly (StreamProgram | Refusal)[]): Built {
  return {
    programs: built.filter((result): result is StreamProgram => 'unit' in result),
    refusals: built.filter((result): result is Refusal => 'sentence' in result),
  }
}

/** Where an input's packager reads it. */
export function legOf({ bus }: StoredInput) {
  return { ...bus, ttl: BUS_TTL }
}

/** decisions.md 2: one reader, and the packager is it. */
function refuseWithoutBus(facts: HostFacts): void {
  if (facts.localBusWorks) return
  throw new CommandRefused(
    'This host cannot send a stream on: multicast on its loopback interface does not work, so a stream has one reader, the player.',
  )
}

/** RIST tools never end with an unknown name, and flood their log. */
async function resolved<T extends IngestSource | PushTarget>(
  end: T,
  wanted: Wanted,
  lookUp: LookUp,
): Promise<T> {
  const name = hostToLookUp(end)
  if (name === '' || end.kind !== 'link' || wanted === 'stopped') return end
  return { ...end, leg: { ...end.leg, host: await lookUp(name) } }
}
