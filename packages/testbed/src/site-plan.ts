/**
 * What a site on one machine needs fixed before its processes start: ports and keys. Made once,
 * kept in a 0600 file of the data folder, never printed (decisions.md 6, 7).
 */
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { AgentConfig } from '@trunkline/contract/agent/agent-config.schema'
import { z } from 'zod'
import { freeTcpPort, freeUdpPort } from './free-port.ts'

const SeatPlan = z.object({ port: z.number(), key: z.string() })
const SitePlan = z.object({
  seats: z.object({ encoder: SeatPlan, acants: SeatPlan, channel: SeatPlan }),
  ports: z.object({
    encoderOutput: z.number(),
    feederToInput: z.number(),
    srtToChannel: z.number(),
    ristToChannel: z.number(),
  }),
  /** Of the feeder's link: both ends are ours, so both can be told. */
  feederPassphrase: z.string(),
})
export type SitePlan = z.infer<typeof SitePlan>

/** The demo host's eight cards, each a test pattern with its number in the picture (decisions.md 8). */
const DEMO_CARDS = 8

/** First ports to try; a taken one is passed over. */
export interface PreferredPorts {
  seats: number
  media: number
}

export async function sitePlan(dataDir: string, preferred: PreferredPorts): Promise<SitePlan> {
  const file = join(dataDir, 'site.json')
  if (existsSync(file)) return SitePlan.parse(JSON.parse(readFileSync(file, 'utf8')))
  const plan = await newPlan(preferred)
  writePrivate(file, JSON.stringify(plan, null, 2))
  return plan
}

async function newPlan(preferred: PreferredPorts): Promise<SitePlan> {
  const taken = new Set<number>()
  const media = async (offset: number) => {
    const port = await freeUdpPort(preferred.media + offset, taken)
    taken.add(port)
    return port
  }
  const seat = async (offset: number) => ({
    port: await freeTcpPort(preferred.seats === 0 ? 0 : preferred.seats + offset),
    key: randomBytes(24).toString('base64url'),
  })
  return {
    seats: { encoder: await seat(0), acants: await seat(10), channel: await seat(20) },
    ports: {
      encoderOutput: await media(0),
      feederToInput: await media(1000),
      srtToChannel: await media(1010),
      ristToChannel: await media(1020),
    },
    feederPassphrase: randomBytes(18).toString('base64url'),
  }
}

/** The agent's configuration file for this plan; answers its path. */
export function writeAgentConfig(dataDir: string, plan: SitePlan): string {
  const seat = (kind: 'encoder' | 'acants' | 'channel') => ({
    kind,
    listenIp: '127.0.0.1',
    ...plan.seats[kind],
  })
  const config: AgentConfig = {
    dataDir: join(dataDir, 'agent'),
    seats: [seat('encoder'), seat('acants'), seat('channel')],
    sources: Array.from({ length: DEMO_CARDS }, (_, cardIdx) => ({
      cardIdx,
      kind: 'test-pattern' as const,
      device: '',
    })),
  }
  const file = join(dataDir, 'agent.json')
  writePrivate(file, JSON.stringify(config, null, 2))
  return file
}

/** Readable by its owner alone, and whole or not there at all. */
export function writePrivate(file: string, text: string): void {
  mkdirSync(join(file, '..'), { recursive: true, mode: 0o700 })
  writeFileSync(`${file}.new`, text, { mode: 0o600 })
  renameSync(`${file}.new`, file)
}
