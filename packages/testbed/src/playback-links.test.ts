/** Links that the API makes, against a real agent with a channel server of each setting. */
import { readdirSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { quietLog, testConfig } from '@trunkline/agent/agent.fixture'
import { openAgent } from '@trunkline/agent/app'
import { shutdownSupervisor } from '@trunkline/agent/supervisor/supervisor.process'
import { playbackToken } from '@trunkline/api/channels/playback-token.rules'
import { FlussonicClient } from '@trunkline/api/stream-servers/flussonic.client'
import { OPEN_GUARD } from '@trunkline/api/testing/open-guard'
import { tokenQuery } from '@trunkline/contract/channels/playback-token.rules'
import { expect, test } from 'vitest'

const NAME = 'live/news'

/** Two channel servers on one host: one requires links, one has a file from before that setting. */
async function openServers() {
  const life = new AsyncDisposableStack()
  const config = await testConfig(['channel', 'channel'])
  const [signed, older] = config.seats
  if (signed === undefined || older === undefined) throw new Error('no seats')
  signed.playback = 'signed'
  life.defer(async () => rm(config.dataDir, { recursive: true, force: true }))
  life.defer(async () => shutdownSupervisor(config.dataDir))
  life.use(await openAgent(config, quietLog()))
  const client = life.use(new FlussonicClient(OPEN_GUARD))
  const serverAt = ({ port, key }: typeof signed) => ({
    baseUrl: `http://127.0.0.1:${port}`,
    apiKey: key,
  })
  return { life, client, signed: serverAt(signed), older: serverAt(older), dataDir: config.dataDir }
}

test('a channel server that requires links takes those of the API; an older file stays open', async () => {
  const { life, client, signed, older, dataDir } = await openServers()
  await using _life = life
  await client.put(signed, NAME, { disabled: false })
  const folder = readdirSync(join(dataDir, 'streams')).find((name) => /^[0-9a-f]{14}$/.test(name))
  writeFileSync(join(dataDir, 'streams', folder ?? '', 'v0.m3u8'), '#EXTM3U\n')
  const statusOf = async (server: typeof signed, query: string) => {
    const end = AbortSignal.timeout(10_000)
    const { statusCode, body } = await client.file(server, NAME, 'index.m3u8', query, end)
    await body.dump()
    return statusCode
  }
  const expiresAtS = Math.floor(Date.now() / 1000) + 60
  const link = tokenQuery(playbackToken(signed.apiKey, NAME, expiresAtS))
  const foreign = tokenQuery(playbackToken(older.apiKey, NAME, expiresAtS))
  expect([await statusOf(signed, link), await statusOf(signed, foreign)]).toEqual([200, 403])
  expect([await statusOf(signed, ''), await statusOf(older, '')]).toEqual([403, 200])
  expect((await client.readStream(signed, NAME)).stats.playback).toBe('signed')
  expect((await client.readStream(older, NAME)).stats.playback).toBe('open')
})
