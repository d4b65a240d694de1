import { listAlarms } from '@trunkline/contract/alarms/alarm.calls'
import { expect, onTestFinished, test, vi } from 'vitest'
import { addTestInput, addTestOutput } from '../testing/input.fixture.ts'
import { BOTH_DATABASES, openSiteOn } from '../testing/site-on.ts'
import { openAlarms } from './alarm-keeper.service.ts'

const SUPERVISOR_DIED = 'The host lost its supervisor (supervisord); the program is started again'
const DOWN = { state: 'exited', wanted: 'running', pid: null, cause: SUPERVISOR_DIED } as const

const DISK = {
  path: '/srv/links',
  freeBytes: 9_000_000_000,
  totalBytes: 20_000_000_000,
  state: 'ok',
} as const

test.each(
  BOTH_DATABASES.flatMap((kind) => [
    [kind, 'the server', true] as const,
    [kind, 'the first of them where an older agent does not report it', false] as const,
  ]),
)(
  'programs that ended with the supervisor of their host are one alarm, on %s: of %s',
  async (kind, _, isReported) => {
    const site = await openSiteOn(kind)
    const { id: inputId } = await addTestInput(site, 6000)
    const outputs = [
      await addTestOutput(site, inputId, { title: 'a', config: { port: 7000 } }),
      await addTestOutput(site, inputId, { title: 'b', config: { port: 7001 } }),
    ]
    const own = await addTestOutput(site, inputId, { title: 'c', config: { port: 7002 } })
    const ids = [`input-${inputId}`, ...outputs.map((id) => `output-${id}`)]
    for (const id of [...ids, `output-${own}`])
      await vi.waitFor(() => expect(site.ctx.board.program(id)?.state).toBeDefined())
    let aheadMs = 0
    const keeper = openAlarms({ ...site.ctx, clock: () => Date.now() + aheadMs })
    onTestFinished(async () => keeper[Symbol.asyncDispose]())
    for (const id of ids) site.linkHost.change(id, DOWN)
    if (isReported)
      site.linkHost.tell({ type: 'health', health: { disk: DISK, supervisorLost: true } })
    site.linkHost.change(`output-${own}`, { ...DOWN, cause: 'No route to host' })
    await vi.waitFor(async () => {
      aheadMs += 500
      await keeper.written()
      const { data } = (await site.call('admin', listAlarms, {})).answer
      const found = data.map(({ objectId, behind }) => ({ objectId, behind }))
      expect(found).toHaveLength(2)
      expect(found).toContainEqual(
        isReported ? { objectId: site.acantsId, behind: 3 } : { objectId: inputId, behind: 2 },
      )
      expect(found).toContainEqual({ objectId: own, behind: 0 })
    }, 20_000)
  },
)
