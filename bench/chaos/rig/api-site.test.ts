import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { openApiSite } from './api-site.ts'
import { People } from './people.ts'

test('F1 an API that is killed three times while people save has lost and torn nothing', async () => {
  await using site = await openApiSite(1)
  const people = await People.meet(site)
  for (const savingMs of [30, 60, 90]) {
    const end = new AbortController()
    const saving = people.saveUntil(end.signal)
    await expect.poll(() => people.count('acknowledged')).toBeGreaterThan(0)
    await pause(savingMs)
    await site.first.kill()
    end.abort()
    await saving
    await site.first.start()
  }
  const { goals } = await people.finish()
  expect(goals.filter(({ ok }) => !ok)).toEqual([])
})
