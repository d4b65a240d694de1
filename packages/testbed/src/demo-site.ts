/** The demo site as data: the people, groups and chain that `npm start` loads on an empty folder. */
import type { Role } from '@trunkline/contract/roles'
import type { z } from 'zod'
import type { EncoderConfig } from '@trunkline/contract/encoders/encoder-config.schema'
import { presetConfig } from '@trunkline/contract/encoders/preset-config'
import type { SitePlan } from './site-plan.ts'

export interface DemoPerson {
  email: string
  firstName: string
  lastName: string
  role: Role
  group: 'North' | 'South' | null
}

const DOMAIN = 'trunkline.example'
export const SUPERADMIN_EMAIL = `superadmin@${DOMAIN}`

/** decisions.md 26. The superadmin is made by the API itself, from its settings. */
export const DEMO_PEOPLE: readonly DemoPerson[] = [
  person('admin', 'Admin', 'admin', null),
  person('manager', 'Manager North', 'manager', 'North'),
  person('manager2', 'Manager South', 'manager', 'South'),
  person('editor', 'Editor', 'editor', 'North'),
  person('monitor', 'Monitor', 'monitor', 'North'),
]

export const DEMO_GROUPS = [
  { title: 'North', description: 'Runs the demo chain', managerEmail: `manager@${DOMAIN}` },
  { title: 'South', description: 'Sees nothing of North', managerEmail: `manager2@${DOMAIN}` },
] as const

export const EDITOR_EMAIL = `editor@${DOMAIN}`

function person(local: string, name: string, role: Role, group: DemoPerson['group']): DemoPerson {
  return { email: `${local}@${DOMAIN}`, firstName: 'Demo', lastName: name, role, group }
}

/** decisions.md 27: short, so that the picture is close to live; the product's default stays 3000. */
export const DEMO_LATENCY_MS = 300
export const DEMO_STREAM = 'demo'
/** All of the demo's links end on this machine, so nothing of it listens on any other address. */
export const DEMO_IP = '127.0.0.1'

export interface EncoderRate {
  videoKbps: number
  muxRateBps: number
}

/** Of the preset of pal. */
const PRESET_RATE: EncoderRate = { videoKbps: 1500, muxRateBps: 1_850_000 }

/** pal as its preset has it, card 0, one UDP output that the feeder reads. */
export function demoEncoderConfig(
  plan: { ports: Pick<SitePlan['ports'], 'encoderOutput'> },
  { videoKbps, muxRateBps } = PRESET_RATE,
): z.input<typeof EncoderConfig> {
  const preset = presetConfig('pal')
  return {
    ...preset,
    title: 'Demo camera',
    'video-stream': { ...preset['video-stream'], bitrate: videoKbps, 'vbv-maxrate': videoKbps },
    muxer: { ...preset.muxer, 'ts-muxrate': muxRateBps },
    output: [{ type: 'udp', target: `udp://${DEMO_IP}:${plan.ports.encoderOutput}?ttl=12` }],
    feeder: [],
  }
}

/** Both ends of output 1 and output 2: what the channel server listens on. */
export function demoStreamInputs(plan: SitePlan): { url: string }[] {
  const { srtToChannel, ristToChannel } = plan.ports
  return [
    { url: `srt://:${srtToChannel}?adapter=${DEMO_IP}&latency=${DEMO_LATENCY_MS}` },
    { url: `rist://@${DEMO_IP}:${ristToChannel}?buffer=${DEMO_LATENCY_MS}` },
  ]
}
