import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const signals = fileURLToPath(new URL('signals.mjs', import.meta.url))

/** Prints what it hands on, and then that it heard the signal at all. For it no time passes. */
const starter = `
  import { forwardSignals } from ${JSON.stringify(signals)}
  performance.now = () => 5000
  forwardSignals({ kill: (signal) => console.log('handed on ' + signal) })
  for (const signal of ['SIGINT', 'SIGHUP']) process.on(signal, () => console.log('heard'))
  process.stdin.resume().on('end', () => process.exit())
  console.log('ready')
`

/** Sends the signals one after the other, each when the one before it was heard. */
async function handedOn(...sent: NodeJS.Signals[]): Promise<string[]> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', starter], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  let output = ''
  let look = () => {}
  // One listener for all of it: what comes while nobody listens is lost.
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString()
    look()
  })
  const lines = async (word: string, times: number) => {
    const { promise, resolve } = Promise.withResolvers<void>()
    look = () => {
      if (output.split(word).length > times) resolve()
    }
    look()
    await promise
  }
  await lines('ready', 1)
  for (const [index, signal] of sent.entries()) {
    child.kill(signal)
    await lines('heard', index + 1)
  }
  child.stdin.end()
  await once(child, 'close')
  return output.split('\n').filter((line) => line.startsWith('handed on'))
}

test('a Ctrl-C that arrives twice, from the terminal and from npm, is forwarded once', async () => {
  expect(await handedOn('SIGINT', 'SIGINT')).toEqual(['handed on SIGINT'])
})

test('a closed terminal ends the child as SIGTERM does', async () => {
  expect(await handedOn('SIGHUP')).toEqual(['handed on SIGTERM'])
})
