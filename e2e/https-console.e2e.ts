/** The console on https, a media server on http: the picture comes through the API, by the viewer's rights. */
import { relayPath } from '@trunkline/contract/channels/channel.calls'
import { signOutEverywhere } from '@trunkline/contract/session/session.calls'
import { callApi } from '@trunkline/testbed/api-client'
import type { DemoSite } from '@trunkline/testbed/demo'
import type { Page } from '@playwright/test'
import {
  clientOf,
  openChannels,
  openDetail,
  ownChannel,
  ownChannelServer,
  playlistsOf,
} from './channel.steps.ts'
import { ownPerson } from './people.steps.ts'
import { pictureChanges, timeAdvances } from './player.steps.ts'
import { ownAddress } from './second-gateway.steps.ts'
import { expect, signIn, signInByForm, test } from './site.fixture.ts'
import { openTlsConsole } from './tls-console.steps.ts'

test.use({ ignoreHTTPSErrors: true })

/** The scheme of everything the page asks for from here on, each once. */
function schemesOf(page: Page): Set<string> {
  const seen = new Set<string>()
  page.on('request', (request) => seen.add(new URL(request.url()).protocol))
  return seen
}

/** What that address answers to whoever brings that token; '' brings none. */
async function statusOf(url: string, token: string): Promise<number> {
  const headers = token === '' ? {} : { authorization: `Bearer ${token}` }
  const response = await fetch(url, { headers })
  await response.arrayBuffer()
  return response.status
}

test('Q119 the player plays an http media server’s stream on an https page, through the API alone', async ({
  page,
  site,
  complaints,
}) => {
  // On http this address would be loaded directly: it is none of this machine alone.
  await using server = await ownChannelServer(site, { host: ownAddress() })
  await using channel = await ownChannel(site, 'demo', { serverId: server.id })
  await using tls = await openTlsConsole(site.url)
  const secure: DemoSite = { ...site, url: tls.url }
  const schemes = schemesOf(page)
  const playlists = playlistsOf(page)
  await signInByForm(page, secure, 'monitor')
  await openChannels(page, secure)
  expect(await page.evaluate(() => isSecureContext)).toBe(true)
  const detail = await openDetail(page, channel.title)
  await timeAdvances(detail)
  await pictureChanges(detail)
  expect([...schemes].filter((scheme) => !['blob:', 'data:'].includes(scheme))).toEqual(['https:'])
  expect([...new Set(playlists)]).toEqual([tls.url + relayPath(channel.id, 'index.m3u8')])
  expect(complaints).toEqual([])
})

test('ROLE-08 AUTH the relay is open to viewers of the channel’s groups, and only while signed in', async ({
  page,
  site,
}) => {
  await using person = await ownPerson(site, 'monitor', site.ids.groupIds['North'] ?? '')
  await using tls = await openTlsConsole(site.url)
  const secure: DemoSite = { ...site, url: tls.url }
  await signIn(page, secure, person.local)
  await openChannels(page, secure)
  const requests: { path: string; token: string }[] = []
  page.on('request', (request) => {
    const path = new URL(request.url()).pathname
    if (!path.includes('/hls/')) return
    const token = /^Bearer (.+)$/.exec(request.headers()['authorization'] ?? '')?.[1] ?? ''
    requests.push({ path, token })
  })
  const detail = await openDetail(page, 'Demo live')
  await timeAdvances(detail)
  const playlist = requests.findLast(({ path }) => path.endsWith('index.m3u8'))
  const segment = requests.findLast(({ path }) => path.endsWith('.ts'))
  const paths = [playlist?.path ?? '', segment?.path ?? '']
  const { token = '' } = playlist ?? {}
  const stranger = await clientOf(site, 'manager2')
  for (const path of paths) {
    const url = site.url + path
    expect(await statusOf(url, stranger.token), `${path}, of another group`).toBe(404)
    expect(await statusOf(url, ''), `${path}, of nobody`).toBe(401)
  }
  expect(await statusOf(site.url + (paths[0] ?? ''), token)).toBe(200)

  const isOut = page.waitForURL(/\/login$/)
  await callApi({ baseUrl: site.url, token }, signOutEverywhere, {})
  await isOut
  for (const path of paths) {
    expect(await statusOf(site.url + path, token), `${path}, signed out`).toBe(401)
    const inPage = await page.evaluate(async (url) => (await fetch(url)).status, path)
    expect(inPage, `${path}, by the page after it was signed out`).toBe(401)
  }
})
