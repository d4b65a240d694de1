import { addGroup, updateGroup } from '@trunkline/contract/groups/group.calls'
import { ADDITION_KEY_HEADER } from '@trunkline/contract/route'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { makeFakeApi, refuse, type FakeApi } from '../../test/fake-api.ts'
import { groupOf, userOf } from '../../test/samples.ts'
import { ApiError } from '../api-error.ts'
import { call } from '../call.ts'
import { beginSession, endSession } from '../session.ts'
import { isLostAddition, SENT_AGAIN_AFTER_MS } from './addition.ts'

let api: FakeApi
beforeEach(() => {
  vi.useFakeTimers()
  api = makeFakeApi()
  beginSession(userOf('admin'), 'tok')
})
afterEach(() => {
  endSession('')
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const WHOLE_MS = SENT_AGAIN_AFTER_MS.reduce((sum, ms) => sum + ms, 0)

function draft(title: string) {
  return { title, description: '', manager: 'm' }
}

async function add(title: string): Promise<unknown> {
  return call(addGroup, { body: draft(title) }).catch((error: unknown) => error)
}

function keysSent(): (string | null)[] {
  return api.askedOf(addGroup).map(({ headers }) => headers.get(ADDITION_KEY_HEADER))
}

test('F9 an addition whose answer was lost is sent again with its key until it is answered', async () => {
  const group = groupOf('g', 'West')
  api.on(addGroup).answer(() => ({ status: true, data: group }))
  api.setReachable(false)
  const added = add('West')
  await vi.advanceTimersByTimeAsync(SENT_AGAIN_AFTER_MS[0])
  api.setReachable(true)
  await vi.advanceTimersByTimeAsync(SENT_AGAIN_AFTER_MS[1])
  expect(await added).toMatchObject({ status: true })
  expect(keysSent()).toHaveLength(3)
  expect(new Set(keysSent()).size).toBe(1)
})

test('F9 what is pressed again after no answer came is the same addition; once answered, the next is another', async () => {
  api.on(addGroup).answer(() => ({ status: true, data: groupOf('g', 'West') }))
  api.setReachable(false)
  const lost = add('West')
  await vi.advanceTimersByTimeAsync(WHOLE_MS)
  const error = await lost
  expect(error instanceof ApiError && isLostAddition(error)).toBe(true)
  api.setReachable(true)
  await add('East')
  await add('West')
  await add('West')
  const keys = keysSent()
  expect(keys).toHaveLength(SENT_AGAIN_AFTER_MS.length + 1 + 3)
  const [first, east, again, next] = [keys[0], ...keys.slice(-3)]
  expect(again).toBe(first)
  expect(new Set([first, east, next]).size).toBe(3)
})

test('F9 a refusal is no lost answer, and what changes an object is not sent again', async () => {
  api.on(addGroup).answer(() => refuse(409, 'There is a group of that title.'))
  const error = await add('West')
  expect(error instanceof ApiError && isLostAddition(error)).toBe(false)
  await add('West')
  expect(new Set(keysSent()).size).toBe(2)
  api.setReachable(false)
  const changed = call(updateGroup, { params: { id: 'g' }, body: { title: 'East' } })
  await expect(changed).rejects.toMatchObject({ kind: 'no-answer' })
  expect(api.askedOf(updateGroup)).toHaveLength(1)
})
