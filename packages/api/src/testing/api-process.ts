/** The API as a process of its own, as it is built; ended with the test. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { compileCache } from './folder.ts'
import { API_NODE_OPTIONS } from './process/node-options.ts'

const API = join(import.meta.dirname, '../../dist/main.js')

export const FIRST_ADMIN = { email: 'root@trunkline.example', password: 'a long password' }
/** Settings that make FIRST_ADMIN at the first start. */
export const WITH_ADMIN = {
  TRUNKLINE_ADMIN_EMAIL: FIRST_ADMIN.email,
  TRUNKLINE_ADMIN_PASSWORD: FIRST_ADMIN.password,
}

interface RunOptions {
  /** In place of the API. */
  program?: string
  args?: string[]
  /** A command that becomes what stands behind it. */
  under?: string[]
}

/** `env` is all that it gets. */
export function runProcess(
  env: Record<string, string>,
  { program = API, args = [], under = [] }: RunOptions = {},
) {
  const [execPath, ...execArgv] = [...under, process.execPath, ...API_NODE_OPTIONS]
  const child = fork(program, args, {
    env: { ...env, ...compileCache() },
    execPath,
    execArgv,
    silent: true,
  })
  const written: string[] = []
  child.stdout?.on('data', (chunk: Buffer) => written.push(chunk.toString()))
  child.stderr?.on('data', (chunk: Buffer) => written.push(chunk.toString()))
  const ended = once(child, 'close').then(([code]) => code as number | null)
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await ended
  })
  return { child, ended, text: () => written.join('') }
}

/** Resolves once it listens. */
export async function startApi(env: Record<string, string>, under: string[] = []) {
  const api = runProcess({ TRUNKLINE_PORT: '0', ...env }, { under })
  const [message] = (await Promise.race([
    once(api.child, 'message'),
    api.ended.then((code) => Promise.reject(new Error(`ended with ${code}: ${api.text()}`))),
  ])) as [{ type: string; port: number }]
  expect(message).toMatchObject({ type: 'ready' })
  return { ...api, url: `http://127.0.0.1:${message.port}`, port: message.port }
}

export type ApiProcess = Awaited<ReturnType<typeof startApi>>

/** FIRST_ADMIN's token, or why there is none. */
export async function signIn(
  url: string,
  password: string = FIRST_ADMIN.password,
): Promise<{ status: number; token: string }> {
  const answer = await fetch(`${url}/api/users/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: FIRST_ADMIN.email, password }),
  })
  const { token = '' } = (await answer.json()) as { token?: string }
  return { status: answer.status, token }
}
