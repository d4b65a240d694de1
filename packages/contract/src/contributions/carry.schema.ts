/** An encoder carried to a server: its feeder, the input that receives it, and one output of that. */
import { z } from 'zod'
import { FeederOutput } from '../encoders/encoder-config.schema.ts'
import { HostName, Id, Port, Title, Version } from '../text.schema.ts'
import { Encryption } from './link.schema.ts'
import { OutputDraft } from './output.schema.ts'

/** From the encoder's host to the server. An empty passphrase is made by the API, for both ends. */
const FeederLeg = {
  /** Where the feeder reads on the encoder's host. */
  inputPort: Port,
  /** The address of the server that the feeder calls, and the port where the input waits for it. */
  host: HostName,
  port: Port,
  latency: FeederOutput.shape.latency,
  max_bw: FeederOutput.shape.max_bw,
  encryption: Encryption.default({ selection: 'no', passphrase: '', type: 128 }),
}

const CarriedFeeder = z.discriminatedUnion('use', [
  z.strictObject({ use: z.literal('new'), ...FeederLeg }),
  /** It keeps its name, and sends to the new place once it is restarted (Q178). */
  z.strictObject({ use: z.literal('replace'), name: Id, ...FeederLeg }),
  /** It stays as it is: the input takes port, latency and key of it. */
  z.strictObject({ use: z.literal('keep'), name: Id }),
])

export const CarryDraft = z.strictObject({
  /** Of whatever is made. */
  title: Title,
  serverId: z.string('Server is not selected').min(1, 'Server is not selected').max(64),
  /** Of the encoder; looked at where a feeder that is there already is replaced or kept. */
  version: Version,
  feeder: CarriedFeeder,
  output: OutputDraft.omit({ title: true, contributionId: true }),
})
export type CarryDraft = z.output<typeof CarryDraft>

const CARRY_PARTS = ['feeder', 'input', 'output'] as const
export type CarryPart = (typeof CARRY_PARTS)[number]
/** How a sentence about one of the three begins. */
export const CARRY_PART_WORDS: Readonly<Record<CarryPart, string>> = {
  feeder: 'Feeder',
  input: 'Input',
  output: 'Output',
}
