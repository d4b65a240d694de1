/** What carrying an encoder makes, out of one draft: the API makes this, and the console shows it before. */
import { FeederInput, FeederOutput, type Feeder } from '../encoders/encoder-config.schema.ts'
import { feederInputIp } from '../encoders/feeder.rules.ts'
import type { CarryDraft } from './carry.schema.ts'
import { inputOfFeeder } from './feeder-input.rules.ts'
import { InputDraft } from './input.schema.ts'
import type { OutputDraft } from './output.schema.ts'

export interface CarriedParts {
  /** To be saved, without a name where it is new; null: the feeder stays as it is. */
  feeder: (Omit<Feeder, 'name'> & { name?: string }) | null
  input: InputDraft
  /** Of that input, which has no id yet. */
  output: Omit<OutputDraft, 'contributionId'>
}

interface Known {
  /** The feeder that is replaced or kept, as it is now; null for a new feeder. */
  feeder: Feeder | null
  /** Of the encoder; the input joins it. */
  groupId: string
}

/** The key of the feeder's leg is the draft's at both ends; a kept one's is the API's to copy. */
export function carriedParts(draft: CarryDraft, { feeder: known, groupId }: Known): CarriedParts {
  const { title, serverId, output, feeder: leg } = draft
  const feeder = feederOf(draft, known)
  const received = feeder ?? known
  if (received === null) throw new Error('A feeder that is kept must be known.')
  const matching = inputOfFeeder(received)
  const encryption = leg.use === 'keep' ? matching.encryption : leg.encryption
  return {
    feeder,
    input: InputDraft.parse({ ...matching, title, serverId, groupId, encryption }),
    output: { ...output, title },
  }
}

function feederOf(
  { title, serverId, feeder: leg }: CarryDraft,
  known: Feeder | null,
): CarriedParts['feeder'] {
  if (leg.use === 'keep') return null
  const { host, port, inputPort, latency, max_bw, encryption } = leg
  const inputIp = feederInputIp(known)
  const isEncrypted = encryption.selection === 'yes'
  return {
    ...(known === null ? {} : { name: known.name }),
    serverId,
    input: FeederInput.parse({
      ...known?.input,
      title,
      addr: `${inputIp}:${inputPort}`,
      port: inputPort,
    }),
    output: [
      FeederOutput.parse({
        ...known?.output[0],
        addr: `${host}:${port}`,
        port,
        latency,
        max_bw,
        passphrase: isEncrypted ? encryption.passphrase : '',
        passphraseSet: isEncrypted,
        pbkeylen: encryption.type,
      }),
    ],
  }
}
