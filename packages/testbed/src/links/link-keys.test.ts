/**
 * Ends that do not fit together: another passphrase, one side plain. Nothing passes, no peer is
 * shown, and where the tool tells the reason the row does too; with the right key all is well. What
 * fits though it looks otherwise: a key of 128 bits at one end and of 256 at the other.
 */
import { existsSync, readFileSync, statSync } from 'node:fs'
import {
  eventually,
  freeUdpPort,
  openTestAgent,
  untilReport,
  type TestAgent,
} from '@trunkline/agent/agent.fixture'
import * as programService from '@trunkline/agent/programs/program.service'
import { logFile } from '@trunkline/agent/supervisor/layout'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  allKinds,
  inLanes,
  nameOf,
  openLink,
  OTHER_PASSPHRASE,
  PASSPHRASE,
  type FarKey,
  type LinkKind,
  untilJoined,
  type LinkUnderTest,
} from './link-matrix.fixture.ts'
import { startStream, type SteadyStream } from '../encoder-streams/steady-stream.ts'

const RATE_KBPS = 500
const ENOUGH_DATAGRAMS = 50
/** Of the stream, gone past a link that says nothing: three seconds. */
const UNHEARD_DATAGRAMS = 150
/** Two files of 512 kB, and what a tool writes before supervisord has turned them over. */
const MOST_LOG_BYTES = 2_000_000
/** Of each log, for the report of a test that fails. */
const LOG_TAIL_CHARACTERS = 2000

interface Misfit {
  what: 'another passphrase' | 'only we encrypt' | 'only the far end encrypts'
  kind: LinkKind
  key: FarKey
}

interface Refusal {
  datagrams: number
  everConnected: boolean
  cause: string
  logBytes: number
  continuityErrorsAfter: number
}

const ENCRYPTED = allKinds().filter((kind) => kind.bits !== 0)
const MISFITS: Misfit[] = [
  ...ENCRYPTED.map((kind): Misfit => ({
    what: 'another passphrase',
    kind,
    key: { passphrase: OTHER_PASSPHRASE, bits: kind.bits },
  })),
  ...ENCRYPTED.filter((kind) => kind.bits === 256).flatMap((kind): Misfit[] => [
    { what: 'only we encrypt', kind, key: { passphrase: '', bits: 0 } },
    {
      what: 'only the far end encrypts',
      kind: { ...kind, bits: 0 },
      key: { passphrase: PASSPHRASE, bits: 256 },
    },
  ]),
]

let agent: TestAgent
let stream: SteadyStream
let refusals: ReadonlyMap<string, Promise<Refusal>> = new Map()
beforeAll(async () => {
  agent = await openTestAgent(['acants'])
  stream = await startStream(RATE_KBPS, await freeUdpPort())
  refusals = inLanes(MISFITS, titleOf, refusalOf)
  await Promise.allSettled(refusals.values())
})
afterAll(async () => {
  stream[Symbol.dispose]()
  await agent[Symbol.asyncDispose]()
})

function titleOf({ kind, what }: Misfit): string {
  return `${nameOf(kind)}, ${what}`
}

async function refusalOf(misfit: Misfit): Promise<Refusal> {
  await using link = await openLink(agent, stream, misfit.kind)
  let everConnected = false
  const stop = agent.ctx.board.listen((event) => {
    if (event.type !== 'program' || event.report.programId !== link.programId) return
    everConnected ||= event.report.peer === 'connected'
  })
  const refusal = await whileRefused(link, misfit)
  stop()
  link.sink.empty()
  const continuityErrorsAfter = await withRightKey(link)
  return { ...refusal, everConnected, continuityErrorsAfter }
}

async function whileRefused(link: LinkUnderTest, misfit: Misfit) {
  await using _farEnd = link.startFarEnd(misfit.key)
  const before = stream.sent
  await eventually(() => {
    if (tellsReason(misfit)) expect(causeOf(link)).not.toBe('')
    else expect(stream.sent - before).toBeGreaterThan(UNHEARD_DATAGRAMS)
  })
  return { datagrams: link.sink.datagrams, cause: causeOf(link), logBytes: logBytesOf(link) }
}

async function withRightKey(link: LinkUnderTest): Promise<number> {
  await using farEnd = link.startFarEnd({ passphrase: PASSPHRASE, bits: link.kind.bits })
  try {
    await untilJoined(link.sink)
    await link.sink.until(ENOUGH_DATAGRAMS)
  } catch (error) {
    const ours = JSON.stringify(programService.report(agent.ctx, link.programId))
    const log = filesOf(link).map((name) => readFileSync(name, 'utf8').slice(-LOG_TAIL_CHARACTERS))
    throw new Error([String(error), ours, ...log, farEnd.outputTail].join('\n'), { cause: error })
  }
  await untilReport(agent.ctx, link.programId, (report) => report.peer === 'connected')
  expect(causeOf(link)).toBe('')
  return link.sink.continuityErrors
}

/**
 * With another secret RIST hears noise: what it takes the noise for is luck, save that a receiver
 * which waits always finds it malformed. A receiver with a key says no word of a plain stream.
 */
function tellsReason({ kind, what }: Misfit): boolean {
  if (kind.protocol === 'SRT') return true
  if (kind.place === 'output') return false
  return what === 'only the far end encrypts' || (what === 'another passphrase' && waits(kind))
}

function waits({ mode }: LinkKind): boolean {
  return mode === 'Listen'
}

function logBytesOf(link: LinkUnderTest): number {
  return filesOf(link).reduce((sum, file) => sum + statSync(file).size, 0)
}

/** Those that are there: a log that was turned over has a second file. */
function filesOf({ programId }: LinkUnderTest): string[] {
  const { layout } = agent.ctx.supervisor
  const names = (['out', 'err'] as const).map((stream) => logFile(layout, programId, stream))
  return names.flatMap((name) => [name, `${name}.1`]).filter((name) => existsSync(name))
}

function causeOf({ programId }: LinkUnderTest): string {
  return programService.report(agent.ctx, programId)?.cause ?? ''
}

test.each(MISFITS.map((misfit) => [titleOf(misfit), misfit] as const))(
  'CON-IN-26 CON-OUT-09 %s: nothing passes, no peer is shown; the right key restores it',
  async (title, misfit) => {
    const refusal = await refusals.get(title)
    process.stdout.write(`${title}: ${JSON.stringify(refusal)}\n`)
    expect(refusal).toMatchObject({
      datagrams: 0,
      everConnected: false,
      continuityErrorsAfter: 0,
    })
    expect(refusal?.logBytes).toBeLessThan(MOST_LOG_BYTES)
    if (!tellsReason(misfit)) return
    const reason =
      misfit.what === 'another passphrase' ? /different (passphrases|secrets)/ : /One end/
    expect(refusal?.cause).toMatch(reason)
    expect(refusal?.cause).not.toContain(PASSPHRASE)
  },
)

test.each(
  ENCRYPTED.filter((kind) => kind.bits === 128).map((kind) => [nameOf(kind), kind] as const),
)(
  'CON-IN-26 CON-OUT-09 %s, and 256 at the far end: the stream passes, as the sender has it',
  async (_name, kind) => {
    await using link = await openLink(agent, stream, kind)
    await using _farEnd = link.startFarEnd({ passphrase: PASSPHRASE, bits: 256 })
    await untilJoined(link.sink)
    await link.sink.until(ENOUGH_DATAGRAMS)
    await untilReport(agent.ctx, link.programId, (report) => report.peer === 'connected')
    expect(link.sink.continuityErrors).toBe(0)
  },
)
