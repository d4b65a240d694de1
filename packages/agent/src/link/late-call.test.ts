/** A real agent process that is stopped while calls are on their way to it. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { HostMessage } from '@trunkline/contract/agent/host-link.messages'
import { expect, test } from 'vitest'
import { freeUdpPort, openLink, testConfig, type TestLink } from '../agent.fixture.ts'
import { shutdownSupervisor } from '../supervisor/supervisor.process.ts'

const PROGRAM = { programId: 'input-late' }

async function openProcess() {
  const config = await testConfig(['acants'])
  const [seat] = config.seats
  if (!seat) throw new Error('no seat')
  const file = join(config.dataDir, 'config.json')
  writeFileSync(file, JSON.stringify(config))
  const main = join(import.meta.dirname, '..', '..', 'dist', 'main.js')
  const stdio = ['ignore', 'ignore', 'ignore', 'ipc'] as const
  const child = spawn(process.execPath, [main, file], { stdio: [...stdio] })
  const ended = once(child, 'exit')
  await once(child, 'message')
  return {
    child,
    seat,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL')
      await ended
      await shutdownSupervisor(config.dataDir)
      rmSync(config.dataDir, { recursive: true, force: true })
    },
  }
}

async function listener() {
  const outer = { protocol: 'srt', mode: 'listen', host: '', adapterIp: '', key: null }
  const tuning = { latencyMs: 120, maxBandwidthBytes: 0, advanced: [] }
  const local = { ip: '127.0.0.1', port: await freeUdpPort(), ttl: 1 }
  const spec = {
    kind: 'receiver',
    local,
    outer: { ...outer, ...tuning, port: await freeUdpPort() },
  }
  return { ...PROGRAM, revision: 'r1', wanted: 'running', spec }
}

function pidIn(message: HostMessage): number | null {
  return message.type === 'program' ? message.report.pid : null
}

async function running(link: TestLink): Promise<number | null> {
  await link.ask('applyProgram', await listener())
  const isUp = (message: HostMessage) =>
    message.type === 'program' && message.report.state === 'running'
  return pidIn(await link.until(isUp))
}

const CHANGES = [
  ['controlProgram', { ...PROGRAM, command: 'restart' }],
  ['controlProgram', { ...PROGRAM, command: 'stop' }],
  ['removeProgram', PROGRAM],
] as const

test('a call that a stopped agent reads too late is not carried out', async () => {
  await using agent = await openProcess()
  await using link = await openLink(agent.seat)
  const pid = await running(link)
  const apply = ['applyProgram', { ...(await listener()), wanted: 'stopped' }] as const
  const calls = [...CHANGES, apply]
  agent.child.kill('SIGSTOP')
  for (const [at, [call, params]] of calls.entries()) {
    link.socket.send(JSON.stringify({ id: 100 + at, call, params, confirm: true }))
  }
  // Whoever made them has given up meanwhile.
  agent.child.kill('SIGCONT')
  for (const [at] of calls.entries()) {
    const id = 100 + at
    await link.until((message) => message.type === 'confirm' && message.id === id)
    link.socket.send(JSON.stringify({ confirmed: id, remainingMs: 0 }))
    const reply = await link.until((message) => message.type === 'failure' && message.id === id)
    expect(reply).toMatchObject({
      failure: { message: expect.stringContaining('too late') as string },
    })
  }
  const report = await link.ask('controlProgram', { ...PROGRAM, command: 'start' })
  expect(report).toMatchObject({ pid, state: 'running', wanted: 'running', restarts: 0 })
})

test('a confirmation that the agent reads too late does not count either', async () => {
  await using agent = await openProcess()
  await using link = await openLink(agent.seat)
  const pid = await running(link)
  link.socket.send(
    JSON.stringify({ id: 100, call: CHANGES[0][0], params: CHANGES[0][1], confirm: true }),
  )
  await link.until((message) => message.type === 'confirm')
  agent.child.kill('SIGSTOP')
  // Any time at all is longer than this.
  link.socket.send(JSON.stringify({ confirmed: 100, remainingMs: 0.001 }))
  agent.child.kill('SIGCONT')
  await link.until((message) => message.type === 'failure' && message.id === 100)
  const report = await link.ask('controlProgram', { ...PROGRAM, command: 'start' })
  expect(report).toMatchObject({ pid, restarts: 0 })
})

test('a call whose link is closed before it is confirmed is not carried out', async () => {
  await using agent = await openProcess()
  const asking = await openLink(agent.seat)
  const pid = await running(asking)
  agent.child.kill('SIGSTOP')
  const [call, params] = CHANGES[0]
  const request = JSON.stringify({ id: 100, call, params, confirm: true })
  await new Promise((resolve) => asking.socket.send(request, resolve))
  asking.socket.terminate()
  agent.child.kill('SIGCONT')
  await using link = await openLink(agent.seat)
  const report = await link.ask('controlProgram', { ...PROGRAM, command: 'start' })
  expect(report).toMatchObject({ pid, restarts: 0 })
})

test('a confirmed call is carried out', async () => {
  await using agent = await openProcess()
  await using link = await openLink(agent.seat)
  const pid = await running(link)
  link.socket.send(
    JSON.stringify({ id: 100, call: CHANGES[0][0], params: CHANGES[0][1], confirm: true }),
  )
  await link.until((message) => message.type === 'confirm')
  link.socket.send(JSON.stringify({ confirmed: 100, remainingMs: 60_000 }))
  const answer = await link.until((message) => message.type === 'answer' && message.id === 100)
  expect(answer.type === 'answer' && answer.result).not.toMatchObject({ pid })
})
