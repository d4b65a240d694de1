/** Two servers with a fake host each, and inputs with outputs on the first. */
import {
  changeServer,
  contributionAction,
} from '@trunkline/contract/contributions/contribution.calls'
import type { Failure } from '@trunkline/contract/failure.schema'
import type { BodyOf, ReplyOf } from '@trunkline/contract/route'
import { addServer } from '@trunkline/contract/servers/server.calls'
import { onTestFinished } from 'vitest'
import { FAKE_KEY, FakeHost } from '../../testing/fake-host.ts'
import { addTestInput, addTestOutput } from '../../testing/input.fixture.ts'
import type { PersonName } from '../../testing/people.ts'
import { openSiteOn, type BOTH_DATABASES } from '../../testing/site-on.ts'
import type { TestSite } from '../../testing/test-site.ts'

export const NEW_TITLE = 'Gateway B'
/** As the site calls its own. */
export const OLD_TITLE = 'Server acants'

export interface Feed {
  id: string
  name: string
  outputIds: string[]
}

export interface MoveSite {
  site: TestSite
  oldHost: FakeHost
  newHost: FakeHost
  newServerId: string
}

type Asked = Partial<BodyOf<typeof changeServer>>

/** The new server goes by another host name, so that it is another machine. */
export async function openMoveSite(kind: (typeof BOTH_DATABASES)[number]): Promise<MoveSite> {
  const newHost = await FakeHost.open({ seatKind: 'acants' })
  onTestFinished(async () => newHost[Symbol.asyncDispose]())
  const site = await openSiteOn(kind)
  const newServerId = await addAcants(site, newHost.port, [site.north])
  const { hosts } = site.ctx
  await hosts.linked({ host: '127.0.0.1', port: site.linkHost.port })
  await hosts.sync({ by: 'all' })
  await hosts.linked({ host: 'localhost', port: newHost.port })
  return { site, oldHost: site.linkHost, newHost, newServerId }
}

export async function addAcants(
  site: TestSite,
  port: number,
  groupIds: string[],
  host = 'localhost',
): Promise<string> {
  const { answer } = await site.call('admin', addServer, {
    body: {
      title: NEW_TITLE,
      host,
      port,
      serverType: 'acants',
      apiKey: FAKE_KEY,
      groupIds,
      adapterIps: [
        { adapterName: 'eth0', adapterIp: '127.0.0.1' },
        { adapterName: 'eth1', adapterIp: '127.0.0.2' },
      ],
    },
  })
  return answer.data.id
}

/** An SRT input that listens, with as many outputs that push; all of them running. */
export async function addRunningFeed(
  { site }: MoveSite,
  port: number,
  outputs: number,
): Promise<Feed> {
  const feed = await addFeed(site, port, outputs)
  await start(site, feed.id, 1)
  for (const id of feed.outputIds) await start(site, id, 2)
  return feed
}

export async function addFeed(site: TestSite, port: number, outputs: number): Promise<Feed> {
  const { id, name } = await addTestInput(site, port)
  const outputIds: string[] = []
  for (let index = 0; index < outputs; index++) {
    const config = { host: '192.0.2.9', port: 7000 + index }
    outputIds.push(await addTestOutput(site, id, { title: `To hall ${index}`, config }))
  }
  return { id, name, outputIds }
}

async function start(site: TestSite, id: string, type: 1 | 2): Promise<void> {
  await site.call('admin', contributionAction, { body: { id, type, actionType: 'start' } })
}

export interface Moved {
  status: number
  answer: ReplyOf<typeof changeServer>
  failure: Pick<Failure, 'error' | 'field' | 'failed'>
}

export async function move(
  { site, newServerId }: MoveSite,
  names: string[],
  more: Asked = {},
  who: PersonName = 'northManager',
): Promise<Moved> {
  return site.call(who, changeServer, {
    body: { newServerId, contributions: names, keepOrDelete: '1', ...more },
  })
}

/** Cuts the link to a host, and waits until it has said hello again. */
export async function relink({ site }: MoveSite, host: FakeHost): Promise<void> {
  const { hosts } = site.ctx
  const { promise, resolve } = Promise.withResolvers<void>()
  let wasAway = false
  const stop = hosts.listen((event) => {
    if (event.type !== 'host' || event.address.port !== host.port) return
    const isOnline = hosts.status(event.address)?.online === true
    if (isOnline && wasAway) resolve()
    wasAway ||= !isOnline
  })
  host.cut()
  await promise
  stop()
}

/** Name and state of each, so that a test reads as one line. */
export function statesOf(host: FakeHost): Record<string, string> {
  return Object.fromEntries(
    [...host.programs.values()].map((program) => [program.programId, program.state]),
  )
}

export function pidsOf(host: FakeHost): (number | null)[] {
  return [...host.programs.values()].map((program) => program.pid)
}

export function programIdsOf({ id, outputIds }: Feed): string[] {
  return [`input-${id}`, ...outputIds.map((each) => `output-${each}`)]
}

/** All of them in this state. */
export function all(feed: Feed, state: string): Record<string, string> {
  return Object.fromEntries(programIdsOf(feed).map((id) => [id, state]))
}
