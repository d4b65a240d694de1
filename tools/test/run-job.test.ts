/** Real programs of a few lines stand for vitest: they write reports as it does. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { countVitest } from './counts.mjs'
import type { Job } from './kinds.mjs'
import type { ProgressEvent } from './progress.mjs'
import { runJob, type Surroundings } from './run-job.mjs'

const MEDIA = 'packages/agent/src/a.test.ts'
const OTHER = 'packages/contract/src/b.test.ts'

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'trunkline-job-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

async function run(job: Job, folder: string, parts: Partial<Surroundings> = {}) {
  const surroundings = { folder, onProgress() {}, signal: new AbortController().signal, ...parts }
  return runJob(job, 'agent', join(folder, 'report.json'), surroundings)
}

/** Writes down its arguments and a report: each file fails as often as `failures` says. */
const PROGRAM = `
  import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
  const [folder, failures, ...files] = process.argv.slice(1)
  appendFileSync(folder + '/runs', JSON.stringify(files) + '\\n')
  const run = readFileSync(folder + '/runs', 'utf8').trim().split('\\n').length
  const fails = (file) => run <= (JSON.parse(failures)[file] ?? 0)
  const chosen = files.length > 0 ? files : ['${MEDIA}', '${OTHER}']
  const testResults = chosen.map((file) => {
    const one = fails(file)
      ? { status: 'failed', fullName: 'plays', failureMessages: ['late in run ' + run] }
      : { status: 'passed', fullName: 'plays' }
    return { name: '/home/me/' + file, status: one.status, assertionResults: [one] }
  })
  writeFileSync(folder + '/report.json', JSON.stringify({ testResults }))
  process.exitCode = chosen.some(fails) ? 1 : 0
`

/** `failures`: how many runs of a file fail. */
async function runWith(failures: Record<string, number>) {
  const folder = temporaryFolder()
  const node = [process.execPath, '--input-type=module', '--eval', PROGRAM, '--']
  const argv = [...node, folder, JSON.stringify(failures)]
  const secondTry = {
    folder: 'packages/agent/',
    argv: (files: readonly string[]) => [...argv, ...files],
  }
  const job = { argv, count: countVitest, secondTry }
  const { counts, firstFailures } = await run(job, folder)
  const runs = readFileSync(join(folder, 'runs'), 'utf8').trim().split('\n')
  return { counts, firstFailures, runs: runs.map((item) => JSON.parse(item) as string[]) }
}

test('a file that passes is run once', async () => {
  expect(await runWith({})).toEqual({
    counts: { passed: 2, failed: 0, failures: [] },
    firstFailures: [],
    runs: [[]],
  })
})

test('a file that fails is run once more, alone, and its first failure is reported', async () => {
  expect(await runWith({ [MEDIA]: 1 })).toEqual({
    counts: { passed: 2, failed: 0, failures: [] },
    firstFailures: [`${MEDIA} > plays\n      late in run 1`],
    runs: [[], [MEDIA]],
  })
})

test('a file that fails twice has failed', async () => {
  expect(await runWith({ [MEDIA]: 2 })).toEqual({
    counts: { passed: 1, failed: 1, failures: [`${MEDIA} > plays\n      late in run 2`] },
    firstFailures: [`${MEDIA} > plays\n      late in run 1`],
    runs: [[], [MEDIA]],
  })
})

test('a file without real media has no second try', async () => {
  expect(await runWith({ [OTHER]: 1 })).toMatchObject({
    counts: { passed: 1, failed: 1 },
    firstFailures: [],
    runs: [[]],
  })
})

test('a program without a report that ends badly counts one', async () => {
  const folder = temporaryFolder()
  const argv = [process.execPath, '--eval', 'console.log("no report"); process.exitCode = 1']
  writeFileSync(join(folder, 'report.json'), 'not whole')
  const job = { argv, count: countVitest }
  expect(await run(job, folder)).toEqual({
    counts: { passed: 0, failed: 1, failures: ['agent failed; see its output above'] },
    files: [],
    firstFailures: [],
    output: 'no report\n',
  })
})

test('lines of a reporter on its pipe are progress', async () => {
  const events: ProgressEvent[] = []
  const tell = join(import.meta.dirname, 'tell.mjs')
  const script = `import { tell } from '${tell}'; tell({ total: 2 }); tell({ done: 1, failure: 'a' })`
  const argv = [process.execPath, '--input-type=module', '--eval', script]
  await run({ argv }, temporaryFolder(), { onProgress: (event) => events.push(event) })
  expect(events).toEqual([{ total: 2 }, { done: 1, failure: 'a' }])
})

test('temporary files of a job go into the folder of the run', async () => {
  const folder = temporaryFolder()
  const argv = [process.execPath, '--print', 'os.tmpdir()']
  expect((await run({ argv }, folder)).output).toBe(`${folder}\n`)
})

test('a job of a run that is ended gets a signal, and no other job starts', async () => {
  const ending = new AbortController()
  const script = `process.on('SIGTERM', () => { console.log('signalled'); process.exit(1) })
    setInterval(() => {}, 1000)
    require('fs').writeSync(3, '{"total":1}\\n')`
  const argv = [process.execPath, '--eval', script]
  const parts = { signal: ending.signal, onProgress: () => ending.abort() }
  expect((await run({ argv }, temporaryFolder(), parts)).output).toBe('signalled\n')
  expect((await run({ argv }, temporaryFolder(), parts)).output).toBe('')
})
