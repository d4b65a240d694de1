import { appendFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { temporaryFolder } from '../agent.fixture.ts'
import { ToolAnswers } from './tool-answers.ts'

let folder: string
let file: string
beforeEach(() => {
  folder = temporaryFolder()
  file = join(folder, 'tools.json')
  vi.stubEnv('PATH', `${folder}:/usr/bin:/bin`)
})
afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(folder, { recursive: true, force: true })
})

/** A tool that says the same word, and notes that it was asked. */
function install(word: string): void {
  const script = `#!/bin/sh\necho asked >> ${folder}/count\necho "${word} $1"\n`
  writeFileSync(join(folder, 'counted'), script, { mode: 0o700 })
}

async function ask(): Promise<string> {
  const answers = new ToolAnswers(file)
  const answer = await answers.ask('counted', ['-version'])
  answers.save()
  return answer.trim()
}

test('a tool is queried once, and again when its file has changed', async () => {
  install('one')
  expect(await ask()).toBe('one -version')
  expect(await ask()).toBe('one -version')
  expect(readFileSync(join(folder, 'count'), 'utf8')).toBe('asked\n')
  install('another')
  expect(await ask()).toBe('another -version')
})

test('a missing tool has no version, and a tool that returns is queried', async () => {
  expect(await ask()).toBe('')
  install('here')
  expect(await ask()).toBe('here -version')
  rmSync(join(folder, 'counted'))
  expect(await ask()).toBe('')
})

test('unreadable answers are requested again', async () => {
  install('one')
  await ask()
  appendFileSync(file, 'no JSON')
  expect(await ask()).toBe('one -version')
})
