/** Servers as an admin would add them; each test names what it is about. */
import { addServer } from '@trunkline/contract/servers/server.calls'
import { FAKE_KEY } from './fake-host.ts'
import type { InjectInput } from './inject.ts'
import type { TestApp } from './test-app.ts'

type ServerBody = NonNullable<InjectInput<typeof addServer>['body']>

/** A gateway where nobody listens. */
export function gatewayDraft(groupIds: string[], more: Partial<ServerBody> = {}): ServerBody {
  return {
    title: 'Gateway 2',
    host: '127.0.0.1',
    port: 19_998,
    serverType: 'acants',
    apiKey: FAKE_KEY,
    groupIds,
    adapterIps: [{ adapterName: 'lo', adapterIp: '127.0.0.1' }],
    ...more,
  }
}

/** A gateway of group North, unless `more` says otherwise; answers its id. */
export async function addGateway(
  site: Pick<TestApp, 'call' | 'north'>,
  more: Partial<ServerBody> = {},
): Promise<string> {
  const body = gatewayDraft([site.north], more)
  return (await site.call('admin', addServer, { body })).answer.data.id
}
