/** An encoder, its feeder and a far end, all of them the real tools: what arrives there (FEED-27). */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { configOf, HOST } from '@trunkline/agent/commands/encoder-config.fixture'
import { freeUdpPort, openTestAgent, untilReport } from '@trunkline/agent/agent.fixture'
import * as programService from '@trunkline/agent/programs/program.service'
import type { ProgramSpec } from '@trunkline/contract/agent/program.messages'
import { effectiveOnHost } from '@trunkline/contract/encoders/effective-config.rules'
import { expect, test } from 'vitest'
import { openReceiver } from './stream-capture.ts'
import { factsFound, promisedFacts } from './stream-facts.ts'

const OWNER = 'encoder-0'
const PASSPHRASE = 'far-end.Secret_27~0123456789abcdef'
/** Time enough for SRT to ask again for what a busy machine let fall. */
const LATENCY_MS = 2000
const CAPTURE_SECONDS = 4

/** srt-live-transmit as another company would run it: waits at `port`, hands on to `toPort`. */
function startFarEnd(port: number, toPort: number): AsyncDisposable {
  const key = `passphrase=${PASSPHRASE}&pbkeylen=32`
  const child = spawn(
    'srt-live-transmit',
    [
      `srt://127.0.0.1:${port}?mode=listener&latency=${LATENCY_MS}&${key}`,
      `udp://127.0.0.1:${toPort}`,
    ],
    { stdio: 'ignore' },
  )
  const ended = once(child, 'exit')
  return {
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL')
      await ended
    },
  }
}

function feederSpec(readPort: number, targetPort: number): ProgramSpec {
  return {
    kind: 'sender',
    local: { ip: '127.0.0.1', port: readPort, ttl: 1 },
    outer: {
      protocol: 'srt',
      mode: 'call',
      host: '127.0.0.1',
      port: targetPort,
      adapterIp: '',
      key: { passphrase: PASSPHRASE, bits: 256 },
      latencyMs: LATENCY_MS,
      maxBandwidthBytes: 625_000,
      advanced: [],
    },
  }
}

test('FEED-27 FEED-12 a feeder carries the encoder to its target, says when the target goes and returns, and its key stays secret', async () => {
  await using agent = await openTestAgent(['encoder'], [...HOST.sources])
  await using receiver = await openReceiver('udp')
  const [readPort, targetPort] = [await freeUdpPort(), await freeUdpPort()]
  const config = configOf('pal', [`udp://127.0.0.1:${readPort}?ttl=1`])
  const apply = async (programId: string, spec: ProgramSpec) =>
    programService.apply(agent.ctx, OWNER, { programId, revision: 'r1', wanted: 'running', spec })
  const untilPeer = async (peer: 'connected' | 'disconnected') =>
    untilReport(agent.ctx, 'feeder', (report) => report.state === 'running' && report.peer === peer)
  {
    await using _farEnd = startFarEnd(targetPort, receiver.port)
    const captured = receiver.capture(CAPTURE_SECONDS)
    await apply('encoder', { kind: 'encoder', config, feederLegs: [] })
    await apply('feeder', feederSpec(readPort, targetPort))
    await untilPeer('connected')
    const { config: effective } = effectiveOnHost(config, HOST.encoders)
    expect(factsFound(await captured)).toEqual(promisedFacts(effective))
  }
  const without = await untilPeer('disconnected')
  await using _returned = startFarEnd(targetPort, receiver.port)
  const again = await untilPeer('connected')
  expect([without.restarts, again.restarts]).toEqual([0, 0])

  const lines = programService.tail(agent.ctx, OWNER, 'feeder', 1000)
  expect(lines.some((line) => line.includes('Media path'))).toBe(true)
  expect(lines.join('\n')).not.toContain(PASSPHRASE)
  expect(JSON.stringify(programService.list(agent.ctx, OWNER))).not.toContain(PASSPHRASE)
})
