import { readFileSync } from 'node:fs'
import { frenchReader } from '@trunkline/contract/language/french'
import { expect, test } from 'vitest'
import { areas, frenchOf, placeOfFile, sourcesOfConsole, wordsOf } from './french.ts'
import { isKnownSentence, messageTexts, sentencesOf } from './sentences.ts'
import { textsOf, type SourceText } from './source-texts.ts'

interface ConsoleText extends SourceText {
  file: string
  area: string
  path: string
}

const texts: ConsoleText[] = sourcesOfConsole().flatMap((file) => {
  const place = placeOfFile(file)
  if (place === null) return []
  return textsOf(file, readFileSync(file, 'utf8')).map((text) => ({ ...text, ...place, file }))
})

function holesOf(text: string): string[] {
  return [...text.matchAll(/\{(\d+)!?\}/g)].map(([, at = '']) => at).toSorted()
}

/** What a catalogue has of a text that is gone, or with other holes. */
function staleEntries(area: string, english: { has: (text: string) => boolean }): string[] {
  const { texts: known, kept } = wordsOf(area)
  return [
    ...[...Object.keys(known), ...kept].filter((text) => !english.has(text)),
    ...Object.entries(known)
      .filter(([text, french]) => String(holesOf(text)) !== String(holesOf(french)))
      .flat(),
  ]
}

test('design 9 every text of the console has its French, or is kept on purpose', () => {
  expect(texts.length).toBeGreaterThan(3000)
  const missing = texts.filter((text) => text.isExpected && frenchOf(text.file, text) === undefined)
  expect(missing.map(({ area, path, english }) => `${area}/${path}: ${english}`)).toEqual([])
})

test('design 9 no translation stands where the text that it is of is not looked up', () => {
  const nameOf = ({ area, english }: ConsoleText) => `${area}: ${english}`
  const used = new Set(texts.filter(({ isExpected }) => isExpected).map(nameOf))
  const unused = texts.filter(
    (text) => Object.hasOwn(wordsOf(text.area).texts, text.english) && !used.has(nameOf(text)),
  )
  expect(unused.map(({ area, path, english }) => `${area}/${path}: ${english}`)).toEqual([])
})

test.each([
  ['The two ends have different passphrases (SRT: Incorrect passphrase).', 'different passphrases'],
  ['The two ends have different secrets (RIST).', 'different secrets'],
  [
    'The two ends had different secrets when the far end was last heard (RIST). RIST reports this only once: whether the far end still sends is not known.',
    'had different secrets',
  ],
  ['One end encrypts, the other does not (RIST).', 'One end encrypts'],
  [
    'The far end rejects the call, often because of its stream ID (SRT: Application-defined rejection reason).',
    'far end rejects',
  ],
  ['The far end rejects the call (SRT: Peer rejected connection).', 'far end rejects'],
  [
    'The SRT settings of the two ends do not match (SRT: Peer version too old).',
    'ends do not match',
  ],
  [
    'Nothing listens at the far end: connection refused. Check host and port.',
    'connection refused',
  ],
  [
    'The host name of the far end cannot be resolved. Check the host.',
    'host name of the far end cannot be resolved',
  ],
  ['UDP port 5000 is used by another program of this host. Choose another port.', 'UDP port'],
  ['The host lost its supervisor (supervisord); the program is started again', 'is started again'],
])('design 9 what a host says is known by its words in French too: %s', (sentence, words) => {
  const text = texts.find(({ area, english }) => area === 'contract' && english === words)
  expect(sentence).toContain(words)
  expect(text && frenchReader()(sentence)).toContain(text && frenchOf(text.file, text))
})

test('design 9 every translation puts in what the English one does', () => {
  const wrong = texts.flatMap((text) => {
    const french = frenchOf(text.file, text) ?? text.english
    return String(holesOf(french)) === String(holesOf(text.english)) ? [] : [[text.english, french]]
  })
  expect(wrong).toEqual([])
})

test('design 9 no line of French can break before a colon or another high mark', () => {
  const all = areas().flatMap((area) => {
    const { texts: own, in: elsewhere } = wordsOf(area)
    return [
      ...Object.values(own),
      ...Object.values(elsewhere).flatMap((some) => Object.values(some)),
    ]
  })
  expect(all.length).toBeGreaterThan(3000)
  // A mark that is named, as in a list of the characters that a field takes, follows another one.
  expect(all.filter((text) => /[\p{L}\p{N}})»’'…] [:;?!»](?:\s|$)/u.test(text))).toEqual([])
})

const LABEL_FILES = /^field-labels\.ts$|\/recorded-field\.messages\.ts$/

test('design 9 the record of activity calls a field in French as its form does', () => {
  const labels = texts.filter(({ path, isExpected }) => isExpected && LABEL_FILES.test(path))
  expect(labels.length).toBeGreaterThan(100)
  const otherwise = labels.flatMap((label) => {
    const french = frenchOf(label.file, label)
    const elsewhere = areas().flatMap((area) => wordsOf(area).texts[label.english] ?? [])
    return elsewhere.length === 0 || elsewhere.some((text) => text === french)
      ? []
      : [[label.english, french, elsewhere]]
  })
  expect(otherwise).toEqual([])
})

test.each(['api', 'agent'] as const)(
  'design 9 every sentence of the %s has its French, or is kept on purpose',
  (speaker) => {
    const sentences = sentencesOf(speaker)
    expect(sentences.size).toBeGreaterThan(150)
    const missing = [...sentences].filter(([english]) => !isKnownSentence(speaker, english))
    expect(missing.map(([english, [file]]) => `${file}: ${english}`)).toEqual([])
    expect(staleEntries(speaker, sentences)).toEqual([])
  },
)

test('design 9 every text of a message that the API sends has its French, or is kept on purpose', () => {
  const messages = messageTexts()
  expect(messages.size).toBeGreaterThan(30)
  expect([...messages].filter((english) => !isKnownSentence('messages', english))).toEqual([])
  expect(staleEntries('messages', messages)).toEqual([])
})

test('design 9 no translation is of a text that is gone, and none is empty', () => {
  const others = ['api', 'agent', 'messages']
  const ofConsole = areas().filter((area) => !others.includes(area))
  const gone = ofConsole.flatMap((area) => {
    const words = wordsOf(area)
    const here = texts.filter((text) => area === 'common' || text.area === area)
    const known = new Set(here.map(({ english }) => english))
    const inFiles = new Set(here.map(({ path, english }) => `${path}: ${english}`))
    const special = Object.entries(words.in).flatMap(([path, own]) =>
      Object.keys(own).map((english) => `${path}: ${english}`),
    )
    return [
      ...[...Object.keys(words.texts), ...words.kept].filter((english) => !known.has(english)),
      ...special.filter((entry) => !inFiles.has(entry)),
      ...Object.entries(words.texts).flatMap(([english, french]) => (french === '' ? english : [])),
    ].map((entry) => `${area}: ${entry}`)
  })
  expect(gone).toEqual([])
})
