/** The Feeder tab of one encoder, opened before a fake network. */
import { waitFor, within } from '@testing-library/react'
import { contributionAction } from '@trunkline/contract/contributions/contribution.calls'
import { transportHistory } from '@trunkline/contract/contributions/transport-history.calls'
import { listInputs } from '@trunkline/contract/contributions/input.calls'
import type { Feeder } from '@trunkline/contract/encoders/encoder-config.schema'
import {
  findEncoder,
  readEncoderHost,
  type EncoderHost,
} from '@trunkline/contract/encoders/encoder.calls'
import type { Encoder } from '@trunkline/contract/encoders/encoder.schema'
import { nextFeederPort } from '@trunkline/contract/encoders/feeder.calls'
import { type LatencyAdvice, readLatencyAdvice } from '@trunkline/contract/paths/latency.calls'
import type { ProgramStatus } from '@trunkline/contract/fleet/fleet.schema'
import type { Role } from '@trunkline/contract/roles'
import { findServer, listServers } from '@trunkline/contract/servers/server.calls'
import type { Server } from '@trunkline/contract/servers/server.schema'
import { expect } from 'vitest'
import type { FakeApi } from '../../test/fake-api.ts'
import { snapshotOf } from '../../test/fake-stream.ts'
import { NO_TRANSPORT_HISTORY } from '../../test/transport.samples.ts'
import { NO_ADVICE } from '../../test/latency.samples.ts'
import { linkReadingOf } from '../../test/link.samples.ts'
import { renderConsole } from '../../test/render-console.tsx'
import { configSample, encoderOf, statusOf } from '../../test/samples.ts'

export function feederOf(name: string, port = 5000): Feeder {
  return {
    name,
    serverId: 'gw-west',
    input: {
      title: `to ${name}`,
      type: 'udp',
      addr: `127.0.0.1:${port}`,
      port,
      multicast: '',
      max_bw: 625_000,
    },
    output: [
      {
        type: 'srt',
        addr: '203.0.113.20:6022',
        port: 6022,
        latency: 3000,
        adv_params: [],
        max_bw: 625_000,
        passphrase: '',
        passphraseSet: false,
        pbkeylen: 128,
      },
    ],
  }
}

/** Camera a with these feeders. */
export function fedBy(feeder: readonly Feeder[], parts: Partial<Encoder> = {}): Encoder {
  return encoderOf('a', { config: { ...configSample, feeder: [...feeder] }, ...parts })
}

/** Running, its target there, media moving. */
export function feederStatusOf(name: string, parts: Partial<ProgramStatus> = {}): ProgramStatus {
  const reading = linkReadingOf({ direction: 'send' })
  return statusOf(name, { kind: 'feeder', peer: 'connected', reading, ...parts })
}

export function gatewayOf(id: string, title: string, ...ips: string[]): Server {
  return {
    _id: id,
    id,
    title,
    host: `${id}.example`,
    port: 8100,
    serverType: 'acants',
    apiKeySet: true,
    description: '',
    location: '',
    groupIds: ['north'],
    groupInfo: [],
    adapterIps: ips.map((adapterIp) => ({ _id: adapterIp, adapterName: 'eth0', adapterIp })),
    version: 1,
  }
}

interface Scene {
  encoder: Encoder
  servers: readonly Server[]
  programs: readonly ProgramStatus[]
  role: Role
  log: string
  /** The feeder that a link leads to. */
  opened: string
  advice: LatencyAdvice
  prepare: (api: FakeApi) => void
}

export async function openFeeders(parts: Partial<Scene>) {
  const { encoder = fedBy([]), servers = [gatewayOf('gw-west', 'gw-west-02', '203.0.113.20')] } =
    parts
  const scene = renderConsole({
    path: `/dashboard/editEncoder/a?tab=feeder${parts.opened === undefined ? '' : `&open=${parts.opened}`}`,
    role: parts.role ?? 'admin',
    prepare: (api) => {
      api.on(findEncoder).answer(() => ({ status: true, data: encoder, encoder }))
      api.on(readEncoderHost).answer(() => ({
        status: true,
        data: HOST,
      }))
      const data = [...servers]
      api.on(listServers).answer(() => ({ status: true, data, total: data.length }))
      api.on(findServer).answer(({ path }) => {
        const found = servers.find(({ _id }) => path.endsWith(`/${_id}`))
        if (found === undefined) throw new Error(`No server at ${path}.`)
        return { status: true, data: found, adapterIps: found.adapterIps }
      })
      api.on(transportHistory).answer(() => ({ status: true, data: NO_TRANSPORT_HISTORY }))
      api.on(readLatencyAdvice).answer(() => ({ status: true, data: parts.advice ?? NO_ADVICE }))
      api.on(listInputs).answer(() => ({ status: true, contributions: [], total: 0 }))
      api.on(nextFeederPort).answer(() => ({ status: true, data: 6024, port: 6024 }))
      api.on(contributionAction).answer(() => ({ status: true, results: parts.log ?? '' }))
      parts.prepare?.(api)
    },
  })
  await waitFor(() => expect(scene.api.stream.isConnected()).toBe(true))
  scene.api.stream.push(snapshotOf({ programs: [...(parts.programs ?? [])] }))
  const tab = await scene.screen.findByRole('region', { name: 'Feeders of this encoder' })
  const row = async (title: string) =>
    within(tab).findByRole('row', { name: new RegExp(`${title}\\b`) })
  return { ...scene, tab, row }
}

const HOST: EncoderHost = {
  online: true,
  heardAtMs: 1,
  sources: [],
  taken: [],
  encoders: [],
  cpuCores: 2,
  proposed: { cardIdx: 0, targetPort: 5000, videoPid: 512, audioPid: 4112, pmtPid: 256 },
}
