/** The page of the ten minutes shows a walk by the commands that the pages print today. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../setup.mjs'
import { blocksIn, commandsIn } from './code-blocks.ts'
import {
  readableLines,
  stepText,
  sumSentence,
  withTranscript,
  type WalkStep,
} from './transcript.ts'
import { commandsUnder, ENROL, LIST, SECTIONS } from './walk-commands.ts'

const PAGE = 'docs/operate/25-ten-minutes.md'
const LIMIT_S = 600

const page = readFileSync(join(root, PAGE), 'utf8')
const transcript = blocksIn(PAGE, page).find(({ language }) => language === 'text')?.text ?? ''

function typedAt(machine: string): string[] {
  const before = `  ${machine}: # `
  return transcript
    .split('\n')
    .filter((line) => line.includes(before))
    .map((line) => line.slice(line.indexOf(before) + before.length))
}

const firstLines = (commands: readonly string[]) => commands.map((each) => each.split('\n')[0])

test('the walk typed each command of the pages, in their order; npm run docs:walk walks anew', () => {
  const { console, proxy, host } = SECTIONS
  const ofConsole = [...commandsUnder(console), ...commandsUnder(proxy), LIST]
  expect(typedAt('console')).toEqual(firstLines(ofConsole))
  const ofHost = firstLines([...commandsUnder(host), ENROL])
  expect(typedAt('studio')).toEqual(ofHost)
  expect(typedAt('gateway')).toEqual(ofHost)
})

test('the walk ended with a link that runs, in less than ten minutes', () => {
  expect(transcript).toMatch(/From Camera 1: running, peer connected, \d{4} kbit\/s, AES-128/)
  expect(transcript).toMatch(/Camera 1: a picture, \d+ bytes of JPEG/)
  const [, minutes, seconds] = /in the browser took (\d+) min (\d+) s\./.exec(page) ?? []
  expect(Number(minutes) * 60 + Number(seconds)).toBeLessThan(LIMIT_S)
})

test('a command ends where a shell ends it', () => {
  const text = `# a comment
sed -i 's/a/b/' \\
  file
put() {
  curl "$1"
}
put news '{
  "a": 1
}'
cat >file <<'END'
if {
END
`
  expect(commandsIn(text)).toEqual([
    "sed -i 's/a/b/' \\\n  file",
    'put() {\n  curl "$1"\n}',
    'put news \'{\n  "a": 1\n}\'',
    "cat >file <<'END'\nif {\nEND",
  ])
})

test('a block in a list loses its indentation, and knows its heading', () => {
  const text = '# Page\n\n## Part\n\n1. Do:\n\n   ```sh\n   ls\n     -l\n   ```\n'
  expect(blocksIn('p.md', text)).toEqual([
    { page: 'p.md', line: 7, heading: 'Part', language: 'sh', text: 'ls\n  -l\n' },
  ])
  expect(() => blocksIn('p.md', '```\nls\n')).toThrow('p.md:1: this block does not end.')
})

test('a transcript has times and the lines worth reading, and no secret', () => {
  const steps: WalkStep[] = [
    { where: 'studio', action: 'grep key f', seconds: 0.04, output: ['"key": "…"'] },
    { where: 'browser', action: 'sign in', seconds: 61.26, output: [] },
  ]
  expect(readableLines('Get:1 x\nSetting up libc\n"key": "abc"\n', ['abc'])).toEqual(['"key": "…"'])
  expect(steps.map(stepText)).toEqual([
    '  0.0 s  studio: # grep key f\n           "key": "…"',
    ' 61.3 s  browser: sign in',
  ])
  const sum = sumSentence(steps, 61.3)
  expect(sum).toBe('1 commands and 1 steps in the browser took 1 min 01 s.')
  const old = 'A\n<!-- npm run docs:walk writes from here -->\nold\n<!-- to here -->\nZ\n'
  const written = withTranscript(old, steps, sum)
  expect(written).not.toContain('old')
  expect(withTranscript(written, steps, sum)).toBe(written)
})
