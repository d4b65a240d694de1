/** What a save of an encoder changes, and what of it is stored. Pure. */
import type { EncoderConfig } from '@trunkline/contract/encoders/encoder-config.schema'
import type { updateEncoder } from '@trunkline/contract/encoders/encoder.calls'
import type { BodyOf } from '@trunkline/contract/route'
import { isSameHost } from '@trunkline/contract/servers/server.schema'
import { changedFields } from '../../changed-fields.ts'
import * as encoderService from '../encoder.service.ts'
import type { LoadedEncoder } from '../encoder.service.ts'
import type { StoredConfig } from '../encoder.store.ts'

export type Change = BodyOf<typeof updateEncoder>

/** Without the read-only fields that a client may echo back. */
export function contentOf(change: Change) {
  const {
    id: _1,
    name: _2,
    groupInfo: _3,
    apiKeySet: _4,
    isEnabled: _5,
    apiResult: _6,
    uptime: _7,
    ...content
  } = change
  return content
}

/** Feeders are saved by calls of their own, the name follows the card, pmt-period is never stored. */
export function comparable<T extends { config?: EncoderConfig | undefined }>(sent: T) {
  if (sent.config === undefined) return sent
  const { feeder: _, name: __, ...config } = sent.config
  const { 'pmt-period': ___, ...muxer } = config.muxer
  return { ...sent, config: { ...config, muxer } }
}

/** Whether more is saved than names and notes: settings, or the host that runs it and its key. */
export function changesStream(encoder: LoadedEncoder, change: Change): boolean {
  const { ip, port, apiKey, config } = change
  const sent = comparable({ ip, port, config })
  const fields = changedFields(sent, encoderService.wireEncoder(encoder))
  return (apiKey ?? '') !== '' || fields.some((field) => field !== 'config.title')
}

/** What comes in and is never stored, whatever it is and however long, is no part of the record (CFG-23). */
export function recorded(change: Change) {
  const content = contentOf(change)
  if (content.config === undefined) return content
  const { 'pmt-period': _, ...muxer } = content.config.muxer
  return { ...content, config: { ...content.config, muxer } }
}

/** It goes to another group, host or port. */
export function isElsewhere({ record }: LoadedEncoder, { groupId, ip, port }: Change): boolean {
  return (
    (groupId !== undefined && groupId !== record.group._id) ||
    (ip !== undefined && !isSameHost(ip, record.ip)) ||
    (port !== undefined && port !== record.port)
  )
}

export function storedConfig(config: EncoderConfig): StoredConfig {
  const { feeder: _, name: __, muxer, ...rest } = config
  const { 'pmt-period': ___, ...stored } = muxer
  return { ...rest, muxer: stored }
}
