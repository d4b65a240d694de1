/** What of the settings of a link is kept: without what has no meaning beside the rest of them. */
import type { InputDraft } from './input.schema.ts'
import type { Encryption } from './link.schema.ts'
import type { OutputDraft } from './output.schema.ts'

const CLEAR: Encryption = { selection: 'no', passphrase: '', type: 128 }

/** Advanced parameters are SRT's alone (IN-FORM-14); a stream that is there already has no key. */
export function settledInput<T extends InputDraft>(draft: T): T {
  const hasAdvanced = draft.inputType === 'SRT' || draft.inputType === 'aCANFeeder'
  return {
    ...draft,
    advanced: hasAdvanced ? draft.advanced : [],
    encryption: draft.inputType === 'Local' ? CLEAR : settledKey(draft.encryption),
  }
}

/**
 * Advanced parameters are SRT's alone (OUT-FORM-10), encryption 'no' clears the key (OUT-FORM-09), and
 * a listening output has no destination.
 */
export function settledOutput(draft: OutputDraft): OutputDraft {
  return {
    ...draft,
    destinationId: draft.config.mode === 'Push' ? draft.destinationId : null,
    advanced: draft.inputType === 'SRT' ? draft.advanced : [],
    encryption: settledKey(draft.encryption),
  }
}

export function settledKey({ selection, passphrase, type }: Encryption): Encryption {
  return selection === 'no' ? CLEAR : { selection, passphrase, type }
}
