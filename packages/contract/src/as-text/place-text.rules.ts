/** Users, groups and servers as text. */
import { z } from 'zod'
import { GroupDraft } from '../groups/group.schema.ts'
import { Adapters, ADAPTERS_MISSING, ApiKey, ServerDraft } from '../servers/server.schema.ts'
import { Password, UserDraft } from '../users/user.schema.ts'
import type { SiteNames } from './site-names.ts'
import { asIs, type KindText, noFaults, type Resolve } from './text-kind.ts'
import { type Fault, KEPT, type Tree } from './text-object.schema.ts'
import { isTree, plainAt } from './tree.rules.ts'

/** An empty secret is none, or the stored secret: whoever plans knows which. */
function orEmpty<T extends z.ZodType>(secret: T) {
  return z.union([z.literal(''), secret])
}

export function listAt(tree: Tree, field: string): readonly unknown[] {
  const value = tree[field]
  return Array.isArray(value) ? (value as unknown[]) : []
}

export function textsAt(tree: Tree, field: string): string[] {
  return listAt(tree, field).map(String)
}

/** The ids of what a list of titles or e-mails names. */
export function resolveAll(
  text: Tree,
  field: string,
  kind: 'group' | 'user',
  resolve: Resolve,
): string[] {
  return textsAt(text, field).map((title) => resolve(field, kind, [title]))
}

/** '' where the text names nothing: the schema then says what is missing. */
export function resolveTitle(
  text: Tree,
  field: string,
  kind: 'group' | 'server' | 'user',
  resolve: Resolve,
): string {
  const title = plainAt(text, field)
  return title === '' ? '' : resolve(field, kind, [title])
}

function managerOf({ manager }: Tree, names: SiteNames): string {
  if (isTree(manager)) return names.titleOf('user', String(manager['_id']))
  return typeof manager === 'string' ? names.titleOf('user', manager) : ''
}

export const USER_TEXT: KindText = {
  kind: 'user',
  keyOf: (text) => [plainAt(text, 'email').toLowerCase()],
  textOf: (wire, names) => ({
    email: wire['email'],
    firstName: wire['firstName'],
    lastName: wire['lastName'],
    role: wire['mode'],
    groups: Array.isArray(wire['groups'])
      ? wire['groups'].filter(isTree).map(({ title }) => title)
      : [plainAt(wire, 'groupId')].filter(Boolean).map((id) => names.titleOf('group', id)),
    password: '_id' in wire ? KEPT : '',
  }),
  draftOf: (text, resolve) => {
    const [groupId, ...more] = resolveAll(text, 'groups', 'group', resolve)
    return {
      email: text['email'],
      firstName: text['firstName'],
      lastName: text['lastName'],
      mode: text['role'],
      ...(groupId === undefined ? {} : { groupId }),
      // The schema refuses it by its name.
      ...(more.length === 0 ? {} : { 'a second group': more }),
      password: text['password'],
    }
  },
  schema: UserDraft.extend({ password: orEmpty(Password).default('') }),
  fieldNames: { mode: 'role', groupId: 'groups' },
  faultsBetween: noFaults,
  settled: asIs,
  secret: 'password',
  filledIn: [],
  fixed: { groups: 'Groups are named for new users only. Use Add to group in the console.' },
  fields: ['email', 'firstName', 'lastName', 'role', 'groups', 'password'],
}

export const GROUP_TEXT: KindText = {
  kind: 'group',
  keyOf: (text) => [plainAt(text, 'title')],
  textOf: (wire, names) => ({
    title: wire['title'],
    manager: managerOf(wire, names),
    description: wire['description'],
  }),
  draftOf: (text, resolve) => ({
    title: text['title'],
    description: text['description'],
    manager: resolveTitle(text, 'manager', 'user', resolve),
  }),
  schema: GroupDraft,
  fieldNames: {},
  faultsBetween: noFaults,
  settled: asIs,
  secret: null,
  filledIn: [],
  fixed: {},
  fields: ['title', 'manager', 'description'],
}

/** A server that was enrolled may have none yet; one that is added by its key names them. */
function adapterFaults(draft: Tree): Fault[] {
  const isNew = plainAt(draft, 'apiKey') !== ''
  const isEmpty = listAt(draft, 'adapterIps').length === 0
  return isNew && isEmpty ? [{ field: 'adapterIps', sentence: ADAPTERS_MISSING }] : []
}

export const SERVER_TEXT: KindText = {
  kind: 'server',
  keyOf: (text) => [plainAt(text, 'title')],
  textOf: (wire, names) => ({
    title: wire['title'],
    serverType: wire['serverType'],
    host: wire['host'],
    port: wire['port'],
    apiKey: wire['apiKeySet'] === true ? KEPT : '',
    groups: textsAt(wire, 'groupIds')
      .map((id) => names.titleOf('group', id))
      .toSorted(),
    adapterIps: listAt(wire, 'adapterIps')
      .filter(isTree)
      .map(({ adapterName, adapterIp }) => ({ adapterName, adapterIp })),
    location: wire['location'],
    description: wire['description'],
  }),
  draftOf: ({ groups: _, ...text }, resolve) => ({
    ...text,
    groupIds: resolveAll({ groups: _ }, 'groups', 'group', resolve),
  }),
  schema: ServerDraft.extend({ apiKey: orEmpty(ApiKey).default(''), adapterIps: Adapters }),
  fieldNames: { groupIds: 'groups' },
  faultsBetween: adapterFaults,
  settled: asIs,
  secret: 'apiKey',
  filledIn: [],
  fixed: {},
  fields: [
    'title',
    'serverType',
    'host',
    'port',
    'apiKey',
    'groups',
    'adapterIps',
    'location',
    'description',
  ],
}
