import type { HostMessage } from '@trunkline/contract/agent/host-link.messages'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { srtLeg } from '../commands/leg.fixture.ts'
import {
  freeUdpPort,
  openLink,
  openTestAgent,
  untilReport,
  type TestLink,
  shared,
} from '../agent.fixture.ts'
import * as programService from './program.service.ts'

const OWNER = 'acants-0'
const COUNT = 12
const agent = shared(async () => openTestAgent(['acants']))
let link: TestLink
beforeAll(async () => {
  link = await linkToSeat()
})
afterAll(async () => {
  await link[Symbol.asyncDispose]()
})

async function linkToSeat(): Promise<TestLink> {
  const [seat] = agent.config.seats
  if (!seat) throw new Error('no seat')
  return openLink(seat)
}

async function apply(programId: string, revision: string): Promise<void> {
  const outer = srtLeg('listen', await freeUdpPort())
  const local = { ip: '127.0.0.1', port: await freeUdpPort(), ttl: 1 }
  const spec = { kind: 'receiver', local, outer }
  await link.ask('applyProgram', { programId, revision, spec, wanted: 'running' })
}

/** What must not move: pid, start and restarts of every program but those named. */
function others(...programIds: string[]) {
  return programService
    .list(agent.ctx, OWNER)
    .filter((report) => !programIds.includes(report.programId))
    .map(({ programId, pid, startedAtMs, restarts }) => ({ programId, pid, startedAtMs, restarts }))
}

function reportsIn(hello: HostMessage | undefined) {
  if (hello?.type !== 'hello') throw new Error('no hello')
  return hello.programs
}

test('all programs come in a single message; adding, changing and removing a program touches no other', async () => {
  const names = Array.from({ length: COUNT }, (_, index) => `input-${index}`)
  await Promise.all(names.map(async (name) => apply(name, 'r1')))
  await Promise.all(names.map(async (name) => agent.untilRunning(name)))
  const before = others('input-3', 'input-7')
  expect(before).toHaveLength(COUNT - 2)

  await apply('input-new', 'r1')
  await agent.untilRunning('input-new')
  expect(others('input-3', 'input-7', 'input-new')).toEqual(before)

  await apply('input-3', 'r2')
  await link.ask('controlProgram', { programId: 'input-3', command: 'restart' })
  await untilReport(
    agent.ctx,
    'input-3',
    ({ state, runningRevision }) => state === 'running' && runningRevision === 'r2',
  )
  expect(others('input-3', 'input-7', 'input-new')).toEqual(before)

  await link.ask('removeProgram', { programId: 'input-7' })
  expect(others('input-3', 'input-new')).toEqual(before)

  await using late = await linkToSeat()
  const reports = reportsIn(late.messages[0])
  expect(reports.map(({ programId }) => programId).toSorted()).toEqual(
    [...names.filter((name) => name !== 'input-7'), 'input-new'].toSorted(),
  )
  expect(reports.every(({ state, pid }) => state === 'running' && pid !== null)).toBe(true)
})
