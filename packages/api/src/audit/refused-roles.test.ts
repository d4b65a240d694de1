/** T20: a call that the role forbids leaves its line whatever stands in its path. */
import { expect, test } from 'vitest'
import { DATABASES, openTwoProcesses } from '../testing/two-processes.ts'

test.each(DATABASES)('T20 on %s no path keeps a refusal out of the record', async (kind) => {
  await using test = await openTwoProcesses(kind)
  const headers = { authorization: `Bearer ${test.people.northMonitor.token}` }
  const ids = ['%00', 'a%00b', 'x'.repeat(470), '%F0%9F%92%A5']
  for (const id of ids) {
    const { statusCode } = await test.app.inject({
      method: 'DELETE',
      url: `/api/group/${id}`,
      headers,
    })
    expect(statusCode).toBe(403)
  }
  const lines = await test.ctx.db.selectFrom('audit').select(['call', 'result']).execute()
  expect(lines).toEqual(ids.map(() => ({ call: 'groups.remove', result: 'refused' })))
})
