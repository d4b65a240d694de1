/** A stream with two sources: one dies and the picture goes on, it returns, and one is chosen by hand. */
import { restartStream } from '@trunkline/contract/channels/channel.calls'
import {
  ACTION_TYPE,
  contributionAction,
} from '@trunkline/contract/contributions/contribution.calls'
import { callApi } from '@trunkline/testbed/api-client'
import type { DemoSite } from '@trunkline/testbed/demo'
import { insist } from '@trunkline/testbed/seed'
import type { Locator, Page } from '@playwright/test'
import {
  changesOf,
  DEMO_CHANNEL,
  openChannels,
  openDetail,
  ownChannel,
  ownPort,
  ownStream,
  partOf,
} from './channel.steps.ts'
import { bodiesOf } from './encoder.steps.ts'
import { button, expectNotice } from './page.steps.ts'
import { pictureChanges, timeAdvances } from './player.steps.ts'
import { expect, signIn, test } from './site.fixture.ts'

const SELECT = 'POST /api/channel/select_input'

/** The output that feeds the stream's first input. */
async function firstSource(site: DemoSite, actionType: 'start' | 'stop'): Promise<void> {
  const id = site.ids.outputIds[0] ?? ''
  const body = { id, type: ACTION_TYPE.output, actionType }
  await insist(async () => callApi(site.client, contributionAction, { body }))
}

/** Everything as the server would choose it. */
async function leaveAsFound(site: DemoSite): Promise<void> {
  await firstSource(site, 'start')
  const body = { serverId: site.ids.channelServerId, streamName: 'demo' }
  await insist(async () => callApi(site.client, restartStream, { body }))
}

function current(detail: Locator): Locator {
  return partOf(detail, 'Current source')
}

function standby(detail: Locator): Locator {
  return partOf(detail, 'Standby source')
}

interface Playlist {
  sequence: number
  segments: string[]
}

/** What the player reads from here on, in its order; the same reading twice is one. */
function playlistsOf(page: Page): Playlist[] {
  const seen: Playlist[] = []
  page.on('response', (response) => {
    if (!new URL(response.url()).pathname.endsWith('.m3u8') || !response.ok()) return
    // A player that is rebuilt gives up its request, and then there is no text.
    const text = response.text().catch(() => '')
    void text.then((playlist) => {
      const sequence = /#EXT-X-MEDIA-SEQUENCE:(\d+)/.exec(playlist)?.[1]
      if (sequence === undefined) return
      const segments = playlist.split('\n').filter((line) => /^[^#].*\.ts/.test(line))
      seen.push({ sequence: Number(sequence), segments })
    })
  })
  return seen
}

/** No reading begins before the one ahead of it, and what is in both has the same place in both. */
function expectOnePlaylist(playlists: readonly Playlist[]): void {
  const placeOf = new Map<string, number>()
  let newest = 0
  for (const { sequence, segments } of playlists) {
    expect(sequence).toBeGreaterThanOrEqual(newest)
    newest = sequence
    for (const [at, name] of segments.entries()) {
      expect(placeOf.get(name) ?? sequence + at, name).toBe(sequence + at)
      placeOf.set(name, sequence + at)
    }
  }
}

test('CHAN-25 the current source dies: the picture goes on from the other, and from the first when it is back', async ({
  page,
  site,
}) => {
  await using _back = { [Symbol.asyncDispose]: async () => leaveAsFound(site) }
  await leaveAsFound(site)
  await signIn(page, site, 'monitor')
  await openChannels(page, site)
  const playlists = playlistsOf(page)
  const detail = await openDetail(page, DEMO_CHANNEL)
  await expect(current(detail)).toContainText('srt://')
  await expect(standby(detail)).toContainText('rist://')
  await timeAdvances(detail)
  await expect(standby(detail).getByText('Ready', { exact: true })).toBeVisible()

  await firstSource(site, 'stop')
  await expect(current(detail)).toContainText('rist://')
  await timeAdvances(detail)
  await pictureChanges(detail)
  await expect(standby(detail)).toContainText('srt://')
  await expect(standby(detail).getByText('Not ready', { exact: true })).toBeVisible()

  await firstSource(site, 'start')
  await expect(current(detail)).toContainText('srt://')
  await timeAdvances(detail)
  await pictureChanges(detail)
  expect(playlists.length).toBeGreaterThan(2)
  expectOnePlaylist(playlists)
})

test('decisions 40 a manager switches the source by hand and undoes it, and the picture goes on', async ({
  page,
  site,
  complaints,
}) => {
  await using _back = { [Symbol.asyncDispose]: async () => leaveAsFound(site) }
  await leaveAsFound(site)
  await signIn(page, site, 'manager')
  await openChannels(page, site)
  const playlists = playlistsOf(page)
  const detail = await openDetail(page, DEMO_CHANNEL)
  await expect(current(detail)).toContainText('srt://')
  await timeAdvances(detail)
  await expect(standby(detail).getByText('Ready', { exact: true })).toBeVisible()
  const bodies = bodiesOf(page, SELECT)
  for (const [index, to] of [
    [1, 'rist://'],
    [0, 'srt://'],
  ] as const) {
    const url = (await standby(detail).locator('code').textContent()) ?? ''
    // The second time it is Undo that takes the earlier source again.
    if (index === 1) await button(standby(detail), `Switch to this: ${url}`).click()
    else await button(page, 'Undo').click()
    await expectNotice(page, 'Source switched', url)
    expect(bodies.splice(0)).toEqual([
      { serverId: site.ids.channelServerId, streamName: 'demo', index, url },
    ])
    await expect(current(detail)).toContainText(to)
    await expect(current(detail)).toContainText('chosen by hand')
    await pictureChanges(detail)
  }
  expectOnePlaylist(playlists)
  expect(complaints).toEqual([])
})

test('a manager chooses a source that is not ready: it is kept', async ({ page, site }) => {
  const inputs = [await ownPort(), await ownPort()].map((port) => ({
    url: `udp://127.0.0.1:${port}`,
  }))
  await using stream = await ownStream(site, { inputs })
  await using channel = await ownChannel(site, stream.name)
  const url = inputs[1]?.url ?? ''
  await signIn(page, site, 'manager')
  await openChannels(page, site)
  const detail = await openDetail(page, channel.title)
  const sent = changesOf(page)
  await button(detail, `Switch to this: ${url}`).click()
  await expect
    .poll(async () => (await stream.read()).inputs.map(({ stats }) => stats?.selected === true))
    .toEqual([false, true])
  expect(sent).toEqual([SELECT])
})
