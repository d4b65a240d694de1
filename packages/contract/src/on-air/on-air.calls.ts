import { z } from 'zod'
import { BULK_LIMIT } from '../contributions/link.schema.ts'
import { route } from '../route.ts'
import { optionalLine, Version } from '../text.schema.ts'
import { ON_AIR_NOTE_CHARACTERS, OnAirKind, OnAirRecord, OnAirRefusal } from './on-air.schema.ts'
import { success } from '../reply.schema.ts'

/** All open marks that the caller may see, scheduled ones included. */
export const listOnAir = route({
  name: 'onAir.list',
  method: 'GET',
  path: '/api/on-air',
  action: 'seeOnAir',
  reply: success({ data: z.array(OnAirRecord) }),
})

const ofObject = z.object({ kind: OnAirKind, id: z.string().min(1).max(64) })
const A_MOMENT = 'must be a date and time such as 2026-11-27T18:00:00Z.'
const Moment = z.iso.datetime({ offset: true, error: A_MOMENT })

/**
 * Puts an object on air, or changes from when to when. Allowed for those who may command the object.
 * From then on whatever interrupts its signal path is refused with the code 'on_air' unless its title
 * is sent along (on-air.rules.ts).
 */
export const putOnAir = route({
  name: 'onAir.put',
  method: 'PUT',
  path: '/api/on-air/:kind/:id',
  action: 'putOnAir',
  params: ofObject,
  body: z.strictObject({
    /** Null: at once. */
    from: Moment.nullable().default(null),
    /** Null: until it is taken off air. */
    until: Moment.nullable().default(null),
    note: optionalLine(ON_AIR_NOTE_CHARACTERS).default(''),
    version: Version,
  }),
  reply: success({ data: OnAirRecord }),
})

/** Its signal path may be interrupted again. Nothing is stopped by it. 404 when it is not on air. */
export const takeOffAir = route({
  name: 'onAir.takeOff',
  method: 'DELETE',
  path: '/api/on-air/:kind/:id',
  action: 'putOnAir',
  params: ofObject,
  reply: success({ id: z.string() }),
})

const IntendedCall = z.strictObject({
  /** As in the contract, such as 'encoders.control'. */
  call: z.string().min(1).max(60),
  /** As they would be sent with it. */
  params: z.unknown().optional(),
  body: z.unknown().optional(),
})

/**
 * What a call would interrupt of what is on air, without carrying it out: the refusal that it would be
 * answered with, so that one question can be asked before it. Null: nothing, or the call would be refused
 * for another reason. With others the answer is about all of them together. Each call itself is still
 * guarded.
 */
export const askOnAir = route({
  name: 'onAir.ask',
  method: 'POST',
  path: '/api/on-air/ask',
  action: 'seeOnAir',
  bodyLimitBytes: 512 * 1024,
  body: IntendedCall.extend({ others: z.array(IntendedCall).max(BULK_LIMIT).default([]) }),
  reply: success({ data: OnAirRefusal.nullable() }),
})
