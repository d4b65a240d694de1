import { expect, test } from 'vitest'
import { testNamesIn } from './test-names.ts'

function namesIn(text: string): string[] {
  return testNamesIn({ path: 'example.test.ts', text })
}

const SOURCES: readonly [what: string, text: string, names: string[]][] = [
  ['a test', `test('a', () => {})`, ['a']],
  ['a test of the form it', `it('a', async () => {})`, ['a']],
  ['a form of test', `test.concurrent('a', run); test.skipIf(isWindows)('b', run)`, ['a', 'b']],
  ['a suite and its test', `describe('a', () => { test('b', run) })`, ['a > b']],
  ['a suite of Playwright', `test.describe('a', () => { test('b', run) })`, ['a > b']],
  ['a suite without tests', `describe('a', () => {})`, []],
  ['rows of cells', `test.each([['x', 1], ['y', 2]])('%s is %i', run)`, ['x is 1', 'y is 2']],
  ['rows of one value', `test.each(['x', 'y'])('a %s', run)`, ['a x', 'a y']],
  ['rows of objects', `test.for([{ id: 'x' }, { id: 'y' }])('$id a', run)`, ['x a', 'y a']],
  ['a named table', `const rows = [['x']] as const; test.each(rows)('%s', run)`, ['x']],
  ['rows from a record', `test.each(Object.entries({ x: 1, y: 2 }))('%s', run)`, ['x', 'y']],
  ['a computed table', `test.each(rows())('a %s', run)`, ['a …']],
  ['a loop', 'for (const [x] of [["a"], ["b"]]) test(`${x} c`, run)', ['a c', 'b c']],
  ['a loop over objects', 'for (const { x } of [{ x: "a" }]) test(`${x} c`, run)', ['a c']],
  ['rows of suites', 'describe.each(["x"])("%s", (k) => { test(`${k} a`, run) })', ['x > x a']],
  ['what is imported', "import { x } from 'y'; test(`${x} a`, run)", ['… a']],
  ['a sum of texts', `const x = 'a'; test(x + ' b', run)`, ['a b']],
  ['a comment', `// test('a')\n/* test('b', run) */`, []],
  ['a step', `test('a', async () => { await test.step('b', run) })`, ['a']],
  ['what is skipped', `test.skip('a', run); describe.skip('b', () => { test('c', run) })`, []],
  ['a method of something else', `pattern.test('a'); test.use({ a: 1 }); test.ctx.get('b')`, []],
]

test.each(SOURCES)('the names of tests in a source: %s', (_, text, names) => {
  expect(namesIn(text)).toEqual(names)
})

test('a file that cannot be parsed is named', () => {
  expect(() => namesIn('test(')).toThrow(/example\.test\.ts cannot be parsed/)
})
