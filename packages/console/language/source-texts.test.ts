import { expect, test } from 'vitest'
import { textsOf, translateSource } from './source-texts.ts'

const FRENCH: Readonly<Record<string, string>> = {
  'Log of {0}': 'Journal de {0}',
  'at {0}, of {1}': 'de {1}, à {0}',
  'Stop it': 'L’arrêter',
  alarm: 'alarme',
  alarms: 'alarmes',
  '{0} new {1} `now`': '`{1}` {0} ${"de plus"}',
  'Encoder’s "log" & more': 'Journal {de} "l’encodeur" <b>',
  'goes on here': 'continue ici',
  Save: 'Enregistrer',
}

function inFrench(code: string): string {
  return translateSource('a.tsx', code, ({ english }) => FRENCH[english] ?? null)
}

function shownIn(code: string): string[] {
  return textsOf('a.tsx', code)
    .filter(({ isExpected }) => isExpected)
    .map(({ english }) => english)
}

test('literals, attributes and templates are translated, with what they put in', () => {
  expect(inFrench("const a = 'Stop it'")).toBe('const a = "L’arrêter"')
  expect(inFrench('const a = <b title="Stop it" />')).toBe('const a = <b title={"L’arrêter"} />')
  expect(inFrench('const a = `Log of ${title}`')).toBe('const a = `Journal de ${title}`')
  expect(inFrench('const a = `at ${x}, of ${`Log of ${y}`}`')).toBe(
    'const a = `de ${`Journal de ${y}`}, à ${x}`',
  )
})

test('text between tags keeps the spaces around it, and takes any character', () => {
  expect(inFrench('<p>Stop it <i>x</i></p>')).toBe('<p>{"L’arrêter"} <i>x</i></p>')
  expect(inFrench('<p>\n  goes on\n  here\n</p>')).toBe('<p>\n  {"continue ici"}\n</p>')
  expect(inFrench('<p>Encoder’s &quot;log&quot; &amp; more</p>')).toBe(
    '<p>{"Journal {de} \\"l’encodeur\\" <b>"}</p>',
  )
})

test('what would end a template, or begin code in it, is escaped', () => {
  const source = inFrench('const a = `${n} new ${n === 1 ? "alarm" : "alarms"} \\`now\\``')
  expect(source).toBe('const a = `\\`${n === 1 ? "alarme" : "alarmes"}\\` ${n} \\${"de plus"}`')
})

test('what comes after a character beyond the first plane is found where it is', () => {
  expect(inFrench("const a = '🎬'; const b = 'Save'")).toBe(
    'const a = \'🎬\'; const b = "Enregistrer"',
  )
})

test('text, headings and words that are shown have to be known', () => {
  expect(shownIn('<p title="x1 off">up <b>Save</b> {n === 1 ? "alarm" : "alarms"}</p>')).toEqual([
    'x1 off',
    'up',
    'Save',
    'alarm',
    'alarms',
  ])
  expect(shownIn('const a = `${n} of ${m} is ${on ? "up" : "down"}`')).toEqual([
    '{0} of {1} is {2}',
    'up',
    'down',
  ])
  expect(shownIn("const a = { head: 'Time (UTC)', word: 'Reading…' }")).toEqual([
    'Time (UTC)',
    'Reading…',
  ])
})

test.each([
  "import x from 'Some thing'",
  "type A = 'Not shown' | 'Save'",
  "if (key === 'Enter') x()",
  "throw new Error('Not shown ever')",
  "const a = { 'Not shown': 1 }",
  "switch (a) { case 'Save': b() }",
  "const a = z.enum(['Save', 'Not shown'])",
  '<i className="a b c" data-x="a b" role="img" />',
  '<input name="firstName" />',
  '<input name="alarm" />',
  "const a = { id: 'chevron-down', b: 'RUNNING', c: '/api/user', d: 'utf8' }",
])('%s has no text that people read', (code) => {
  expect(shownIn(code)).toEqual([])
  expect(inFrench(code)).toBe(code)
})

test('what is compared with a word that is shown is that word', () => {
  const code = "const a = view.word === 'Save'; switch (word) { case 'Save': b() }"
  expect(inFrench(code)).toBe(code.replaceAll("'Save'", '"Enregistrer"'))
  expect(shownIn("const a = view.cause !== 'goes on here'")).toEqual(['goes on here'])
})

test('the value of a choice is sent, its label is shown', () => {
  expect(inFrench("const a = { value: 'Save', label: 'Save' }")).toBe(
    'const a = { value: \'Save\', label: "Enregistrer" }',
  )
  expect(shownIn('<Fact name="Peer" value="Save" />')).toEqual(['Peer', 'Save'])
})
