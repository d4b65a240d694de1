/** W7: while the fleet is being read, lists are answered and what is about hosts waits. */
import { listAllEncoders } from '@trunkline/contract/encoders/encoder.calls'
import { addGroup } from '@trunkline/contract/groups/group.calls'
import { expect, test } from 'vitest'
import { openAlarms } from '../alarms/alarm-keeper.service.ts'
import * as alarmStore from '../alarms/alarm.store.ts'
import { openFleet } from '../fleet/fleet.service.ts'
import { giveWay } from '../in-slices.ts'
import { openTestAlarm } from '../testing/alarm.fixture.ts'
import { inject } from '../testing/inject.ts'
import { addGateway } from '../testing/server.fixture.ts'
import { openTestApp } from '../testing/test-app.ts'

test('W7 lists are answered before the fleet is read, and a change waits for it', async () => {
  await using site = await openTestApp()
  const { app, ctx, people } = site
  ctx.programs.expectOpening()
  const list = await inject(app, listAllEncoders, people.admin.token, {
    query: { page: 0, rows: 12 },
  })
  expect(list.status).toBe(200)
  let isAnswered = false
  const body = { title: 'West', description: 'West', manager: people.northManager.id }
  const change = inject(app, addGroup, people.admin.token, { body }).then((answer) => {
    isAnswered = true
    return answer
  })
  // A later call is answered first: the change has had its turn by then.
  await inject(app, listAllEncoders, people.admin.token, { query: { page: 0, rows: 12 } })
  expect(isAnswered).toBe(false)
  await using _fleet = await openFleet(ctx)
  expect((await change).status).toBeLessThan(300)
})

test('W7 an end while the fleet is being read dials no host, and clears no alarm of what is not read', async () => {
  await using site = await openTestApp()
  const { ctx } = site
  const object = { kind: 'server', id: await addGateway(site) } as const
  const alarmId = await openTestAlarm(ctx, object)
  ctx.programs.expectOpening()
  const alarms = openAlarms(ctx)
  ctx.programs.stopOpening()
  await using _fleet = await openFleet(ctx)
  // Whatever else is ended first.
  for (let turn = 0; turn < 50; turn += 1) await giveWay()
  await alarms[Symbol.asyncDispose]()
  expect([...ctx.programs.allWanted(), ...ctx.hosts.ownLinks()]).toEqual([])
  expect(await alarmStore.readThese(ctx.db, [alarmId])).toMatchObject([{ clearedAtMs: null }])
})
