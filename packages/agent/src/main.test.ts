import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { AgentConfig } from '@trunkline/contract/agent/agent-config.schema'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { srtLeg } from './commands/leg.fixture.ts'
import { openLink, testConfig } from './agent.fixture.ts'
import { shutdownSupervisor } from './supervisor/supervisor.process.ts'

let config: AgentConfig
beforeEach(async () => {
  config = await testConfig(['encoder'])
})
afterEach(async () => {
  await shutdownSupervisor(config.dataDir)
  rmSync(config.dataDir, { recursive: true, force: true })
})

function start(content: unknown) {
  const file = join(config.dataDir, 'config.json')
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content))
  const main = join(import.meta.dirname, '..', 'dist', 'main.js')
  const child = spawn(process.execPath, [main, file], { stdio: ['ignore', 'pipe', 'pipe', 'ipc'] })
  let words = ''
  child.stderr?.on('data', (chunk: Buffer) => (words += chunk.toString()))
  return {
    child,
    ready: once(child, 'message'),
    ended: once(child, 'close').then(() => ({ code: child.exitCode, words })),
  }
}

test('wrong settings are all named at once, and nothing starts', async () => {
  const { ended } = start({
    dataDir: '',
    seats: [{ kind: 'tv', port: 70_000, key: 'short' }],
    more: 1,
  })
  const { code, words } = await ended
  expect(code).toBe(1)
  for (const name of ['dataDir', 'seats.0.kind', 'seats.0.port', 'seats.0.key', 'more']) {
    expect(words).toContain(name)
  }
  expect(words).not.toContain('    at ')
  expect(existsSync(join(config.dataDir, 'supervisor'))).toBe(false)
})

test('a file that is not JSON is named', async () => {
  const { words } = await start('{"dataDir":').ended
  expect(words).toContain('config.json cannot be read')
})

test('two seats on one port are named', async () => {
  const [seat] = config.seats
  const { words } = await start({ ...config, seats: [seat, { ...seat, kind: 'acants' }] }).ended
  expect(words).toContain(`port ${seat?.port} is given twice`)
})

test('SIGTERM ends the agent and touches no program; a second agent is kept out meanwhile', async () => {
  const first = start(config)
  expect(await first.ready).toEqual([{ type: 'ready' }, undefined])
  const [seat] = config.seats
  if (!seat) throw new Error('no seat')
  const link = await openLink(seat)
  await link.ask('applyProgram', callerIntoTheVoid())
  const update = await link.until(
    (message) => message.type === 'program' && message.report.state === 'running',
  )
  const pid = update.type === 'program' ? update.report.pid : null

  const second = await start(config).ended
  expect(second).toMatchObject({ code: 1 })
  expect(second.words).toContain('Another agent')

  first.child.kill('SIGTERM')
  expect(await first.ended).toMatchObject({ code: 0 })
  expect(existsSync(`/proc/${pid}`)).toBe(true)

  const third = start(config)
  await third.ready
  await using again = await openLink(seat)
  expect(again.messages[0]).toMatchObject({
    programs: [{ pid, state: 'running', runningRevision: 'r1' }],
  })
  third.child.kill('SIGINT')
  expect(await third.ended).toMatchObject({ code: 0 })
})

/** A link that calls into the void: a real program that needs no source. */
function callerIntoTheVoid() {
  return {
    programId: 'feeder-void',
    revision: 'r1',
    wanted: 'running',
    spec: {
      kind: 'sender',
      local: { ip: '239.255.250.1', port: 61_500, ttl: 1 },
      outer: srtLeg('call', 61_501),
    },
  }
}

test('T11 while a console does not answer, enrol says that it waits', async () => {
  const file = join(config.dataDir, 'config.json')
  writeFileSync(file, JSON.stringify(config))
  const silent = createServer((socket) => socket.on('error', () => {})).listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const { port } = silent.address() as AddressInfo
  const main = join(import.meta.dirname, '..', 'dist', 'main.js')
  const asked = ['--console', `http://127.0.0.1:${port}`, '--code', '01234-56789-ABCDE-FGHJK']
  const child = spawn(process.execPath, [main, 'enrol', ...asked, '--config', file])
  const [words] = (await once(child.stderr, 'data')) as [Buffer]
  child.kill()
  await once(child, 'close')
  silent.close()
  expect(words.toString()).toMatch(/^The console has not answered yet\./)
})
