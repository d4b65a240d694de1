/** The answer of a list as bytes, and as those that leave: compressed for whoever takes that. */
import { createHash } from 'node:crypto'
import { pipeline, type Readable } from 'node:stream'
import { promisify } from 'node:util'
import {
  brotliCompress,
  constants,
  createBrotliCompress,
  createGzip,
  gzip,
  type BrotliOptions,
} from 'node:zlib'
import type { FastifyReply } from 'fastify'

/** Below it, compressing saves no packet. */
const COMPRESSED_FROM_BYTES = 1024
/** Of 10,000 encoders, 4.6 MB: gzip 389 kB in 22 ms, brotli 316 kB in 32 ms. */
const GZIP = { level: 4 }
const BROTLI: BrotliOptions = {
  params: {
    [constants.BROTLI_PARAM_QUALITY]: 4,
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
  },
}

type Encoding = 'br' | 'gzip'

const JSON_TYPE = 'application/json; charset=utf-8'

/** The better one of those that a client takes, by its header Accept-Encoding; null for none. */
export function encodingFor(accepted: string | string[] | undefined): Encoding | null {
  if (accepted === undefined || accepted.length === 0) return null
  const taken = new Set<string>()
  for (const part of String(accepted).split(',')) {
    const [name = '', ...more] = part.toLowerCase().split(';')
    if (!more.some((each) => /^\s*q\s*=\s*0(\.0*)?\s*$/.test(each))) taken.add(name.trim())
  }
  if (taken.has('br')) return 'br'
  return taken.has('gzip') ? 'gzip' : null
}

export class Answer {
  readonly bytes: Buffer
  /** Off our own thread, once for everybody who is sent the same answer. */
  readonly #compressed = new Map<Encoding, Promise<Buffer>>()

  constructor(text: string) {
    this.bytes = Buffer.from(text)
  }

  async compressed(encoding: Encoding): Promise<Buffer> {
    const known = this.#compressed.get(encoding)
    if (known !== undefined) return known
    const made = compress(this.bytes, encoding)
    this.#compressed.set(encoding, made)
    return made
  }
}

async function compress(bytes: Buffer, encoding: Encoding): Promise<Buffer> {
  return encoding === 'br' ? promisify(brotliCompress)(bytes, BROTLI) : promisify(gzip)(bytes, GZIP)
}

/**
 * A list is compressed for whoever takes that: nothing that a caller sends comes back in it beside a
 * secret, so its length tells nothing. Other answers leave as they are.
 */
export function sendAnswer(
  reply: FastifyReply,
  answer: Answer,
): FastifyReply | Promise<FastifyReply> {
  const encoding = encodingOf(reply)
  reply.type(JSON_TYPE)
  const isPlain = encoding === null || answer.bytes.length < COMPRESSED_FROM_BYTES
  return isPlain ? reply.send(answer.bytes) : sendCompressed(reply, answer, encoding)
}

async function sendCompressed(
  reply: FastifyReply,
  answer: Answer,
  encoding: Encoding,
): Promise<FastifyReply> {
  const compressed = await answer.compressed(encoding)
  return reply.header('content-encoding', encoding).send(compressed)
}

/** An answer that many are sent, with the tag by which a client asks whether it has changed. */
export interface PreparedAnswer {
  readonly answer: Answer
  readonly etag: string
}

export function prepared(text: string): PreparedAnswer {
  const answer = new Answer(text)
  return { answer, etag: `"${createHash('sha256').update(answer.bytes).digest('base64url')}"` }
}

/** 304 and no body for a client that has it already. */
export async function sendPrepared(
  reply: FastifyReply,
  { answer, etag }: PreparedAnswer,
): Promise<FastifyReply> {
  // Kept by the client that may read it alone, and asked for again each time.
  reply.headers({ etag, 'cache-control': 'private, no-cache', vary: 'accept-encoding' })
  const known = String(reply.request.headers['if-none-match'] ?? '').split(/\s*,\s*/)
  if (known.some((tag) => tag.replace(/^W\//, '') === etag)) return reply.code(304).send()
  return sendAnswer(reply, answer)
}

/** Part by part, a list compressed off our own thread. What breaks off breaks off there too. */
export function sendParts(reply: FastifyReply, parts: Readable, isList: boolean): FastifyReply {
  const encoding = isList ? encodingOf(reply) : null
  reply.type(JSON_TYPE)
  if (encoding === null) return reply.send(parts)
  const compressor = encoding === 'br' ? createBrotliCompress(BROTLI) : createGzip(GZIP)
  pipeline(parts, compressor, () => undefined)
  return reply.header('content-encoding', encoding).send(compressor)
}

function encodingOf(reply: FastifyReply): Encoding | null {
  reply.header('vary', 'accept-encoding')
  return encodingFor(reply.request.headers['accept-encoding'])
}
