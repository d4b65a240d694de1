/** One program of a site under a supervisord of its own and nothing else: what a command takes at the least. */
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { openLayout, scriptFile } from '@trunkline/agent/supervisor/layout'
import { writeSection } from '@trunkline/agent/supervisor/program-file'
import { SupervisorClient } from '@trunkline/agent/supervisor/supervisor.client'
import { shutdownSupervisor, startSupervisor } from '@trunkline/agent/supervisor/supervisor.process'
import { closedBySignals } from './ending.ts'

export interface BareProgram extends AsyncDisposable {
  /** Each answers the milliseconds from the call until supervisord names the state it leads to. */
  start(): Promise<number>
  stop(): Promise<number>
  restart(): Promise<number>
}

/** Every look also wakes supervisord, which else sleeps for up to a second. */
const LOOK_MS = 4

/** The same script and section as the site's agent has for it. */
export async function openBareProgram(agentDir: string, programId: string): Promise<BareProgram> {
  const dataDir = mkdtempSync(join(tmpdir(), 'trunkline-bare-'))
  const starting = startSupervisor(dataDir)
  const close = closedBySignals(async () => {
    await starting.catch(() => undefined)
    await shutdownSupervisor(dataDir)
    rmSync(dataDir, { recursive: true, force: true })
  })
  const { layout } = await starting
  const client = new SupervisorClient(layout.socket)
  copyFileSync(scriptFile(openLayout(agentDir), programId), scriptFile(layout, programId))
  writeSection(layout, programId, false)
  await client.reloadConfig()
  await client.addProcessGroup(programId)
  const until = async (statename: string) => {
    while ((await client.getProcessInfo(programId)).statename !== statename) await pause(LOOK_MS)
  }
  const stop = async () => {
    await client.stopProcess(programId)
    await until('STOPPED')
  }
  const start = async () => {
    await client.startProcess(programId)
    await until('RUNNING')
  }
  return {
    start: async () => timed(start),
    stop: async () => timed(stop),
    restart: async () => timed(async () => stop().then(start)),
    async [Symbol.asyncDispose]() {
      client[Symbol.dispose]()
      await close()
    },
  }
}

async function timed(task: () => Promise<void>): Promise<number> {
  const startedAt = performance.now()
  await task()
  return performance.now() - startedAt
}
