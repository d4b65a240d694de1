import { z } from 'zod'
import { success } from '../reply.schema.ts'
import { route } from '../route.ts'
import { ApiKey } from '../servers/server.schema.ts'
import { HostName, Port, RemotePort, wholeNumber } from '../text.schema.ts'

/** How many places one question names at most, of each kind. */
export const TAKEN_LIMIT = 200

/** A UDP port of a host; with a target: that address and port, as something on the host sends to it. */
const PortPlace = z.strictObject({
  host: HostName,
  target: z.string().max(300).default(''),
  port: Port,
})
export type PortPlace = z.infer<typeof PortPlace>

const CardPlace = z.strictObject({
  host: HostName,
  port: RemotePort,
  cardIdx: wholeNumber(0, 63, 'must be a card index between 0 and 63.'),
})
export type CardPlace = z.infer<typeof CardPlace>

/** An encoder that is to be at this address; with the key that was typed for it. */
const SeatPlace = z.strictObject({
  host: HostName,
  port: RemotePort,
  apiKey: z.union([z.literal(''), ApiKey]).default(''),
})
export type SeatPlace = z.infer<typeof SeatPlace>

/** `by`: in general words; whoever has it is nobody whom the caller sees. */
const TakenPlace = z.object({ index: z.int(), by: z.string() })

/**
 * What could not be saved because of objects that the caller does not see, so that a plan can say so
 * before anything is done. Each answer names a place by its index in the question. Whatever the caller
 * sees is not in the answer, and neither are hosts on which they see nothing. A typed key is compared for
 * those who may set one.
 */
export const askTaken = route({
  name: 'encoders.askTaken',
  method: 'POST',
  path: '/api/encoder/ask-taken',
  action: 'configureEncoder',
  bodyLimitBytes: 256 * 1024,
  body: z.strictObject({
    ports: z.array(PortPlace).max(TAKEN_LIMIT).default([]),
    cards: z.array(CardPlace).max(TAKEN_LIMIT).default([]),
    seats: z.array(SeatPlace).max(TAKEN_LIMIT).default([]),
  }),
  reply: success({
    ports: z.array(TakenPlace),
    cards: z.array(TakenPlace),
    /** As adding an encoder there would be refused. */
    seats: z.array(z.object({ index: z.int(), field: z.string(), error: z.string() })),
  }),
})
