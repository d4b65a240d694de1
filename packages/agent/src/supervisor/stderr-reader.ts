/**
 * Reads what supervisord says on stderr: keeps the first lines, for the reason of a start that failed, and
 * drops the rest. supervisord says a trace for each line of a log that a full disk does not take, and
 * ends, with all programs, where that cannot be written either: so its stderr is no file on that disk.
 */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { toolEnvironment } from '../config.ts'

/** A trace and the sentence of supervisord behind it. A shell goes on where the disk takes no line. */
const SCRIPT = `n=0
while [ $n -lt 40 ] && IFS= read -r line; do
  printf '%s\\n' "$line"
  n=$((n + 1))
done
exec cat >/dev/null`

/** What is written to its stdin is kept in the file `words`. It ends when nobody can write there any more. */
export function spawnStderrReader(words: string): ChildProcess {
  const file = openSync(words, 'w', 0o600)
  // Of a session of its own, as supervisord is: the agent's end does not reach it.
  const reader = spawn('sh', ['-c', SCRIPT], {
    cwd: '/',
    detached: true,
    stdio: ['pipe', file, 'ignore'],
    env: toolEnvironment(),
  })
  closeSync(file)
  // Without it supervisord starts all the same, and nothing of what it says is kept.
  reader.once('error', () => undefined)
  reader.unref()
  return reader
}

/** Of a supervisord that has ended. */
export async function wordsRead(reader: ChildProcess, words: string): Promise<string> {
  const isReading = reader.exitCode === null && reader.signalCode === null
  if (reader.pid !== undefined && isReading) await once(reader, 'exit')
  return readFileSync(words, 'utf8')
}
