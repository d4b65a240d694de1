import { z } from 'zod'
import { EncoderStatusReply } from '../program-state.ts'
import { FleetCounts } from '../fleet/fleet.schema.ts'
import { SHOWS } from '../fleet/show.rules.ts'
import { asked, Page, PageSize, SearchText, sortBy } from '../paging.schema.ts'
import { ById, removal } from '../by-id.ts'
import { route } from '../route.ts'
import { HostName, Id, RemotePort, Title, unlessEmpty, wholeNumber } from '../text.schema.ts'
import { CHECK_REQUIRED } from '../wording.ts'
import { HostSource } from '../agent/capability.schema.ts'
import { Thumbnail } from '../agent/program.messages.ts'
import { Encoder, EncoderChange, EncoderCommand, NewEncoder } from './encoder.schema.ts'
import { success } from '../reply.schema.ts'

/** ENC-01: its columns that are stored with an encoder. */
export const ENCODER_SORTS = ['name', 'title', 'ip', 'port', 'email'] as const

/** The manager's list (ENC-03); the same rows as the dashboard's, asked for in another dialect (Q53). */
export const listEncoders = route({
  name: 'encoders.list',
  method: 'GET',
  path: '/api/encoder',
  action: 'seeEncoders',
  query: z.strictObject({
    page: Page,
    rowsPerPage: PageSize,
    searchValue: SearchText,
    /** '' for all groups. */
    groupId: z.string().max(64).default(''),
    /** '' for the order of creation. */
    sort: sortBy(ENCODER_SORTS),
  }),
  reply: success({ encoders: z.array(Encoder), total: z.number() }),
})

/** The largest page of the dashboard, and the encoders that its strip of trouble names. */
export const PICKED_LIMIT = 120

const AskedGroup = z.string().max(64).optional()
const AskedEncoders = {
  page: asked.page,
  rows: asked.rows,
  rowsPerPage: asked.rows,
  search: asked.search,
  searchValue: asked.search,
  /** '' for all groups. */
  group: AskedGroup,
  groupId: AskedGroup,
}

/**
 * The dashboard's list (DASH-04), in every dialect of it: in the body or in the query string, in the
 * names of this list or in those of the manager's (Q53). See `encodersAsked` for which one counts.
 */
export const listAllEncoders = route({
  name: 'encoders.all',
  method: 'POST',
  path: '/api/encoder/all',
  action: 'seeEncoders',
  query: z.strictObject(AskedEncoders),
  body: z
    .strictObject({
      ...AskedEncoders,
      /** Only these; ours. */
      ids: z.array(Id).max(PICKED_LIMIT).optional(),
      /** Only those in such a state, in the order of states: trouble worst first, all else as created; ours. */
      show: z.enum(SHOWS).optional(),
    })
    .nullish(),
  reply: success({ result: z.array(Encoder), total: z.number() }),
})

/**
 * How many of those that match are in which state. Without a search this is what the live stream
 * pushes.
 */
export const countEncoders = route({
  name: 'encoders.counts',
  method: 'GET',
  path: '/api/encoder/all/counts',
  action: 'seeEncoders',
  query: z.strictObject({
    search: SearchText,
    /** '' for all groups. */
    group: z.string().max(64).default(''),
  }),
  reply: success({ data: FleetCounts.omit({ kind: true, group: true }) }),
})

export const findEncoder = route({
  name: 'encoders.find',
  method: 'GET',
  path: '/api/encoder/:id',
  action: 'seeEncoders',
  params: ById,
  reply: success({ data: Encoder, encoder: Encoder }),
})

export const addEncoder = route({
  name: 'encoders.add',
  method: 'POST',
  addsObject: true,
  path: '/api/encoder/add',
  action: 'addEncoder',
  body: NewEncoder,
  requiredText: CHECK_REQUIRED,
  reply: success({ data: Encoder, id: z.string() }),
})

/** An editor may change `config` of an assigned encoder only. Saving never restarts (Q90). */
export const updateEncoder = route({
  name: 'encoders.update',
  method: 'PUT',
  path: '/api/encoder/update',
  action: 'configureEncoder',
  body: EncoderChange,
  requiredText: CHECK_REQUIRED,
  reply: success({
    data: Encoder,
    /** What the host will do otherwise than configured, in plain words. */
    warnings: z.array(z.string()),
  }),
  bodyLimitBytes: 256 * 1024,
})

/**
 * Ends the program on its host, takes it off there, then deletes the record (Q69). 409 'Please
 * remove first feeder.' while it has feeders; a host that is away is no hindrance: what is left
 * there is ended when it comes back.
 */
export const removeEncoder = removal('encoders.remove', '/api/encoder/:id', 'removeEncoder')

/** Stops the program first; 409 while feeders read from it (Q67). */
export const removeEncoderConfig = route({
  name: 'encoders.removeConfig',
  method: 'DELETE',
  path: '/api/encoder/configDeleteApi/:id',
  action: 'removeEncoder',
  params: ById,
  reply: success({ data: Encoder }),
})

/** Disabling stops the program and its feeders, so that 'Disabled' never hides live traffic; enabling starts nothing (Q65). */
export const enableEncoder = route({
  name: 'encoders.enable',
  method: 'PUT',
  path: '/api/encoder/update-enabled-status/:id',
  action: 'enableEncoder',
  params: ById,
  body: z.strictObject({ isEnabled: z.boolean() }),
  reply: success({ isEnabled: z.boolean(), data: Encoder }),
})

/** Answered from the board; 400 when not configured. */
export const readEncoderStatus = route({
  name: 'encoders.status',
  method: 'GET',
  path: '/api/encoder/getServiceStatus/:id',
  aliases: ['/api/encoder/status/:id'],
  action: 'seeEncoders',
  params: ById,
  reply: EncoderStatusReply,
})

export const EncoderCommandResult = EncoderStatusReply
export type EncoderCommandResult = z.infer<typeof EncoderCommandResult>

/**
 * start, stop, restart and tail. `data.name` is the configuration's name ('encoder0'), any other is
 * refused (Q61). Tail is open to all roles, the rest to operators: the service tells them apart.
 */
export const controlEncoder = route({
  name: 'encoders.control',
  method: 'POST',
  path: '/api/encoder/controlApi/:id',
  action: 'readEncoderLog',
  params: ById,
  body: z.strictObject({
    data: z.strictObject({ name: z.string().max(40), command: EncoderCommand }),
  }),
  reply: EncoderCommandResult,
})

/**
 * A new encoder with the settings of this one and no feeders. Output targets that the host has
 * already get the next free port; what became of them is said in `warnings`.
 */
export const cloneEncoder = route({
  name: 'encoders.clone',
  method: 'POST',
  addsObject: true,
  path: '/api/encoder/clone/:id',
  action: 'addEncoder',
  params: ById,
  body: z.strictObject({
    title: Title,
    'card-idx': wholeNumber(0, 63, 'must be a card index between 0 and 63.'),
    /** Absent: the host of the original. */
    ip: HostName.optional(),
    port: unlessEmpty(RemotePort.optional()),
  }),
  reply: success({ data: Encoder, id: z.string(), warnings: z.array(z.string()) }),
})

/** What the host of an encoder has, as its agent last said. */
export const EncoderHost = z.object({
  online: z.boolean(),
  /** When it last answered, API clock; null: never since the API started, and the lists are empty. */
  heardAtMs: z.number().nullable(),
  sources: z.array(HostSource),
  /** Card indexes of this host that other encoders have: index and title, '' for one not to be seen. */
  taken: z.array(z.object({ cardIdx: z.number(), title: z.string() })),
  /** ffmpeg encoders of use to us. */
  encoders: z.array(z.string()),
  cpuCores: z.number(),
  /** What no other encoder of this host has: where a new configuration begins. Not kept for anybody. */
  proposed: z.object({
    cardIdx: z.number(),
    /** Of the host's own address. */
    targetPort: z.number(),
    videoPid: z.number(),
    audioPid: z.number(),
    pmtPid: z.number(),
  }),
})
export type EncoderHost = z.infer<typeof EncoderHost>

export const readEncoderHost = route({
  name: 'encoders.host',
  method: 'GET',
  path: '/api/encoder/host/:id',
  action: 'seeEncoders',
  params: ById,
  reply: success({ data: EncoderHost }),
})

/**
 * The newest picture of a running encoder taken after `after` (milliseconds since 1970, API clock);
 * null when there is none. A host is asked once per picture, however many browsers look.
 */
export const readThumbnail = route({
  name: 'encoders.thumbnail',
  method: 'GET',
  path: '/api/encoder/thumbnail/:id',
  action: 'seeEncoders',
  params: ById,
  query: z.strictObject({
    after: unlessEmpty(
      wholeNumber(0, Number.MAX_SAFE_INTEGER, 'must be milliseconds since 1970.').default(0),
    ),
  }),
  reply: success({ data: Thumbnail.nullable() }),
})
