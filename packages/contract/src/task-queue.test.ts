import { expect, test } from 'vitest'
import { TaskQueues } from './task-queue.ts'

test('tasks of one key run one after the other, and a failed task blocks none', async () => {
  const queues = new TaskQueues()
  const done: string[] = []
  const gate = Promise.withResolvers<void>()
  const first = queues.add('a', async () => {
    await gate.promise
    done.push('a1')
    throw new Error('a1 fails')
  })
  const second = queues.add('a', async () => done.push('a2'))
  await queues.add('b', async () => done.push('b'))
  expect(done).toEqual(['b'])
  gate.resolve()
  await expect(first).rejects.toThrow('a1 fails')
  await second
  expect(done).toEqual(['b', 'a1', 'a2'])
})

test('a queue without tasks is removed, for every name', async () => {
  const queues = new TaskQueues()
  const gate = Promise.withResolvers<void>()
  const open = queues.add('open', async () => gate.promise)
  await Promise.all(
    ['x', 'y'].map(async (key) =>
      expect(queues.add(key, async () => Promise.reject(new Error(key)))).rejects.toThrow(key),
    ),
  )
  expect(queues.keys()).toEqual(['open'])
  expect(['open', 'x'].map((key) => queues.has(key))).toEqual([true, false])
  let isIdle = false
  const idle = queues.idle().then(() => (isIdle = true))
  await Promise.resolve()
  expect(isIdle).toBe(false)
  gate.resolve()
  await Promise.all([open, idle])
  expect(queues.keys()).toEqual([])
})
