/** Which writes and syncs of files a process asked of the kernel, in their order, with all bytes: recorded by strace. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createReadStream, readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'

interface FileWrite {
  readonly kind: 'write'
  readonly file: string
  readonly offset: number
  readonly bytes: Buffer
  /** When it was asked for, in milliseconds since 1970. */
  readonly atMs: number
}
interface FileSync {
  readonly kind: 'sync'
  readonly file: string
  readonly atMs: number
}
interface FileCut {
  readonly kind: 'cut'
  readonly file: string
  readonly size: number
  readonly atMs: number
}
export type FileStep = FileWrite | FileSync | FileCut

/** Longer than any page of SQLite: what is cut off by strace is noticed by its length. */
const MOST_BYTES = 70_000
/** Those by which SQLite changes its files; a file that is renamed or removed would be a step that nobody replays. */
const CALLS = 'pwrite64,fsync,fdatasync,ftruncate,rename,unlink'

/** Records into `to` until disposed. Throws a sentence when there is no strace, or when it may not look. */
export async function recordWrites(pid: number, to: string): Promise<AsyncDisposable> {
  const options = ['-f', '-ttt', '-y', '-xx', '-s', String(MOST_BYTES), '-e', `trace=${CALLS}`]
  const tracer = spawn('strace', [...options, '-o', to, '-p', String(pid)], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const output: string[] = []
  tracer.stderr.on('data', (chunk: Buffer) => output.push(chunk.toString()))
  const ended = Promise.race([once(tracer, 'exit'), once(tracer, 'error')])
  let isOver = false
  void ended.then(() => (isOver = true))
  while (!isTraced(pid)) {
    if (isOver) {
      throw new Error(
        `Writes are recorded by strace, which could not start: ${output.join('')}Install it (apt-get install strace), and run as root or as the owner of the process.`,
      )
    }
    await pause(10)
  }
  return {
    async [Symbol.asyncDispose]() {
      tracer.kill('SIGINT')
      await ended
    },
  }
}

function isTraced(pid: number): boolean {
  return !/^TracerPid:\t0$/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
}

/** Of these files; `record`: what recordWrites() made. */
export async function readSteps(record: string, files: readonly string[]): Promise<FileStep[]> {
  const steps: FileStep[] = []
  for await (const line of createInterface({ input: createReadStream(record) })) {
    const step = stepOf(line, files)
    if (step !== null) steps.push(step)
  }
  return steps
}

/**
 * Null for a line that is not about one of these files. Throws when the line is about one and is no whole, successful
 * write or sync: what came of it nobody could replay.
 */
export function stepOf(line: string, files: readonly string[]): FileStep | null {
  const file = files.find(
    (name) => line.includes(`<${hexOf(name)}>`) || line.includes(`"${hexOf(name)}"`),
  )
  if (file === undefined) return null
  const parts = /^\d+ +(\d+\.\d+) (\w+)\(\d+<[^>]*>(?:, (.*))?\) = (-?\d+)$/.exec(line)
  const [, seconds = '', call = '', given = '', result = '-1'] = parts ?? []
  const atMs = Number(seconds) * 1000
  if (call === 'pwrite64') {
    const [, hex = '', , offset = ''] = /^"([^"]*)", (\d+), (\d+)$/.exec(given) ?? []
    const bytes = Buffer.from(hex.replaceAll(String.raw`\x`, ''), 'hex')
    if (offset !== '' && bytes.length === Number(result)) {
      return { kind: 'write', file, offset: Number(offset), bytes, atMs }
    }
  }
  if ((call === 'fsync' || call === 'fdatasync') && result === '0') {
    return { kind: 'sync', file, atMs }
  }
  if (call === 'ftruncate' && result === '0')
    return { kind: 'cut', file, size: Number(given), atMs }
  throw new Error(`This step of ${file} cannot be replayed: ${line.slice(0, 200)}`)
}

/** As strace prints it with -xx. */
function hexOf(text: string): string {
  return Buffer.from(text)
    .toString('hex')
    .replaceAll(/../g, String.raw`\x$&`)
}
