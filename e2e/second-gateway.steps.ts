/** A second host agent beside the demo's, in the record of servers, and a link that can go there. */
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { networkInterfaces, tmpdir } from 'node:os'
import { join } from 'node:path'
import { openAgent } from '@trunkline/agent/app'
import { shutdownSupervisor } from '@trunkline/agent/supervisor/supervisor.process'
import {
  ACTION_TYPE,
  contributionAction,
} from '@trunkline/contract/contributions/contribution.calls'
import { addInput, removeInput } from '@trunkline/contract/contributions/input.calls'
import { addOutput, removeOutput } from '@trunkline/contract/contributions/output.calls'
import { addServer, removeServer } from '@trunkline/contract/servers/server.calls'
import { callApi } from '@trunkline/testbed/api-client'
import type { DemoSite } from '@trunkline/testbed/demo'
import { freeTcpPort, freeUdpPort } from '@trunkline/testbed/free-port'
import { pino } from 'pino'

/** Below what the kernel gives to whoever connects, above what the demo takes. */
const FIRST_PORT = 31_000
const LATENCY_MS = 300
/** In the record of the second server, and on no machine. */
export const MISSING_IP = '198.51.100.7'
export const SECOND = 'Second gateway'

export interface SecondGateway extends AsyncDisposable {
  /** Programs that its agent has, and their states. */
  programs: () => Record<string, string>
}

export async function openSecondGateway(site: DemoSite): Promise<SecondGateway> {
  const dataDir = mkdtempSync(join(tmpdir(), 'trunkline-second-'))
  const seat = {
    kind: 'acants',
    listenIp: '127.0.0.1',
    port: await freeTcpPort(0),
    key: randomBytes(24).toString('base64url'),
  } as const
  const agent = await openAgent({ dataDir, seats: [seat], sources: [] }, pino({ level: 'silent' }))
  const { data } = await addRecord(site, seat)
  return {
    programs: () =>
      Object.fromEntries(agent.ctx.board.all().map(({ id: program, state }) => [program, state])),
    async [Symbol.asyncDispose]() {
      await callApi(site.client, removeServer, { params: { id: data.id } })
      await agent[Symbol.asyncDispose]()
      await shutdownSupervisor(dataDir)
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

export function ownAddress(): string {
  const all = Object.values(networkInterfaces()).flatMap((item) => item ?? [])
  const own = all.find(({ family, internal }) => family === 'IPv4' && !internal)
  if (own === undefined) throw new Error('This machine has no address besides loopback.')
  return own.address
}

async function addRecord(site: DemoSite, { port, key }: { port: number; key: string }) {
  return callApi(site.client, addServer, {
    body: {
      title: SECOND,
      host: '127.0.0.1',
      port,
      serverType: 'acants',
      apiKey: key,
      description: '',
      location: '',
      groupIds: [site.ids.groupIds['North'] ?? ''],
      // Both hosts are this machine, where a port is open once on each address.
      adapterIps: [
        { adapterName: 'lo', adapterIp: '127.0.0.1' },
        { adapterName: 'own', adapterIp: ownAddress() },
        { adapterName: 'eth9', adapterIp: MISSING_IP },
      ],
    },
  })
}

const takenPorts = new Set<number>()

async function nextPort(): Promise<number> {
  const port = await freeUdpPort(FIRST_PORT, takenPorts)
  takenPorts.add(port)
  return port
}

/** An input that listens on 127.0.0.1 of the demo's gateway, as a destination of outputs or as what moves. */
export async function addRunningInput(
  site: DemoSite,
  title: string,
): Promise<{ id: string; port: number }> {
  const port = await nextPort()
  const { id } = await callApi(site.client, addInput, {
    body: {
      title,
      inputType: 'SRT',
      serverId: site.ids.acantsId,
      groupId: site.ids.groupIds['North'] ?? '',
      config: { port, adapterIp: '127.0.0.1', latency: LATENCY_MS },
    },
  })
  await start(site, id, ACTION_TYPE.input)
  return { id, port }
}

/** Calls that port of this machine. */
export async function addRunningOutput(
  site: DemoSite,
  title: string,
  inputId: string,
  port: number,
): Promise<string> {
  const { id } = await callApi(site.client, addOutput, {
    body: {
      title,
      inputType: 'SRT',
      contributionId: inputId,
      config: { mode: 'Push', host: '127.0.0.1', port, latency: LATENCY_MS },
    },
  })
  await start(site, id, ACTION_TYPE.output)
  return id
}

async function start(site: DemoSite, id: string, type: 1 | 2): Promise<void> {
  await callApi(site.client, contributionAction, { body: { id, type, actionType: 'start' } })
}

export async function removeLink(
  site: DemoSite,
  inputIds: readonly string[],
  outputIds: readonly string[],
): Promise<void> {
  for (const id of outputIds) await callApi(site.client, removeOutput, { params: { id } })
  for (const id of inputIds) await callApi(site.client, removeInput, { params: { id } })
}
