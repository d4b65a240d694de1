/** The floor: Fastify alone, with the same bytes. Run as a process of its own; asked for its bodies by number. */
import { readFileSync } from 'node:fs'
import fastify from 'fastify'

const bodies = (JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as string[]).map((text) =>
  Buffer.from(text),
)
const app = fastify()
const options = { schema: {} }
for (const [number, body] of bodies.entries()) {
  const answer = async (
    _: unknown,
    reply: { type(text: string): { send(body: Buffer): unknown } },
  ) => reply.type('application/json; charset=utf-8').send(body)
  app.get(`/${number}`, options, answer)
  app.post(`/${number}`, options, answer)
}
await app.listen({ port: 0, host: '127.0.0.1' })
const address = app.server.address()
process.send?.({ type: 'ready', port: typeof address === 'object' ? address?.port : 0 })
process.on('SIGTERM', () => process.exit(0))
