import { z } from 'zod'
import { GroupRef } from '../session/session.schema.ts'
import { ApiKey } from '../servers/server.schema.ts'
import {
  Description,
  echoed,
  Email,
  HostName,
  Id,
  optionalLine,
  RemotePort,
  Title,
  unlessEmpty,
  Version,
} from '../text.schema.ts'
import { EncoderConfig } from './encoder-config.schema.ts'

/** CONST-12. */
export const DEFAULT_ENCODER_PORT = 8000

export const Encoder = z.object({
  _id: z.string(),
  id: z.string(),
  /** Made by the API, unique, never edited (Q51). */
  name: z.string(),
  title: z.string(),
  description: z.string(),
  ip: z.string(),
  port: z.number(),
  location: z.string(),
  physicalAddress: z.string(),
  contactNumber: z.string(),
  email: z.string(),
  groupId: z.string(),
  groupInfo: GroupRef,
  users: z.array(z.string()),
  isEnabled: z.boolean(),
  apiKeySet: z.boolean(),
  config: EncoderConfig.nullable(),
  version: z.number(),
})
export type Encoder = z.infer<typeof Encoder>

export const EncoderDraft = z.strictObject({
  title: Title,
  description: Description.default(''),
  /**
   * Empty on a host and port that an encoder has already: same host, same key (decisions.md 7). On
   * any other an admin names it; for a manager, who may not, one is made (Q37).
   */
  apiKey: z.union([z.literal(''), ApiKey]).default(''),
  ip: HostName,
  port: unlessEmpty(RemotePort.default(DEFAULT_ENCODER_PORT)),
  location: optionalLine(200).default(''),
  physicalAddress: optionalLine(200).default(''),
  contactNumber: optionalLine(60).default(''),
  email: z.union([z.literal(''), Email]).default(''),
  /** Empty from a manager: the encoder joins their first group (ENC-27). */
  groupId: z.string().trim().max(64).default(''),
})
export type EncoderDraft = z.output<typeof EncoderDraft>

/** `enrols`: its host is enrolled next, so that an admin names no key either: one is made. */
export const NewEncoder = EncoderDraft.extend({ enrols: z.boolean().optional() })

/** Absent fields stay as they are. */
export const EncoderChange = z.strictObject({
  _id: Id,
  version: Version,
  title: Title.optional(),
  description: Description.optional(),
  apiKey: z.union([z.literal(''), ApiKey]).optional(),
  ip: HostName.optional(),
  port: unlessEmpty(RemotePort.optional()),
  location: optionalLine(200).optional(),
  physicalAddress: optionalLine(200).optional(),
  contactNumber: optionalLine(60).optional(),
  email: z.union([z.literal(''), Email]).optional(),
  groupId: Id.optional(),
  users: z.array(Id).max(1000).optional(),
  /** null, as an encoder without one is read, leaves it as it is. */
  config: EncoderConfig.nullish().transform((config) => config ?? undefined),
  ...echoed(['id', 'name', 'groupInfo', 'apiKeySet', 'isEnabled']),
})
export type EncoderChange = z.output<typeof EncoderChange>

const ENCODER_COMMANDS = ['start', 'stop', 'restart', 'tail'] as const
export const EncoderCommand = z.enum(ENCODER_COMMANDS)
export type EncoderCommand = z.infer<typeof EncoderCommand>

/** CONST-02. */
export const DASHBOARD_PAGE_SIZES = [12, 28, 56, 84, 112] as const
