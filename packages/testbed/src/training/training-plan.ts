/**
 * What a training site keeps in its data folder: its range of ports, keys and passphrases. The file also
 * marks the folder as a training site's, where breaks may be caused.
 */
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { AgentConfig } from '@trunkline/contract/agent/agent-config.schema'
import { z } from 'zod'
import { writePrivate } from '../site-plan.ts'
import type { SiteRange } from '../site-range.ts'
import type { Fleet, FleetCamera, FleetHost } from './fleet.ts'

const Key = z.string()
const TrainingPlan = z.object({
  range: z.number(),
  keys: z.object({ encoder: Key, gateway: Key, stream: Key }),
  passphrase: z.string(),
  /** Of whom the breaks that are settings are made by. */
  trainerPassword: z.string(),
})
export type TrainingPlan = z.infer<typeof TrainingPlan>

/** Null where there is no training site. */
export function storedTrainingPlan(dataDir: string): TrainingPlan | null {
  const file = planFile(dataDir)
  return existsSync(file) ? TrainingPlan.parse(JSON.parse(readFileSync(file, 'utf8'))) : null
}

/** As stored, else made anew. */
export function trainingPlan(dataDir: string, range: SiteRange): TrainingPlan {
  const stored = storedTrainingPlan(dataDir)
  if (stored !== null) return stored
  const random = () => randomBytes(18).toString('base64url')
  const plan = {
    range: range.number,
    keys: { encoder: random(), gateway: random(), stream: random() },
    passphrase: random(),
    trainerPassword: random(),
  }
  writePrivate(planFile(dataDir), JSON.stringify(plan, null, 2))
  return plan
}

function planFile(dataDir: string): string {
  return join(dataDir, 'training.json')
}

/** Data folder of the agent of a host. */
export function agentDirOf(dataDir: string, { name }: Pick<FleetHost, 'name'>): string {
  return join(dataDir, 'agents', name)
}

/** Black while it holds text; see `practiceCover` of the agent's file. */
export function coverFileOf(
  dataDir: string,
  { host, cardIdx }: Pick<FleetCamera, 'host' | 'cardIdx'>,
): string {
  return join(dataDir, 'covers', `${host}-${cardIdx}.txt`)
}

/** Writes the configuration of the agent of a host, and opens the covers of its cameras; answers its path. */
export function writeTrainingAgent(
  dataDir: string,
  host: FleetHost,
  {
    plan,
    range,
    fleet,
  }: { plan: TrainingPlan; range: Pick<SiteRange, 'firstPort' | 'channelNetwork'>; fleet: Fleet },
): string {
  const seat = <K extends 'encoder' | 'acants' | 'channel'>(
    kind: K,
    offset: number,
    key: string,
  ) => {
    return { kind, listenIp: host.ip, port: range.firstPort + offset, key }
  }
  const { encoder, gateway, stream } = plan.keys
  const cameras = fleet.cameras.filter((camera) => camera.host === host.name)
  const config: z.input<typeof AgentConfig> = {
    dataDir: agentDirOf(dataDir, host),
    seats: [
      seat('encoder', host.encoderSeat, encoder),
      seat('acants', host.gatewaySeat, gateway),
      ...(host.streamSeat === null
        ? []
        : [{ ...seat('channel', host.streamSeat, stream), playback: 'signed' as const }]),
    ],
    busNetwork: `${range.channelNetwork}.0.0/16`,
    sources: cameras.map((camera) => ({
      cardIdx: camera.cardIdx,
      kind: 'test-pattern' as const,
      practiceCover: coverFileOf(dataDir, camera),
    })),
  }
  mkdirSync(join(dataDir, 'covers'), { recursive: true, mode: 0o700 })
  for (const camera of cameras) writeFileSync(coverFileOf(dataDir, camera), '', { mode: 0o600 })
  const file = join(dataDir, `agent-${host.name}.json`)
  writePrivate(file, JSON.stringify(config, null, 2))
  return file
}
