/** What an operator does in the console on the walk through the pages, by the calls that it makes. */
import {
  ACTION_TYPE,
  contributionAction,
} from '@trunkline/contract/contributions/contribution.calls'
import { addInput } from '@trunkline/contract/contributions/input.calls'
import {
  addEncoder,
  controlEncoder,
  readThumbnail,
  updateEncoder,
} from '@trunkline/contract/encoders/encoder.calls'
import { configName } from '@trunkline/contract/encoders/encoder-config.schema'
import { saveFeeder } from '@trunkline/contract/encoders/feeder.calls'
import { addEnrolmentCode, readEnrolment } from '@trunkline/contract/enrolment/enrolment.calls'
import { readLive } from '@trunkline/contract/fleet/fleet.calls'
import type { HostKind } from '@trunkline/contract/fleet/fleet.schema'
import { addGroup } from '@trunkline/contract/groups/group.calls'
import { readHostAdapters } from '@trunkline/contract/servers/host-adapters.calls'
import { addServer, updateServer } from '@trunkline/contract/servers/server.calls'
import { addApiToken } from '@trunkline/contract/users/api-token.calls'
import { addUser } from '@trunkline/contract/users/user.calls'
import { callApi, type Client } from '@trunkline/testbed/api-client'
import { demoEncoderConfig } from '@trunkline/testbed/demo-site'
import { insist } from '@trunkline/testbed/seed'

const INPUT_TITLE = 'From Camera 1'
const LINK_PORT = 5040
const ENCODER_OUTPUT = 5000
/** The encoder's multiplex has 1850 kbit/s; what the input says is of the last ten seconds. */
const LEAST_KBPS = 1750
const LOOK_MS = 200
/** Only ends what hangs. */
const LIMIT_MS = 120_000

export interface WalkHost {
  readonly ip: string
  readonly port: number
}

/** Answers the group's id: a group needs its manager. */
export async function addPeople(client: Client, password: string): Promise<string> {
  const manager = await callApi(client, addUser, {
    body: {
      firstName: 'Mia',
      lastName: 'North',
      email: 'mia@example.com',
      password,
      mode: 'manager',
    },
  })
  const { data } = await callApi(client, addGroup, {
    body: { title: 'North', description: 'Links from the north', manager: manager.id },
  })
  return data.id
}

export async function addGateway(client: Client, host: WalkHost, groupId: string): Promise<string> {
  const { data } = await callApi(client, addServer, {
    body: {
      title: 'Gateway',
      host: host.ip,
      port: host.port,
      serverType: 'acants',
      enrols: true,
      groupIds: [groupId],
    },
  })
  return data.id
}

/** As the dialog offers them once the host is enrolled: all but the loopback. */
export async function chooseAdapters(client: Client, id: string, ip: string): Promise<void> {
  const { data } = await callApi(client, readHostAdapters, { query: { host: ip } })
  const adapterIps = data.filter(({ adapterIp }) => !adapterIp.startsWith('127.'))
  await callApi(client, updateServer, { params: { id }, body: { adapterIps } })
}

export async function addCamera(client: Client, host: WalkHost, groupId: string): Promise<string> {
  const { data } = await callApi(client, addEncoder, {
    body: { title: 'Camera 1', ip: host.ip, port: host.port, enrols: true, groupId },
  })
  return data.id
}

export async function makeCode(client: Client, kind: HostKind, id: string): Promise<string> {
  return (await callApi(client, addEnrolmentCode, { params: { kind, id } })).code
}

/** Until the console says that the host answers over its certificate. */
export async function untilTrusted(client: Client, kind: HostKind, id: string): Promise<void> {
  await until(async () => {
    const { data } = await callApi(client, readEnrolment, { params: { kind, id } })
    const { data: live } = await callApi(client, readLive, {})
    const host = live.hosts.find((each) => each.kind === kind && each.id === id)
    return data.security === 'enrolled' && host?.online === true
  })
}

export interface WalkLink {
  readonly cameraId: string
  readonly feederName: string
  readonly inputId: string
}

/** The encoder's test pattern, an encrypted feeder to the gateway, and the input that receives it. */
export async function addLink(
  client: Client,
  {
    cameraId,
    serverId,
    groupId,
    ip,
  }: { cameraId: string; serverId: string; groupId: string; ip: string },
): Promise<WalkLink> {
  const config = {
    ...demoEncoderConfig({ ports: { encoderOutput: ENCODER_OUTPUT } }),
    title: 'Camera 1',
  }
  await callApi(client, updateEncoder, { body: { _id: cameraId, config } })
  // As Generate in the form makes it.
  const passphrase = Buffer.from(crypto.getRandomValues(new Uint8Array(24))).toString('base64url')
  const { feeder } = await callApi(client, saveFeeder, {
    params: { product: 'acan' },
    body: {
      _id: cameraId,
      feederPost: {
        serverId,
        input: {
          title: 'to Gateway',
          type: 'udp',
          addr: `127.0.0.1:${ENCODER_OUTPUT}`,
          port: ENCODER_OUTPUT,
        },
        output: [
          { type: 'srt', addr: `${ip}:${LINK_PORT}`, port: LINK_PORT, latency: 300, passphrase },
        ],
      },
    },
  })
  const feederName = feeder.name
  const input = await callApi(client, addInput, {
    body: {
      title: INPUT_TITLE,
      inputType: 'aCANFeeder',
      serverId,
      groupId,
      config: { port: LINK_PORT, latency: 300 },
      feeder: { encoderId: cameraId, name: feederName },
      encryption: { selection: 'yes' },
    },
  })
  return { cameraId, feederName, inputId: input.id }
}

export async function startLink(client: Client, link: WalkLink): Promise<void> {
  const { cameraId, feederName, inputId } = link
  await insist(async () =>
    callApi(client, contributionAction, {
      body: { id: inputId, type: ACTION_TYPE.input, actionType: 'start' },
    }),
  )
  await insist(async () =>
    callApi(client, contributionAction, {
      body: { id: cameraId, type: ACTION_TYPE.feeder, actionType: 'start', feederName },
    }),
  )
  const data = { name: configName(0), command: 'start' as const }
  await insist(async () =>
    callApi(client, controlEncoder, { params: { id: cameraId }, body: { data } }),
  )
}

/** Until the input moves media from its peer and the camera has a picture; answers both in words. */
export async function untilRunning(client: Client, link: WalkLink): Promise<string[]> {
  let lines: string[] = []
  await until(async () => {
    const { data } = await callApi(client, readLive, {})
    const { data: picture } = await callApi(client, readThumbnail, {
      params: { id: link.cameraId },
    })
    const input = data.programs.find(({ kind, id }) => kind === 'input' && id === link.inputId)
    const reading = input?.reading
    if (input?.observed?.media !== 'moving' || reading?.kind !== 'link' || picture === null) {
      return false
    }
    const facts = input.observed.peerFacts
    lines = [
      `${INPUT_TITLE}: ${input.state}, peer ${input.peer}, ${reading.bitrateKbps} kbit/s, ${facts?.encryption ?? ''}`,
      `Camera 1: a picture, ${Math.round((picture.jpegBase64.length * 3) / 4)} bytes of JPEG`,
    ]
    return reading.bitrateKbps >= LEAST_KBPS
  })
  return lines
}

export async function makeToken(client: Client, currentPassword: string): Promise<string> {
  const body = { title: 'Ten minutes', scope: 'read' as const, days: 1, currentPassword }
  return (await callApi(client, addApiToken, { body })).token
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + LIMIT_MS
  while (!(await isSo())) {
    if (performance.now() > deadline) throw new Error('The console does not come to show it.')
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
  }
}
