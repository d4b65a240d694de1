/** Our own processes as children: started, awaited until they say they are ready, ended by pid. */
import { spawn, type ChildProcess } from 'node:child_process'
import { z } from 'zod'

const Ready = z.object({ type: z.literal('ready'), port: z.number().optional() })
/** Of the API: how long its event loop was blocked since the last question. */
const Gauge = z.object({
  type: z.literal('gauge'),
  blockedMs: z.number(),
  lateMs: z.number(),
  heapUsedMb: z.number(),
})
type Gauge = z.infer<typeof Gauge>

export interface OwnProcess {
  readonly pid: number
  /** The port that its ready message named. */
  readonly port: number
  /** Resolves with its exit code once it has ended; null when a signal ended it. */
  readonly ended: Promise<number | null>
  /** Of the API alone: the first question starts the measurement. */
  readGauge(): Promise<Gauge>
  stop(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

export interface ProcessStart {
  name: string
  node: string
  args: readonly string[]
  env: Readonly<Record<string, string>>
  /** Its stderr, line for line as it comes. */
  onOutput: (text: string) => void
}

/** The agent's own shutdown ends every program, each of which may take its time. */
const STOP_LIMIT_MS = 60_000

/**
 * Rejects with the process's own words when it ends before it is ready; `signal` ends it until then.
 * The kernel ends it when the thread that started it is killed: it would run on unseen, and hold its
 * ports.
 */
export async function startOwnProcess(
  start: ProcessStart,
  signal?: AbortSignal,
): Promise<OwnProcess> {
  const child = spawn('setpriv', ['--pdeathsig', 'TERM', start.node, ...start.args], {
    env: { ...start.env },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  const tail: string[] = []
  const listen = (chunk: Buffer) => {
    tail.push(chunk.toString())
    tail.splice(0, tail.length - 20)
    start.onOutput(chunk.toString())
  }
  child.stdout?.on('data', listen)
  child.stderr?.on('data', listen)
  const ended = endOf(child)
  const giveUp = () => child.kill('SIGTERM')
  signal?.addEventListener('abort', giveUp)
  if (signal?.aborted === true) giveUp()
  const port = await readiness(child, start.name, tail)
  signal?.removeEventListener('abort', giveUp)
  const stop = async () => {
    child.kill('SIGTERM')
    // A halted process gets no TERM; whoever ends us must not wait for it for ever.
    const timer = setTimeout(() => child.kill('SIGKILL'), STOP_LIMIT_MS)
    await ended
    clearTimeout(timer)
  }
  const readGauge = async () => gaugeOf(child)
  return { pid: child.pid ?? 0, port, ended, readGauge, stop, [Symbol.asyncDispose]: stop }
}

async function endOf(child: ChildProcess): Promise<number | null> {
  const { promise, resolve } = Promise.withResolvers<number | null>()
  child.once('exit', (code) => resolve(code))
  child.once('error', () => resolve(null))
  return promise
}

async function gaugeOf(child: ChildProcess): Promise<Gauge> {
  const { promise, resolve } = Promise.withResolvers<Gauge>()
  const hear = (message: unknown) => {
    const gauge = Gauge.safeParse(message)
    if (gauge.success) resolve(gauge.data)
  }
  child.on('message', hear)
  child.send({ type: 'gauge' })
  return promise.finally(() => child.off('message', hear))
}

async function readiness(child: ChildProcess, name: string, tail: string[]): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  child.on('message', (message) => {
    const ready = Ready.safeParse(message)
    if (ready.success) resolve(ready.data.port ?? 0)
  })
  child.once('error', (error) => reject(new Error(`${name} did not start: ${error.message}`)))
  // 'close' comes after the last output, so that its own words are complete.
  child.once('close', () =>
    reject(new Error(`${name} ended before it was ready.\n${tail.join('')}`)),
  )
  return promise
}
