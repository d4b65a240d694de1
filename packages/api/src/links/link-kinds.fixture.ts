/** Inputs and outputs by the calls that both kinds have, for tests of what holds for both. */
import { contributionAction } from '@trunkline/contract/contributions/contribution.calls'
import {
  readInput,
  removeInput,
  removeInputs,
  setInputsStatus,
  updateInput,
} from '@trunkline/contract/contributions/input.calls'
import {
  readOutput,
  removeOutput,
  removeOutputs,
  setOutputsStatus,
  updateOutput,
} from '@trunkline/contract/contributions/output.calls'
import type { Injected } from '../testing/inject.ts'
import { addTestInput } from '../testing/input.fixture.ts'
import type { PersonName } from '../testing/people.ts'
import type { TestSite } from '../testing/test-site.ts'
import { addWay } from './outputs/output.fixture.ts'

interface Where {
  serverId?: string
  groupId?: string
}

/** Of what an answer says. Without a version a save is taken as it comes. */
interface Change {
  title?: string
  latency?: number
  version?: number
}

interface SetStatus {
  names: string[]
  isDisable: boolean
}

export interface TestedKind {
  kind: 'input' | 'output'
  /** Of its type in the call of commands. */
  type: 1 | 2
  /** By the admin; it listens. `at` counts those of a test: each has a port of its own. */
  add: (
    site: TestSite,
    at: number,
    where?: Where,
  ) => Promise<{ id: string; name: string; version: number }>
  read: (
    site: TestSite,
    id: string,
  ) => Promise<Injected<typeof readInput> | Injected<typeof readOutput>>
  /** What its answer says, sent back with this change. */
  save: (
    site: TestSite,
    id: string,
    change: Change,
  ) => Promise<Injected<typeof updateInput> | Injected<typeof updateOutput>>
  remove: (site: TestSite, id: string, who?: PersonName) => Promise<Injected<typeof removeInput>>
  removeNamed: (
    site: TestSite,
    names: string[],
    who?: PersonName,
  ) => Promise<Injected<typeof removeInputs> | Injected<typeof removeOutputs>>
  setStatus: (
    site: TestSite,
    body: SetStatus,
    who?: PersonName,
  ) => Promise<Injected<typeof setInputsStatus> | Injected<typeof setOutputsStatus>>
}

/** Added so far, each with an input of its own. */
let outputs = 0

export const TESTED_KINDS: readonly TestedKind[] = [
  {
    kind: 'input',
    type: 1,
    add: async (site, at, where = {}) => addTestInput(site, 6000 + 2 * at, where),
    read: async (site, id) => site.call('admin', readInput, { params: { id } }),
    save: async (site, id, change) => {
      const { data } = (await site.call('admin', readInput, { params: { id } })).answer
      return site.call('admin', updateInput, { params: { id }, body: changed(data, change) })
    },
    remove: async (site, id, who = 'admin') => site.call(who, removeInput, { params: { id } }),
    removeNamed: async (site, contriNames, who = 'admin') =>
      site.call(who, removeInputs, { body: { contriNames } }),
    setStatus: async (site, body, who = 'admin') => site.call(who, setInputsStatus, { body }),
  },
  {
    kind: 'output',
    type: 2,
    add: async (site, at, where = {}) => {
      outputs += 1
      const input = await addTestInput(site, 10_000 + 2 * outputs, where)
      const config = { mode: 'Listen', host: '', port: 7000 + 2 * at } as const
      return addWay(site, input.id, { config })
    },
    read: async (site, id) => site.call('admin', readOutput, { params: { id } }),
    save: async (site, id, change) => {
      const { data } = (await site.call('admin', readOutput, { params: { id } })).answer
      return site.call('admin', updateOutput, { params: { id }, body: changed(data, change) })
    },
    remove: async (site, id, who = 'admin') => site.call(who, removeOutput, { params: { id } }),
    removeNamed: async (site, outputNames, who = 'admin') =>
      site.call(who, removeOutputs, { body: { outputNames } }),
    setStatus: async (site, body, who = 'admin') => site.call(who, setOutputsStatus, { body }),
  },
]

function changed<Data extends { title: string; config: { latency: number } }>(
  data: Data,
  { title = data.title, latency = data.config.latency, version }: Change,
) {
  return { ...data, title, version, config: { ...data.config, latency } }
}

export async function command(
  site: TestSite,
  { type }: TestedKind,
  id: string,
  actionType: 'start' | 'restart',
) {
  return site.call('admin', contributionAction, { body: { id, type, actionType } })
}

export async function startLink(site: TestSite, tested: TestedKind, id: string) {
  return command(site, tested, id, 'start')
}

export function programOf(site: TestSite, { kind }: TestedKind, id: string) {
  return site.linkHost.programs.get(`${kind}-${id}`)
}

/** Objects and results of the lines of audit of a call, in order. */
export async function auditOf(site: TestSite, call: string) {
  const lines = await site.ctx.db.selectFrom('audit').selectAll().orderBy('at').execute()
  return lines.filter((line) => line.call === call).map((line) => [line.object_id, line.result])
}
