/** A channel of the bench's own on the demo's channel server, in the list and in a player. */
import { setTimeout as pause } from 'node:timers/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { saveChannels } from '@trunkline/contract/channels/channel.calls'
import { callApi } from '@trunkline/testbed/api-client'
import { playlistAddress } from '@trunkline/testbed/media-server'
import { repositoryRoot } from '@trunkline/testbed/repository'
import type { BenchSite } from './site.ts'

/** A stream as it is put to the channel server: the streamer API's field names. */
export interface StreamPut {
  title: string
  inputs: { url: string; priority?: number }[]
  segment_duration?: number
  source_timeout?: number
}

/** What of a stream's answer the benches read. */
export interface StreamAnswer {
  inputs: { url: string; stats?: { active?: boolean } }[]
}

const LOOK_MS = 200
/** Only ends what hangs. */
const PLAYING_LIMIT_MS = 120_000

export function playlistOf(site: BenchSite, name: string): string {
  return playlistAddress(site.plan, name)
}

/** Puts the stream, waits until something can be played, and takes it into the list. */
export async function addBenchChannel(
  site: BenchSite,
  name: string,
  put: StreamPut,
): Promise<void> {
  await mediaServer(site, 'PUT', name, put)
  while ((await segmentSeconds(site, name)).length < 3) await pause(LOOK_MS)
  await callApi(site.client, saveChannels, {
    body: [
      {
        name,
        title: put.title,
        serverId: site.ids.channelServerId,
        groupIds: Object.values(site.ids.groupIds).slice(0, 1),
      },
    ],
  })
}

export async function readStream(site: BenchSite, name: string): Promise<StreamAnswer> {
  return (await mediaServer(site, 'GET', name)) as StreamAnswer
}

async function mediaServer(site: BenchSite, method: 'PUT' | 'GET', name: string, body?: StreamPut) {
  const { port, key } = site.plan.seats.channel
  const response = await fetch(`http://127.0.0.1:${port}/streamer/api/v3/streams/${name}`, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  if (!response.ok) throw new Error(`${method} of '${name}': ${await response.text()}`)
  return (await response.json()) as unknown
}

/** How long each segment of the playlist lasts, in seconds; none while there is no playlist. */
export async function segmentSeconds(site: BenchSite, name: string): Promise<number[]> {
  const response = await fetch(playlistOf(site, name))
  const text = await response.text()
  if (!response.ok) return []
  return [...text.matchAll(/#EXTINF:([\d.]+)/g)].map((match) => Number(match[1]))
}

/** The console's own player, as an operator opens it. Resolves once it plays. */
export async function openConsolePlayer(page: Page, site: BenchSite, title: string): Promise<void> {
  await page.goto(`${site.url}/dashboard/channel`)
  const row = page.getByRole('row', { name: new RegExp(title) })
  await row.getByText('Online', { exact: true }).waitFor()
  await row.click({ position: { x: 300, y: 8 } })
  await page.waitForFunction(isPlaying, null, { timeout: PLAYING_LIMIT_MS })
}

/** A page that holds hls.js and nothing else, on the media server's own origin. */
export async function openBarePage(page: Page, site: BenchSite, name: string): Promise<void> {
  // Any page of that origin, without a policy that would forbid the script.
  await page.goto(new URL('/none', playlistOf(site, name)).href)
  await page.addScriptTag({
    path: join(repositoryRoot(), 'node_modules/hls.js/dist/hls.light.min.js'),
  })
}

/** hls.js as its own documentation starts it, on the media server's own address. */
export async function openBarePlayer(page: Page, site: BenchSite, name: string): Promise<void> {
  await openBarePage(page, site, name)
  await page.evaluate(startBarePlayer, playlistOf(site, name))
  await page.waitForFunction(isPlaying, null, { timeout: PLAYING_LIMIT_MS })
}

function isPlaying(): boolean {
  return (document.querySelector('video')?.currentTime ?? 0) > 0
}

export interface BareHls {
  loadSource: (address: string) => void
  attachMedia: (video: HTMLVideoElement) => void
}

function startBarePlayer(address: string): void {
  const { Hls } = window as unknown as { Hls: new () => BareHls }
  const video = document.createElement('video')
  video.muted = true
  video.autoplay = true
  document.body.append(video)
  const hls = new Hls()
  hls.loadSource(address)
  hls.attachMedia(video)
}
