/** A site with one gateway and nothing on it yet: for tests and benches that fill it with links. */
import {
  ACTION_TYPE,
  contributionAction,
} from '@trunkline/contract/contributions/contribution.calls'
import { addInput } from '@trunkline/contract/contributions/input.calls'
import type { InputDraft } from '@trunkline/contract/contributions/input.schema'
import { addOutput } from '@trunkline/contract/contributions/output.calls'
import type { OutputDraft } from '@trunkline/contract/contributions/output.schema'
import { readLive } from '@trunkline/contract/fleet/fleet.calls'
import type { ProgramStatus } from '@trunkline/contract/fleet/fleet.schema'
import { addGroup } from '@trunkline/contract/groups/group.calls'
import { addServer } from '@trunkline/contract/servers/server.calls'
import { addUser } from '@trunkline/contract/users/user.calls'
import type { z } from 'zod'
import { callApi, type Client } from '../api-client.ts'
import { SUPERADMIN_EMAIL } from '../demo-site.ts'
import { signIn } from '../seed.ts'
import { openSite, type Site } from '../site.ts'

export interface LinkSite extends Site {
  /** The superadmin's. */
  readonly client: Client
  readonly groupId: string
  readonly serverId: string
  /** What is left out is as the product's own defaults have it. Answers the id. */
  addInput(draft: Omit<z.input<typeof InputDraft>, 'serverId' | 'groupId'>): Promise<string>
  addOutput(draft: z.input<typeof OutputDraft>): Promise<string>
  start(kind: 'input' | 'output', id: string): Promise<void>
  stop(kind: 'input' | 'output', id: string): Promise<void>
  /** Inputs and outputs as the API's board has them now. */
  links(): Promise<ProgramStatus[]>
}

export interface LinkSiteOptions {
  dataDir: string
  password: string
  /** Further settings of the API. */
  apiEnv?: Readonly<Record<string, string>>
}

export async function openLinkSite(options: LinkSiteOptions): Promise<LinkSite> {
  const { dataDir, password } = options
  const site = await openSite({
    dataDir,
    apiPort: 0,
    ports: 'own range',
    apiEnv: {
      TRUNKLINE_ADMIN_EMAIL: SUPERADMIN_EMAIL,
      TRUNKLINE_ADMIN_PASSWORD: password,
      TRUNKLINE_SECRET_FILE: `${dataDir}.key`,
      ...options.apiEnv,
    },
    onOutput: () => undefined,
  })
  try {
    const client = await signIn(site.url, SUPERADMIN_EMAIL, password)
    const place = await addGateway(client, site, password)
    return Object.assign(site, { client, ...place, ...linkCalls(client, place) })
  } catch (error) {
    await site[Symbol.asyncDispose]()
    throw error
  }
}

interface Place {
  groupId: string
  serverId: string
}

async function addGateway(client: Client, { plan }: Site, password: string): Promise<Place> {
  const person = { firstName: 'Link', lastName: 'Manager', email: 'links@trunkline.example' }
  const manager = await callApi(client, addUser, {
    body: { ...person, password, mode: 'manager' },
  })
  const group = await callApi(client, addGroup, {
    body: { title: 'Links', description: 'Contributions', manager: manager.id },
  })
  const groupId = group.data.id
  const server = await callApi(client, addServer, {
    body: {
      title: 'Gateway',
      host: '127.0.0.1',
      port: plan.seats.acants.port,
      serverType: 'acants',
      apiKey: plan.seats.acants.key,
      description: 'This machine',
      location: '',
      groupIds: [groupId],
      adapterIps: [{ adapterName: 'lo', adapterIp: '127.0.0.1' }],
    },
  })
  return { groupId, serverId: server.data.id }
}

function linkCalls(client: Client, place: Place) {
  return {
    async addInput(draft: Parameters<LinkSite['addInput']>[0]) {
      return (await callApi(client, addInput, { body: { ...draft, ...place } })).id
    },
    async addOutput(draft: Parameters<LinkSite['addOutput']>[0]) {
      return (await callApi(client, addOutput, { body: draft })).id
    },
    start: async (kind: 'input' | 'output', id: string) => act(client, kind, id, 'start'),
    stop: async (kind: 'input' | 'output', id: string) => act(client, kind, id, 'stop'),
    async links() {
      const { data } = await callApi(client, readLive, {})
      return data.programs.filter(({ kind }) => kind === 'input' || kind === 'output')
    },
  }
}

async function act(
  client: Client,
  kind: 'input' | 'output',
  id: string,
  actionType: 'start' | 'stop',
): Promise<void> {
  await callApi(client, contributionAction, { body: { id, type: ACTION_TYPE[kind], actionType } })
}
