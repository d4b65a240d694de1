import { listAlarms } from '@trunkline/contract/alarms/alarm.calls'
import type { HostHealth } from '@trunkline/contract/agent/host-health.schema'
import { expect, onTestFinished, test, vi } from 'vitest'
import { BOTH_DATABASES, openSiteOn } from '../testing/site-on.ts'
import { addTestEncoder } from '../testing/test-site.ts'
import { openAlarms } from './alarm-keeper.service.ts'

const DISK: HostHealth['disk'] = {
  path: '/srv/encoder',
  freeBytes: 340_000_000,
  totalBytes: 20_000_000_000,
  state: 'low',
}

test.each(BOTH_DATABASES)(
  'the disk of a host that is no server is one alarm, of the first of its encoders, on %s',
  async (kind) => {
    const site = await openSiteOn(kind)
    const { id: first } = await addTestEncoder(site, 0)
    await addTestEncoder(site, 1)
    let aheadMs = 0
    const keeper = openAlarms({ ...site.ctx, clock: () => Date.now() + aheadMs })
    onTestFinished(async () => keeper[Symbol.asyncDispose]())
    const until = async (expected: readonly object[]) =>
      vi.waitFor(async () => {
        aheadMs += 500
        await keeper.written()
        const { data } = (await site.call('northEditor', listAlarms, {})).answer
        expect(data).toMatchObject(expected)
        expect(data).toHaveLength(expected.length)
      }, 60_000)
    site.encoderHost.tell({ type: 'health', health: { disk: DISK } })
    await until([{ rule: 'disk-full', kind: 'encoder', objectId: first, behind: 1 }])
    site.encoderHost.tell({
      type: 'health',
      health: { disk: { ...DISK, freeBytes: 9_000_000_000 } },
    })
    await until([])
  },
)
