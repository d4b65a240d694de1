import { ById } from '../by-id.ts'
import { Feeder } from '../encoders/encoder-config.schema.ts'
import { Encoder } from '../encoders/encoder.schema.ts'
import { route } from '../route.ts'
import { CarryDraft } from './carry.schema.ts'
import { Input } from './input.schema.ts'
import { Output } from './output.schema.ts'
import { success } from '../reply.schema.ts'

/**
 * Carries an encoder to a server in one step: feeder, input and output are made, or none of them.
 * Nothing is started. A refusal begins with the part that it is about, and its field names the part:
 * 'output.config.port'.
 */
export const carryEncoder = route({
  name: 'encoders.carry',
  method: 'POST',
  path: '/api/encoder/carry/:id',
  action: 'editInputs',
  params: ById,
  body: CarryDraft,
  reply: success({ encoder: Encoder, feeder: Feeder, input: Input, output: Output }),
  successStatus: 201,
})
