import { expect, test } from 'vitest'
import { blankOut, importsOf } from './source.ts'

test('imports of every kind are seen', () => {
  const text = `
    import a from './a.ts'
    import type { B } from './b.ts'
    import { c,
      type C } from './c.ts'
    import * as d from './d.ts'
    import './e.ts'
    export { f } from './f.ts'
    export * from './g.ts'
    export type { H } from './h.ts'
    const i = await import('./i.ts')
    type J = typeof import('./j.ts')
    const k = require('./k.ts')
  `
  const names = importsOf(text).map((name) => name.slice(2, 3))
  expect(names.toSorted().join('')).toBe('abcdefghijk')
})

test('imports in comments do not count', () => {
  expect(importsOf(`// import a from './a.ts'\n/* import('./b.ts') */ const c = 'x//y'`)).toEqual(
    [],
  )
  expect(importsOf(`const url = 'http://x' // y\nimport d from './d.ts'`)).toEqual(['./d.ts'])
})

test('strings and regular expressions are blanked, the code in templates is not', () => {
  const blank = (text: string) => blankOut(text, 'comments and strings').replace(/ +/g, ' ')
  expect(blank(`const a = 'fetch(1)'; b()`)).toBe(`const a = ' '; b()`)
  expect(blank(`x.replace(/'"fetch/g, y)`)).toBe('x.replace(/ /g, y)')
  expect(blank('const a = `fetch ${one({ a: `b` })} two`; c()')).toContain('${one({ a:')
  expect(blank('const a = `fetch ${one({ a: `b` })} two`; c()')).not.toMatch(/fetch|two/)
  expect(blank('a = 4 / 2 / fetch')).toBe('a = 4 / 2 / fetch')
  expect(blank(`<b>don't</b>\nfetch()`)).toContain('fetch()')
})

test('line numbers stay', () => {
  const text = '/* one\ntwo */ const a = `x\ny`\nb'
  expect(blankOut(text, 'comments and strings').split('\n')).toHaveLength(4)
})
