import { expect, onTestFinished, test, vi } from 'vitest'
import { eachInParts, giveWay, PART_ROWS, TasksInSlices } from './in-slices.ts'

test('of all long work one slice is done in a turn, in the order in which each began to wait', async () => {
  const done: string[] = []
  for (const name of ['a', 'b', 'c']) void giveWay().then(() => done.push(name))
  const turns: string[] = []
  for (let turn = 0; turn < 4; turn++) {
    await new Promise((resolve) => setImmediate(resolve))
    turns.push(done.join(''))
  }
  expect(turns).toEqual(['a', 'ab', 'abc', 'abc'])
})

test('a short list is done at once, a long one part by part', async () => {
  const seen: number[] = []
  const rows = Array.from({ length: PART_ROWS + 1 }, (_, at) => at)
  const whole = eachInParts(rows, (row) => seen.push(row))
  expect(seen).toEqual(rows.slice(0, PART_ROWS))
  await whole
  expect(seen).toEqual(rows)
})

async function nextTurn(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve))
}

test('short tasks are done at once, in order, and what a task adds comes after it', () => {
  using tasks = new TasksInSlices()
  const done: string[] = []
  tasks.add(() => {
    tasks.add(() => done.push('b'))
    done.push('a')
  })
  tasks.add(() => done.push('c'))
  expect(done).toEqual(['a', 'b', 'c'])
})

test('of many tasks in one turn the rest waits for the next turns, also behind a failed task', async () => {
  using tasks = new TasksInSlices()
  const done: number[] = []
  let nowMs = 0
  vi.spyOn(performance, 'now').mockImplementation(() => nowMs)
  onTestFinished(() => void vi.restoreAllMocks())
  // Each takes 3 ms, of a slice of 4 ms.
  const task = (number: number) => () => {
    nowMs += 3
    done.push(number)
  }
  for (const number of [1, 2, 3]) tasks.add(task(number))
  expect(done).toEqual([1, 2])
  await nextTurn()
  expect(done).toEqual([1, 2, 3])
  const fails = () => {
    throw new Error('fails')
  }
  await nextTurn()
  expect(() => tasks.add(fails)).toThrow('fails')
  tasks.add(task(4))
  expect(done).toEqual([1, 2, 3, 4])
})

test('tasks that wait when their owner ends are dropped', async () => {
  const tasks = new TasksInSlices()
  const done: number[] = []
  let nowMs = 0
  vi.spyOn(performance, 'now').mockImplementation(() => (nowMs += 3))
  onTestFinished(() => void vi.restoreAllMocks())
  for (const number of [1, 2, 3, 4]) tasks.add(() => done.push(number))
  const before = done.length
  tasks[Symbol.dispose]()
  await nextTurn()
  expect(before).toBeLessThan(4)
  expect(done).toHaveLength(before)
})
