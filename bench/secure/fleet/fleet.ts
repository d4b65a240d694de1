/** The processes of the proof dial-in-fleet, as their parent sees them. */
import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { SecureContextOptions } from 'node:tls'
import { listServers } from '@trunkline/contract/servers/server.calls'
import { callApi, type Client } from '@trunkline/testbed/api-client'
import { onTestFinished } from 'vitest'
import { percentile, round } from '../../kit/figure.ts'
import type { EnrolledHost } from '../dial-in-hosts.ts'
import type { HostsAnswer, HostsOrder } from './hosts.process.ts'

export interface Bare {
  allS: number
  cpuMsPerHandshake: number
  hostsCpuMsPerHandshake: number
}

const ASKED_EVERY_MS = 200

/** Hosts have machines of their own: in one process they would wait for each other. */
const PROCESSES = 4

export class HostProcesses {
  readonly #children = Array.from({ length: PROCESSES }, () => forked('hosts.process.ts'))

  async open(port: number, hosts: readonly EnrolledHost[]): Promise<void> {
    const numbered = hosts.map((host, number) => ({ ...host, number }))
    await Promise.all(
      this.#children.map(async (child, at) => {
        const some = numbered.filter(({ number }) => number % PROCESSES === at)
        return answerTo(child, { do: 'open', port, hosts: some })
      }),
    )
  }

  async order(order: HostsOrder): Promise<HostsAnswer> {
    const all = await Promise.all(this.#children.map(async (child) => answerTo(child, order)))
    const sum = (pick: (answer: HostsAnswer) => number) =>
      all.reduce((total, answer) => total + pick(answer), 0)
    return {
      missing: sum(({ missing }) => missing),
      dials: sum(({ dials }) => dials),
      cpuMs: sum(({ cpuMs }) => cpuMs),
    }
  }

  close(): void {
    for (const child of this.#children) child.disconnect()
  }
}

async function answerTo(child: ChildProcess, order: HostsOrder): Promise<HostsAnswer> {
  child.send(order)
  const [answer] = (await once(child, 'message')) as [HostsAnswer]
  return answer
}

/** The handshakes of these hosts alone, with a server that does nothing else. */
export async function bareHandshakes(
  hosts: HostProcesses,
  identity: SecureContextOptions,
  count: number,
): Promise<Bare> {
  const server = forked('bare-tls.process.ts')
  const ask = async <T>(question: object) => {
    server.send(question)
    const [answer] = (await once(server, 'message')) as [T]
    return answer
  }
  const { port } = await ask<{ port: number }>(identity)
  const startMs = performance.now()
  const { cpuMs: hostsCpuMs } = await hosts.order({ do: 'shake hands', port })
  const allS = round((performance.now() - startMs) / 1000)
  const done = await ask<{ handshakes: number; refused: number; cpuMs: number }>({})
  server.disconnect()
  if (done.handshakes !== count || done.refused > 0) throw new Error(JSON.stringify(done))
  return {
    allS,
    cpuMsPerHandshake: round(done.cpuMs / count),
    hostsCpuMsPerHandshake: round(hostsCpuMs / count),
  }
}

/** Somebody who opens the list of servers again and again. */
export function askMeanwhile(
  person: Client,
): () => Promise<{ requests: number; p95Ms: number; slowestMs: number }> {
  const tookMs: number[] = []
  let isOver = false
  const asking = (async () => {
    while (!isOver) {
      const sinceMs = performance.now()
      await callApi(person, listServers, { query: { rowsPerPage: 20 } })
      tookMs.push(performance.now() - sinceMs)
      await new Promise((resolve) => setTimeout(resolve, ASKED_EVERY_MS))
    }
  })()
  return async () => {
    isOver = true
    await asking
    return {
      requests: tookMs.length,
      p95Ms: round(percentile(tookMs, 95)),
      slowestMs: round(Math.max(...tookMs)),
    }
  }
}

function forked(name: string): ChildProcess {
  const child = fork(join(import.meta.dirname, name))
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}
