/** `trunkline` as it is installed, in a shell, as it stands on a page of docs/operate. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { addApiToken } from '@trunkline/contract/users/api-token.calls'
import type { TokenScope } from '@trunkline/contract/users/token-scope.rules'
import { inject, onTestFinished } from 'vitest'
import { compileCache, makeFolder } from '../testing/folder.ts'
import { TEST_PASSWORD } from '../testing/people.ts'
import { openTestSite, type TestSite } from '../testing/test-site.ts'
import { fillSite, reach } from './as-text/apply.fixture.ts'

const PAGES = join(import.meta.dirname, '../../../../docs/operate')

/** A site with something on it, its address, and a folder to work in. */
export async function openPlace() {
  const site = await openTestSite()
  onTestFinished(async () => site[Symbol.asyncDispose]())
  await fillSite(site)
  const { url } = await reach(site)
  const folder = await makeFolder()
  onTestFinished(async () => folder[Symbol.asyncDispose]())
  return { site, url, folder }
}

/** Its parts that are to be typed into a shell: blocks of `sh`, also those that stand in a list. */
export async function commandsOfPage(file: string): Promise<string[]> {
  const page = await readFile(join(PAGES, file), 'utf8')
  return [...page.matchAll(/^( *)```sh\n([\s\S]*?)^ *```$/gm)].map(([, indent = '', text = '']) =>
    text.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
  )
}

export async function tokenOf(site: TestSite, scope: TokenScope): Promise<string> {
  const body = { title: scope, scope, days: 1, currentPassword: TEST_PASSWORD }
  const { answer } = await site.call('admin', addApiToken, { body })
  return answer.token
}

/** A shell that runs, in a process group of its own, so that a signal reaches its command too. */
export function startShell(script: string, cwd: string) {
  const own = `trunkline() { '${process.execPath}' '${inject('installedCommand')}' "$@"; }\n`
  const child = spawn('sh', ['-c', own + script], {
    cwd,
    env: { PATH: '/usr/bin:/bin', ...compileCache() },
    detached: true,
  })
  const kill = (signal: NodeJS.Signals) => {
    const isEnded = child.exitCode !== null || child.signalCode !== null
    if (child.pid !== undefined && !isEnded) process.kill(-child.pid, signal)
  }
  onTestFinished(() => kill('SIGKILL'))
  let out = ''
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (out += chunk.toString()))
  child.stdin.end()
  return {
    printed: () => out,
    interrupt: () => kill('SIGINT'),
    ended: async () => {
      const [code] = (await once(child, 'close')) as [number | null]
      return { code, out }
    },
  }
}

export async function shell(script: string, cwd: string) {
  return startShell(script, cwd).ended()
}
