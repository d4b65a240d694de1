/**
 * The training site as data: three hosts, twelve encoders, thirty links in different states of health,
 * six channels, and people in three groups. Ports are offsets into the range that the site has.
 */
import type { Role } from '@trunkline/contract/roles'

export type HostName = 'north' | 'south' | 'playout'
export const GROUPS = ['North', 'South', 'Playout'] as const
type GroupName = (typeof GROUPS)[number]

export interface FleetHost {
  name: HostName
  title: string
  group: GroupName
  /** All of 127.0.0.0/8 is this machine: each host has an address of its own. */
  ip: string
  /** Where it is called through a network that can be spoiled: relays listen there, at the same ports. */
  wanIp: string
  encoderSeat: number
  gatewaySeat: number
  streamSeat: number | null
  /** In front of the media server: shut, that is away. */
  streamDoor: number | null
}

export const HOSTS: readonly FleetHost[] = [
  venue('north', 'North venue', 'North', 1, 0),
  venue('south', 'South venue', 'South', 2, 2),
  { ...venue('playout', 'Playout centre', 'Playout', 3, 4), streamSeat: 6, streamDoor: 7 },
]

function venue(
  name: HostName,
  title: string,
  group: GroupName,
  number: number,
  seat: number,
): FleetHost {
  const place = { ip: `127.0.1.${number}`, wanIp: `127.0.2.${number}` }
  const seats = { encoderSeat: seat, gatewaySeat: seat + 1, streamSeat: null, streamDoor: null }
  return { name, title, group, ...place, ...seats }
}

export interface FleetCamera {
  title: string
  host: HostName
  cardIdx: number
  /** What its feeder calls: the input or channel source of that name; null: it has no feeder. */
  feeds: string | null
}

export const CAMERAS: readonly FleetCamera[] = [
  camera('North camera 1', 'north', 0, 'North camera 1'),
  camera('North camera 2', 'north', 1, 'North camera 2'),
  camera('North camera 3', 'north', 2, 'North camera 3'),
  camera('North camera 4', 'north', 3, 'arena'),
  camera('North camera 5', 'north', 4, 'arena backup'),
  camera('South camera 1', 'south', 0, 'South camera 1'),
  camera('South camera 2', 'south', 1, 'South camera 2'),
  camera('South camera 3', 'south', 2, 'South camera 3'),
  camera('South camera 4', 'south', 3, 'South camera 4'),
  camera('South camera 5', 'south', 4, null),
  camera('Studio 1', 'playout', 0, 'Studio 1'),
  camera('Studio 2', 'playout', 1, 'Studio 2'),
]

function camera(title: string, host: HostName, cardIdx: number, feeds: string | null): FleetCamera {
  return { title, host, cardIdx, feeds }
}

export interface FleetInput {
  title: string
  host: HostName
  /** 'bus': it reads what another device sends to the local bus. */
  type: 'feeder' | 'SRT' | 'RIST' | 'bus'
  port: number
  latencyMs: number
  /** Of the link: 'other' is not the passphrase that its sender has. */
  passphrase: 'site' | 'other' | 'none'
}

export const LATENCY_MS = 300
/** What is lost on a round trip of this length comes again too late; a busy machine is waited for. */
const LOW_LATENCY_MS = 200

export const INPUTS: readonly FleetInput[] = [
  input('North camera 1', 'north', 'feeder', 30),
  input('North camera 2', 'north', 'feeder', 32),
  input('North camera 3', 'north', 'feeder', 34),
  input('North truck', 'north', 'SRT', 36),
  input('South camera 1', 'south', 'feeder', 38),
  input('South camera 2', 'south', 'feeder', 40),
  input('South camera 3', 'south', 'feeder', 42),
  input('South camera 4', 'south', 'feeder', 44),
  input('Studio 1', 'playout', 'feeder', 46),
  input('Studio 2', 'playout', 'feeder', 48),
  input('From North 1', 'playout', 'SRT', 50),
  { ...input('From North 2', 'playout', 'RIST', 52), passphrase: 'none' },
  { ...input('From North 3', 'playout', 'SRT', 54), passphrase: 'other' },
  { ...input('From South 1', 'playout', 'SRT', 56), latencyMs: LOW_LATENCY_MS },
  { ...input('From South 2', 'playout', 'SRT', 58), latencyMs: LOW_LATENCY_MS },
  { ...input('Newsroom router', 'playout', 'bus', 80), passphrase: 'none' },
]

function input(title: string, host: HostName, type: FleetInput['type'], port: number): FleetInput {
  return { title, host, type, port, latencyMs: LATENCY_MS, passphrase: 'site' }
}

export interface FleetOutput {
  title: string
  /** Title of its input. */
  of: string
  /** What it calls: the input or channel source of that name, or a port of a far end. */
  to: string | { farEnd: number }
  /** Through a network that can be spoiled. */
  relay: { delayMs: number; lossPercent: number } | null
  isStarted: boolean
}

export const OUTPUTS: readonly FleetOutput[] = [
  { ...output('North 1 to Playout', 'North camera 1', 'From North 1'), relay: way(5, 0) },
  output('North 2 to Playout', 'North camera 2', 'From North 2'),
  output('North 3 to Playout', 'North camera 3', 'From North 3'),
  { ...output('South 1 to Playout', 'South camera 1', 'From South 1'), relay: way(90, 0) },
  { ...output('South 2 to Playout', 'South camera 2', 'From South 2'), relay: way(110, 2) },
  output('North 1 to air', 'From North 1', 'north'),
  output('North 2 to air', 'From North 2', 'north backup'),
  output('South 1 to air', 'From South 1', 'south'),
  output('South 2 to air', 'From South 2', 'south backup'),
  output('Studio 1 to air', 'Studio 1', 'studio1'),
  output('Studio 2 to air', 'Studio 2', 'studio2'),
  output('Newsroom to air', 'Newsroom router', 'newsroom'),
  output('Studio 1 overseas', 'Studio 1', { farEnd: 82 }),
  { ...output('South 4 overseas', 'South camera 4', { farEnd: 84 }), isStarted: false },
]

function output(title: string, of: string, to: FleetOutput['to']): FleetOutput {
  return { title, of, to, relay: null, isStarted: true }
}

function way(delayMs: number, lossPercent: number): FleetOutput['relay'] {
  return { delayMs, lossPercent }
}

export interface FleetChannel {
  name: string
  title: string
  group: GroupName
  sources: readonly { name: string; port: number }[]
}

export const CHANNELS: readonly FleetChannel[] = [
  channel('north', 'North live', 'North', 62, 64),
  channel('south', 'South live', 'South', 66, 68),
  channel('studio1', 'Studio 1 live', 'Playout', 70),
  channel('studio2', 'Studio 2 live', 'Playout', 72),
  channel('newsroom', 'Newsroom live', 'Playout', 74),
  channel('arena', 'North arena live', 'North', 76, 78),
]

function channel(
  name: string,
  title: string,
  group: GroupName,
  port: number,
  backupPort?: number,
): FleetChannel {
  const backup = backupPort === undefined ? [] : [{ name: `${name} backup`, port: backupPort }]
  return { name, title, group, sources: [{ name, port }, ...backup] }
}

export interface FleetPerson {
  email: string
  firstName: string
  lastName: string
  role: Role
  group: GroupName | null
}

const DOMAIN = 'trunkline.example'
/** Causes and heals the breaks that are settings. */
export const TRAINER: FleetPerson = {
  email: `training@${DOMAIN}`,
  firstName: 'Training',
  lastName: 'Site',
  role: 'admin',
  group: null,
}

export const PEOPLE: readonly FleetPerson[] = [
  {
    email: `admin@${DOMAIN}`,
    firstName: 'Training',
    lastName: 'Admin',
    role: 'admin',
    group: null,
  },
  ...GROUPS.flatMap((group) => [
    person('manager', group),
    person('editor', group),
    person('monitor', group),
  ]),
]

function person(role: 'manager' | 'editor' | 'monitor', group: GroupName): FleetPerson {
  const email = `${role}-${group.toLowerCase()}@${DOMAIN}`
  const firstName = role.charAt(0).toUpperCase() + role.slice(1)
  return { email, firstName, lastName: group, role, group }
}

export interface Fleet {
  hosts: readonly FleetHost[]
  cameras: readonly FleetCamera[]
  inputs: readonly FleetInput[]
  outputs: readonly FleetOutput[]
  channels: readonly FleetChannel[]
}

export const WHOLE_FLEET: Fleet = {
  hosts: HOSTS,
  cameras: CAMERAS,
  inputs: INPUTS,
  outputs: OUTPUTS,
  channels: CHANNELS,
}

/** The path of one camera to its channel, on two hosts: for tests. */
export const SMALL_FLEET: Fleet = {
  hosts: HOSTS.filter(({ name }) => name !== 'south'),
  cameras: CAMERAS.filter(({ title }) => title === 'North camera 1'),
  inputs: INPUTS.filter(({ title }) => ['North camera 1', 'From North 1'].includes(title)),
  outputs: OUTPUTS.filter(({ title }) => title.startsWith('North 1 ')),
  channels: CHANNELS.filter(({ name }) => name === 'north').map((only) => {
    return { ...only, sources: only.sources.slice(0, 1) }
  }),
}
