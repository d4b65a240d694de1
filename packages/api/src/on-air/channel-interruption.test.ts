import {
  changeStreamStatus,
  removeChannel,
  restartStream,
  selectInput,
} from '@trunkline/contract/channels/channel.calls'
import { putOnAir } from '@trunkline/contract/on-air/on-air.calls'
import { expect, test } from 'vitest'
import { addPath } from '../paths/path-site.fixture.ts'
import { openSiteOn } from '../testing/site-on.ts'

test('a channel on air is not switched off, restarted, switched or removed without its title', async () => {
  const site = await openSiteOn('SQLite')
  const { channelId } = await addPath(site)
  const params = { kind: 'channel' as const, id: channelId }
  await site.call('northManager', putOnAir, { params, body: {} })
  const stream = { serverId: site.channelServerId, streamName: 'live' }
  const codeOf = async (
    call: typeof changeStreamStatus | typeof restartStream | typeof selectInput,
    more: object,
  ) =>
    (await site.call('northManager', call, { body: { ...stream, ...more } as never })).failure.code
  expect(await codeOf(changeStreamStatus, { data: { disabled: true } })).toBe('on_air')
  const pushes = [
    { url: 'rtmp://cdn.example/live', disabled: true },
    { url: 'rtmp://nothing.is.known/of', disabled: false },
  ]
  expect(await codeOf(changeStreamStatus, { data: { pushes }, pushIndex: 0 })).toBe('on_air')
  expect(await codeOf(restartStream, {})).toBe('on_air')
  expect(await codeOf(selectInput, { index: 0, url: 'srt://:7100' })).toBe('on_air')
  const removed = await site.call('northManager', removeChannel, { params: { channelId } })
  expect(removed.failure.code).toBe('on_air')
  // Switching on takes nothing away.
  expect(await codeOf(changeStreamStatus, { data: { disabled: false } })).toBeUndefined()
  expect(await codeOf(changeStreamStatus, { data: { pushes }, pushIndex: 1 })).toBeUndefined()
})
