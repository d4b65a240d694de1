/** What of a typed input is kept, and how it is compared with the stored one. Pure. */
import type { Input, InputDraft, InputEdit } from '@trunkline/contract/contributions/input.schema'
import { changedFields } from '../../changed-fields.ts'
import { invalid, type AppError } from '../../errors.ts'

export function keyMissing(): AppError {
  return invalid(
    'encryption.passphrase',
    'must not be empty while encryption is on. Use Generate A Key.',
  )
}

/** Without the read-only fields that a client may echo back. */
export function draftOf(edit: InputEdit): InputDraft {
  const { title, inputType, serverId, groupId, config, encryption, advanced } = edit
  return { title, inputType, serverId, groupId, config, encryption, advanced }
}

/**
 * What was left to us, or comes back as it was read, stays as it is: an input keeps its group and
 * port of the local bus. An input that was Local has none: what it names is where its stream comes
 * from, so it is given a place of its own.
 */
export function withBusOf(
  stored: Pick<Input, 'inputType' | 'config'>,
  draft: InputDraft,
): InputDraft {
  const { config } = draft
  if (draft.inputType === 'Local') return draft
  const isEcho = {
    group: config.multicast === '' || config.multicast === stored.config.multicast,
    port:
      config.multicastPort === undefined || config.multicastPort === stored.config.multicastPort,
  }
  const wasLocal = stored.inputType === 'Local'
  const group = wasLocal ? '' : stored.config.multicast
  const port = wasLocal ? undefined : stored.config.multicastPort
  return {
    ...draft,
    config: {
      ...config,
      multicast: isEcho.group ? group : config.multicast,
      multicastPort: isEcho.port ? port : config.multicastPort,
    },
  }
}

/** As dotted paths. What a save leaves to us, or never tells, is no difference. */
export function differences(draft: InputDraft, stored: Input): string[] {
  const { config, encryption, ...plain } = draft
  const { selection, type } = encryption
  const { multicast, multicastPort, port, ...rest } = config
  const sent = {
    ...plain,
    config: {
      ...rest,
      port: stored.inputType === 'SRT' ? String(port) : port,
      ...(multicast === '' ? {} : { multicast }),
      ...(multicastPort === undefined ? {} : { multicastPort }),
    },
    encryption: { selection, type },
  }
  return changedFields(sent, stored)
}
