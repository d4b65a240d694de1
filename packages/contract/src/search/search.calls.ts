import { z } from 'zod'
import { Channel } from '../channels/channel.schema.ts'
import { Input } from '../contributions/input.schema.ts'
import { Output } from '../contributions/output.schema.ts'
import { Feeder } from '../encoders/encoder-config.schema.ts'
import { Encoder } from '../encoders/encoder.schema.ts'
import { EncoderTemplate } from '../encoders/template.schema.ts'
import { SearchText } from '../paging.schema.ts'
import { route } from '../route.ts'
import { ServerType } from '../servers/server.schema.ts'
import { FoundKeys } from './found-key.rules.ts'
import { success } from '../reply.schema.ts'

/** Of each kind as many are answered. */
export const FOUND_OF_A_KIND = 6

const Placed = z.object({ id: z.string(), title: z.string() })

/** What was found of each kind, the best match first; kinds that the caller may not see are empty. */
export const Found = z.object({
  encoders: z.array(Encoder),
  feeders: z.array(z.object({ encoder: Encoder, feeder: Feeder })),
  inputs: z.array(Input),
  outputs: z.array(Output),
  channels: z.array(Channel),
  destinations: z.array(Placed.extend({ ip: z.string() })),
  servers: z.array(Placed.extend({ host: z.string(), port: z.number(), serverType: ServerType })),
  /** Of encoders. */
  templates: z.array(EncoderTemplate),
  groups: z.array(Placed),
  users: z.array(Placed.extend({ email: z.string() })),
})
export type Found = z.infer<typeof Found>

/**
 * Objects of every kind that the caller may see: by a part of a title, name, address or e-mail of three
 * characters or more, by a whole id, by a port, or by address:port. With `keys` these objects as they
 * are now, and no others. States are not answered: they are pushed by the live stream.
 */
export const searchObjects = route({
  name: 'search.objects',
  method: 'GET',
  path: '/api/search',
  action: 'openWork',
  query: z.strictObject({ q: SearchText, keys: FoundKeys }),
  reply: success({
    data: Found,
    /** How many match beside these; of a kind that very many match, at least so many. */
    more: z.number(),
  }),
})
