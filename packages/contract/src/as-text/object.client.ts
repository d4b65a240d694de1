/** Adds, changes and removes an object of a site by the calls that every client makes. */
import {
  addDestination,
  removeDestination,
  updateDestination,
} from '../contributions/destination.calls.ts'
import {
  addInput,
  removeInput,
  setInputsStatus,
  updateInput,
} from '../contributions/input.calls.ts'
import {
  addOutput,
  removeOutput,
  setOutputsStatus,
  updateOutput,
} from '../contributions/output.calls.ts'
import {
  addEncoder,
  enableEncoder,
  removeEncoder,
  updateEncoder,
} from '../encoders/encoder.calls.ts'
import { removeFeeder, saveFeeder } from '../encoders/feeder.calls.ts'
import { addGroup, removeGroup, updateGroup } from '../groups/group.calls.ts'
import type { Route } from '../route.ts'
import { addServer, removeServer, updateServer } from '../servers/server.calls.ts'
import { addUser, removeUser, updateUser } from '../users/user.calls.ts'
import type { MakeCall } from './site.client.ts'
import type { FieldChange, StoredObject, TextKind, Tree } from './text-object.schema.ts'
import { isTree } from './tree.rules.ts'

/** A call with all that goes with it; it can be asked about before it is made. */
export interface PreparedCall {
  route: Route
  params?: Tree
  body?: Tree
}

export interface ObjectSave {
  kind: TextKind
  /** As `readText` answers it. */
  draft: Tree
  changes: readonly FieldChange[]
  /** null for a new object. */
  stored: StoredObject | null
  /** Of a feeder the version of its encoder as it is now, where an earlier save has raised it. */
  version: number | null
}

/** Adds it, or changes it as a whole. An encoder that is new may take a second call: see `saveObject`. */
export function saveCall(save: ObjectSave): PreparedCall {
  const { stored } = save
  return stored === null ? addCall(save) : changeCall(save, stored)
}

function addCall({ kind, draft }: ObjectSave): PreparedCall {
  const ADD = {
    user: addUser,
    group: addGroup,
    server: addServer,
    destination: addDestination,
    input: addInput,
    output: addOutput,
  } as const
  if (kind === 'feeder') return feederCall(draft, null)
  if (kind === 'encoder') {
    const { users: _1, config: _2, ...body } = draft
    return { route: addEncoder, body }
  }
  return { route: ADD[kind], body: draft }
}

function changeCall({ draft, changes, version }: ObjectSave, stored: StoredObject): PreparedCall {
  const { kind, id } = stored
  const seen = { version: version ?? stored.version }
  const params = { id }
  switch (kind) {
    case 'user':
      return { route: updateUser, body: { _id: id, ...userEdit(draft, changes), ...seen } }
    case 'group':
      return { route: updateGroup, params, body: { ...changedParts(draft, changes), ...seen } }
    case 'server':
      return {
        route: updateServer,
        params,
        body: { ...changedParts(withAdapterIds(draft, stored), changes), ...seen },
      }
    case 'encoder':
      return { route: updateEncoder, body: { _id: id, ...changedParts(draft, changes), ...seen } }
    case 'feeder':
      return feederCall(draft, { name: id, ...seen })
    case 'destination':
      return { route: updateDestination, params, body: { ...draft, ...seen } }
    case 'input':
      return { route: updateInput, params, body: { ...draft, ...seen } }
    case 'output':
      return { route: updateOutput, params, body: { ...draft, ...seen } }
  }
}

function feederCall(draft: Tree, known: { name: string; version: number } | null): PreparedCall {
  const { encoderId, ...feeder } = draft
  const { name, ...seen } = known ?? {}
  const feederPost = name === undefined ? feeder : { ...feeder, name }
  return {
    route: saveFeeder,
    params: { product: 'acan' },
    body: { _id: encoderId, ...seen, feederPost },
  }
}

/** What a draft calls a field of the text. */
const DRAFT_FIELDS: Readonly<Record<string, string>> = {
  groups: 'groupIds',
  group: 'groupId',
  role: 'mode',
}

/** Of calls that leave alone what is absent. */
function changedParts(draft: Tree, changes: readonly FieldChange[]): Tree {
  const names = changes.map(({ field }) => field.split('.')[0] ?? '')
  const fields = new Set(names.map((name) => DRAFT_FIELDS[name] ?? name))
  return Object.fromEntries(Object.entries(draft).filter(([name]) => fields.has(name)))
}

function userEdit(draft: Tree, changes: readonly FieldChange[]): Tree {
  const { password, ...parts } = changedParts(draft, changes)
  if (password === undefined || password === '') return parts
  return { ...parts, newPassword: password, newConfirmPassword: password }
}

/** An adapter that keeps its name keeps its id, by which others refer to it. */
function withAdapterIds(draft: Tree, { wire }: StoredObject): Tree {
  const stored = Array.isArray(wire['adapterIps']) ? (wire['adapterIps'] as unknown[]) : []
  const wanted = Array.isArray(draft['adapterIps']) ? (draft['adapterIps'] as unknown[]) : []
  const adapterIps = wanted.filter(isTree).map((adapter) => {
    const same = stored
      .filter(isTree)
      .find((each) => each['adapterName'] === adapter['adapterName'])
    return same === undefined ? adapter : { ...adapter, _id: same['_id'] }
  })
  return { ...draft, adapterIps }
}

export interface Saved {
  id: string
  version: number
}

/**
 * All or nothing: an encoder whose settings are refused after it was added is removed again. Throws what
 * `call` throws.
 */
export async function saveObject(call: MakeCall, save: ObjectSave): Promise<Saved> {
  const saved = savedIn(save, await send(call, saveCall(save)))
  if (save.kind !== 'encoder' || save.stored !== null) return saved
  const { users, config } = save.draft
  const isPlain = config === null && Array.isArray(users) && users.length === 0
  if (isPlain) return saved
  try {
    const body = { _id: saved.id, version: saved.version, users, config }
    const answer = await send(call, { route: updateEncoder, body })
    return savedIn(save, answer)
  } catch (error) {
    await send(call, { route: removeEncoder, params: { id: saved.id } })
    throw error
  }
}

async function send(call: MakeCall, { route, params, body }: PreparedCall): Promise<unknown> {
  return call(route, {
    ...(params === undefined ? {} : { params }),
    ...(body === undefined ? {} : { body }),
  })
}

function savedIn({ kind }: ObjectSave, answer: unknown): Saved {
  const { data, feeder } = answer as { data: Tree; feeder?: Tree }
  const id = kind === 'feeder' ? feeder?.['name'] : data['_id']
  return { id: String(id), version: Number(data['version']) }
}

/** null for what cannot be disabled. */
export function enableCall(stored: StoredObject, isEnabled: boolean): PreparedCall | null {
  const { kind, id } = stored
  const body = { names: [id], isDisable: !isEnabled }
  if (kind === 'input') return { route: setInputsStatus, body }
  if (kind === 'output') return { route: setOutputsStatus, body }
  if (kind !== 'encoder') return null
  return { route: enableEncoder, params: { id }, body: { isEnabled } }
}

export function removeCall({ kind, id, wire }: StoredObject): PreparedCall {
  const params = { id }
  switch (kind) {
    case 'user':
      return { route: removeUser, params }
    case 'group':
      return { route: removeGroup, params }
    case 'server':
      return { route: removeServer, params }
    case 'destination':
      return { route: removeDestination, params }
    case 'encoder':
      return { route: removeEncoder, params }
    case 'feeder':
      return { route: removeFeeder, params: { encoderId: wire['encoderId'], feederName: id } }
    case 'input':
      return { route: removeInput, params }
    case 'output':
      return { route: removeOutput, params }
  }
}
