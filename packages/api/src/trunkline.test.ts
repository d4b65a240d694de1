import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { HOUR_MS } from '@trunkline/contract/durations'
import { PRODUCT_VERSION } from '@trunkline/contract/product'
import { login } from '@trunkline/contract/session/session.calls'
import { expect, inject as provided, onTestFinished, test } from 'vitest'
import * as auditService from './audit/audit.service.ts'
import { sealRecord } from './audit/seals/record-seal.service.ts'
import { createPostgresDatabase } from './testing/databases.ts'
import { compileCache, makeFolder } from './testing/folder.ts'
import { inject } from './testing/inject.ts'
import { LiveReader } from './testing/live-reader.ts'
import { openTestApp, type TestApp } from './testing/test-app.ts'
import { makeTestContext } from './testing/test-context.ts'

/** From the sources, as npx runs it; most tests run the installed one, which starts in a third of the time. */
const COMMAND = join(import.meta.dirname, '..', 'bin', 'trunkline.mjs')

interface Ran {
  code: number | null
  out: string
  err: string
}

interface Started {
  child: ChildProcessWithoutNullStreams
  written: { out: string; err: string }
  ended: Promise<Ran>
}

interface RunOptions {
  env?: Record<string, string>
  cwd?: string
}

function start(program: string, args: string[], { env = {}, cwd = tmpdir() }: RunOptions): Started {
  const child = spawn(program, args, { env: { ...env, ...compileCache() }, cwd })
  const written = { out: '', err: '' }
  child.stdout.on('data', (chunk: Buffer) => (written.out += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (written.err += chunk.toString()))
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, ...written }))
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await ended
  })
  return { child, written, ended }
}

/** `stdin`: what is piped into it; without a terminal. */
async function trunkline(
  args: string[],
  options: RunOptions,
  stdin: string | Buffer = '',
  command = provided('installedCommand'),
): Promise<Ran> {
  const started = start(process.execPath, [command, ...args], options)
  started.child.stdin.end(stdin)
  return started.ended
}

async function temporaryFolder(): Promise<string> {
  const folder = await makeFolder()
  onTestFinished(async () => folder[Symbol.asyncDispose]())
  return folder.path
}

async function openOn(kind: 'SQLite' | 'PostgreSQL'): Promise<TestApp> {
  if (kind === 'SQLite') {
    const test = await openTestApp()
    onTestFinished(async () => test[Symbol.asyncDispose]())
    return test
  }
  const database = await createPostgresDatabase()
  onTestFinished(async () => database[Symbol.asyncDispose]())
  const test = await openTestApp({ databaseUrl: database.url })
  onTestFinished(async () => test[Symbol.asyncDispose]())
  return test
}

/** The settings of a running API, as its operator has them. */
function settingsOf({ ctx }: TestApp): Record<string, string> {
  return {
    TRUNKLINE_DATA_DIR: ctx.config.dataDir,
    TRUNKLINE_SECRET_FILE: ctx.config.secretFile,
    ...(ctx.config.databaseUrl === null ? {} : { TRUNKLINE_DATABASE_URL: ctx.config.databaseUrl }),
    // The starter's own, which the API does not know.
    TRUNKLINE_DEMO: '0',
  }
}

async function signIn({ app }: TestApp, email: string, password: string) {
  return inject(app, login, '', { body: { email, password } })
}

test.each(['SQLite', 'PostgreSQL'] as const)(
  'T5 decisions 26 on %s a new password ends the streams and calls of a running API',
  async (kind) => {
    const site = await openOn(kind)
    const { admin, superadmin } = site.people
    const address = await site.app.listen({ port: 0, host: '127.0.0.1' })
    await using live = await LiveReader.open(address, admin.token)
    await using other = await LiveReader.open(address, superadmin.token)
    const args = ['user', 'reset-password', admin.email.toUpperCase(), '--password-stdin']
    const ran = await trunkline(args, { env: settingsOf(site) }, 'a new long one\n')
    expect(ran).toEqual({
      code: 0,
      out: `${admin.email} has a new password, and every session of that user was ended.\n`,
      err: '',
    })
    await live.next('gone', () => true)
    await live.until(() => live.isEnded)
    expect(other.isEnded).toBe(false)
    expect((await signIn(site, admin.email, 'a new long one')).status).toBe(200)
    const lines = await site.ctx.db.selectFrom('audit').selectAll().execute()
    expect(lines.filter(({ call }) => call === 'users.resetPassword')).toMatchObject([
      { actor_id: null, object_id: admin.id, object_title: 'Test admin', result: 'done' },
    ])
    expect(JSON.stringify(lines)).not.toContain('a new long one')
  },
)

test.each(['SQLite', 'PostgreSQL'] as const)(
  'on %s a user is added beside a running API, once, with a password shown once',
  async (kind) => {
    const site = await openOn(kind)
    const env = settingsOf(site)
    const args = ['user', 'add', '--email', 'Second@trunkline.example', '--generate']
    const ran = await trunkline(args, { env })
    const password = /^Password, shown this once: (\S{16})$/m.exec(ran.out)?.[1] ?? ''
    expect([ran.code, ran.err]).toEqual([0, ''])
    expect(ran.out).toMatch(/^Added second@trunkline\.example as superadmin\.\n/)
    const { answer } = await signIn(site, 'second@trunkline.example', password)
    expect(answer.user).toMatchObject({
      fullName: 'second Superadmin',
      mode: { name: 'superadmin' },
    })
    expect(await trunkline(args, { env })).toEqual({
      code: 1,
      out: '',
      err: 'There is a user second@trunkline.example already. Use another address, or give that user a new password: trunkline user reset-password second@trunkline.example\n',
    })
  },
)

test.each(['installed', 'from its sources'])(
  'the first superadmin of a new installation, %s',
  async (from) => {
    const dataDir = join(await temporaryFolder(), 'data')
    const args = ['user', 'add', '--email', 'first@trunkline.example', '--password-stdin']
    const command = from === 'from its sources' ? COMMAND : provided('installedCommand')
    const options = { env: { TRUNKLINE_DATA_DIR: dataDir } }
    const ran = await trunkline(args, options, 'a quite long one', command)
    expect(ran).toEqual({ code: 0, out: 'Added first@trunkline.example as superadmin.\n', err: '' })
    expect(existsSync(`${dataDir}.key`)).toBe(true)
  },
)

test('a missing database is not created, unless a setting names the place', async () => {
  const cwd = await temporaryFolder()
  const ran = await trunkline(['user', 'add', '--email', 'a@b.cc', '--generate'], { cwd })
  expect(ran.code).toBe(1)
  expect(ran.err).toMatch(
    /^There is no database at \S+trunkline\.db\. Run this in the folder where Trunkline was started, or set TRUNKLINE_DATA_DIR or TRUNKLINE_DATABASE_URL as the API has it\.\n$/,
  )
  expect(existsSync(join(cwd, '.trunkline'))).toBe(false)
})

test('a new password makes no database, wherever a setting points', async () => {
  const folder = await temporaryFolder()
  const args = ['user', 'reset-password', 'a@b.cc', '--generate']
  const env = { TRUNKLINE_DATA_DIR: join(folder, 'mistyped') }
  const ran = await trunkline(args, { env })
  expect(ran.code).toBe(1)
  expect(ran.err).toMatch(/^There is no database at \S+mistyped\/trunkline\.db\. /)
  expect(await readdir(folder)).toEqual([])
})

test('an unknown address gives a message and exit code 1', async () => {
  const env = settingsOf(await openOn('SQLite'))
  const args = ['user', 'reset-password', 'nobody@trunkline.example', '--generate']
  const err = 'There is no user nobody@trunkline.example. Check the address.\n'
  expect(await trunkline(args, { env })).toEqual({ code: 1, out: '', err })
})

test.each<[string, string[], Record<string, string>, string | Buffer, string]>([
  [
    'a password that nobody can type',
    ['user', 'add', '--email', 'a@b.cc', '--password-stdin'],
    {},
    'a\0b',
    'The password must not hold the character NUL: nobody could sign in with it.\n',
  ],
  [
    'a password in another encoding',
    ['user', 'add', '--email', 'a@b.cc', '--password-stdin'],
    {},
    Buffer.from('pässword', 'latin1'),
    'The password must be written in UTF-8. Check the locale of the script.\n',
  ],
  [
    'no terminal',
    ['user', 'add', '--email', 'a@b.cc'],
    {},
    '',
    'There is no terminal to ask for the password. Pass it with --password-stdin, or take --generate.\n',
  ],
  [
    'an empty password',
    ['user', 'add', '--email', 'a@b.cc', '--password-stdin'],
    {},
    '\n',
    'The password must be at least 12 characters long.\n',
  ],
  [
    'a password that everybody guesses',
    ['user', 'add', '--email', 'a@b.cc', '--password-stdin'],
    {},
    'qwerty123456\n',
    'password is a common password. Choose another.\n',
  ],
  [
    'a database that is away',
    ['user', 'add', '--email', 'a@b.cc', '--generate'],
    { TRUNKLINE_DATABASE_URL: 'postgres://trunkline:hunter2@127.0.0.1:1/trunkline' },
    '',
    'The database at 127.0.0.1:1 does not answer: connect ECONNREFUSED 127.0.0.1:1. Start the database server, or correct TRUNKLINE_DATABASE_URL.\n',
  ],
  ['nothing typed', [], {}, '', 'Name a command. See trunkline --help.\n'],
  [
    'a command that is not there',
    ['house', 'add'],
    {},
    '',
    "There is no command 'house'. See trunkline --help.\n",
  ],
  [
    'an object without a verb',
    ['server'],
    {},
    '',
    "Name a command after 'server': list or show. See trunkline --help.\n",
  ],
  [
    'a verb that is not there',
    ['server', 'start'],
    {},
    '',
    "There is no command 'server start'. After 'server' comes list or show. See trunkline --help.\n",
  ],
])('%s gives a message and exit code 1', async (_, args, more, stdin, err) => {
  const env = { TRUNKLINE_DATA_DIR: join(await temporaryFolder(), 'data'), ...more }
  expect(await trunkline(args, { env }, stdin)).toEqual({ code: 1, out: '', err })
})

test.each([
  [['apply', '--help'], 'TRUNKLINE_TOKEN'],
  [['help', 'apply'], 'TRUNKLINE_TOKEN'],
  [['backup', '-h'], 'It works on the database that the API uses'],
])('the help of one command: %j', async (args, where) => {
  const { code, out, err } = await trunkline(args, {})
  expect([code, err]).toEqual([0, ''])
  expect(out).toMatch(new RegExp(`^ {2}trunkline ${args.find((arg) => /^[ab]/.test(arg))}`))
  expect(out).toContain(where)
  expect(out).not.toContain('user add')
})

test('the version', async () => {
  expect(await trunkline(['--version'], {})).toEqual({
    code: 0,
    out: `${PRODUCT_VERSION}\n`,
    err: '',
  })
})

test('an output that cannot be written is a sentence and exit code 1', async () => {
  const line = `"${process.execPath}" "${provided('installedCommand')}" --help > /dev/full`
  expect(await start('/bin/sh', ['-c', line], {}).ended).toEqual({
    code: 1,
    out: '',
    err: 'The output could not be written. No space is left on its disk. Make room, or name another file, and run the command again.\n',
  })
})

test('a backup is made, checked, not put over what is there, and restored in its place', async () => {
  const folder = await temporaryFolder()
  const env = { TRUNKLINE_DATA_DIR: join(folder, 'data') }
  const file = join(folder, 'site.db')
  const add = async (email: string) =>
    trunkline(['user', 'add', '--email', email, '--generate'], { env })
  await add('kept@trunkline.example')
  const made = await trunkline(['backup', file], { env })
  expect([made.code, made.out]).toEqual([0, expect.stringMatching(/^Backed up \d+ rows \(/)])
  const twice = await trunkline(['backup', file], { env })
  expect([twice.code, twice.err]).toEqual([1, `There is a file ${file} already. Name another.\n`])
  const checked = await trunkline(['restore', '--check', file], { env })
  expect([checked.code, checked.out]).toEqual([0, expect.stringContaining('can be read with')])
  await add('later@trunkline.example')
  const refused = await trunkline(['restore', file], { env })
  expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('Add --replace')])
  const restored = await trunkline(['restore', '--replace', file], { env })
  expect([restored.code, restored.out]).toEqual([
    0,
    expect.stringContaining('Start the API. Everybody must sign in again.'),
  ])
  const again = await Promise.all([add('kept@trunkline.example'), add('later@trunkline.example')])
  expect(again.map(({ code }) => code)).toEqual([1, 0])
})

test('T20 the record of activity is looked at: as it was written, and changed in the database', async () => {
  await using site = await makeTestContext()
  const { ctx } = site
  const { dataDir, secretFile } = ctx.config
  const env = { TRUNKLINE_DATA_DIR: dataDir, TRUNKLINE_SECRET_FILE: secretFile }
  const check = async () => trunkline(['audit', 'check'], { env })
  const before = await check()
  expect([before.code, before.out]).toEqual([
    0,
    expect.stringMatching(
      /^Nothing is sealed yet\. .* each hour ten to twenty minutes after its end\.$/m,
    ),
  ])
  const line = { actor: null, call: 'test.line', object: null, result: 'done', ip: '' } as const
  await auditService.record(ctx, { ...line, reason: 'as it was' })
  site.advance(2 * HOUR_MS)
  await sealRecord(ctx)
  const sealed = await check()
  const asWritten = 'The record of activity is as it was written: lines: 1, from '
  expect([sealed.code, sealed.out]).toEqual([0, expect.stringContaining(asWritten)])
  await ctx.db.updateTable('audit').set({ reason: 'made up' }).execute()
  const changed = await check()
  expect([changed.code, changed.out]).toEqual([1, expect.stringMatching(/^- A line from /m)])
})

/** As a person types it: in a terminal, each answer after its question. */
async function typed(env: Record<string, string>, args: string[], answers: string[]) {
  const command = [process.execPath, provided('installedCommand'), ...args].join(' ')
  const options = { env: { ...env, SHELL: '/bin/sh', PATH: '/usr/bin:/bin' } }
  const { child, written, ended } = start('script', ['-qec', command, '/dev/null'], options)
  for (const [at, answer] of answers.entries()) {
    while (written.out.split(/New password: |The same again: /).length < at + 2) {
      await once(child.stdout, 'data')
    }
    child.stdin.write(`${answer}\r`)
  }
  return ended
}

test('on a terminal the password is asked twice and not shown', async () => {
  const env = { TRUNKLINE_DATA_DIR: join(await temporaryFolder(), 'data') }
  const args = ['user', 'add', '--email', 'typed@trunkline.example']
  const differ = await typed(env, args, ['one-long-one', 'another-long-one'])
  expect([differ.code, differ.out]).toEqual([
    1,
    expect.stringContaining('The two passwords differ. Nothing was changed.'),
  ])
  const added = await typed(env, args, ['one-long-one', 'one-long-one'])
  expect(added.out.replaceAll('\r', '')).toBe(
    'New password: \nThe same again: \nAdded typed@trunkline.example as superadmin.\n',
  )
  expect(added.code).toBe(0)
  expect(differ.out + added.out).not.toContain('long-one')
})

test('Ctrl-C at the question changes nothing', async () => {
  const env = { TRUNKLINE_DATA_DIR: join(await temporaryFolder(), 'data') }
  const args = ['user', 'add', '--email', 'typed@trunkline.example']
  const given = await typed(env, args, ['\u0003'])
  expect([given.code, given.out]).toEqual([1, expect.stringContaining('Nothing was changed.')])
})

/** What a machine of Debian's or its owner's has, beside the Node that npm brought. */
const MACHINE_NODE = ['/usr/local/bin/node', '/usr/bin/node'].find((file) => existsSync(file))

test('the machine’s Node starts the Node installed by npm', async () => {
  const ran = await start(MACHINE_NODE ?? process.execPath, [COMMAND, '--help'], {}).ended
  expect([ran.code, ran.err]).toEqual([0, ''])
  expect(ran.out).toContain('npx trunkline user reset-password')
})

test('without a Node that is new enough it says what to do', async () => {
  const older = "Object.defineProperty(process.versions, 'node', { value: '20.1.0' })"
  const args = ['--import', `data:text/javascript,${older}`, COMMAND, '--help']
  const ran = await start(process.execPath, args, {}).ended
  expect([ran.code, ran.out]).toEqual([1, ''])
  expect(ran.err).toMatch(
    /^Trunkline runs on Node 24 or newer, and this is 20\.1\.0\. Run "npm ci"/,
  )
})
