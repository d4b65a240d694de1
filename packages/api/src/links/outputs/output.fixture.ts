/** Inputs, outputs and destinations as most tests of outputs want them; made by the calls. */
import { addDestination } from '@trunkline/contract/contributions/destination.calls'
import { addOutput, updateOutput } from '@trunkline/contract/contributions/output.calls'
import { contributionAction } from '@trunkline/contract/contributions/contribution.calls'
import type { Output } from '@trunkline/contract/contributions/output.schema'
import { FakeHost } from '../../testing/fake-host.ts'
import {
  addTestInput,
  outputBody,
  type InputBody,
  type OutputBody,
} from '../../testing/input.fixture.ts'
import type { InjectInput } from '../../testing/inject.ts'
import type { PersonName } from '../../testing/people.ts'
import type { TestSite } from '../../testing/test-site.ts'
import { addGateway } from '../../testing/server.fixture.ts'

type DestinationBody = NonNullable<InjectInput<typeof addDestination>['body']>

/** An SRT input of group North that listens on this port; answers its id. */
export async function addFeed(
  site: TestSite,
  port: number,
  more: Partial<InputBody> = {},
): Promise<string> {
  return (await addTestInput(site, port, more)).id
}

/** An SRT output that calls 192.0.2.10:7000. */
export async function addWay(
  site: TestSite,
  contributionId: string,
  more: Partial<OutputBody> = {},
): Promise<Output> {
  const { status, answer, text } = await site.call('admin', addOutput, {
    body: outputBody(contributionId, more),
  })
  if (status !== 201) throw new Error(text)
  return answer.data
}

/** By the admin: of group North at 192.0.2.10, in clear; answers its id. */
export async function addFarEnd(
  site: TestSite,
  more: Partial<DestinationBody> = {},
): Promise<string> {
  const body = { title: 'Far end', ip: '192.0.2.10', groupId: site.north, ...more }
  const { status, answer, text } = await site.call('admin', addDestination, { body })
  if (status !== 201) throw new Error(text)
  return answer.data.id
}

/** Another server of group North, where nobody listens. */
export async function addAwayServer(site: TestSite, groupIds = [site.north]): Promise<string> {
  return addGateway(site, { title: 'Away', port: 19_001, groupIds })
}

/** Gives the site's server for links a host whose local bus does not work; dispose it. */
export async function openHostWithoutBus(site: TestSite): Promise<FakeHost> {
  const host = await FakeHost.open({
    seatKind: 'acants',
    capabilities: { localBus: { works: false, reason: 'Multicast does not come back on lo.' } },
  })
  await site.ctx.db
    .updateTable('servers')
    .set({ port: host.port })
    .where('id', '=', site.acantsId)
    .execute()
  site.ctx.notices.tell({ kind: 'server', id: site.acantsId, change: 'changed', groupIds: [] })
  await host.linked()
  await site.ctx.hosts.linked({ host: '127.0.0.1', port: host.port })
  return host
}

export async function save(
  site: TestSite,
  id: string,
  body: NonNullable<InjectInput<typeof updateOutput>['body']>,
  who: PersonName = 'northManager',
) {
  return site.call(who, updateOutput, { params: { id }, body })
}

export async function start(site: TestSite, id: string): Promise<void> {
  const body = { id, type: 2, actionType: 'start' } as const
  const { answer } = await site.call('admin', contributionAction, { body })
  if (!answer.status) throw new Error(answer.error)
}

/** The program as its host last got it. */
export function specOf(site: TestSite, id: string) {
  return site.linkHost
    .paramsOf('applyProgram')
    .findLast(({ programId }) => programId === `output-${id}`)?.spec
}

/** In clear, '' for none: as no answer ever tells it. */
export async function storedKey(site: TestSite, id: string): Promise<string> {
  const { passphrase_sealed: sealed } = await site.ctx.db
    .selectFrom('outputs')
    .select('passphrase_sealed')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return sealed === null ? '' : site.ctx.keys.open(sealed)
}
