/** The only kind of body we take: JSON, not nested without end, without a prototype in disguise. */
import type { FastifyInstance } from 'fastify'
import { AppError, invalid } from '../errors.ts'

/** Deeper than any configuration; a body of brackets alone would else cost more than its bytes. */
const DEPTH_LIMIT = 20

export function takeJsonBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'string' },
    (_request, text: string, done) => {
      try {
        done(null, parseBody(text))
      } catch (error) {
        done(error as Error, undefined)
      }
    },
  )
}

/** An empty body is none: clients set the header out of habit. */
export function parseBody(text: string): unknown {
  if (text.trim() === '') return undefined
  if (depthOf(text) > DEPTH_LIMIT) {
    throw new AppError(
      'invalid',
      `The body is nested deeper than ${DEPTH_LIMIT} levels. Flatten it.`,
      {},
    )
  }
  try {
    // Looking at each field takes several times as long as reading them all.
    const mayTrap = text.includes(TRAP) || text.includes(ESCAPE)
    const body: unknown = mayTrap ? JSON.parse(text, refuseTraps) : JSON.parse(text)
    if (text.includes(ESCAPED_NUL)) refuseNulIn(body, [])
    return body
  } catch (error) {
    if (error instanceof AppError) throw error
    const where = error instanceof Error ? placeOf(error.message) : ''
    throw new AppError(
      'invalid',
      `The body is not valid JSON${where}. Check its commas, quotes and brackets.`,
      {},
    )
  }
}

const TRAP = '__proto__'
/** The only other way to write a letter of it. */
const ESCAPE = String.raw`\u`

function refuseTraps(key: string, value: unknown): unknown {
  if (key === TRAP) {
    throw new AppError('invalid', "There is no field '__proto__' here. Remove it.", { field: key })
  }
  return value
}

/** In a body there is no other way to write it. */
const ESCAPED_NUL = String.raw`\u0000`

function refuseNulIn(value: unknown, path: readonly string[]): void {
  if (typeof value === 'string') refuseNul(path.length === 0 ? 'The body' : path.join('.'), value)
  if (typeof value !== 'object' || value === null) return
  for (const [key, inner] of Object.entries(value)) refuseNulIn(inner, [...path, key])
}

/** PostgreSQL cannot store it, no field has a use for it, and C programs end a text at it. */
export function refuseNul(field: string, text: string): void {
  if (text.includes('\0')) throw invalid(field, 'must not hold the character NUL. Remove it.')
}

/** V8 names the position; the rest of its message may quote the body, which may hold a password. */
function placeOf(message: string): string {
  const position = /at position (\d+)/.exec(message)?.[1]
  return position === undefined ? '' : ` at character ${Number(position) + 1}`
}

function depthOf(text: string): number {
  let depth = 0
  let deepest = 0
  let inText = false
  for (let at = 0; at < text.length; at++) {
    const character = text[at]
    if (inText) {
      if (character === '\\') at++
      else if (character === '"') inText = false
    } else if (character === '"') inText = true
    else if (character === '[' || character === '{') deepest = Math.max(deepest, ++depth)
    else if (character === ']' || character === '}') depth--
  }
  return deepest
}
