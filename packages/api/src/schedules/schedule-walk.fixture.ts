/** For tests: every change of schedules once. */
import {
  addSchedule,
  removeSchedule,
  updateSchedule,
} from '@trunkline/contract/schedules/schedule.calls'
import type { Step } from '../testing/change-walk.ts'
import { addTestInput } from '../testing/input.fixture.ts'
import type { TestSite } from '../testing/test-site.ts'

export async function walkSchedules(site: TestSite, step: Step): Promise<void> {
  const { id } = await addTestInput(site, 6900)
  const times = { repeats: 'weekly' as const, days: ['sun' as const], time: '02:00' }
  const body = {
    object: { kind: 'input' as const, id },
    command: 'stop' as const,
    times: { ...times, timeZone: 'Europe/Paris' },
  }
  const params = { id: await step(addSchedule, 'after', { body }) }
  await step(updateSchedule, 'before and after', { params, body: { note: 'Evening news' } })
  await step(removeSchedule, 'before', { params })
}
