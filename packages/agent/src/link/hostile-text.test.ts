import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  freeUdpPort,
  openLink,
  openTestAgent,
  temporaryFolder,
  type TestAgent,
  type TestLink,
} from '../agent.fixture.ts'
import { configOf } from '../commands/encoder-config.fixture.ts'
import { scriptFile, sectionFile } from '../supervisor/layout.ts'

const MARK = 'HOSTILE'
const HOSTILE = [
  `${MARK} a'b"c\`d`,
  `${MARK}'; touch sentinel; '`,
  `$(touch sentinel)${MARK}`,
  `${MARK} ; touch sentinel`,
  `${MARK} # %(ENV_HOME)s 50% %d %n`,
  `${MARK}\ncommand=touch sentinel\n[program:evil]`,
  `${MARK}\r\0\u2028`,
  `${MARK}:drawtext=textfile=/etc/passwd,[out]`,
  `${MARK}|[f=mpegts]file:/tmp/sentinel`,
  MARK.repeat(1429),
]

const folder = temporaryFolder()
/** A path is the operator's own text in the agent's file; it may hold anything that a path can. */
const clip = join(folder, `it's "a" clip; touch sentinel # 50% %(x)s $(touch sentinel)\n.ts`)
let agent: TestAgent
let link: TestLink
beforeAll(async () => {
  const args = '-v error -f lavfi -i testsrc=size=64x64:rate=25:duration=2 -f mpegts'.split(' ')
  spawnSync('ffmpeg', [...args, `file:${clip}`])
  agent = await openTestAgent(
    ['encoder'],
    [
      { cardIdx: 0, kind: 'test-pattern', device: '' },
      { cardIdx: 1, kind: 'file', device: clip },
    ],
  )
  const [seat] = agent.config.seats
  if (!seat) throw new Error('no seat')
  link = await openLink(seat)
})
afterAll(async () => {
  await link[Symbol.asyncDispose]()
  await agent[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true })
})

const TARGET = 'udp://127.0.0.1:5000?ttl=1'
const config = configOf('pal', [TARGET])
const { 'audio-stream': audio, 'video-stream': video, muxer } = config
const feeder = {
  name: 'f1',
  serverId: 's1',
  input: { title: 'Feeder', addr: '127.0.0.1:5000', port: 5000 },
  output: [{ addr: '127.0.0.1:6000', port: 6000 }],
}

/** The configuration with one text of it replaced. */
const FIELDS: Record<string, (text: string) => unknown> = {
  name: (text) => ({ ...config, name: text }),
  'video-format': (text) => ({ ...config, 'video-format': text }),
  profile: (text) => ({ ...config, 'video-stream': { ...video, profile: text } }),
  lang: (text) => ({ ...config, 'audio-stream': { ...audio, lang: text } }),
  'mp2-mode': (text) => ({ ...config, 'audio-stream': { ...audio, 'mp2-mode': text } }),
  'ts-type': (text) => ({ ...config, muxer: { ...muxer, 'ts-type': text } }),
  target: (text) => ({ ...config, output: [{ type: 'udp', target: text }] }),
  'end of target': (text) => ({ ...config, output: [{ type: 'udp', target: TARGET + text }] }),
  'feeder title': (text) => ({
    ...config,
    feeder: [{ ...feeder, input: { ...feeder.input, title: text } }],
  }),
  'feeder address': (text) => ({
    ...config,
    feeder: [{ ...feeder, output: [{ ...feeder.output[0], addr: text }] }],
  }),
  'unknown field': (text) => ({ ...config, [text]: text }),
}

/** 'carried' or the code of the refusal. */
async function apply(programId: string, spec: unknown): Promise<string> {
  const asked = { programId, revision: MARK, spec, wanted: 'stopped' }
  return link.ask('applyProgram', asked).then(
    () => 'carried',
    (error: unknown) => (error as { code: string }).code,
  )
}

/** What the shell that runs a script hands to the program, by a stand-in for the program. */
function argumentsOf(script: string): string[] {
  const standIn = join(folder, 'setpriv')
  writeFileSync(standIn, `#!/bin/sh\nprintf '%s\\0' "$@"\n`, { mode: 0o700 })
  const first = ['-c', 'PATH="$0:$PATH" exec sh "$1"', folder, script]
  const { stdout } = spawnSync('sh', first, { cwd: folder, encoding: 'utf8' })
  expect(readdirSync(folder)).not.toContain('sentinel')
  return stdout.split('\0')
}

test.each(Object.keys(FIELDS))(
  'hostile text as %s reaches no file of supervisord',
  async (name) => {
    const { layout, client } = agent.ctx.supervisor
    for (const text of HOSTILE) {
      const changed = FIELDS[name]?.(text)
      const spec = { kind: 'encoder', config: changed, feederLegs: [] }
      expect(['carried', 'invalid', 'refused']).toContain(await apply('encoder-hostile', spec))
      const texts = [scriptFile(layout, 'encoder-hostile'), sectionFile(layout, 'encoder-hostile')]
        .filter((file) => existsSync(file))
        .map((file) => readFileSync(file, 'utf8'))
      expect(texts.join('\n')).not.toContain(MARK)
    }
    expect(await client.reloadConfig()).toMatchObject({ removed: [] })
    expect(
      readdirSync(layout.sectionsDir).filter((file) => file !== 'encoder-hostile.conf'),
    ).toEqual([])
    expect(existsSync(join(layout.base, 'sentinel'))).toBe(false)
  },
)

test('a title is one word of the command, the name of the service, and is never run', async () => {
  const { layout, client } = agent.ctx.supervisor
  const named: string[] = []
  for (const title of [`${MARK}'s "50%" ; # $(touch sentinel)`, ...HOSTILE]) {
    const spec = { kind: 'encoder', config: { ...config, title }, feederLegs: [] }
    if ((await apply('encoder-title', spec)) !== 'carried') continue
    named.push(title)
    const marked = argumentsOf(scriptFile(layout, 'encoder-title')).filter((argument) =>
      argument.includes(MARK),
    )
    expect(marked).toEqual([`service_name=${title}`])
    expect(readFileSync(sectionFile(layout, 'encoder-title'), 'utf8')).not.toContain(MARK)
  }
  expect(named.length).toBeGreaterThan(5)
  expect(await client.reloadConfig()).toMatchObject({ removed: [] })
  expect(existsSync(join(layout.base, 'sentinel'))).toBe(false)
  await link.ask('removeProgram', { programId: 'encoder-title' })
})

test.each(HOSTILE)('hostile text %# as the id of a program is refused', async (text) => {
  const spec = { kind: 'encoder', config, feederLegs: [] }
  expect(await apply(text, spec)).toBe('invalid')
})

test('a file whose path holds all of it is encoded, and nothing of the path is run', async () => {
  const target = `udp://127.0.0.1:${await freeUdpPort()}?ttl=1`
  const spec = {
    kind: 'encoder',
    config: { ...configOf('pal', [target]), 'card-idx': 1 },
    feederLegs: [],
  }
  const asked = { programId: 'encoder-path', revision: 'r1', spec, wanted: 'running' }
  await link.ask('applyProgram', asked)
  const { pid } = await agent.untilRunning('encoder-path')
  const argv = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
  expect(argv[argv.indexOf('-i') + 1]).toBe(`file:${clip}`)
  const { layout, client } = agent.ctx.supervisor
  expect(await client.reloadConfig()).toMatchObject({ removed: [] })
  expect(existsSync(join(layout.base, 'sentinel'))).toBe(false)
})
