/** How the command line reaches a training site that runs: a port of loopback, and a key in the data folder. */
import { randomBytes, timingSafeEqual } from 'node:crypto'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { z } from 'zod'
import type { BreakBook } from '../breaks/break-book.ts'
import { BREAK_NAMES } from '../breaks/break.ts'
import { writePrivate } from '../site-plan.ts'

const Place = z.object({ port: z.number(), key: z.string() })

const Request = z.object({
  key: z.string(),
  ask: z.enum(['list', 'break', 'heal']),
  /** '' for none. */
  name: z.string(),
})
type Request = z.infer<typeof Request>

const Listed = z.object({
  name: z.enum(BREAK_NAMES),
  title: z.string(),
  sentence: z.string(),
  since: z.string().nullable(),
})
const Answer = z.object({
  /** '' when it was done. */
  error: z.string(),
  sentences: z.array(z.string()),
  breaks: z.array(Listed),
})
export type TrainingAnswer = z.infer<typeof Answer>

/** Enough for any request of ours. */
const MOST_BYTES = 2000

/** Until it is disposed of. */
export async function openTrainingControl(
  dataDir: string,
  breaks: BreakBook,
): Promise<AsyncDisposable> {
  const key = randomBytes(24).toString('base64url')
  const sockets = new Set<Socket>()
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => socket.destroy())
    void answer(socket, key, breaks).catch(() => socket.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  writePrivate(fileOf(dataDir), JSON.stringify({ port, key }))
  return {
    async [Symbol.asyncDispose]() {
      rmSync(fileOf(dataDir), { force: true })
      const closed = once(server, 'close')
      server.close()
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}

function fileOf(dataDir: string): string {
  return join(dataDir, 'training-control.json')
}

async function answer(socket: Socket, key: string, breaks: BreakBook): Promise<void> {
  const request = Request.parse(JSON.parse(await requestText(socket)))
  if (!isSame(request.key, key)) throw new Error('Not the key of this site.')
  socket.end(JSON.stringify(await replyTo(request, breaks)))
}

async function requestText(socket: Socket): Promise<string> {
  let words = ''
  for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
    words += String(chunk)
    if (words.length > MOST_BYTES) throw new Error('A request of ours is shorter.')
  }
  return words
}

function isSame(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)]
  return left.length === right.length && timingSafeEqual(left, right)
}

async function replyTo({ ask, name }: Request, breaks: BreakBook): Promise<TrainingAnswer> {
  try {
    const sentences = await done(breaks, ask, name)
    return { error: '', sentences, breaks: breaks.list() }
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error)
    return { error: words, sentences: [], breaks: breaks.list() }
  }
}

async function done(breaks: BreakBook, ask: Request['ask'], name: string): Promise<string[]> {
  if (ask === 'break') return [await breaks.cause(name)]
  return ask === 'heal' ? breaks.heal(name === '' ? null : name) : []
}

/** Throws a sentence where no training site runs on that folder. */
export async function askTraining(
  dataDir: string,
  { ask, name }: Omit<Request, 'key'>,
): Promise<TrainingAnswer> {
  const file = fileOf(dataDir)
  if (!existsSync(file)) throw notRunning(dataDir)
  const { port, key } = Place.parse(JSON.parse(readFileSync(file, 'utf8')))
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect').catch(() => {
    throw notRunning(dataDir)
  })
  socket.end(JSON.stringify({ key, ask, name }))
  const words = await text(socket)
  // A file that a killed site left names a port that another program may have by now.
  if (words === '') throw notRunning(dataDir)
  return Answer.parse(JSON.parse(words))
}

function notRunning(dataDir: string): Error {
  return new Error(
    `The training site in ${dataDir} does not run. Start it: TRUNKLINE_DEMO=fleet npm start. That heals every break.`,
  )
}
