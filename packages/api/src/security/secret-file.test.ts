import { chmod, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeFolder } from '../testing/folder.ts'
import { readOrMakeSecret } from './secret-file.ts'

test('decisions 25 made at first start for its owner alone, the same at the second', async () => {
  await using home = await makeFolder()
  const file = join(home.path, 'deep', 'data.key')
  const secret = await readOrMakeSecret(file)
  expect(secret).toHaveLength(32)
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  expect((await readOrMakeSecret(file)).equals(secret)).toBe(true)
})

test('many starts at once all get the same secret', async () => {
  await using home = await makeFolder()
  const file = join(home.path, 'data.key')
  const all = await Promise.all(Array.from({ length: 10 }, async () => readOrMakeSecret(file)))
  expect(new Set(all.map((item) => item.toString('hex'))).size).toBe(1)
})

test('a file that others may read is closed to them', async () => {
  await using home = await makeFolder()
  const file = join(home.path, 'data.key')
  await readOrMakeSecret(file)
  await chmod(file, 0o644)
  await readOrMakeSecret(file)
  expect((await stat(file)).mode & 0o777).toBe(0o600)
})

test('a file that is not a secret is never overwritten', async () => {
  await using home = await makeFolder()
  const file = join(home.path, 'data.key')
  await writeFile(file, 'my shopping list')
  await expect(readOrMakeSecret(file)).rejects.toThrow(
    /is not a secret file of Trunkline\. Restore it/,
  )
  expect(await readFile(file, 'utf8')).toBe('my shopping list')
})

test('a place that cannot be written is named with the setting', async () => {
  await expect(readOrMakeSecret('/dev/null/data.key')).rejects.toThrow(/Set TRUNKLINE_SECRET_FILE/)
})
