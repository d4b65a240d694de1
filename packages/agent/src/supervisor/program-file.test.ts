import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { temporaryFolder, unitOf } from '../agent.fixture.ts'
import { openLayout, type Layout } from './layout.ts'
import { restoreSections, scriptText, sectionText, writeScript } from './program-file.ts'

let folder: string
let layout: Layout
beforeEach(() => {
  folder = temporaryFolder()
  layout = openLayout(join(folder, 'data'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** Runs a unit script as supervisord would, in a process group of its own. */
function runScript(text: string) {
  const file = join(folder, 'unit.sh')
  writeFileSync(file, text)
  const child = spawn('sh', [file], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  let out = ''
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()))
  child.stderr.resume()
  const ended = once(child, 'close').then(() => ({ code: child.exitCode, out }))
  return { child, ended }
}

/** What the tool really gets, one argument after another. */
async function argumentsSeen(argv: readonly string[]): Promise<string[]> {
  const { ended } = runScript(scriptText(unitOf(['printf', String.raw`%s\0`, ...argv])))
  const { out } = await ended
  return out.split('\0').slice(0, -1)
}

const HOSTILE = [
  'a b\'c"d%e;f #g$h`i\\j',
  ' ;',
  ' #',
  '%(ENV_HOME)s',
  '$(touch sentinel)',
  '`touch sentinel`',
  "'; touch sentinel; '",
  '"; touch sentinel; "',
  '\n touch sentinel \n',
  '&& touch sentinel',
  '| touch sentinel',
  '> sentinel',
  '-x',
  '--',
  '',
  '*',
  'ü€😀',
  '\\',
  "'",
]

test('hostile texts reach the tool unchanged and execute nothing', async () => {
  expect(await argumentsSeen(HOSTILE)).toEqual(HOSTILE)
  expect(existsSync(join(folder, 'sentinel'))).toBe(false)
})

test('any text without a zero byte reaches the tool unchanged', async () => {
  const text = fc
    .string({ unit: 'binary' })
    .map((random) => random.replaceAll('\0', '').toWellFormed())
  await fc.assert(
    fc.asyncProperty(fc.array(text, { minLength: 1, maxLength: 8 }), async (argv) => {
      expect(await argumentsSeen(argv)).toEqual(argv)
    }),
    { numRuns: 40 },
  )
})

test('a zero byte is refused', () => {
  expect(() => scriptText(unitOf(['printf', 'a\0b']))).toThrow('zero byte')
})

test('rule 1 a section holds the id and our own paths, and no other text', () => {
  const lines = sectionText(layout, 'in1', true).split('\n')
  const withoutOurs = lines.map((line) => line.replaceAll(layout.base, '').replaceAll('in1', 'ID'))
  expect(withoutOurs).toContain('command=setpriv --pdeathsig TERM sh /units/ID.sh')
  expect(lines.join('\n')).not.toMatch(/[%;#'"$`]/)
})

test('a program that does not end at a TERM is killed after five seconds', () => {
  const lines = sectionText(layout, 'in1', true).split('\n')
  expect(lines).toEqual(expect.arrayContaining(['stopsignal=TERM', 'stopwaitsecs=5']))
})

test('rule 4 events and statistics go to logs of their own, small ones', () => {
  const text = sectionText(layout, 'in1', true)
  expect(text).toContain('redirect_stderr=false')
  expect(text).toContain('stdout_logfile_maxbytes=512KB\nstdout_logfile_backups=1')
  expect(text).toContain('stderr_logfile_maxbytes=512KB\nstderr_logfile_backups=1')
})

test('a caller is started again after a clean exit, and any other exit ends the script', async () => {
  const counter = join(folder, 'runs')
  const tool = `echo run >> '${counter}'; [ $(wc -l < '${counter}') -lt 2 ] || exit 7`
  const { ended } = runScript(
    scriptText(unitOf(['sh', '-c', tool], { repeat: 'after-clean-exit' })),
  )
  expect(await ended).toMatchObject({ code: 7 })
  expect(readFileSync(counter, 'utf8')).toBe('run\nrun\n')
})

test('a caller whose connection lasted calls again sooner than one that was refused', async () => {
  // The shell's own clock and pause are put aside: what is asked for is looked at, not waited for.
  const asked = join(folder, 'pauses')
  const clock = join(folder, 'clock')
  const fakes = `date() { cat '${clock}'; }\nsetpriv() { case $3 in sleep) echo "$4" >> '${asked}';; *) shift 2; "$@";; esac; }\n`
  const tool = `n=$(cat '${clock}'); case $n in 0) echo 30 > '${clock}';; 30) echo 31 > '${clock}';; *) exit 7;; esac`
  writeFileSync(clock, '0')
  const script = scriptText(unitOf(['sh', '-c', tool], { repeat: 'after-clean-exit' }))
  const { ended } = runScript(fakes + script)
  expect(await ended).toMatchObject({ code: 7 })
  expect(readFileSync(asked, 'utf8')).toBe('0.2\n2\n')
})

test('a signal that ends the tool ends the loop with its code', async () => {
  const tool = 'kill -KILL $$'
  const { ended } = runScript(
    scriptText(unitOf(['sh', '-c', tool], { repeat: 'after-clean-exit' })),
  )
  expect(await ended).toMatchObject({ code: 137 })
})

test('a tool that is always repeated is started again after any exit but by a signal, and each try is logged', async () => {
  const counter = join(folder, 'tries')
  const ends = `case $(wc -l < '${counter}') in 1) exit 1;; 2) exit 0;; 3) exit 255;; *) kill -KILL $$;; esac`
  const tool = `echo run >> '${counter}'; ${ends}`
  const { child, ended } = runScript(scriptText(unitOf(['sh', '-c', tool], { repeat: 'always' })))
  let errors = ''
  child.stderr.on('data', (data: Buffer) => (errors += data.toString()))
  expect(await ended).toMatchObject({ code: 137 })
  expect(errors.match(/--- Started/g)).toHaveLength(4)
})

test.each(['never', 'after-clean-exit', 'always'] as const)(
  'a signal to the script ends the tool too (%s)',
  async (repeat) => {
    const tool = 'echo up; exec sleep 1000'
    const { child, ended } = runScript(scriptText(unitOf(['sh', '-c', tool], { repeat })))
    await once(child.stdout, 'data')
    child.kill('SIGTERM')
    // The pipe closes only when nobody holds it any more: no child is left.
    await ended
    expect(child.exitCode ?? child.signalCode).toBe(repeat === 'never' ? 'SIGTERM' : 143)
  },
)

test('an unreadable script is never taken', async () => {
  await writeScript(layout, 'in1', unitOf(['sleep', '1']))
  const file = join(layout.unitsDir, 'in1.sh')
  const before = readFileSync(file, 'utf8')
  await expect(writeScript(layout, 'in1', unitOf(['a\0b']))).rejects.toThrow('zero byte')
  expect(readFileSync(file, 'utf8')).toBe(before)
})

test('sections are rewritten before a start, foreign files are set aside', () => {
  const file = join(layout.sectionsDir, 'in1.conf')
  writeFileSync(file, '[program:in1]\ncommand=broken "\nautostart=true\n')
  writeFileSync(join(layout.sectionsDir, 'Other.conf'), 'nonsense')
  mkdirSync(layout.supervisorDir, { recursive: true })
  restoreSections(layout)
  expect(readFileSync(file, 'utf8')).toBe(sectionText(layout, 'in1', true))
  expect(existsSync(join(layout.sectionsDir, 'Other.conf'))).toBe(false)
})
