/** The real encoder as the agent would start it, without an agent around it. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { HOST } from '@trunkline/agent/commands/encoder-config.fixture'
import { unitOf } from '@trunkline/agent/commands/program.command'
import type { EncoderConfig } from '@trunkline/contract/encoders/encoder-config.schema'

/** Ends with the disposing. */
export function startEncoder(config: EncoderConfig, host = HOST): AsyncDisposable {
  const [tool = '', ...args] = unitOf({ kind: 'encoder', config, feederLegs: [] }, host).unit.argv
  const child = spawn(tool, args, { stdio: 'ignore' })
  return {
    async [Symbol.asyncDispose]() {
      if (child.exitCode !== null || child.signalCode !== null) return
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
    },
  }
}
