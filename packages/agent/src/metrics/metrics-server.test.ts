import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { openTestAgent, shared } from '../agent.fixture.ts'
import { openMetrics } from './metrics-server.ts'

const KEY = 'key-of-the-metrics'
const agent = shared(async () => openTestAgent(['acants']))

async function open() {
  const server = await openMetrics(agent.ctx, { listenIp: '127.0.0.1', port: 0, key: KEY })
  const read = async (path: string, key: string) => {
    const headers = { authorization: `Bearer ${key}` }
    const response = await fetch(`http://127.0.0.1:${server.port}${path}`, { headers })
    return { status: response.status, text: await response.text() }
  }
  return { server, read }
}

test('metrics of a host need their own key, and no other path is served', async () => {
  const { server, read } = await open()
  await using _ = server
  const statuses = await Promise.all([
    read('/metrics', 'key-of-seat-0'),
    read('/metrics', ''),
    read('/link', KEY),
    read('/metrics', KEY),
  ])
  expect(statuses.map(({ status }) => status)).toEqual([401, 401, 404, 200])
})

test('the host and its programs are measured, and promtool finds nothing wrong', async () => {
  await agent.apply('measured')
  await agent.untilRunning('measured')
  const { server, read } = await open()
  await using _ = server
  const { text } = await read('/metrics', KEY)
  const checked = spawnSync('promtool', ['check', 'metrics'], { input: text })
  expect([checked.status, String(checked.stdout), String(checked.stderr)]).toEqual([0, '', ''])
  const lines = text.split('\n')
  expect(lines).toContain('trunkline_program_running{program="measured",kind="stream"} 1')
  expect(lines).toContain('trunkline_host_programs{state="running"} 1')
  expect(lines).toContain('trunkline_host_supervisor_up 1')
  expect(text).toMatch(/^trunkline_host_disk_free_bytes [1-9]\d*$/m)
  expect(text).not.toContain('key-of')
})

test('a port that is taken is named', async () => {
  const { server } = await open()
  await using _ = server
  const taken = openMetrics(agent.ctx, { listenIp: '127.0.0.1', port: server.port, key: KEY })
  await expect(taken).rejects.toThrow(`The port ${server.port} of the metrics cannot be opened`)
})
