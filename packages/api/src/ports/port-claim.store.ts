/**
 * Which UDP ports of a host are taken, and by whom: the media tools do not notice a taken port, so
 * the database must (dataplane.md 0.1, rule 9). A host that is reached by two names is two hosts
 * here: its agent's probe finds the clash.
 */
import { uniqueViolation } from '../db/faults.ts'
import { sql, type ExpressionBuilder } from 'kysely'
import type { Db } from '../db/open.ts'
import type { Database } from '../db/schema.ts'
import { CLAIM_OWNERS, type ClaimOwner, excludingKeys, type PortClaim } from './port-claim.rules.ts'

export interface ClaimedBy {
  ownerKind: ClaimOwner
  ownerId: string
  leg: string
}

/** The first claim that somebody else holds already; null when all are free. */
export async function findTaken<T extends PortClaim>(
  db: Db,
  owner: { kind: ClaimOwner; id: string },
  claims: readonly T[],
): Promise<{ claim: T; by: ClaimedBy } | null> {
  for (const claim of claims) {
    const row = await db
      .selectFrom('port_claims')
      .select(['owner_kind', 'owner_id', 'leg'])
      .where('host_key', 'in', excludingKeys(claim))
      .where('port', '=', claim.port)
      .where((eb) => eb.or([eb('owner_kind', '!=', owner.kind), eb('owner_id', '!=', owner.id)]))
      .executeTakeFirst()
    if (row !== undefined) return { claim, by: claimedBy(row) }
  }
  return null
}

/** Who holds which of these places, by index; a place is in the answer where somebody holds it. */
export async function findHolders(
  db: Db,
  places: readonly Pick<PortClaim, 'hostKey' | 'port'>[],
): Promise<{ index: number; by: ClaimedBy }[]> {
  const hosts = [...new Set(places.map(({ hostKey }) => hostKey))]
  const ports = [...new Set(places.map(({ port }) => port))]
  if (places.length === 0) return []
  const rows = await db
    .selectFrom('port_claims')
    .select(['host_key', 'port', 'owner_kind', 'owner_id', 'leg'])
    .where('host_key', 'in', hosts)
    .where('port', 'in', ports)
    .execute()
  const byPlace = new Map(rows.map((row) => [`${row.port} ${row.host_key}`, row]))
  return places.flatMap(({ hostKey, port }, index) => {
    const row = byPlace.get(`${port} ${hostKey}`)
    return row === undefined ? [] : [{ index, by: claimedBy(row) }]
  })
}

function claimedBy(row: { owner_kind: string; owner_id: string; leg: string }): ClaimedBy {
  const ownerKind = CLAIM_OWNERS.find((kind) => kind === row.owner_kind) ?? 'encoder'
  return { ownerKind, ownerId: row.owner_id, leg: row.leg }
}

/** The owner holds exactly these afterwards. False when somebody else was faster. */
export async function replace(
  db: Db,
  owner: { kind: ClaimOwner; id: string },
  claims: readonly PortClaim[],
): Promise<boolean> {
  await release(db, owner)
  if (claims.length === 0) return true
  try {
    await db
      .insertInto('port_claims')
      .values(
        claims.map((claim) => ({
          host_key: claim.hostKey,
          port: claim.port,
          owner_kind: owner.kind,
          owner_id: owner.id,
          leg: claim.leg,
        })),
      )
      .execute()
    return true
  } catch (error) {
    if (uniqueViolation(error)) return false
    throw error
  }
}

export async function release(db: Db, owner: { kind: ClaimOwner; id: string }): Promise<void> {
  await db
    .deleteFrom('port_claims')
    .where('owner_kind', '=', owner.kind)
    .where('owner_id', '=', owner.id)
    .execute()
}

/** Of what lives on a server: its inputs, and their outputs. Feeders listen on their encoder's host. */
function isOfServer(eb: ExpressionBuilder<Database, 'port_claims'>, serverId: string) {
  const inputs = eb.selectFrom('inputs').select('inputs.id').where('server_id', '=', serverId)
  const outputs = eb
    .selectFrom('outputs')
    .innerJoin('inputs', 'inputs.id', 'outputs.input_id')
    .select('outputs.id')
    .where('inputs.server_id', '=', serverId)
  return eb.or([
    eb.and([eb('owner_kind', '=', 'input'), eb('owner_id', 'in', inputs)]),
    eb.and([eb('owner_kind', '=', 'output'), eb('owner_id', 'in', outputs)]),
  ])
}

/** The first port that what lives on the server has, and somebody on `hostKey` has too. */
export async function findClash(
  db: Db,
  serverId: string,
  hostKey: string,
): Promise<{ port: number; by: ClaimedBy } | null> {
  const row = await db
    .selectFrom('port_claims')
    .select(['port', 'owner_kind', 'owner_id', 'leg'])
    .where('host_key', '=', hostKey)
    .where('port', 'in', (item) =>
      item
        .selectFrom('port_claims')
        .select('port_claims.port')
        .where((each) => isOfServer(each, serverId)),
    )
    .orderBy('port')
    .executeTakeFirst()
  return row === undefined ? null : { port: row.port, by: claimedBy(row) }
}

/** What lives on the server has its ports on this host from now on. False when somebody else was faster. */
export async function moveServer(db: Db, serverId: string, hostKey: string): Promise<boolean> {
  try {
    await db
      .updateTable('port_claims')
      .set({ host_key: hostKey })
      .where((item) => isOfServer(item, serverId))
      .execute()
    return true
  } catch (error) {
    if (uniqueViolation(error)) return false
    throw error
  }
}

/** Every taken port of a host, in order. */
export async function takenPorts(db: Db, hostKey: string): Promise<number[]> {
  const rows = await db
    .selectFrom('port_claims')
    .select('port')
    .where('host_key', '=', hostKey)
    .orderBy('port')
    .execute()
  return rows.map((row) => row.port)
}

export interface DescribedOwner {
  /** A feeder has its encoder's. */
  title: string
  groupId: string
  /** Editors who are assigned to the encoder; nobody for inputs and outputs. */
  editorIds: string[]
}

/** Who holds a claim; null when it was removed meanwhile. */
export async function describeOwner(
  db: Db,
  { ownerKind, ownerId }: ClaimedBy,
): Promise<DescribedOwner | null> {
  const found = await ownerQuery(db, ownerKind, ownerId).executeTakeFirst()
  if (found === undefined) return null
  const { title, groupId, encoderId } = found
  const editors = await db
    .selectFrom('encoder_users')
    .select('user_id')
    .where('encoder_id', '=', encoderId ?? '')
    .execute()
  return { title, groupId, editorIds: editors.map((editor) => editor.user_id) }
}

function ownerQuery(db: Db, kind: ClaimOwner, id: string) {
  const none = sql<string | null>`null`.as('encoderId')
  switch (kind) {
    case 'encoder':
      return db
        .selectFrom('encoders')
        .select(['title', 'group_id as groupId', 'id as encoderId'])
        .where('id', '=', id)
    case 'feeder':
      return db
        .selectFrom('feeders')
        .innerJoin('encoders', 'encoders.id', 'feeders.encoder_id')
        .select(['encoders.title as title', 'encoders.group_id as groupId'])
        .select('encoders.id as encoderId')
        .where('feeders.id', '=', id)
    case 'input':
      return db
        .selectFrom('inputs')
        .select(['title', 'group_id as groupId', none])
        .where('id', '=', id)
    case 'output':
      return db
        .selectFrom('outputs')
        .innerJoin('inputs', 'inputs.id', 'outputs.input_id')
        .select(['outputs.title as title', 'inputs.group_id as groupId', none])
        .where('outputs.id', '=', id)
  }
}
