/** Encoders of a test's own, in group North, gone when the test is over. */
import type { Page } from '@playwright/test'
import {
  addEncoder,
  removeEncoder,
  updateEncoder,
} from '@trunkline/contract/encoders/encoder.calls'
import { callApi, CallFailed } from '@trunkline/testbed/api-client'
import type { DemoSite } from '@trunkline/testbed/demo'
import { demoEncoderConfig } from '@trunkline/testbed/demo-site'
import { ownTitle } from './people.steps.ts'

export type Config = ReturnType<typeof demoEncoderConfig>

export interface OwnEncoder extends AsyncDisposable {
  id: string
  title: string
}

/** On a port of this machine where nobody answers. */
const SILENT_HOST = { ip: '127.0.0.1', port: 1099, apiKey: 'test-key-0123456789' }

/** Not configured, on a host that is silent. */
export async function ownEncoder(site: DemoSite, name = 'encoder'): Promise<OwnEncoder> {
  return addOwn(site, ownTitle(name), SILENT_HOST)
}

/** Configured, on a host that is silent. */
export async function ownSilentEncoder(site: DemoSite): Promise<OwnEncoder> {
  const own = await addOwn(site, ownTitle('silent'), SILENT_HOST)
  await configure(site, own.id, 0)
  return own
}

/** On the host of the demo encoder, with that card of it; stopped until somebody starts it. */
export async function ownLiveEncoder(
  site: DemoSite,
  cardIndex: number,
  parts: Partial<Config> = {},
): Promise<OwnEncoder> {
  // Same host, same key: it need not be given again.
  const { port } = site.plan.seats.encoder
  const own = await addOwn(site, ownTitle('live'), { ip: '127.0.0.1', port, apiKey: '' })
  await configure(site, own.id, cardIndex, parts)
  return own
}

async function addOwn(
  site: DemoSite,
  title: string,
  host: { ip: string; port: number; apiKey: string },
): Promise<OwnEncoder> {
  const groupId = site.ids.groupIds['North'] ?? ''
  const { id } = await callApi(site.client, addEncoder, { body: { title, ...host, groupId } })
  return { id, title, [Symbol.asyncDispose]: async () => removeOwn(site, id) }
}

async function removeOwn(site: DemoSite, id: string): Promise<void> {
  try {
    await callApi(site.client, removeEncoder, { params: { id } })
  } catch (error) {
    if (!(error instanceof CallFailed) || error.httpStatus !== 404) throw error
  }
}

async function configure(
  site: DemoSite,
  id: string,
  cardIndex: number,
  parts: Partial<Config> = {},
): Promise<void> {
  // Ports of this machine that nobody reads; the demo's own outputs lie elsewhere.
  const port = 19_400 + cardIndex
  const config = {
    ...demoEncoderConfig(site.plan),
    title: 'Own',
    'card-idx': cardIndex,
    output: [{ type: 'udp' as const, target: `udp://127.0.0.1:${port}?ttl=12` }],
    ...parts,
  }
  await callApi(site.client, updateEncoder, { body: { _id: id, config } })
}

/** The bodies sent to that call from here on. */
export function bodiesOf(page: Page, methodAndPath: string): unknown[] {
  const seen: unknown[] = []
  page.on('request', (request) => {
    if (`${request.method()} ${new URL(request.url()).pathname}` !== methodAndPath) return
    seen.push(request.postDataJSON())
  })
  return seen
}
