import { acknowledgeAlarm, listAlarms } from '@trunkline/contract/alarms/alarm.calls'
import { controlEncoder } from '@trunkline/contract/encoders/encoder.calls'
import { expect, onTestFinished, test } from 'vitest'
import { openAnother, openSharedSite, until } from '../hosts/sharing/shared-hosts.fixture.ts'
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

test('two API processes raise one alarm, and both know who acknowledged it, that it is over, and that it is cleared', async () => {
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
  const start = await inject(shared.app, controlEncoder, site.people.admin.token, started)
  expect(start.status).toBe(200)
  const keepers = processes.map(({ ctx }) => keeperOf(ctx))
  const programId = `encoder-${id}`
  site.encoderHost.change(programId, { state: 'fatal', pid: null, cause: 'No signal.' })
  let passing: Promise<unknown> | null = null
  const pass = () => {
    aheadMs += 50
    passing ??= Promise.all(keepers.map(async (keeper) => keeper.written())).then(() => {
      passing = null
    })
  }
  const alarmsOf = ({ ctx }: (typeof processes)[number]) => [...ctx.alarms.all()]
  await until(() => {
    pass()
    return processes.every((each) => alarmsOf(each).length === 1)
  })
  const [first, second] = processes.map((each) => alarmsOf(each)[0])
  expect(first).toMatchObject({ kind: 'encoder', id, rule: 'program-down' })
  expect(second?.alarmId).toBe(first?.alarmId)
  const taken = { params: { id: first?.alarmId ?? '' }, body: { note: 'On my way' } }
  await inject(other.app, acknowledgeAlarm, site.people.northEditor.token, taken)
  await until(() => alarmsOf(shared)[0]?.acknowledged?.note === 'On my way')
  const observed = movingSince(0)
  site.encoderHost.change(programId, { state: 'running', pid: 7, cause: '', observed })
  // Open until that has lasted, and both say so.
  const isOver = (process: (typeof processes)[number]) =>
    alarmsOf(process).some((alarm) => process.ctx.alarms.overSinceMs(alarm) !== null)
  await until(() => processes.every(isOver))
  const whileOver = await inject(other.app, listAlarms, site.people.admin.token, {})
  const overSince = whileOver.answer.data.map((alarm) => typeof alarm.overSinceMs)
  expect(overSince).toEqual(['number'])
  site.encoderHost.change(programId, { state: 'fatal', pid: null, cause: 'No signal.' })
  await until(() => !processes.some(isOver))
  site.encoderHost.change(programId, { state: 'running', pid: 8, cause: '', observed })
  await until(() => {
    pass()
    return processes.every((each) => alarmsOf(each).length === 0)
  })
  const { answer } = await inject(other.app, listAlarms, site.people.admin.token, {})
  expect(answer.total).toBe(0)
})
