/**
 * T8: a million texts that mean something to a shell, to supervisord or to a tool, through the script
 * that a unit of the agent runs by. Each must arrive as it was, and none may be carried out.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { unitOf } from '@trunkline/agent/agent.fixture'
import { scriptText } from '@trunkline/agent/supervisor/program-file'
import { atMost } from '../kit/figure.ts'
import { settingOf } from '../kit/settings.ts'
import { damaged, randomOf } from './damage.ts'
import { printProof } from './proof.ts'

const TEXTS = settingOf('TEXTS', 1_000_000)
const SEED = settingOf('SEED', 1)
/** Of one script: the kernel takes 2 MB of arguments, each of at most 128 kB. */
const MOST_TEXTS = 2000
const MOST_CHARACTERS = 120_000

test('every text reaches the tool as it is, and none is carried out', () => {
  const folder = mkdtempSync(join(tmpdir(), 'trunkline-commands-'))
  const random = randomOf(SEED)
  const faults: string[] = []
  let tried = 0
  try {
    while (tried < TEXTS) {
      const texts = someTexts(random, Math.min(MOST_TEXTS, TEXTS - tried))
      const seen = seenByTool(folder, texts)
      tried += texts.length
      faults.push(
        ...texts
          .filter((text, at) => seen[at] !== text)
          .map((text) => `differs: ${JSON.stringify(text)}`),
      )
      if (seen.length !== texts.length) faults.push(`${seen.length} arguments of ${texts.length}`)
      const left = readdirSync(folder).filter((name) => name !== SCRIPT)
      if (left.length > 0) faults.push(`carried out: ${left.join(', ')}`)
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  const missed = printProof('commands', {
    ours: { texts: tried },
    faults,
    goals: [atMost('texts changed or carried out', faults.length, 0, 'texts')],
  })
  expect(missed).toEqual([])
})

const SCRIPT = 'unit.sh'

/** As supervisord runs it; `printf` stands for the tool. */
function seenByTool(folder: string, texts: readonly string[]): string[] {
  writeFileSync(join(folder, SCRIPT), scriptText(unitOf(['printf', String.raw`%s\0`, ...texts])))
  const { stdout } = spawnSync('sh', [SCRIPT], {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  })
  return stdout.split('\0').slice(0, -1)
}

const SAMPLES = [
  'title of a camera',
  "'; touch sentinel; '",
  '"; touch sentinel; "',
  '$(touch sentinel)',
  '`touch sentinel`',
  '\n[program:evil]\ncommand=touch sentinel\n',
  '; touch sentinel',
  '| touch sentinel',
  '&& touch sentinel #',
  '> sentinel',
  '%(ENV_HOME)s 50% %d %n',
  "'\\''\\'''",
  '${PATH} $0 $@ $$ $! ~ * ? [a-z] {a,b}',
  '-y -f lavfi -i',
  '--help',
  'srt://127.0.0.1:5000?passphrase=abcdefghij&mode=listener',
  'ü€😀 \u202e \u0007 \u001b[31m',
  '!! !1 ^a^b',
].map((text) => new TextEncoder().encode(text))

/** Half a character is none: whatever arrives by JSON is whole. A zero byte is refused before. */
function someTexts(random: () => number, most: number): string[] {
  const texts: string[] = []
  let characters = 0
  while (texts.length < most && characters < MOST_CHARACTERS) {
    const bytes = damaged(SAMPLES, random).subarray(0, 2000)
    const text = new TextDecoder().decode(bytes).replaceAll('\0', '').toWellFormed()
    texts.push(text)
    characters += Buffer.byteLength(text)
  }
  return texts
}
