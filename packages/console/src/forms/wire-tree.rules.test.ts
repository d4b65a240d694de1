import { expect, test } from 'vitest'
import { numberOrText, textsOf, treeOf } from './wire-tree.rules.ts'

const NAMES = ['title', 'config.port', 'config.path.host', 'config.rtl'] as const

test('an object becomes the texts of its fields, and these become the object again', () => {
  const object = { title: 'North', config: { port: 6000, path: { host: 'a' } }, more: 1 }
  const texts = textsOf(NAMES, object)
  expect(texts).toEqual({
    title: 'North',
    'config.port': '6000',
    'config.path.host': 'a',
    'config.rtl': '',
  })
  const tree = treeOf(NAMES, (name) => (texts[name] === '' ? undefined : numberOrText(texts[name])))
  expect(tree).toEqual({ title: 'North', config: { port: 6000, path: { host: 'a' } } })
})
