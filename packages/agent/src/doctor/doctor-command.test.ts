/** `trunkline-agent doctor` beside a real agent, and where things are missing. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openLink, openTestAgent, temporaryFolder, type TestAgent } from '../agent.fixture.ts'
import { doctor } from './doctor-command.ts'

let agent: TestAgent
let file: string
beforeAll(async () => {
  agent = await openTestAgent(['encoder'], [{ cardIdx: 0, kind: 'test-pattern', device: '' }])
  file = write(agent.config)
})
afterAll(async () => agent[Symbol.asyncDispose]())

function write(content: unknown): string {
  const path = join(temporaryFolder(), 'agent.json')
  writeFileSync(path, JSON.stringify(content))
  return path
}

test('finds an agent that runs, with its supervisord, its sources and the console that is linked', async () => {
  const [seat] = agent.config.seats
  if (seat === undefined) throw new Error('no seat')
  await using _ = await openLink(seat)
  const { text, exitCode } = await doctor(['--config', file])
  expect(text).toContain(`ok     The agent answers at the seat encoder (port ${seat.port}).`)
  expect(text).toContain(`ok     A console is linked to the seat encoder (port ${seat.port})`)
  expect(text).toMatch(/^ok {5}supervisord runs \(process \d+\)\.$/m)
  expect(text).toMatch(/^ok {5}Multicast on the loopback interface works\.$/m)
  expect(text).toMatch(/^ok {5}Source 0 \(Test pattern 0\) can be used\.$/m)
  expect(text).toMatch(/^ok {5}ffmpeg \d/m)
  expect(exitCode).toBe(0)
})

test('a running agent with another key than the file is named', async () => {
  const seats = agent.config.seats.map((seat) => ({ ...seat, key: 'another-key-entirely' }))
  const { text, exitCode } = await doctor(['--config', write({ ...agent.config, seats })])
  expect(text).toContain('WRONG  The agent that runs has another key')
  expect(exitCode).toBe(1)
})

test('a host on which nothing runs says what to start, and stays as it is', async () => {
  const dataDir = join(temporaryFolder(), 'none')
  const seats = [{ kind: 'encoder', listenIp: '127.0.0.1', port: 1, key: 'a-key-of-a-seat' }]
  const { text, exitCode } = await doctor(['--config', write({ dataDir, seats })])
  expect(text).toContain('Fix: systemctl start trunkline-agent;')
  expect(text).toContain('is not there yet')
  expect(exitCode).toBe(1)
  const again = await doctor(['--config', write({ dataDir, seats })])
  expect(again.text).toContain('is not there yet')
})

test('a configuration that cannot be read is a finding beside those about the tools', async () => {
  const { text, exitCode } = await doctor(['--config', '/nowhere/agent.json'])
  expect(text).toContain('WRONG  The configuration /nowhere/agent.json cannot be read')
  expect(text).toMatch(/^ok {5}ffmpeg \d/m)
  expect(exitCode).toBe(1)
})

test('another option is refused with the usage', async () => {
  await expect(doctor(['--fast'])).rejects.toThrow('Usage: trunkline-agent doctor')
})
