import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { makeFolder } from '../../testing/folder.ts'
import { watchForeignWrites } from './foreign-writes.ts'
import { mark } from '../marks.ts'
import { openDatabase } from '../open.ts'

test('writes of another process are noticed, our own writes are not', async () => {
  const folder = await makeFolder()
  const target = { kind: 'sqlite', file: join(folder.path, 'trunkline.db') } as const
  const [ours, theirs] = [await openDatabase(target), await openDatabase(target)]
  const noticed = Promise.withResolvers<string>()
  let written = 'ours'
  const watch = await watchForeignWrites(ours, () => noticed.resolve(written))
  onTestFinished(async () => {
    await watch[Symbol.asyncDispose]()
    await Promise.all([ours.destroy(), theirs.destroy()])
    await folder[Symbol.asyncDispose]()
  })
  await mark(ours, 'one', '1')
  written = 'theirs'
  await mark(theirs, 'two', '2')
  expect(await noticed.promise).toBe('theirs')
})
