/** What is kept of the wanted programs, and how a large site is read. */
import { expect, test } from 'vitest'
import { receiverSpec } from '../testing/receiver-spec.fixture.ts'
import { wantedProgram, type SomePrograms, type WantedProgram } from './wanted-program.ts'
import { WantedPrograms } from './wanted-programs.ts'

function program(id: string): WantedProgram {
  return wantedProgram({
    ownerKind: 'input',
    ownerId: id,
    serverId: 's',
    address: { host: '192.0.2.1', port: 9000 },
    groupId: 'north',
    editorIds: [],
    createdAtMs: 0,
    kind: 'input',
    id,
    isEnabled: true,
    isWanted: true,
    spec: receiverSpec(6000),
  })
}

/** A database of these ids, read in parts of two. */
function openWith(ids: string[]) {
  const asked: (SomePrograms | 'part')[] = []
  const wanted = new WantedPrograms(() => undefined)
  wanted.use({
    readPrograms: async (filter) => {
      asked.push(filter)
      return Promise.resolve(
        ids
          .filter((id) => filter.by === 'programs' && filter.programIds.includes(`input-${id}`))
          .map(program),
      )
    },
    async *readAllPrograms() {
      for (let at = 0; at < ids.length; at += 2) {
        asked.push('part')
        yield Promise.resolve(ids.slice(at, at + 2).map(program))
      }
    },
  })
  return { wanted, asked }
}

const known = (wanted: WantedPrograms) => [...wanted.all()].map(({ id }) => id)

test('G4 the settings of a program are not kept, and are read when it is brought to its host', async () => {
  const { wanted } = openWith(['a'])
  await wanted.readAll()
  expect(wanted.get('input-a')).not.toHaveProperty('spec')
  expect((await wanted.fresh('input-a'))?.spec).toEqual(receiverSpec(6000))
})

test('W7 while a large site is read, a command has its turn after the part under way', async () => {
  const { wanted, asked } = openWith(['a', 'b', 'c', 'd', 'e'])
  const all = wanted.readAll()
  await wanted.fresh('input-a')
  await all
  expect(asked.indexOf('part')).toBe(0)
  expect(asked.findIndex((each) => each !== 'part')).toBe(1)
  expect(known(wanted).toSorted()).toEqual(['a', 'b', 'c', 'd', 'e'])
})

test('API-41 objects missing from a new full read are forgotten', async () => {
  const ids = ['a', 'b', 'c']
  const { wanted } = openWith(ids)
  await wanted.readAll()
  ids.splice(1, 1)
  await wanted.readAll()
  expect(known(wanted)).toEqual(['a', 'c'])
  expect(wanted.at({ host: '192.0.2.1', port: 9000 })).toHaveLength(2)
})

test('W7 programs that are asked for at once are read at once', async () => {
  const { wanted, asked } = openWith(['a', 'b', 'c'])
  const fresh = await Promise.all(['a', 'b', 'none'].map(async (id) => wanted.fresh(`input-${id}`)))
  expect(fresh.map((each) => each?.id)).toEqual(['a', 'b', undefined])
  expect(asked).toEqual([{ by: 'programs', programIds: ['input-a', 'input-b', 'input-none'] }])
})

test('W7 thousands that are asked for at once are read part by part', async () => {
  const ids = Array.from({ length: 450 }, (_, at) => `p${at}`)
  const { wanted, asked } = openWith(ids)
  const fresh = await Promise.all(ids.map(async (id) => wanted.fresh(`input-${id}`)))
  expect(fresh.map((each) => each?.id)).toEqual(ids)
  const sizes = asked.map((filter) =>
    filter !== 'part' && filter.by === 'programs' ? filter.programIds.length : 0,
  )
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(450)
  expect(Math.max(...sizes)).toBeLessThanOrEqual(100)
})
