import { expect, test } from 'vitest'
import { languageOf } from './language.rules.ts'

test.each([
  [undefined, undefined, 'en'],
  [undefined, 'fr-FR,fr;q=0.9,en;q=0.8', 'fr'],
  [undefined, 'de-DE,de;q=0.9,fr;q=0.8,en;q=0.7', 'fr'],
  [undefined, 'en-GB,en;q=0.9,fr;q=0.8', 'en'],
  [undefined, 'de, *;q=0.5', 'en'],
  ['language=fr', 'en', 'fr'],
  ['trunkline_page=a.b; language=en', 'fr', 'en'],
  ['language=../../etc', 'fr', 'fr'],
  ['language', 'EN', 'en'],
])('design 9 cookies %s and Accept-Language %s ask for %s', (cookies, accepted, language) => {
  expect(languageOf(cookies, accepted)).toBe(language)
})
