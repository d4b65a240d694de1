/** Sites to export from and to apply to, reached over HTTP as the command reaches them. */
import type { MakeCall } from '@trunkline/contract/as-text/site.client'
import { addDestination } from '@trunkline/contract/contributions/destination.calls'
import { saveFeeder } from '@trunkline/contract/encoders/feeder.calls'
import { addTestInput, addTestOutput } from '../../testing/input.fixture.ts'
import { PLANTED_SECRETS } from '../../testing/inject.ts'
import { freePort } from '../../testing/process/own-port.ts'
import { testFeeder } from '../../testing/feeder.fixture.ts'
import { addTestEncoder, type TestSite } from '../../testing/test-site.ts'
import { makeApiCall } from '../api.client.ts'
import { apply, type Apply, readAllObjects } from './apply.ts'
import { siteText } from './site-file.ts'

/** Answers the address, which stays its own while the API is away. */
async function listenOf({ app }: Pick<TestSite, 'app'>): Promise<string> {
  return app.listen({ port: await freePort(), host: '127.0.0.1' })
}

export interface Reached {
  url: string
  token: string
  call: MakeCall
}

export async function reach(site: Pick<TestSite, 'app' | 'people'>): Promise<Reached> {
  const url = await listenOf(site)
  const { token } = site.people.admin
  return { url, token, call: makeApiCall({ url, token }, []) }
}

const [, PASSPHRASE] = PLANTED_SECRETS

/** One of each kind, with every secret that there is. */
export async function fillSite(site: TestSite): Promise<void> {
  const { answer } = await site.call('admin', addDestination, {
    body: {
      title: 'Paris',
      ip: '192.0.2.10',
      groupId: site.north,
      encryption: { selection: 'yes', type: 256, passphrase: PASSPHRASE },
    },
  })
  const encoder = await addTestEncoder(site, 0)
  const feeder = testFeeder(site, 5100)
  const [target] = feeder.output
  await site.call('admin', saveFeeder, {
    params: { product: 'acan' },
    body: {
      _id: encoder.id,
      feederPost: {
        ...feeder,
        output: [{ ...target, addr: '192.0.2.10:6000', port: 6000, passphrase: PASSPHRASE }],
      },
    },
  })
  const input = await addTestInput(site, 6000, {
    title: 'Marathon km 30',
    encryption: { selection: 'yes', type: 256, passphrase: PASSPHRASE },
    advanced: [{ key: 'payloadsize', value: '1316' }],
  })
  await addTestOutput(site, input.id, { title: 'to Paris', destinationId: answer.data.id })
  await addTestOutput(site, input.id, {
    title: 'to RIST',
    inputType: 'RIST',
    config: { port: 7100, secondPath: { host: '192.0.2.11', port: 7102, adapterIp: '' } },
  })
}

export async function exportOf(call: MakeCall): Promise<string> {
  return siteText(await readAllObjects(call))
}

export const SECRET_NAME = 'SITE_SECRET'

/** Applies a text with the secret at hand, without a question. */
export async function applyText(
  { url, token, call }: Reached,
  text: string,
  more: Partial<Apply> = {},
) {
  const { onAirTitles = [] } = more
  return apply(call, makeApiCall({ url, token }, onAirTitles), {
    fileName: 'site.yaml',
    text,
    secrets: {
      fromEnvironment: (name) => (name === SECRET_NAME ? PASSPHRASE : null),
      fromFile: () => PASSPHRASE,
    },
    isDryRun: false,
    hasDetailedExitCode: false,
    prunes: false,
    replacesSecrets: false,
    confirm: async () => Promise.resolve(true),
    ...more,
    onAirTitles,
  })
}
