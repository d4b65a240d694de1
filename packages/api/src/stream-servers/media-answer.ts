/**
 * What a media server answers, older or newer (streamer API v3, dataplane.md section 7). Read
 * leniently, and without the secrets of its addresses unless it is to be sent back.
 */
import { StreamName } from '@trunkline/contract/channels/channel.schema'
import { StreamDetail, StreamInput } from '@trunkline/contract/channels/stream.schema'
import { z } from 'zod'
import { publicStream, publicText, publicUrl } from './stream-secrets.rules.ts'

/** Older servers answer everything at once, without a cursor; one without streams may say null. */
export const StreamPage = z.object({
  streams: z
    .array(z.unknown())
    .nullable()
    .transform((streams) => streams ?? []),
  next: z.union([z.string(), z.number()]).nullish().catch(null),
})
export type StreamPage = z.output<typeof StreamPage>

/** '' when this was the last page. */
export function cursorOf({ next }: StreamPage): string {
  return String(next ?? '')
}

/** A push as its server keeps it, the address in clear, without statistics. Never for an answer. */
export interface PushConfig {
  readonly url: string
  readonly disabled?: boolean | undefined
  /** What else the server has set for it, such as retry_timeout: sent back as it came. */
  readonly [setting: string]: unknown
}

/** Strict, unlike what is shown: a push that was left out would be taken off by sending the rest. */
const PushList = z.object({
  pushes: z
    .array(
      z.looseObject({
        url: z.string(),
        disabled: z
          .boolean()
          .nullish()
          .transform((isDisabled) => isDisabled ?? undefined),
      }),
    )
    .nullish(),
})

const InputList = z.object({ inputs: z.array(z.unknown()).nullish().catch([]) })

export interface InputPlace {
  /** Without its secrets, as answers show it. */
  url: string
  /** From 0; inputs that cannot be read are counted, too. */
  place: number
}

/** null for what is no stream, or has no name that we could save and play. */
export function streamOf(value: unknown): StreamDetail | null {
  const stream = StreamDetail.safeParse(value)
  if (!stream.success || !StreamName.safeParse(stream.data.name).success) return null
  return publicStream(stream.data)
}

/** The pushes of a stream as they are to be put back; null for what is no stream. */
export function pushesOf(value: unknown): PushConfig[] | null {
  const list = PushList.safeParse(value)
  // An undefined field is not written into JSON.
  return list.success
    ? (list.data.pushes ?? []).map((push) => ({ ...push, stats: undefined }))
    : null
}

/** The inputs as `streamOf` has them, with their places. */
export function inputPlacesOf(value: unknown): InputPlace[] {
  const list = InputList.safeParse(value)
  return (list.data?.inputs ?? []).flatMap((each, place) => {
    const input = StreamInput.safeParse(each)
    return input.success ? [{ url: publicUrl(input.data.url), place }] : []
  })
}

export function parseJson(text: string): unknown {
  if (text === '') return null
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

const ErrorItem = z.object({
  title: z.string().optional().catch(undefined),
  code: z.union([z.string(), z.number()]).optional().catch(undefined),
})
const Errors = z.union([
  z.object({ errors: z.array(ErrorItem).min(1) }),
  z.object({ error: z.string() }),
])

export interface ServerError {
  /** '' of older servers. */
  code: string
  text: string
}

/** Newer servers answer `errors`, older ones `error`; null when it is neither. */
export function errorOf(body: unknown): ServerError | null {
  const parsed = Errors.safeParse(body)
  if (!parsed.success) return null
  if ('error' in parsed.data) return { code: '', text: publicText(parsed.data.error) }
  const [{ title, code = '' } = {}] = parsed.data.errors
  return { code: String(code), text: publicText(title ?? String(code)) }
}
