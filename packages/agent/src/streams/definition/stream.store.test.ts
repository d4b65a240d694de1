import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { temporaryFolder } from '../../agent.fixture.ts'
import { load, save, StreamsUnreadable } from './stream.store.ts'

let base: string
let folder: string
let file: string
beforeEach(() => {
  base = temporaryFolder()
  folder = join(base, 'streams')
  file = join(folder, 'streams.json')
  mkdirSync(folder)
})
afterEach(() => {
  rmSync(base, { recursive: true, force: true })
})

const SECRET = 'correct-horse-battery'

function failure(): unknown {
  try {
    return load(folder)
  } catch (error) {
    return error
  }
}

test.each<[string, RegExp, () => void]>([
  ['cut', /it is no JSON/, () => writeFileSync(file, `{"streams":[{"name":"${SECRET}`)],
  ['no JSON', /it is no JSON/, () => writeFileSync(file, `${SECRET} ${SECRET}`)],
  ['empty', /it is no JSON/, () => writeFileSync(file, '')],
  ['of another shape', /streams does not fit/, () => writeFileSync(file, '{"list":[]}')],
  ['no object', /the whole file does not fit/, () => writeFileSync(file, '7')],
  [
    'wrong in a field',
    /streams\.0\.title/,
    () => writeFileSync(file, '{"streams":[{"name":"a"}]}'),
  ],
  ['a folder', /EISDIR/, () => mkdirSync(file)],
  ['nothing that can be opened', /ELOOP/, () => symlinkSync(file, file)],
  [
    'in a folder that is none',
    /ENOTDIR/,
    () => {
      rmSync(folder, { recursive: true })
      writeFileSync(folder, 'x')
    },
  ],
])('CHAN: a list of streams that is %s is named, with cause and fix', (_what, cause, spoil) => {
  spoil()
  const error = failure()
  expect(error).toBeInstanceOf(StreamsUnreadable)
  const { message } = error as Error
  expect(message).toContain(file)
  expect(message).toMatch(cause)
  expect(message).toContain('Correct the file')
  expect(message).not.toContain(SECRET)
})

test('CHAN: without a file there are no streams', () => {
  expect(load(folder)).toEqual([])
  rmSync(folder, { recursive: true })
  expect(load(folder)).toEqual([])
  save(folder, [])
  expect(load(folder)).toEqual([])
})
