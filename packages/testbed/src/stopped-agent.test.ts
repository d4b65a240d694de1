/** An agent whose process is stopped while somebody sends commands to its host. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eventually, freeUdpPort } from '@trunkline/agent/agent.fixture'
import {
  ACTION_TYPE,
  contributionAction,
} from '@trunkline/contract/contributions/contribution.calls'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { callApi, CallFailed } from './api-client.ts'
import { openLinkSite, type LinkSite } from './links/link-site.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'trunkline-stopped-'))
let site: LinkSite

beforeAll(async () => {
  site = await openLinkSite({ dataDir, password: 'correct-horse-battery' })
})
afterAll(async () => {
  await site[Symbol.asyncDispose]()
  rmSync(dataDir, { recursive: true, force: true })
  rmSync(`${dataDir}.key`, { force: true })
})

async function runningPid(): Promise<number> {
  let found = 0
  await eventually(async () => {
    const [link] = await site.links()
    expect(link).toMatchObject({ state: 'running', pid: expect.any(Number) as number })
    found = link?.pid ?? 0
  })
  return found
}

test('a restart that failed because the agent was stopped is not carried out when it goes on', async () => {
  const draft = { title: 'In', inputType: 'SRT' as const, config: { port: await freeUdpPort() } }
  const id = await site.addInput(draft)
  // Refused until the new server's host has said hello.
  await eventually(async () => site.start('input', id))
  const before = await runningPid()
  process.kill(site.agent.pid, 'SIGSTOP')
  const body = { id, type: ACTION_TYPE.input, actionType: 'restart' as const }
  const failed = await callApi(site.client, contributionAction, { body }).catch(
    (error: unknown) => error,
  )
  process.kill(site.agent.pid, 'SIGCONT')
  expect(failed).toBeInstanceOf(CallFailed)
  expect((failed as CallFailed).message).toContain('was not carried out, and will not be')
  // Commands to one program are carried out in turn: what came before this one has been decided.
  await eventually(async () => site.start('input', id))
  expect(await runningPid()).toBe(before)
})
