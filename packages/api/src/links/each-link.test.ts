import { expect, test } from 'vitest'
import { conflict, hostAway } from '../errors.ts'
import { HostFault } from '../hosts/host-fault.ts'
import { openTestApp, type TestApp } from '../testing/test-app.ts'
import type { PersonName } from '../testing/people.ts'
import { onEach } from './each-link.service.ts'

const LINKS = ['i1', 'i2', 'i3', 'i4', 'i5', 'i6'].map((id) => ({ id, name: `${id}-name` }))

function request({ people }: TestApp, who: PersonName) {
  const { id, email, role } = people[who]
  const actor = { id, email, role, fullName: 'Test', groupIds: [], sessionId: '', ip: '' }
  return { actor, ip: '192.0.2.1', call: 'inputs.removeSeveral', kind: 'input' } as const
}

test('a failed object does not stop the others, and the answer has only a sentence', async () => {
  await using app = await openTestApp()
  const { done, failed } = await onEach(app.ctx, request(app, 'admin'), LINKS, async ({ id }) => {
    await Promise.resolve()
    if (id === 'i2') throw conflict('It has outputs.')
    if (id === 'i3') throw new HostFault('failed', 'The disk is full.')
    if (id === 'i5') throw new Error('select secret from table')
  })
  expect(done.map(({ id }) => id)).toEqual(['i1', 'i4', 'i6'])
  expect(failed.map(({ name, error }) => `${name}: ${error}`)).toEqual([
    'i2-name: It has outputs.',
    'i3-name: The disk is full.',
    'i5-name: Something went wrong on our side. It was noted. Please try again.',
  ])
})

test('T20 refused and failed objects are in the record of activity', async () => {
  await using app = await openTestApp()
  await onEach(app.ctx, request(app, 'admin'), LINKS.slice(0, 2), async ({ id }) => {
    await Promise.resolve()
    throw id === 'i1' ? conflict('It has outputs.') : hostAway('Its key is refused.')
  })
  const lines = await app.ctx.db.selectFrom('audit').selectAll().orderBy('object_id').execute()
  expect(lines.map((line) => [line.object_id, line.result, line.reason])).toEqual([
    ['i1', 'refused', 'It has outputs.'],
    ['i2', 'failed', 'Its key is refused.'],
  ])
})

test('the cause of an unreachable host is for admins', async () => {
  await using app = await openTestApp()
  const failures = async (who: PersonName) =>
    (
      await onEach(app.ctx, request(app, who), LINKS.slice(0, 1), async () =>
        Promise.reject(hostAway('Its key is refused.')),
      )
    ).failed.map(({ error }) => error)
  expect(await failures('admin')).toEqual(['Its key is refused.'])
  expect(await failures('northManager')).toEqual([
    'The host does not answer. Ask an admin to look after it.',
  ])
})

test('a silent host delays a few objects, not all', async () => {
  await using app = await openTestApp()
  let [running, most] = [0, 0]
  await onEach(app.ctx, request(app, 'admin'), LINKS, async () => {
    most = Math.max(most, ++running)
    await new Promise(setImmediate)
    running--
  })
  expect(most).toBe(4)
})
