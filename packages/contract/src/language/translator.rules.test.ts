import { expect, test } from 'vitest'
import { RULES } from '../alarms/alarm.rules.ts'
import { CONSOLE_PARTS } from '../alarms/console-parts.ts'
import agent from './french/agent.json' with { type: 'json' }
import api from './french/api.json' with { type: 'json' }
import contract from './french/contract.json' with { type: 'json' }
import { translatorOf } from './translator.rules.ts'

const english = translatorOf('en')
const french = translatorOf('fr')
const CATALOGUES = { agent, api, contract }

test('a text fills in its values in the order of its language', () => {
  expect(english.text('[{0}] Test of {1}', 'Trunkline', 'Night {0}')).toBe(
    '[Trunkline] Test of Night {0}',
  )
  expect(french.text('[{0}] Test of {1}', 'Trunkline', 'Night {0}')).toBe(
    '[Trunkline] Test de Night {0}',
  )
})

test('what people name is not translated, also where it is a text of ours', () => {
  expect(french.text('[{0}] Test of {1}', 'Trunkline', 'Not running')).toBe(
    '[Trunkline] Test de Not running',
  )
})

test('what is not known stays in English', () => {
  expect(french.text('constructor')).toBe('constructor')
  expect(french.sentence('av_interleaved_write_frame(): Broken pipe')).toBe(
    'av_interleaved_write_frame(): Broken pipe',
  )
})

test('a figure before its unit has a decimal comma; other figures stay', () => {
  expect(french.sentence('Far end confirms, RTT 2.5 ms')).toBe('Accusé reçu, RTT 2,5 ms')
  expect(french.sentence('Connected to 10.0.0.5:6000')).toMatch(/ 10\.0\.0\.5:6000$/)
  expect(french.sentence('frame=1 speed 0.5 s')).toBe('frame=1 speed 0.5 s')
})

test('a moment is in UTC and says so', () => {
  const iso = '2026-11-27T03:00:11.000Z'
  expect(english.moment(iso)).toBe(iso)
  expect(french.moment(iso)).toBe('27/11/2026 à 03:00:11 UTC')
})

test('design 9 each alarm rule and each part of the console has its French name', () => {
  const names = [...Object.values(RULES).map(({ title }) => title), ...Object.values(CONSOLE_PARTS)]
  expect(names.filter((name) => french.text(name) === name)).toEqual([])
  expect(french.text(RULES['no-sound'].title), 'as on the page of alarms').toBe('Audio muet')
})

test.each(['agent', 'api', 'contract'] as const)(
  'design 9 a sentence of the %s is French also as the cause within an alarm',
  (speaker) => {
    const causes = Object.entries(CATALOGUES[speaker].texts).filter(([cause]) =>
      /^\p{Lu}/u.test(cause),
    )
    expect(causes.length).toBeGreaterThan(80)
    const other = causes.flatMap(([cause, translation]) => {
      const sentence = `Not running although it should be. ${ended(cause)} Start it, or read its log.`
      const read = french.sentence(sentence)
      const wanted = `Pas en marche alors qu'il le faudrait. ${ended(translation)} Démarrez, ou lisez le journal.`
      return read === wanted ? [] : [[sentence, read]]
    })
    expect(other).toEqual([])
  },
)

/** With something in its holes, and a full stop. */
function ended(text: string): string {
  const filled = text.replaceAll(/\{(\d+)!?\}/g, (_, at: string) => `X${at}`)
  return /[.!?]$/.test(filled) ? filled : `${filled}.`
}
