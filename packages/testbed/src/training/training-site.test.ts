/** A small training site of real parts: one camera on its way to a channel, over two hosts. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openLayout } from '@trunkline/agent/supervisor/layout'
import { processesOf } from '@trunkline/agent/supervisor/process-identity'
import { listAlarmHistory } from '@trunkline/contract/alarms/alarm.calls'
import { listEncoders } from '@trunkline/contract/encoders/encoder.calls'
import { readLive } from '@trunkline/contract/fleet/fleet.calls'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { callApi } from '../api-client.ts'
import type { Break, BreakName } from '../breaks/break.ts'
import { SUPERADMIN_EMAIL } from '../demo-site.ts'
import { claimSite } from '../site-claim.ts'
import { SMALL_FLEET } from './fleet.ts'
import { agentDirOf } from './training-plan.ts'
import { openTrainingSite, type TrainingSite } from './training-site.ts'

const PASSWORD = 'correct-horse-battery'
/** Only ends what hangs. */
const LIMIT = { timeout: 120_000, interval: 200 }

const folder = mkdtempSync(join(tmpdir(), 'trunkline-training-'))
const dataDir = join(folder, 'data')
let site: TrainingSite
let close: () => Promise<void>
beforeAll(async () => open(PASSWORD))
afterAll(async () => {
  await close()
  rmSync(folder, { recursive: true, force: true })
})

async function open(password: string | null): Promise<void> {
  const life = new AsyncDisposableStack()
  const claim = life.use(await claimSite(dataDir))
  site = life.use(
    await openTrainingSite({
      dataDir,
      fleet: SMALL_FLEET,
      apiPort: 0,
      apiEnv: {
        TRUNKLINE_ADMIN_EMAIL: SUPERADMIN_EMAIL,
        TRUNKLINE_ADMIN_PASSWORD: PASSWORD,
        TRUNKLINE_SECRET_FILE: join(folder, 'key'),
      },
      onOutput: () => undefined,
      claim,
      password,
      say: () => undefined,
    }),
  )
  close = async () => life.disposeAsync()
}

async function untilPicture(): Promise<void> {
  await vi.waitFor(async () => {
    const { data } = await callApi(await site.client(), readLive, {})
    expect(data.programs.map(({ observed }) => observed?.media)).toEqual(
      data.programs.map(() => 'moving'),
    )
    expect(data.streams.map(({ stream }) => stream?.stats.alive)).toEqual([true])
  }, LIMIT)
}

function breakNamed(name: BreakName): Break {
  const found = site.causes.find((each) => each.name === name)
  if (found === undefined) throw new Error(`The small fleet has no ${name}.`)
  return found
}

/** Of the object of that break, open ones and cleared ones. */
async function alarmsOf({ subject, isTrue }: Break) {
  const query = { kind: subject.kind, id: subject.objectId }
  const { data } = await callApi(await site.client(), listAlarmHistory, { query })
  return data.filter(isTrue)
}

async function untilAlarm(caused: Break): Promise<void> {
  await vi.waitFor(async () => {
    expect((await alarmsOf(caused)).map(({ clearedAt }) => clearedAt)).toContain(null)
  }, LIMIT)
}

async function untilCleared(caused: Break): Promise<void> {
  await vi.waitFor(async () => {
    expect((await alarmsOf(caused)).map(({ clearedAt }) => clearedAt)).not.toContain(null)
  }, LIMIT)
}

test('breaks raise the alarm of their first hop and cause, and it clears when they are healed', async () => {
  const together = [breakNamed('encoder-killed'), breakNamed('media-server-away')]
  for (const { name } of together) await site.breaks.cause(name)
  for (const caused of together) await untilAlarm(caused)
  await site.breaks.heal(null)
  const frozen = breakNamed('agent-frozen')
  await site.breaks.cause('agent-frozen')
  await untilAlarm(frozen)
  await site.breaks.heal('agent-frozen')
  for (const caused of [...together, frozen]) await untilCleared(caused)
  expect(site.breaks.list().map(({ since }) => since)).toEqual(site.breaks.list().map(() => null))
})

test('a host without power runs nothing, and its agent starts what is to run when the power is back', async () => {
  const [host] = site.hosts
  if (host === undefined) throw new Error('The small fleet has hosts.')
  const { socket } = openLayout(agentDirOf(dataDir, { name: 'north' }))
  await host.stop()
  expect(processesOf(socket)).toEqual([])
  expect(await host.agent.ended).toBeNull()
  const restarting = host.restartAgent(new AbortController().signal)
  await host.start()
  await restarting
  await vi.waitFor(() => expect(processesOf(socket)).not.toEqual([]), LIMIT)
  await untilPicture()
})

test('a second start on the folder loads nothing again', async () => {
  const { ids } = site
  await close()
  await open(null)
  expect(site.ids).toEqual(ids)
  const { total } = await callApi(await site.client(), listEncoders, { query: {} })
  expect(total).toBe(1)
})
