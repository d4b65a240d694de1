/**
 * The calls of supervisord that we use, over its unix socket: XML-RPC, small and typed. Answers
 * 1 to 3 ms each. A fault is a SupervisorFault with supervisord's own code; a supervisord that cannot
 * be reached a SupervisorUnavailable.
 */
import { Agent, request } from 'node:http'
import { z } from 'zod'
import { SupervisorUnavailable } from './supervisor.silence.ts'
import { encodeCall, readReply } from './xml-rpc.ts'

/** supervisor/xmlrpc.py, class Faults. */
export const FAULT = {
  badName: 10,
  alreadyStarted: 60,
  notRunning: 70,
  alreadyAdded: 90,
  cannotReread: 92,
} as const

class SupervisorFault extends Error {
  override readonly name = 'SupervisorFault'
  readonly code: number
  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}

export const ProcessInfo = z.object({
  name: z.string(),
  /** Seconds since 1970; 0 when it never ran. */
  start: z.number(),
  /** The same of its last end. */
  stop: z.number(),
  statename: z.string(),
  pid: z.number(),
})
export type ProcessInfo = z.infer<typeof ProcessInfo>

/** Longer than any of our calls takes under load: silence for so long is a hung supervisord. */
const LIMIT_MS = 5000
/** Answers are lists of a few hundred programs at most; more is not ours. */
const MAX_REPLY_BYTES = 8_000_000

export class SupervisorClient {
  readonly #socketPath: string
  /** supervisord keeps connections open; a new one each time would cost it twice the work. */
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 4 })

  constructor(socketPath: string) {
    this.#socketPath = socketPath
  }

  async getPid(): Promise<number> {
    return this.#call(z.number(), 'supervisor.getPID')
  }

  /** False when it says nothing for so long; rejects when it cannot be reached at all. */
  async answersWithin(limitMs: number): Promise<boolean> {
    const { promise: silence, resolve } = Promise.withResolvers<false>()
    const timer = setTimeout(() => resolve(false), limitMs)
    const answer = this.getPid().then(() => true)
    // Whoever has given up hears no more of it.
    answer.catch(() => undefined)
    try {
      return await Promise.race([answer, silence])
    } finally {
      clearTimeout(timer)
    }
  }

  async getAllProcessInfo(): Promise<ProcessInfo[]> {
    return this.#call(z.array(ProcessInfo), 'supervisor.getAllProcessInfo')
  }

  async getProcessInfo(name: string): Promise<ProcessInfo> {
    return this.#call(ProcessInfo, 'supervisor.getProcessInfo', name)
  }

  /** Does not wait for its end; the event tells. */
  async startProcess(name: string): Promise<void> {
    await this.#call(z.boolean(), 'supervisor.startProcess', name, false)
  }

  async stopProcess(name: string): Promise<void> {
    await this.#call(z.boolean(), 'supervisor.stopProcess', name, false)
  }

  /** To the process itself, whatever state it is in. */
  async signalProcess(name: string, signal: 'TERM'): Promise<void> {
    await this.#call(z.boolean(), 'supervisor.signalProcess', name, signal)
  }

  async stopAllProcesses(): Promise<void> {
    await this.#call(z.unknown(), 'supervisor.stopAllProcesses', false)
  }

  async signalAllProcesses(signal: 'TERM'): Promise<void> {
    await this.#call(z.unknown(), 'supervisor.signalAllProcesses', signal)
  }

  /** Reads all files anew. Changes nothing that runs; tells which groups it now knows besides. */
  async reloadConfig(): Promise<{ added: string[]; changed: string[]; removed: string[] }> {
    const names = z.array(z.string())
    const reply = z.tuple([z.tuple([names, names, names])])
    const [[added, changed, removed]] = await this.#call(reply, 'supervisor.reloadConfig')
    return { added, changed, removed }
  }

  /** Starts it when its section says autostart. */
  async addProcessGroup(name: string): Promise<void> {
    await this.#call(z.boolean(), 'supervisor.addProcessGroup', name)
  }

  async removeProcessGroup(name: string): Promise<void> {
    await this.#call(z.boolean(), 'supervisor.removeProcessGroup', name)
  }

  async shutdown(): Promise<void> {
    await this.#call(z.boolean(), 'supervisor.shutdown')
  }

  [Symbol.dispose](): void {
    this.#agent.destroy()
  }

  async #call<T>(reply: z.ZodType<T>, method: string, ...params: (string | boolean)[]): Promise<T> {
    const outcome = readReply(await this.#post(encodeCall(method, params)))
    if ('fault' in outcome) throw new SupervisorFault(outcome.fault, outcome.message)
    return reply.parse(outcome.value)
  }

  async #post(body: string): Promise<string> {
    const { promise, resolve, reject } = Promise.withResolvers<string>()
    const outgoing = request(
      {
        socketPath: this.#socketPath,
        path: '/RPC2',
        method: 'POST',
        agent: this.#agent,
        headers: { 'content-type': 'text/xml', 'content-length': Buffer.byteLength(body) },
        signal: AbortSignal.timeout(LIMIT_MS),
      },
      (incoming) => {
        const chunks: Buffer[] = []
        let size = 0
        incoming.on('data', (chunk: Buffer) => {
          size += chunk.length
          if (size > MAX_REPLY_BYTES) incoming.destroy(new Error('supervisord answers too much.'))
          else chunks.push(chunk)
        })
        incoming.once('end', () => resolve(Buffer.concat(chunks).toString()))
        incoming.once('error', reject)
      },
    )
    outgoing.once('error', (error) =>
      reject(isConnectionLost(error) ? new SupervisorUnavailable('ended', 'cut off') : error),
    )
    outgoing.end(body)
    return promise
  }
}

/** Its socket file is gone, nobody listens behind it, or it closed the connection. */
function isConnectionLost(error: NodeJS.ErrnoException): boolean {
  return ['ENOENT', 'ECONNREFUSED', 'ECONNRESET', 'EPIPE'].includes(error.code ?? '')
}

export function isFault(error: unknown, code: number): boolean {
  return error instanceof SupervisorFault && error.code === code
}
