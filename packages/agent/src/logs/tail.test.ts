import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../agent.fixture.ts'
import { pickWrittenLines, placedTail, tailLines } from './tail.ts'

const LINE = 'Nothing happened here.'
const KILO = 1024

function logOf(count: number, line = LINE): string {
  const file = join(temporaryFolder(), 'p.err')
  writeFileSync(file, Array.from({ length: count }, (_, at) => `${at} ${line}\n`).join(''))
  return file
}

/** By this process so far: nobody else has a turn while a tail is read. */
function bytesRead(): number {
  return Number(/rchar: (\d+)/.exec(readFileSync('/proc/self/io', 'utf8'))?.[1] ?? 0)
}

function costOf(read: () => unknown): number {
  const before = bytesRead()
  read()
  return bytesRead() - before
}

test('reads of a long log only as much as the wanted lines need', () => {
  const file = logOf(100_000)
  expect(tailLines(file, 2)).toEqual([`99998 ${LINE}`, `99999 ${LINE}`])
  expect(costOf(() => tailLines(file, 20))).toBeLessThan(8 * KILO)
  expect(costOf(() => tailLines(file, 1000))).toBeLessThan(256 * KILO)
  expect(costOf(() => tailLines(file, 100_000))).toBeLessThan(1024 * KILO)
})

test('reads further back where lines are long or do not count', () => {
  const long = logOf(100, 'x'.repeat(3 * KILO))
  expect(tailLines(long, 10).map((line) => Number.parseInt(line, 10))).toEqual([
    90, 91, 92, 93, 94, 95, 96, 97, 98, 99,
  ])
  const file = logOf(10)
  writeFileSync(file, ' \n'.repeat(20_000), { flag: 'a' })
  expect(placedTail(file, 2, pickWrittenLines).map(({ text }) => text)).toEqual([
    `8 ${LINE}`,
    `9 ${LINE}`,
  ])
})

test('goes on in the file before once the present one is read to its beginning', () => {
  const file = logOf(3)
  writeFileSync(`${file}.1`, Array.from({ length: 9000 }, (_, at) => `before ${at}\n`).join(''))
  expect(tailLines(file, 5)).toEqual([
    'before 8998',
    'before 8999',
    ...[0, 1, 2].map((at) => `${at} ${LINE}`),
  ])
  expect(tailLines(file, 100_000)).toHaveLength(9003)
  expect(tailLines(`${file}.none`, 5)).toEqual([])
})
