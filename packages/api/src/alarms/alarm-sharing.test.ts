import { acknowledgeAlarm, listAlarms } from '@trunkline/contract/alarms/alarm.calls'
import { controlEncoder } from '@trunkline/contract/encoders/encoder.calls'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import {
  HANGS_AFTER,
  openAnother,
  openSharedSite,
  until,
  type SharingProcess,
} from '../hosts/sharing/shared-hosts.fixture.ts'
import { movingSince } from '../testing/fake-host.ts'
import { inject } from '../testing/inject.ts'
import { addTestEncoder } from '../testing/test-site.ts'
import { openAlarms, type AlarmContext } from './alarm-keeper.service.ts'

let aheadMs = 0

function keeperOf(ctx: AlarmContext) {
  const keeper = openAlarms({ ...ctx, clock: () => Date.now() + aheadMs })
  onTestFinished(async () => keeper[Symbol.asyncDispose]())
  return keeper
}

/** An encoder of the site that has failed, as two API processes that share its host see it. */
async function openWithFailedEncoder() {
  const shared = await openSharedSite()
  const { site } = shared
  const { id } = await addTestEncoder(site, 0)
  const other = await openAnother(shared)
  const processes = [shared, other]
  const address = { host: '127.0.0.1', port: site.encoderHost.port }
  await until(
    () =>
      processes.every(({ ctx }) => ctx.hosts.status(address)?.online === true) &&
      processes.filter(({ ctx }) => ctx.hosts.isOwn(address)).length === 1,
  )
  const started = {
    params: { id },
    body: { data: { name: 'encoder0', command: 'start' as const } },
  }
  const owner = processes.find(({ ctx }) => ctx.hosts.isOwn(address)) ?? shared
  const start = await inject(owner.app, controlEncoder, site.people.admin.token, started)
  expect(start.status).toBe(200)
  const keepers = processes.map(({ ctx }) => keeperOf(ctx))
  const fail = () =>
    site.encoderHost.change(`encoder-${id}`, { state: 'fatal', pid: null, cause: 'No signal.' })
  const recover = () => {
    const observed = movingSince(0)
    site.encoderHost.change(`encoder-${id}`, { state: 'running', pid: 7, cause: '', observed })
  }
  let passing: Promise<unknown> | null = null
  const pass = () => {
    aheadMs += 50
    passing ??= Promise.all(keepers.map(async (keeper) => keeper.written())).then(() => {
      passing = null
    })
  }
  fail()
  await until(() => {
    pass()
    return processes.every((each) => alarmsOf(each).length === 1)
  })
  return { shared, other, processes, owner, id, fail, recover, pass }
}

const alarmsOf = ({ ctx }: SharingProcess) => [...ctx.alarms.all()]

const isOver = (process: SharingProcess) =>
  alarmsOf(process).some((alarm) => process.ctx.alarms.overSinceMs(alarm) !== null)

test('two API processes raise one alarm, and both know who acknowledged it, that it is over, and that it is cleared', async () => {
  const { shared, other, processes, id, fail, recover, pass } = await openWithFailedEncoder()
  const { people } = shared.site
  const [first, second] = processes.map((each) => alarmsOf(each)[0])
  expect(first).toMatchObject({ kind: 'encoder', id, rule: 'program-down' })
  expect(second?.alarmId).toBe(first?.alarmId)
  const taken = { params: { id: first?.alarmId ?? '' }, body: { note: 'On my way' } }
  await inject(other.app, acknowledgeAlarm, people.northEditor.token, taken)
  await until(() => alarmsOf(shared)[0]?.acknowledged?.note === 'On my way')
  recover()
  // Open until that has lasted, and both say so.
  await until(() => processes.every(isOver))
  const whileOver = await inject(other.app, listAlarms, people.admin.token, {})
  const overSince = whileOver.answer.data.map((alarm) => typeof alarm.overSinceMs)
  expect(overSince).toEqual(['number'])
  fail()
  await until(() => !processes.some(isOver))
  recover()
  await until(() => {
    pass()
    return processes.every((each) => alarmsOf(each).length === 0)
  })
  const { answer } = await inject(other.app, listAlarms, people.admin.token, {})
  expect(answer.total).toBe(0)
})

test('a process that missed the end or return of an alarm learns of it when it is connected to the others again', async () => {
  const { shared, other, owner, fail, recover } = await openWithFailedEncoder()
  const missing = owner === shared ? other : shared
  const messages = await hearMessages(shared.databaseUrl)
  const miss = async (change: () => void, sent: RegExp) => {
    await missing.door.shut()
    await until(() => !missing.ctx.notices.hearsOthers())
    change()
    await until(() => messages.some((message) => sent.test(message)))
    await missing.door.open()
  }
  await miss(recover, /"alarmsOver".*"sinceMs":\d/)
  await expect.poll(() => isOver(missing), HANGS_AFTER).toBe(true)
  await miss(fail, /"alarmsOver".*"sinceMs":null/)
  await expect.poll(() => isOver(missing), HANGS_AFTER).toBe(false)
})

/** What has passed through the database: a process without a connection has missed that. */
async function hearMessages(url: string): Promise<readonly string[]> {
  const client = new pg.Client({ connectionString: url })
  onTestFinished(async () => client.end())
  const heard: string[] = []
  client.on('notification', ({ payload }) => heard.push(payload ?? ''))
  await client.connect()
  await client.query('listen trunkline_notices')
  return heard
}

test('a process that starts while an alarm is over knows that', async () => {
  const { shared, processes, recover } = await openWithFailedEncoder()
  recover()
  await until(() => processes.every(isOver))
  const third = await openAnother(shared)
  keeperOf(third.ctx)
  await expect.poll(() => isOver(third), HANGS_AFTER).toBe(true)
})
