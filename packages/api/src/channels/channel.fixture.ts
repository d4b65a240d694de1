/** An application with a media server, and channels of several groups saved from it. */
import { saveChannels } from '@trunkline/contract/channels/channel.calls'
import type { Channel } from '@trunkline/contract/channels/channel.schema'
import { addServer } from '@trunkline/contract/servers/server.calls'
import type { Config } from '../config.ts'
import type { Context } from '../context.ts'
import { FAKE_MEDIA_KEY, FakeMediaServer, fakeStream } from '../testing/fake-media-server.ts'
import { inject, PLANTED_SECRETS } from '../testing/inject.ts'
import { openTestApp, type TestApp } from '../testing/test-app.ts'
import { gatewayDraft } from '../testing/server.fixture.ts'

export const [, PASSPHRASE] = PLANTED_SECRETS
export const SHOWN_PUSH = 'srt://far.example:7000?passphrase=***&latency=300'

export interface ChannelSite extends TestApp {
  media: FakeMediaServer
  /** Media server of both groups. */
  serverId: string
  /** Saved from it: for North, for South, for both. `free` is a stream that nobody has saved. */
  north1: Channel
  south1: Channel
  shared: Channel
}

/** `parts`: whole members of the context, such as another database; `more` overrides settings. */
export async function openChannelSite(
  parts: Partial<Context> = {},
  more: Partial<Config> = {},
): Promise<ChannelSite> {
  const stack = new AsyncDisposableStack()
  const media = stack.use(await FakeMediaServer.open())
  const app = stack.use(await openTestApp(more, parts))
  for (const name of ['live/north', 'south', 'shared', 'free']) {
    media.streams.set(name, secretStream(name))
  }
  const serverId = await addMediaServer(app, media.port, [app.north, app.south])
  const save = async (name: string, groupIds: string[]) => {
    const { answer } = await inject(app.app, saveChannels, app.people.admin.token, {
      body: [{ name, title: `Title ${name}`, serverId, groupIds }],
    })
    return answer.data[0] as Channel
  }
  return {
    ...app,
    media,
    serverId,
    north1: await save('live/north', [app.north]),
    south1: await save('south', [app.south]),
    shared: await save('shared', [app.north, app.south]),
    [Symbol.asyncDispose]: async () => stack.disposeAsync(),
  }
}

/** As a media server answers it: with secrets in clear, and settings that we do not know. */
function secretStream(name: string) {
  const pushes = [
    {
      url: `srt://far.example:7000?passphrase=${PASSPHRASE}&latency=300`,
      disabled: false,
      retry_timeout: 5,
      stats: { status: 'running', bytes: 7 },
    },
    { url: `rtmp://tube.example/live2/${PASSPHRASE}`, disabled: true, stats: {} },
    { url: 'udp://239.1.1.1:5000', stats: { status: 'running' } },
  ]
  const inputs = [{ url: `srt://:6010?passphrase=${PASSPHRASE}`, stats: { active: true } }]
  return fakeStream(name, { inputs, pushes })
}

let unusedPort = 20_000

/** `port` 0: nobody is asked there. */
export async function addMediaServer(
  { app, people }: TestApp,
  port: number,
  groupIds: string[],
  more: object = {},
): Promise<string> {
  unusedPort += 1
  const { answer } = await inject(app, addServer, people.admin.token, {
    body: gatewayDraft(groupIds, {
      title: 'Origin',
      port: port === 0 ? unusedPort : port,
      serverType: 'channel',
      apiKey: FAKE_MEDIA_KEY,
      ...more,
    }),
  })
  return answer.data.id
}
