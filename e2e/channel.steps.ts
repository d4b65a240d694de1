/** Channels of a test's own: a way to the demo's channel server, streams on it, rows of the list. */
import {
  listChannels,
  removeChannel,
  saveChannels,
} from '@trunkline/contract/channels/channel.calls'
import { StreamDetail } from '@trunkline/contract/channels/stream.schema'
import { addServer, removeServer } from '@trunkline/contract/servers/server.calls'
import { login } from '@trunkline/contract/session/session.calls'
import { openTcpDoor } from '@trunkline/testbed/tcp-door'
import { callApi, CallFailed, type Client } from '@trunkline/testbed/api-client'
import type { DemoSite } from '@trunkline/testbed/demo'
import { freeUdpPort } from '@trunkline/testbed/free-port'
import { expect, type Locator, type Page, type Request as PageRequest } from '@playwright/test'
import { dialogOf, expectNotice, openPage, rowOf } from './page.steps.ts'
import { ownTitle } from './people.steps.ts'
import { PASSWORD } from './site.fixture.ts'

const CHANNELS = '/dashboard/channel'
export const DEMO_CHANNEL = 'Demo live'

/** What that person may do without a browser. */
export async function clientOf(site: DemoSite, local: string): Promise<Client> {
  const anybody = { baseUrl: site.url, token: '' }
  const email = `${local}@trunkline.example`
  const { token } = await callApi(anybody, login, { body: { email, password: PASSWORD } })
  return { baseUrl: site.url, token }
}

/** 'done', or the status that the API refuses with. */
async function outcomeOf(call: Promise<unknown>): Promise<'done' | number> {
  try {
    await call
    return 'done'
  } catch (error) {
    if (error instanceof CallFailed) return error.httpStatus
    throw error
  }
}

interface StreamChange {
  title?: string
  disabled?: boolean
  template?: string | null
  inputs?: { url: string; priority?: number }[]
  pushes?: { url: string; disabled?: boolean }[]
}

export interface OwnStream extends AsyncDisposable {
  readonly name: string
  put: (change: StreamChange) => Promise<void>
  /** As the channel server itself has it. */
  read: () => Promise<StreamDetail>
}

/** On the demo's channel server. Its input is a port where nothing arrives. */
export async function ownStream(site: DemoSite, change: StreamChange = {}): Promise<OwnStream> {
  const name = ownTitle('stream').toLowerCase().replaceAll(' ', '-')
  const ask = askOf(site, name)
  const put = async (next: StreamChange) => void (await ask('PUT', next))
  const inputs = [{ url: `udp://127.0.0.1:${await ownPort()}` }]
  await put({ title: name, inputs, ...change })
  return {
    name,
    put,
    read: async () => StreamDetail.parse(await (await ask('GET')).json()),
    [Symbol.asyncDispose]: async () => void (await ask('DELETE')),
  }
}

/** Changes the demo's own stream, the one with a picture. */
export async function putDemoStream(site: DemoSite, change: StreamChange): Promise<void> {
  await askOf(site, 'demo')('PUT', change)
}

function askOf(site: DemoSite, name: string) {
  const { port, key } = site.plan.seats.channel
  return async (method: string, body?: unknown) => {
    const response = await fetch(`http://127.0.0.1:${port}/streamer/api/v3/streams/${name}`, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    if (response.ok || (method === 'DELETE' && response.status === 404)) return response
    throw new Error(`The channel server answers ${response.status}: ${await response.text()}`)
  }
}

/** Below what the kernel gives to whoever connects, above what the demo takes; each worker has its own. */
const FIRST_PORT = 29_500 + 500 * Number(process.env['TEST_PARALLEL_INDEX'] ?? 0)
const takenPorts = new Set<number>()

/** A UDP port of this machine that no other test uses. */
export async function ownPort(): Promise<number> {
  const port = await freeUdpPort(FIRST_PORT, takenPorts)
  takenPorts.add(port)
  return port
}

export interface OwnChannelServer extends AsyncDisposable {
  readonly id: string
  readonly title: string
  /** Of playlists: http://host:port. */
  readonly origin: string
  /** It does not answer from here on. */
  shut: () => Promise<void>
  /** It answers again, at the same address. */
  reopen: () => Promise<void>
}

/** A record of its own, without channels, that leads to the demo's channel server. */
export async function ownChannelServer(
  site: DemoSite,
  { host = '127.0.0.1', groups = ['North'] }: { host?: string; groups?: string[] } = {},
): Promise<OwnChannelServer> {
  const { port: seatPort, key: apiKey } = site.plan.seats.channel
  const door = await openTcpDoor({ port: seatPort }, host)
  const { port } = door
  const title = ownTitle('streams')
  const { data } = await callApi(site.client, addServer, {
    body: {
      title,
      host,
      port,
      serverType: 'channel',
      apiKey,
      groupIds: groups.map((group) => site.ids.groupIds[group] ?? group),
      adapterIps: [{ adapterName: 'lo', adapterIp: '127.0.0.1' }],
    },
  })
  return {
    id: data.id,
    title,
    origin: `http://${host}:${port}`,
    shut: async () => door.shut(),
    reopen: async () => door.reopen(),
    async [Symbol.asyncDispose]() {
      const { data: channels } = await callApi(site.client, listChannels, {
        body: { serverId: data.id },
      })
      for (const { id } of channels) await takeOut(site, id)
      await callApi(site.client, removeServer, { params: { id: data.id } })
      await door.shut()
    },
  }
}

export interface OwnChannel extends AsyncDisposable {
  readonly id: string
  readonly title: string
  readonly serverId: string
  readonly streamName: string
}

/** A row of the list: that stream of that server, the demo's own unless another is named. */
export async function ownChannel(
  site: DemoSite,
  streamName: string,
  { serverId = site.ids.channelServerId, group = 'North' } = {},
): Promise<OwnChannel> {
  const title = ownTitle('channel')
  const groupIds = [site.ids.groupIds[group] ?? group]
  const { data } = await callApi(site.client, saveChannels, {
    body: [{ name: streamName, title, serverId, groupIds }],
  })
  const id = data[0]?.id ?? ''
  return { id, title, serverId, streamName, [Symbol.asyncDispose]: async () => takeOut(site, id) }
}

async function takeOut(site: DemoSite, channelId: string): Promise<void> {
  const outcome = await outcomeOf(callApi(site.client, removeChannel, { params: { channelId } }))
  expect([outcome, 'done', 404]).toContain(outcome)
}

export async function openChannels(page: Page, site: DemoSite): Promise<void> {
  await openPage(page, site, CHANNELS, 'Channels')
}

/** From its row, by a click beside everything that has a use of its own. */
export async function openDetail(page: Page, title: string): Promise<Locator> {
  await rowOf(page, title).getByRole('cell').nth(1).click()
  const detail = page.getByRole('dialog')
  await expect(detail.getByText(title, { exact: true }).first()).toBeVisible()
  return detail
}

export function switchOf(within: Page | Locator, title: string): Locator {
  return within.getByRole('switch', { name: `${title} on`, exact: true })
}

/** The part of the detail with that heading. */
export function partOf(detail: Locator, name: string): Locator {
  return detail.getByRole('region', { name, exact: true })
}

/** That notice came; it is put away, so that the next one like it is another. */
export async function dismissNotice(page: Page, title: string, detail = ''): Promise<void> {
  await expectNotice(page, title, detail)
  const notices = page.getByRole('region', { name: 'Notices', exact: true })
  await notices
    .getByRole('button', { name: /^Close( notice)?$/ })
    .first()
    .click()
  await expect(notices.getByText(title.trim(), { exact: true })).toHaveCount(0)
}

/** What is asked for of channels from here on, except to read it. */
export function changesOf(page: Page): string[] {
  const seen: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    const isRead = request.method() === 'GET' || pathname.endsWith('/get_channels')
    if (pathname.startsWith('/api/channel') && !isRead) seen.push(`${request.method()} ${pathname}`)
  })
  return seen
}

/** Addresses of playlists asked for from here on, each as 'origin/path'. */
export function playlistsOf(page: Page): string[] {
  const seen: string[] = []
  page.on('request', (request) => {
    const { origin, pathname } = new URL(request.url())
    if (pathname.endsWith('.m3u8')) seen.push(origin + pathname)
  })
  return seen
}

/** How often the API was asked for that stream since, or has answered. */
export function readingsOf(
  page: Page,
  streamName: string,
  when: 'request' | 'requestfinished' = 'request',
): string[] {
  const seen: string[] = []
  const note = (request: PageRequest) => {
    const { pathname, searchParams } = new URL(request.url())
    if (pathname === '/api/channel/streams' && searchParams.get('streamName') === streamName) {
      seen.push(request.url())
    }
  }
  if (when === 'request') page.on('request', note)
  else page.on('requestfinished', note)
  return seen
}

export function question(page: Page): Locator {
  return dialogOf(page, 'Are you sure?')
}
