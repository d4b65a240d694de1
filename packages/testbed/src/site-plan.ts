/**
 * What a site on one machine needs fixed before its processes start: ports and keys. Made once,
 * kept in a 0600 file of the data folder, never printed (decisions.md 6, 7).
 */
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { AgentConfig } from '@trunkline/contract/agent/agent-config.schema'
import { z } from 'zod'
import { claimTcpPort, claimUdpPort, holdUdpPort } from './free-port.ts'

const SeatPlan = z.object({ port: z.number(), key: z.string() })
const SitePlan = z.object({
  /** Of a site of tests: the range that its ports are from. */
  range: z.number().nullable().default(null),
  seats: z.object({ encoder: SeatPlan, acants: SeatPlan, channel: SeatPlan }),
  ports: z.object({
    encoderOutput: z.number(),
    feederToInput: z.number(),
    srtToChannel: z.number(),
    ristToChannel: z.number(),
  }),
  /** Of the feeder's link: both ends are ours, so both can be configured. */
  feederPassphrase: z.string(),
  /** Whether the channel server requires playback links; sites from before that setting stay open. */
  playback: z.enum(['signed', 'open']).default('open'),
})
export type SitePlan = z.infer<typeof SitePlan>

/** The demo host's eight cards, each a test pattern with its number in the picture (decisions.md 8). */
const DEMO_CARDS = 8

/** First ports to try; a taken one is passed over. */
export interface PreferredPorts {
  encoder: number
  acants: number
  channel: number
  encoderOutput: number
  feederToInput: number
  srtToChannel: number
  ristToChannel: number
}

/** Null before the first start on this data folder. */
export function storedPlan(dataDir: string): SitePlan | null {
  const file = planFile(dataDir)
  return existsSync(file) ? SitePlan.parse(JSON.parse(readFileSync(file, 'utf8'))) : null
}

/**
 * As stored, else made anew. Its ports are held until `life` ends; throws a sentence when a stored
 * one is another living site's.
 */
export async function sitePlan(
  dataDir: string,
  preferred: PreferredPorts,
  range: number | null,
  life: AsyncDisposableStack,
): Promise<SitePlan> {
  const stored = storedPlan(dataDir)
  if (stored) {
    for (const port of Object.values(stored.ports)) life.use(await holdStored(dataDir, port))
    return stored
  }
  const plan = { ...(await newPlan(preferred, life)), range }
  writePrivate(planFile(dataDir), JSON.stringify(plan, null, 2))
  return plan
}

function planFile(dataDir: string): string {
  return join(dataDir, 'site.json')
}

async function holdStored(dataDir: string, port: number): Promise<AsyncDisposable> {
  const hold = await holdUdpPort(port)
  if (hold !== null) return hold
  throw new Error(
    `UDP port ${port} of the site in ${dataDir} is also a port of another site that runs on this machine. End that site first.`,
  )
}

async function newPlan(
  preferred: PreferredPorts,
  life: AsyncDisposableStack,
): Promise<Omit<SitePlan, 'range'>> {
  const media = async (port: number) => life.use(await claimUdpPort(port, new Set())).port
  const seat = async (port: number) => ({
    port: life.use(await claimTcpPort(port)).port,
    key: randomBytes(24).toString('base64url'),
  })
  return {
    seats: {
      encoder: await seat(preferred.encoder),
      acants: await seat(preferred.acants),
      channel: await seat(preferred.channel),
    },
    ports: {
      encoderOutput: await media(preferred.encoderOutput),
      feederToInput: await media(preferred.feederToInput),
      srtToChannel: await media(preferred.srtToChannel),
      ristToChannel: await media(preferred.ristToChannel),
    },
    feederPassphrase: randomBytes(18).toString('base64url'),
    playback: 'signed',
  }
}

/**
 * The agent's configuration file for this plan; answers its path. `channelNetwork` null lets the agent
 * choose the groups of its channel server; `coverFile` null leaves the test patterns as they are.
 */
export function writeAgentConfig(
  dataDir: string,
  plan: SitePlan,
  { channelNetwork, coverFile }: { channelNetwork: string | null; coverFile: string | null },
): string {
  const seat = (kind: 'encoder' | 'acants' | 'channel') => ({
    kind,
    listenIp: '127.0.0.1',
    ...plan.seats[kind],
  })
  const config: z.input<typeof AgentConfig> = {
    dataDir: join(dataDir, 'agent'),
    seats: [seat('encoder'), seat('acants'), { ...seat('channel'), playback: plan.playback }],
    ...(channelNetwork === null ? {} : { busNetwork: `${channelNetwork}.0.0/16` }),
    sources: Array.from({ length: DEMO_CARDS }, (_, cardIdx) => ({
      cardIdx,
      kind: 'test-pattern' as const,
      device: '',
      ...(coverFile === null ? {} : { practiceCover: coverFile }),
    })),
  }
  const file = join(dataDir, 'agent.json')
  const text = JSON.stringify(config, null, 2)
  // As it is nearly always: a full disk does not keep the site from starting.
  if (!existsSync(file) || readFileSync(file, 'utf8') !== text) writePrivate(file, text)
  return file
}

/** Readable by its owner alone, and whole or not there at all. */
export function writePrivate(file: string, text: string): void {
  mkdirSync(join(file, '..'), { recursive: true, mode: 0o700 })
  writeFileSync(`${file}.new`, text, { mode: 0o600 })
  renameSync(`${file}.new`, file)
}
