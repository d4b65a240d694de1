import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const ending = fileURLToPath(new URL('ending.ts', import.meta.url))

/** Opens a site and then a browser, and fails in the midst of its work when the browser goes. */
const bench = `
  import { setTimeout as pause } from 'node:timers/promises'
  import { closedBySignals } from ${JSON.stringify(ending)}
  const work = Promise.withResolvers()
  closedBySignals(async () => {
    await pause(1)
    console.log('site closed')
  })
  const closeBrowser = closedBySignals(async () => {
    console.log('browser closed')
    work.reject(new Error('The browser is gone.'))
    await pause(1)
  })
  setInterval(() => undefined, 60_000)
  console.log('ready')
  try {
    await work.promise
  } finally {
    await closeBrowser()
  }
`

async function endedBy(...signals: NodeJS.Signals[]) {
  const child = spawn(process.execPath, ['--input-type=module', '-e', bench], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const output = { stdout: '', stderr: '' }
  child.stderr.on('data', (chunk: Buffer) => (output.stderr += chunk.toString()))
  const ended = once(child, 'close')
  for await (const chunk of child.stdout) {
    output.stdout += String(chunk)
    if (output.stdout === 'ready\n') signals.forEach((signal) => child.kill(signal))
  }
  const [code] = (await ended) as [number | null]
  return { ...output, code }
}

test.each([
  ['SIGTERM', 143],
  ['SIGINT', 130],
  ['SIGHUP', 129],
] as const)(
  'a bench that is ended by %s closes everything it opened, last first',
  async (signal, code) => {
    expect(await endedBy(signal)).toEqual({
      stdout: 'ready\nbrowser closed\nsite closed\n',
      stderr: '',
      code,
    })
  },
)

test('a second signal changes nothing: everything is closed once', async () => {
  const { stdout } = await endedBy('SIGINT', 'SIGINT', 'SIGTERM')
  expect(stdout).toBe('ready\nbrowser closed\nsite closed\n')
})
