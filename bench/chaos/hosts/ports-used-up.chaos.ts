/**
 * Another program has the port of a link, or programs of the host have every port that a caller could be
 * given: the start is refused, or fails, with a cause that names the ports, other links do not notice, and
 * the link runs again once they are free. In a network namespace of its own, as a machine has one set of
 * ports: needs unshare and ip. 20 rounds take three minutes.
 */
import { spawnSync, execFileSync } from 'node:child_process'
import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { readLive } from '@trunkline/contract/fleet/fleet.calls'
import { callApi } from '@trunkline/testbed/api-client'
import { atMost, percentile, printFigure, round, spread } from '../../kit/figure.ts'
import { commandLink } from '../rig/link-command.ts'
import { MediaRig } from '../rig/media-rig.ts'
import { roundsOf } from '../rig/rounds.ts'

const ROUNDS = roundsOf(20)
const HEARD_DATAGRAMS = 24
/** The kernel gives these to callers; few, so that all can be taken. */
const FIRST_CALLER_PORT = 33_000
const CALLER_PORTS = 200
/** A caller that cannot get a port has failed by then. */
const FAILED_LIMIT_MS = 15_000
const LOOK_MS = 100
/** What an operator must find in the cause. */
const NAMES_PORTS = /port/i

if (process.env['CHAOS_OWN_NETWORK'] === undefined) process.exitCode = runInOwnNetwork()
else await run()

async function run(): Promise<void> {
  execFileSync('ip', ['link', 'set', 'lo', 'up'])
  const last = FIRST_CALLER_PORT + CALLER_PORTS - 1
  writeFileSync('/proc/sys/net/ipv4/ip_local_port_range', `${FIRST_CALLER_PORT} ${last}`)
  await using rig = await MediaRig.open()
  const { client } = rig.site
  const backMs: number[] = []
  const sentences = { held: new Set<string>(), none: new Set<string>() }
  let vague = 0
  let notDone = 0
  for (let at = 0; at < ROUNDS; at += 1) {
    const isHeld = at % 2 === 0
    const link = rig.linkOf(Math.floor(at / 2))
    const end = isHeld
      ? { kind: 'input' as const, id: link.inputId }
      : { kind: 'output' as const, id: link.outputId }
    await rig.round({ links: [link] }, async () => {
      await commandLink(client, end, 'stop')
      const taken = isHeld ? [await take(link.port)] : await takeAllCallerPorts()
      const asked = await commandLink(client, end, 'start')
      const cause = asked.isDone ? await causeOf(end) : asked.sentence
      sentences[isHeld ? 'held' : 'none'].add(withoutNumbers(cause))
      if (!NAMES_PORTS.test(cause)) vague += 1
      for (const socket of taken) socket.close()
      const startedMs = performance.now()
      const { isDone } = await commandLink(client, end, 'start')
      if (!isDone) notDone += 1
      await link.sink.until(link.sink.datagrams + HEARD_DATAGRAMS)
      backMs.push(performance.now() - startedMs)
    })
  }
  const { figures, goals } = await rig.finish()
  printFigure({
    bench: 'ports-used-up',
    rounds: ROUNDS,
    ours: {
      ...figures,
      backMs: { ...spread(backMs), p95: round(percentile(backMs, 95)) },
      sentences: { held: [...sentences.held], none: [...sentences.none] },
    },
    limit: {},
    goals: [
      ...goals,
      atMost('causes that do not name the port', vague, 0, 'starts'),
      atMost('starts not done once the ports are free', notDone, 0, 'commands'),
      atMost('runs again after', Math.max(...backMs), 10_000, 'ms'),
    ],
  })

  /** What is shown of a program that was started and cannot run. */
  async function causeOf({ kind, id }: { kind: 'input' | 'output'; id: string }): Promise<string> {
    const endMs = performance.now() + FAILED_LIMIT_MS
    for (;;) {
      const { data } = await callApi(client, readLive, {})
      const cause = data.programs.find((shown) => shown.kind === kind && shown.id === id)?.cause
      if (cause !== undefined && cause !== '') return cause
      if (performance.now() > endMs) return ''
      await pause(LOOK_MS)
    }
  }
}

/** Answers its exit code. */
function runInOwnNetwork(): number {
  const args = ['-rn', process.execPath, fileURLToPath(import.meta.url)]
  const env = { ...process.env, CHAOS_OWN_NETWORK: '1' }
  const { status, error } = spawnSync('unshare', args, { stdio: 'inherit', env })
  if (error !== undefined) throw new Error(`unshare is needed: ${error.message}`)
  return status ?? 1
}

async function take(port: number): Promise<Socket> {
  const socket = createSocket('udp4')
  socket.bind(port)
  await once(socket, 'listening')
  return socket
}

async function takeAllCallerPorts(): Promise<Socket[]> {
  const ports = Array.from({ length: CALLER_PORTS }, (_, at) => FIRST_CALLER_PORT + at)
  const tries = await Promise.allSettled(ports.map(take))
  // Those that links have already are taken as well.
  return tries.flatMap((tried) => (tried.status === 'fulfilled' ? [tried.value] : []))
}

function withoutNumbers(sentence: string): string {
  return sentence.replaceAll(/\d{3,}/g, 'N')
}
