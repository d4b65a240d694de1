/** A real agent whose list of streams cannot be read: it says so, and the rest of it works. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { eventually, openLink, openTestAgent, unitOf, type TestAgent } from '../agent.fixture.ts'
import * as programService from '../programs/program.service.ts'
import { STREAMS_OWNER } from '../programs/program.service.ts'

let agent: TestAgent
let file: string
beforeEach(async () => {
  agent = await openTestAgent(['encoder', 'channel'])
  file = join(agent.config.dataDir, 'streams', 'streams.json')
})
afterEach(async () => {
  await agent[Symbol.asyncDispose]()
})

const SECRET = 'correct-horse-battery'

function seatOf(kind: string) {
  const seat = agent.config.seats.find((candidate) => candidate.kind === kind)
  if (!seat) throw new Error('no seat')
  return seat
}

async function ask(path: string, method: string, withKey: boolean) {
  const { port, key } = seatOf('channel')
  const headers = withKey ? { authorization: `Bearer ${key}` } : {}
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { method, headers })
  return { status: response.status, text: await response.text() }
}

test('CHAN: only the channel server reports its failure, and its file is not changed', async () => {
  mkdirSync(dirname(file), { recursive: true })
  const program = { programId: 'ch-0123456789abcd-in-x', wanted: 'running', revision: 'r' } as const
  const unit = unitOf(['/bin/sleep', '600'])
  await programService.applyUnit(agent.ctx, { ...program, unit })
  const pid = () => programService.report(agent.ctx, program.programId)?.pid
  await eventually(() => expect(pid()).toBeGreaterThan(0))
  const before = pid()
  const spoiled = `{"streams":[{"name":"${SECRET}`
  await agent.restart(async () => Promise.resolve(writeFileSync(file, spoiled)))

  for (const [path, method] of [
    ['/streamer/api/v3/streams', 'GET'],
    ['/streamer/api/v3/streams/a', 'PUT'],
    ['/streamer/api/v3/config/stats', 'GET'],
  ] as const) {
    const { status, text } = await ask(path, method, true)
    expect(status).toBe(503)
    expect(text).toContain(`"code":"streams_unreadable"`)
    expect(text).toContain(file)
    expect(text).not.toContain(SECRET)
  }
  const stranger = await ask('/a/index.m3u8', 'GET', false)
  expect(stranger.status).toBe(503)
  expect(stranger.text).not.toContain(file)
  // What streams there may be go on, and encoders are started as ever.
  expect(pid()).toBe(before)
  expect(programService.list(agent.ctx, STREAMS_OWNER)).toHaveLength(1)
  await using link = await openLink(seatOf('encoder'))
  expect(link.messages[0]).toMatchObject({ type: 'hello' })

  expect(readFileSync(file, 'utf8')).toBe(spoiled)
  await agent.restart(async () => Promise.resolve(writeFileSync(file, '{"streams":[]}')))
  expect(await ask('/streamer/api/v3/streams', 'GET', true)).toMatchObject({ status: 200 })
})
