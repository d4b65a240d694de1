import { spawn } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { expect, onTestFinished, test } from 'vitest'
import { claimUdpPort, freeUdpPort } from './free-port.ts'
import { claimRange } from './site-range.ts'

const THIS_FOLDER = import.meta.dirname
/** The last one: no site of other tests comes that far. */
const LAST_RANGE = 29

test('two sites have ranges of ports and groups without anything in common', async () => {
  await using first = await claimRange(null)
  await using second = await claimRange(null)
  const [a, b] = [first, second].map((range) => [
    ...Object.values<number>({ ...range.ports }),
    range.busNetwork,
    range.channelNetwork,
  ])
  expect(new Set([...(a ?? []), ...(b ?? [])]).size).toBe(18)
})

test('a range is held for other processes too, and free again when its holder is killed', async () => {
  const code = `await (await import('${THIS_FOLDER}/site-range.ts')).claimRange(${LAST_RANGE}).then(() => console.log('held')); setInterval(() => 0, 1000)`
  const holder = spawn(process.execPath, ['--input-type=module', '-e', code], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void holder.kill('SIGKILL'))
  await once(holder.stdout, 'data')
  await expect(claimRange(LAST_RANGE)).rejects.toThrow('The range of ports 29 is in use')
  const ended = once(holder, 'exit')
  holder.kill('SIGKILL')
  await ended
  await using again = await claimRange(LAST_RANGE)
  expect(again.number).toBe(LAST_RANGE)
})

test('a range is skipped while a program of a killed site uses it', async () => {
  let firstPort: number
  {
    await using range = await claimRange(null)
    firstPort = range.firstPort
  }
  const left = createSocket('udp4').bind(firstPort + 50)
  onTestFinished(() => void left.close())
  await once(left, 'listening')
  await using range = await claimRange(null)
  expect(range.firstPort).not.toBe(firstPort)
})

test('a UDP port belongs to a single process until it is released', async () => {
  const port = await freeUdpPort(64_002, new Set())
  await using claimed = await claimUdpPort(port, new Set())
  expect(claimed.port).toBeGreaterThan(port)
})
