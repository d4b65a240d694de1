import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const signals = fileURLToPath(new URL('signals.mjs', import.meta.url))

/** Tells what it hands on, and then that it heard the signal at all. */
const starter = `
  import { forwardSignals } from ${JSON.stringify(signals)}
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
  const lines = async (word: string, times: number) => {
    while (output.split(word).length <= times) {
      const [chunk] = (await once(child.stdout, 'data')) as [Buffer]
      output += chunk.toString()
    }
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
