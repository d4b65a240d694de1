/** What a loss of power leaves, and how a line of strace becomes a step; that SQLite survives it is the fault's. */
import { expect, test } from 'vitest'
import { PowerCutDisk } from './power-cut.ts'
import { stepOf, type FileStep } from './write-trace.ts'

const FILE = '/data/site.db'
const OLD = Buffer.alloc(1024, 'o')

function written(text: string, offset: number, size = text.length): FileStep {
  return { kind: 'write', file: FILE, offset, bytes: Buffer.alloc(size, text), atMs: 0 }
}
const SYNC: FileStep = { kind: 'sync', file: FILE, atMs: 0 }

function cutAfter(steps: readonly FileStep[], chances: readonly number[], obeysSync = true) {
  const disk = new PowerCutDisk(new Map([[FILE, OLD]]), obeysSync)
  for (const step of steps) disk.take(step)
  const left = [...chances]
  return (
    disk
      .afterCut(() => left.shift() ?? 0)
      .get(FILE)
      ?.toString() ?? ''
  )
}

test('synced writes always survive, and unsynced writes may be lost', () => {
  const steps = [written('a', 0, 512), SYNC, written('b', 512, 512)]
  expect(cutAfter(steps, [0, 0])).toBe('a'.repeat(512) + 'o'.repeat(512))
  expect(cutAfter(steps, [1, 0])).toBe('a'.repeat(512) + 'b'.repeat(512))
})

test('a torn write has some of its sectors, also where it begins within one', () => {
  const torn = cutAfter([written('n', 500, 100)], [0, 0.9, 0.1, 0.9])
  expect(torn).toBe('o'.repeat(500) + 'n'.repeat(12) + 'o'.repeat(512))
})

test('of two writes the later may be there without the earlier, behind zeros where the file ended', () => {
  const left = cutAfter([written('a', 1024, 8), written('b', 1032, 8)], [0.5, 0.6, 0.1])
  expect(left).toBe(`${'o'.repeat(1024)}${'\0'.repeat(8)}${'b'.repeat(8)}`)
})

test('a file that is cut shorter may be so or not', () => {
  const cut: FileStep = { kind: 'cut', file: FILE, size: 3, atMs: 0 }
  expect([cutAfter([cut], [1, 0]), cutAfter([cut], [0, 0])]).toEqual(['ooo', OLD.toString()])
})

test('a disk that only says that it has synced may lose that too', () => {
  expect(cutAfter([written('a', 0), SYNC], [0, 0], false)).toBe(OLD.toString())
})

const HEX = Buffer.from(FILE)
  .toString('hex')
  .replaceAll(/../g, String.raw`\x$&`)

test('lines of strace are read, those of other files are left out', () => {
  const write = String.raw`77  1795831537.5 pwrite64(22<${HEX}>, "\x00\x41", 2, 32) = 2`
  expect(stepOf(write, [FILE])).toEqual({
    kind: 'write',
    file: FILE,
    offset: 32,
    bytes: Buffer.from([0, 0x41]),
    atMs: 1_795_831_537_500,
  })
  expect(stepOf(`77 1795831537.5 fdatasync(22<${HEX}>) = 0`, [FILE])?.kind).toBe('sync')
  expect(stepOf(`77 1795831537.5 ftruncate(22<${HEX}>, 9) = 0`, [FILE])).toMatchObject({ size: 9 })
  expect(stepOf(write, ['/data/site.db-wal'])).toBeNull()
})

test.each([
  ['cut off', String.raw`7 1.5 pwrite64(22<${HEX}>, "\x00"..., 4096, 0) = 4096`],
  ['partial', String.raw`7 1.5 pwrite64(22<${HEX}>, "\x00\x00", 2, 0) = 1`],
  ['failed', `7 1.5 fsync(22<${HEX}>) = -1 EIO (Input/output error)`],
  ['unfinished', `7 1.5 fsync(22<${HEX}> <unfinished ...>`],
  ['renamed', `7 1.5 rename("${HEX}", "x") = 0`],
])('a step that is %s is refused: it could not be replayed', (_, line) => {
  expect(() => stepOf(line, [FILE])).toThrow('cannot be replayed')
})
