/** What most tests of carrying an encoder send: an encrypted feeder to the site's server, an SRT output from there. */
import type { carryEncoder } from '@trunkline/contract/contributions/carry.calls'
import type { InjectInput } from '../../testing/inject.ts'
import type { TestSite } from '../../testing/test-site.ts'

export type CarryBody = NonNullable<InjectInput<typeof carryEncoder>['body']>
type OutputPart = CarryBody['output']

export interface CarryChange {
  title?: string
  serverId?: string
  version?: number
  feeder?: CarryBody['feeder']
  output?: Partial<Omit<OutputPart, 'config'>>
  config?: Partial<OutputPart['config']>
}

const encryption = { selection: 'yes', type: 256 } as const

export const NEW_LEG = {
  inputPort: 5000,
  host: '127.0.0.1',
  port: 6000,
  latency: 400,
  max_bw: 2_750_000,
  encryption,
} as const

/** In an output's place: it listens at this port of the server. */
export function listeningAt(port: number) {
  return { mode: 'Listen', host: '', port } as const
}

export function carryBody(
  site: TestSite,
  { feeder, output, config, ...more }: CarryChange = {},
): CarryBody {
  return {
    title: 'Marathon',
    serverId: site.acantsId,
    ...more,
    feeder: feeder ?? { use: 'new', ...NEW_LEG },
    output: {
      inputType: 'SRT',
      ...output,
      config: { mode: 'Push', host: '192.0.2.10', port: 7000, ...config },
    },
  }
}
