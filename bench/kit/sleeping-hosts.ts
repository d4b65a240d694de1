/** Several hosts on this machine, each with its own agent, supervisord and programs that sleep. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { shutdownSupervisor } from '@trunkline/agent/supervisor/supervisor.process'
import { startOwnProcess } from '@trunkline/testbed/child'
import { repositoryRoot } from '@trunkline/testbed/repository'
import { closedBySignals } from './ending.ts'
import { startSleepingPrograms, type SleepingProgram } from './sleeping-programs.ts'

const OWNER = 'encoder-0'
/** An encoder whose card has no source is not started. */
const SOURCES = Array.from({ length: 64 }, (_, cardIdx) => ({ cardIdx, kind: 'test-pattern' }))

export interface Host {
  address: string
  port: number
  key: string
  programs: readonly SleepingProgram[]
}

/** Disposing ends agent, supervisord and programs. */
export async function startHost(
  dataDir: string,
  { address, port, key, programs }: Host,
): Promise<AsyncDisposable> {
  mkdirSync(dataDir, { recursive: true })
  const end = closedBySignals(async () => shutdownSupervisor(dataDir))
  await startSleepingPrograms(dataDir, programs, OWNER)
  const file = `${dataDir}.json`
  const seats = [{ kind: 'encoder', listenIp: address, port, key }]
  writeFileSync(file, JSON.stringify({ dataDir, seats, sources: SOURCES }), { mode: 0o600 })
  const agent = await startOwnProcess({
    name: `The agent at ${address}`,
    node: process.execPath,
    args: [join(repositoryRoot(), 'packages/agent/dist/main.js'), file],
    env: { PATH: process.env['PATH'] ?? '', TRUNKLINE_LOG_LEVEL: 'error' },
    onOutput: (text) => process.stderr.write(text),
  })
  return {
    async [Symbol.asyncDispose]() {
      await agent.stop()
      await end()
    },
  }
}

/** The same without an agent. Answers supervisord's socket. */
export async function startBareHost(
  dataDir: string,
  programs: readonly SleepingProgram[],
): Promise<AsyncDisposable & { socket: string }> {
  mkdirSync(dataDir, { recursive: true })
  const end = closedBySignals(async () => shutdownSupervisor(dataDir))
  const { socket } = await startSleepingPrograms(dataDir, programs, '')
  return { socket, [Symbol.asyncDispose]: end }
}
