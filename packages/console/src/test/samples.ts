/** Valid objects of the contract for tests; each test changes what it is about. */
import type { Encoder } from '@trunkline/contract/encoders/encoder.schema'
import { EncoderConfig } from '@trunkline/contract/encoders/encoder-config.schema'
import { presetConfig } from '@trunkline/contract/encoders/preset-config'
import type { ProgramStatus } from '@trunkline/contract/fleet/fleet.schema'
import type { Group } from '@trunkline/contract/groups/group.schema'
import type { Role } from '@trunkline/contract/roles'
import type { SessionUser } from '@trunkline/contract/session/session.schema'

export function userOf(role: Role, parts: Partial<SessionUser> = {}): SessionUser {
  return {
    _id: `user-${role}`,
    id: `user-${role}`,
    firstName: 'Night',
    lastName: 'Desk',
    fullName: 'Night Desk',
    email: `${role}@trunkline.example`,
    mode: { _id: role, name: role },
    modeInfo: { name: role },
    groups: [{ _id: 'north', title: 'Sports North' }],
    asksBeforeInterrupting: false,
    language: null,
    times: null,
    isFromProvider: false,
    token: `token-${role}`,
    ...parts,
  }
}

export function groupOf(id: string, title: string): Group {
  return {
    _id: id,
    id,
    title,
    description: '',
    users: [],
    userInfo: [],
    manager: null,
    version: 1,
  }
}

const preset = presetConfig('pal')
export const configSample = EncoderConfig.parse({
  ...preset,
  name: 'encoder0',
  title: 'Demo camera',
  'video-stream': {
    ...preset['video-stream'],
    bitrate: 1400,
    keyint: 25,
    'vbv-bufsize': 1400,
    'vbv-maxrate': 1400,
    level: '4.1',
    'max-refs': 4,
  },
  'audio-stream': { ...preset['audio-stream'], bitrate: 256 },
  muxer: { ...preset.muxer, 'ts-type': 'generic' },
  feeder: [],
})

export function encoderOf(id: string, parts: Partial<Encoder> = {}): Encoder {
  return {
    _id: id,
    id,
    name: `enc-${id}`,
    title: `Camera ${id}`,
    description: '',
    ip: '127.0.0.1',
    port: 8000,
    location: '',
    physicalAddress: '',
    contactNumber: '',
    email: '',
    groupId: 'north',
    groupInfo: { _id: 'north', title: 'Sports North' },
    users: [],
    isEnabled: true,
    apiKeySet: true,
    config: configSample,
    version: 1,
    ...parts,
  }
}

/** A running encoder that reports its media now. */
export function statusOf(id: string, parts: Partial<ProgramStatus> = {}): ProgramStatus {
  const nowMs = Date.now()
  return {
    kind: 'encoder',
    id,
    state: 'running',
    wanted: 'running',
    sinceMs: nowMs - 60_000,
    startedAtMs: nowMs - 60_000,
    pid: 4121,
    cause: '',
    restarts: 0,
    peer: '',
    observed: null,
    reading: {
      kind: 'encode',
      atMs: nowMs,
      bitrateKbps: 1846,
      framesPerSecond: 25,
      speed: 1,
      droppedFrames: 0,
      duplicatedFrames: 0,
    },
    waitsForHost: false,
    waitsForRestart: false,
    changedByHand: '',
    readAtMs: nowMs,
    ...parts,
  }
}
