/** The description of the calls that an API serves, made when it is first asked for. */
import type { FastifyInstance } from 'fastify'
import { prepared, type PreparedAnswer } from '../http/answer.ts'
import { mountedCalls } from './mounted-calls.ts'
import { giveWay } from '../in-slices.ts'
import { addCall, emptyDocument } from './open-api.rules.ts'

const documents = new WeakMap<FastifyInstance, Promise<PreparedAnswer>>()

export async function openApiOf(app: FastifyInstance): Promise<PreparedAnswer> {
  const made = documents.get(app) ?? describeCalls(app)
  documents.set(app, made)
  return made
}

/** Half a second of work in all: other calls have their turn after each call. */
async function describeCalls(app: FastifyInstance): Promise<PreparedAnswer> {
  const document = emptyDocument()
  for (const call of mountedCalls(app)) {
    addCall(document, call)
    await giveWay()
  }
  return prepared(JSON.stringify(document))
}
