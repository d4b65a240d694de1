import { z } from 'zod'
import { EncoderStatusReply } from '../program-state.ts'
import { route } from '../route.ts'
import { echoed, Id, Version } from '../text.schema.ts'
import { EncoderConfig, Feeder } from './encoder-config.schema.ts'
import { Encoder } from './encoder.schema.ts'
import { success } from '../reply.schema.ts'

/** What a client attaches to its rows is no part of what is stored (API-84). */
function withoutAttached<T extends { apiResult?: unknown; uptime?: unknown }>(row: T) {
  const { apiResult: _1, uptime: _2, ...feeder } = row
  return feeder
}

/** One feeder added or edited, merged by name; the rest of `config.feeder` is not trusted (Q92). */
export const saveFeeder = route({
  name: 'feeders.save',
  method: 'PUT',
  path: '/api/encoder/update-:product-feeder',
  action: 'editFeeders',
  params: z.object({ product: z.string().max(40) }),
  body: z.looseObject({
    _id: Id,
    version: Version,
    config: EncoderConfig.optional(),
    /** Without a name it is a new feeder. */
    feederPost: Feeder.extend({ name: Id.optional(), ...echoed([]) }).transform(withoutAttached),
  }),
  reply: success({ data: Encoder, encoder: Encoder, feeder: Feeder }),
  bodyLimitBytes: 256 * 1024,
})

export const readFeederStatus = route({
  name: 'feeders.status',
  method: 'GET',
  path: '/api/encoder/acanfeeder/status/:encoderId/:feederName',
  action: 'readFeeder',
  params: z.object({ encoderId: Id, feederName: Id }),
  reply: EncoderStatusReply,
})

/** Stopped first (Q105). The answer is the updated encoder, its fields at the top level too (API-34). */
export const removeFeeder = route({
  name: 'feeders.remove',
  method: 'DELETE',
  path: '/api/encoder/acanfeeder/delete/:encoderId/:feederName',
  action: 'editFeeders',
  params: z.object({ encoderId: Id, feederName: Id }),
  reply: Encoder.extend({ status: z.literal(true), data: Encoder, encoder: Encoder }),
})

/** How many feeders send to each port of a server; of the encoders that the caller sees. */
export const countFeedersTo = route({
  name: 'feeders.countTo',
  method: 'GET',
  path: '/api/encoder/all/feeders-to',
  action: 'seeEncoders',
  query: z.strictObject({ serverId: Id }),
  reply: success({ data: z.array(z.object({ port: z.number(), feeders: z.number() })) }),
})

/** Where the target port of a first feeder starts, and its step (CONST-13, Q97). */
export const FIRST_FEEDER_TARGET_PORT = 6000
export const FEEDER_TARGET_PORT_STEP = 2

const NextPort = success({ data: z.number(), port: z.number() })
const NAME_A_SERVER = 'must be the id of the server that the port is wanted on. Add it.'
const OnServer = z.strictObject({ serverId: z.string(NAME_A_SERVER).min(1, NAME_A_SERVER).max(64) })

/**
 * The lowest port that is free on that server, for the target of a feeder (FEED-20) and for what
 * waits there for a caller (OUT-FORM-08, Q158). Not kept, so saving looks again.
 */
export const nextFeederPort = route({
  name: 'feeders.nextPort',
  method: 'GET',
  path: '/api/contribution/feeder-next-input-port',
  action: 'editFeeders',
  query: OnServer,
  reply: NextPort,
})

/** The same, asked in another dialect (API-51). */
export const askNextFeederPort = route({
  name: 'feeders.askNextPort',
  method: 'POST',
  path: '/api/contribution/feeder-next-input-port',
  action: 'editFeeders',
  body: OnServer.partial().prefault({}).pipe(OnServer),
  reply: NextPort,
})
