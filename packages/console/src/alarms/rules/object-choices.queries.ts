/** The objects to choose from, of which the rules are shown. */
import { listChannels } from '@trunkline/contract/channels/channel.calls'
import { listInputs, readInput } from '@trunkline/contract/contributions/input.calls'
import { listOutputs, readOutput } from '@trunkline/contract/contributions/output.calls'
import type { SiteKind } from '@trunkline/contract/fleet/observed-kind.schema'
import type { Action } from '@trunkline/contract/role-table'
import { call } from '../../lib/call.ts'
import { CHOOSER_ROWS, type ChoiceSource, orNone } from '../../shared/choices/choices.hook.ts'
import { ENCODERS } from '../../shared/choices/encoder.queries.ts'
import { ALL_SERVERS } from '../../shared/choices/server.queries.ts'

interface Titled {
  _id: string
  title: string
}

/** `action`: who may list them. Feeders have no list of their own. */
export type ChosenKind = Exclude<SiteKind, 'feeder'>

export const CHOSEN_KINDS: Readonly<
  Record<ChosenKind, { source: ChoiceSource<Titled>; action: Action }>
> = {
  encoder: { source: titled(ENCODERS), action: 'seeEncoders' },
  input: {
    action: 'seeInputs',
    source: {
      kind: 'input',
      name: 'titles',
      idOf,
      find: async (searchValue, signal) => {
        const query = { page: 0, rowsPerPage: CHOOSER_ROWS, searchValue }
        const { contributions, total } = await call(listInputs, { query, signal })
        return { rows: contributions, total }
      },
      read: async (id, signal) => orNone(async () => call(readInput, { params: { id }, signal })),
    },
  },
  output: {
    action: 'editOutputs',
    source: {
      kind: 'output',
      name: 'titles',
      idOf,
      find: async (searchValue, signal) => {
        const query = { page: 0, rowsPerPage: CHOOSER_ROWS, searchValue }
        const { outputs, total } = await call(listOutputs, { query, signal })
        return { rows: outputs, total }
      },
      read: async (id, signal) => orNone(async () => call(readOutput, { params: { id }, signal })),
    },
  },
  channel: {
    action: 'seeChannels',
    source: {
      kind: 'channel',
      name: 'titles',
      idOf,
      find: async (searchValue, signal) => {
        const body = { rowsPerPage: CHOOSER_ROWS, searchValue }
        const { data, total } = await call(listChannels, { body, signal })
        return { rows: data, total }
      },
      read: async (id, signal) => {
        const { data } = await call(listChannels, { body: { ids: [id] }, signal })
        return data[0] ?? null
      },
    },
  },
  server: { source: titled(ALL_SERVERS), action: 'listServers' },
}

function idOf({ _id }: Titled): string {
  return _id
}

function titled<T extends Titled>({
  kind,
  name,
  find,
  read,
}: ChoiceSource<T>): ChoiceSource<Titled> {
  return { kind, name, idOf, find, read }
}
