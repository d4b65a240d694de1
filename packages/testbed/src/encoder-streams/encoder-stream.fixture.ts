/** The real encoder as the agent would start it, without an agent around it. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { HOST } from '@trunkline/agent/commands/encoder-config.fixture'
import type { HostFacts } from '@trunkline/agent/commands/host-facts'
import { unitOf } from '@trunkline/agent/commands/program.command'
import type { EncoderConfig } from '@trunkline/contract/encoders/encoder-config.schema'

export interface RunningEncoder extends AsyncDisposable {
  /** Resolves as `wanted` does; rejects with the encoder's own words when it ends before. */
  until<T>(wanted: Promise<T>): Promise<T>
}

/** With the small picture that it takes beside the stream, as on every host. Ends with the disposing. */
export function startEncoder(config: EncoderConfig, host: HostFacts = HOST): RunningEncoder {
  const folder = mkdtempSync(join(tmpdir(), 'encoder-'))
  const facts = { ...host, pictureFile: 'picture.jpg' }
  const [tool = '', ...args] = unitOf({ kind: 'encoder', config, feederLegs: [] }, facts).unit.argv
  const child = spawn(tool, args, { stdio: ['ignore', 'ignore', 'pipe'], cwd: folder })
  let words = ''
  child.stderr.on('data', (chunk: Buffer) => (words = (words + chunk.toString()).slice(-2000)))
  const ended = once(child, 'close')
  return {
    async until(wanted) {
      const early = ended.then(() => {
        throw new Error(`The encoder ended before its time: ${words}`)
      })
      return Promise.race([wanted, early])
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL')
      await ended
      rmSync(folder, { recursive: true })
    },
  }
}
