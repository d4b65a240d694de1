/** Inputs, outputs and destinations as most tests of outputs want them; made by the calls. */
import { addDestination } from '@trunkline/contract/contributions/destination.calls'
import { addInput } from '@trunkline/contract/contributions/input.calls'
import { addOutput, updateOutput } from '@trunkline/contract/contributions/output.calls'
import { contributionAction } from '@trunkline/contract/contributions/contribution.calls'
import type { Output } from '@trunkline/contract/contributions/output.schema'
import { addServer } from '@trunkline/contract/servers/server.calls'
import { FAKE_KEY } from '../../testing/fake-host.ts'
import type { InjectInput } from '../../testing/inject.ts'
import type { PersonName } from '../../testing/people.ts'
import type { TestSite } from '../../testing/test-site.ts'

type InputBody = NonNullable<InjectInput<typeof addInput>['body']>
export type OutputBody = NonNullable<InjectInput<typeof addOutput>['body']>
type DestinationBody = NonNullable<InjectInput<typeof addDestination>['body']>

/** An SRT input of group North that listens on this port; answers its id. */
export async function addFeed(
  site: TestSite,
  port: number,
  more: Partial<InputBody> = {},
): Promise<string> {
  const { status, answer, text } = await site.call('admin', addInput, {
    body: {
      title: `Feed ${port}`,
      inputType: 'SRT',
      serverId: site.acantsId,
      groupId: site.north,
      ...more,
      config: { port, ...more.config },
    },
  })
  if (status !== 201) throw new Error(text)
  return answer.id
}

/** What to send for an SRT output that calls 192.0.2.10:7000. */
export function outputBody(
  contributionId: string,
  { config, ...more }: Partial<OutputBody> = {},
): OutputBody {
  return {
    title: 'To far end',
    inputType: 'SRT',
    contributionId,
    ...more,
    config: { mode: 'Push', host: '192.0.2.10', port: 7000, ...config },
  }
}

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
  const { answer } = await site.call('admin', addServer, {
    body: {
      title: 'Away',
      host: '127.0.0.1',
      port: 19_001,
      serverType: 'acants',
      apiKey: FAKE_KEY,
      groupIds,
      adapterIps: [{ adapterName: 'lo', adapterIp: '127.0.0.1' }],
    },
  })
  return answer.data.id
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

/** What its host was last told that it is. */
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
