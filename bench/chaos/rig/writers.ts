/** People who change objects without a pause, and keep what they were answered. */
import {
  addDestination,
  removeDestination,
  updateDestination,
} from '@trunkline/contract/contributions/destination.calls'
import { addGroup, removeGroup, updateGroup } from '@trunkline/contract/groups/group.calls'
import { addUser } from '@trunkline/contract/users/user.calls'
import { callApi, CallFailed, type Client } from '@trunkline/testbed/api-client'
import { PASSWORD } from '../../kit/large-site.ts'
import { titleOf, type Action, type Outcome, type Write } from './write-model.ts'

/** What is written: its calls, and where it is stored. */
export interface WrittenKind {
  readonly table: 'groups' | 'destinations'
  /** In the record of activity. */
  readonly objectKind: 'group' | 'destination'
  add(client: Client, title: string): Promise<string>
  update(client: Client, id: string, title: string): Promise<unknown>
  remove(client: Client, id: string): Promise<unknown>
}

export interface Home {
  manager: string
  groupId: string
}

/** Of an empty site: the people and the group that objects belong to. */
export async function addHome(client: Client): Promise<Home> {
  const manager = await addManager(client)
  const body = { title: 'Home', description: 'Of all objects', manager }
  return { manager, groupId: (await callApi(client, addGroup, { body })).data.id }
}

export function writtenKinds({ manager, groupId }: Home): WrittenKind[] {
  return [
    {
      table: 'groups',
      objectKind: 'group',
      add: async (by, title) =>
        (await callApi(by, addGroup, { body: { title, description: 'Chaos', manager } })).data.id,
      update: async (by, id, title) =>
        callApi(by, updateGroup, { params: { id }, body: { title } }),
      remove: async (by, id) => callApi(by, removeGroup, { params: { id } }),
    },
    {
      table: 'destinations',
      objectKind: 'destination',
      add: async (by, title) =>
        (await callApi(by, addDestination, { body: destination(title, groupId) })).data.id,
      update: async (by, id, title) =>
        callApi(by, updateDestination, { params: { id }, body: destination(title, groupId) }),
      remove: async (by, id) => callApi(by, removeDestination, { params: { id } }),
    },
  ]
}

async function addManager(client: Client): Promise<string> {
  const person = { firstName: 'Chaos', lastName: 'Manager', email: 'manager@trunkline.example' }
  const body = { ...person, password: PASSWORD, mode: 'manager' as const }
  return (await callApi(client, addUser, { body })).id
}

function destination(title: string, groupId: string) {
  return { title, ip: '198.51.100.7', groupId }
}

/** Changes of one object: added, changed some times, removed; some stay. */
const LIVES: readonly (readonly Action[])[] = [
  ['add', 'update', 'update', 'remove'],
  ['add', 'update', 'update'],
]

export class Writer {
  readonly writes: Write[] = []
  /** Of each write, in milliseconds. */
  readonly tookMs: number[] = []
  readonly #name: string
  readonly #kind: WrittenKind
  #objects = 0

  constructor(name: string, kind: WrittenKind) {
    this.#name = name
    this.#kind = kind
  }

  get kind(): WrittenKind {
    return this.#kind
  }

  /** Writes object after object until `signal` ends it, or an answer stays away. */
  async writeOn(client: Client, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      if (!(await this.writeObject(client))) return
    }
  }

  /** Nothing more happens to an object once a change of it was not acknowledged. False: no answer came. */
  async writeObject(client: Client): Promise<boolean> {
    const tag = `${this.#name}-${this.#objects}`
    const life = LIVES[this.#objects % LIVES.length] ?? []
    this.#objects += 1
    let id = ''
    for (const [value, action] of life.entries()) {
      const title = titleOf({ tag, value })
      const startedMs = performance.now()
      const { outcome, isCut } = await answerOf(async () => {
        if (action === 'add') id = await this.#kind.add(client, title)
        else if (action === 'update') await this.#kind.update(client, id, title)
        else await this.#kind.remove(client, id)
      })
      this.tookMs.push(performance.now() - startedMs)
      this.writes.push({ tag, value, action, outcome })
      if (outcome !== 'acknowledged') return !isCut
    }
    return true
  }
}

/** The API says itself when it does not know: its connection to the database ended meanwhile. */
const IS_UNSURE = /check first whether a change of yours was saved/

interface Answered {
  outcome: Outcome
  /** No answer came: whoever waits has no API any more. */
  isCut: boolean
}

async function answerOf(call: () => Promise<void>): Promise<Answered> {
  try {
    await call()
    return { outcome: 'acknowledged', isCut: false }
  } catch (error) {
    if (!(error instanceof CallFailed)) return { outcome: 'unknown', isCut: true }
    const isUnsure = IS_UNSURE.test(error.failure.error)
    return { outcome: isUnsure ? 'unknown' : 'refused', isCut: false }
  }
}
