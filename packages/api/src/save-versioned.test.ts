import { expect, test } from 'vitest'
import { isOutdated, outdated, saveLooked, saveVersioned } from './save-versioned.ts'

/** A row at version 7 that others save, before ours is written, as often as `overtakings` says. */
function rowOf(overtakings: number, version: number | undefined) {
  const row = { version: 7, reads: 0 }
  let left = overtakings
  const save = async () =>
    saveVersioned({
      version,
      read: async () => {
        row.reads += 1
        return Promise.resolve({ version: row.version })
      },
      versionOf: (read) => read.version,
      write: async (read) => {
        if (left > 0) {
          left -= 1
          row.version += 1
        }
        if (read.version !== row.version) return Promise.resolve(false)
        row.version += 1
        return Promise.resolve(true)
      },
      outdated: (read) => outdated('encoder', read, ['title']),
    })
  return { row, save }
}

test('decisions 16 a save of the version that is there is taken, and answers what was there', async () => {
  const { row, save } = rowOf(0, 7)
  expect(await save()).toEqual({ version: 7 })
  expect(row).toEqual({ version: 8, reads: 1 })
})

test('decisions 16 a save of an older version is refused with what is there, and writes nothing', async () => {
  const { row, save } = rowOf(0, 6)
  await expect(save()).rejects.toMatchObject({
    code: 'conflict',
    message:
      'Somebody else has saved this encoder since you opened it. Check their changes, then save again.',
    current: { version: 7 },
    changed: ['title'],
  })
  expect(row).toEqual({ version: 7, reads: 1 })
})

test('decisions 16 a save whose version is overtaken while it is written is refused', async () => {
  const { row, save } = rowOf(1, 7)
  await expect(save()).rejects.toMatchObject({ current: { version: 8 } })
  expect(row.version).toBe(8)
})

test('decisions 16 a save without a version is retried when it is overtaken', async () => {
  const { row, save } = rowOf(4, undefined)
  expect(await save()).toEqual({ version: 11 })
  expect(row).toEqual({ version: 12, reads: 5 })
})

test('decisions 16 a save that is overtaken five times is refused with what is there then', async () => {
  const { row, save } = rowOf(5, undefined)
  await expect(save()).rejects.toMatchObject({ code: 'conflict', current: { version: 12 } })
  expect(row).toEqual({ version: 12, reads: 6 })
})

test('decisions 16 no version is never an old one', () => {
  expect([isOutdated(undefined, 7), isOutdated(7, 7), isOutdated(6, 7)]).toEqual([
    false,
    false,
    true,
  ])
})

/** A save that is complete once it was looked at so often; it answers what each try was told. */
function lookedSave(looks: number) {
  const tries: (number | null)[] = []
  const saving = saveLooked({
    save: async (looked) => {
      tries.push(looked)
      return Promise.resolve(tries.length > looks ? tries : null)
    },
    look: async () => Promise.resolve(tries.length),
    outdated: async () => Promise.resolve(outdated('encoder', {}, [])),
  })
  return saving
}

test('W3 a save that needs no look outside of its transaction takes none', async () => {
  expect(await lookedSave(0)).toEqual([null])
})

test('decisions 16 a save that others overtake is looked at and tried anew, and refused in the end', async () => {
  expect(await lookedSave(2)).toEqual([null, 1, 2])
  await expect(lookedSave(9)).rejects.toMatchObject({ code: 'conflict' })
})
