/** Connections that ask one thing again and again: little work of their own, so that the server is what is measured. */
import { connect, type Socket } from 'node:net'
import { once } from 'node:events'
import { execFileSync } from 'node:child_process'

export interface Asked {
  method: 'GET' | 'POST' | 'PUT'
  path: string
  headers?: Readonly<Record<string, string>>
  /** JSON; '' for none. */
  body?: string
}

export interface Load {
  requests: number
  seconds: number
  latenciesMs: number[]
}

const HEAD_END = '\r\n\r\n'
const CHUNKS_END = '0\r\n\r\n'

/** Every thread of that process runs on this core alone. */
export function pin(pid: number, core: number): void {
  execFileSync('taskset', ['-acp', String(core), String(pid)], { stdio: 'ignore' })
}

/** `asked`: asked in turn, for so long, by as many connections at once. Throws on any answer but 200. */
export async function load(
  port: number,
  asked: readonly Asked[],
  { connections, durationMs }: { connections: number; durationMs: number },
): Promise<Load> {
  const requests = asked.map(textOf)
  const latenciesMs: number[] = []
  const startedAt = performance.now()
  const endsAt = startedAt + durationMs
  let next = 0
  const work = async () => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    await once(socket, 'connect')
    try {
      const answers = new Answers(socket)
      while (performance.now() < endsAt) {
        const sentAt = performance.now()
        next += 1
        await answers.ask(requests[next % requests.length] ?? '')
        latenciesMs.push(performance.now() - sentAt)
      }
    } finally {
      socket.destroy()
    }
  }
  await Promise.all(Array.from({ length: connections }, work))
  const seconds = (performance.now() - startedAt) / 1000
  return { requests: latenciesMs.length, seconds, latenciesMs }
}

function textOf({ method, path, headers = {}, body = '' }: Asked): string {
  const all: Record<string, string> = { host: '127.0.0.1', ...headers }
  if (body !== '') {
    all['content-type'] = 'application/json'
    all['content-length'] = String(Buffer.byteLength(body))
  }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`)
  return `${method} ${path} HTTP/1.1\r\n${lines.join('\r\n')}${HEAD_END}${body}`
}

/** Of one connection: one request at a time. */
class Answers {
  readonly #socket: Socket
  #parts: Buffer[] = []
  #bytes = 0
  /** Of the whole answer, once its head has come; null while it has not. */
  #expected: number | 'chunks' | null = null
  #done: PromiseWithResolvers<void> = Promise.withResolvers()

  constructor(socket: Socket) {
    this.#socket = socket
    socket.on('data', (part) => this.#take(part))
    socket.on('error', (error) => this.#done.reject(error))
    socket.on('close', () => this.#done.reject(new Error('The server closed the connection.')))
  }

  async ask(request: string): Promise<void> {
    this.#parts = []
    this.#bytes = 0
    this.#expected = null
    this.#done = Promise.withResolvers()
    this.#socket.write(request)
    return this.#done.promise
  }

  #take(part: Buffer): void {
    this.#parts.push(part)
    this.#bytes += part.length
    this.#expected ??= this.#readHead()
    if (this.#expected === null) return
    const isDone =
      this.#expected === 'chunks'
        ? part.subarray(-CHUNKS_END.length).toString('latin1') === CHUNKS_END
        : this.#bytes >= this.#expected
    if (isDone) this.#done.resolve()
  }

  #readHead(): number | 'chunks' | null {
    const bytes = this.#parts.length === 1 ? this.#parts[0] : Buffer.concat(this.#parts)
    const at = bytes?.indexOf(HEAD_END) ?? -1
    if (bytes === undefined || at === -1) return null
    const head = bytes.toString('latin1', 0, at)
    if (!head.startsWith('HTTP/1.1 200')) {
      this.#done.reject(new Error(`The server answered ${bytes.toString('utf8', 0, 400)}`))
    }
    const length = /content-length: (\d+)/i.exec(head)?.[1]
    return length === undefined ? 'chunks' : at + HEAD_END.length + Number(length)
  }
}
