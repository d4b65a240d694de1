/** Rows for what is asked of lists: one of each kind in group north, and copies of it. */
import type { Connection } from '../db/open.ts'
import { copyRow } from './copied-rows.ts'
import { addStoredSite, STORED_AT, encoderRow } from './stored-site.ts'

/** The site of `addStoredSite`, with so many encoders, inputs, outputs, channels, destinations and users more. */
export async function addListedRows(db: Connection, copies: number): Promise<void> {
  await addStoredSite(db)
  const stamps = (id: string) => ({ id, version: 1, created_at: STORED_AT, search: `${id}\nrow` })
  const flags = { is_enabled: 0 as const, wanted_running: 0 as const }
  const named = (id: string) => ({
    ...stamps(id),
    name: id,
    title: `Title of ${id}`,
    title_key: `title of ${id}`,
  })
  const encoder = {
    ...named('encoder'),
    ...flags,
    email: 'encoder@example.org',
    address_key: '192.000.002.001',
    port: 8000,
  }
  await db
    .insertInto('encoders')
    .values(encoderRow('encoder', 'north', encoder))
    .execute()
  const encryption = '{"selection":"no","passphrase":"","type":128}'
  const link = {
    ...flags,
    encryption,
    passphrase_sealed: null,
    advanced: '[]',
    config: '{"port":6000}',
  }
  const place = { server_id: 'gateway', group_id: 'north', port: 6000 }
  await db
    .insertInto('inputs')
    .values({ ...named('input'), ...link, ...place, input_type: 'SRT' })
    .execute()
  await db
    .insertInto('outputs')
    .values({
      ...named('output'),
      ...link,
      output_type: 'SRT',
      input_id: 'input',
      destination_id: null,
    })
    .execute()
  await db
    .insertInto('channels')
    .values({ ...named('channel'), server_id: 'streams' })
    .execute()
  const destination = {
    ip: '192.0.2.2',
    address_key: '192.000.002.002',
    group_id: 'north',
    encryption,
    passphrase_sealed: null,
  }
  await db
    .insertInto('destinations')
    .values({
      ...stamps('destination'),
      title: 'destination',
      title_key: 'destination',
      ...destination,
    })
    .execute()
  await addCopies(db, copies)
}

async function addCopies(db: Connection, copies: number): Promise<void> {
  await copyRow(db, 'encoders', 'encoder', copies, [
    'id',
    'name',
    'title_key',
    'email',
    'address_key',
    'search',
  ])
  const encoders = await db.selectFrom('encoders').select('id').execute()
  await db
    .insertInto('encoder_users')
    .values(encoders.map(({ id }) => ({ encoder_id: id, user_id: 'editor' })))
    .execute()
  await copyRow(db, 'inputs', 'input', copies, ['id', 'name', 'title_key', 'search'])
  await copyRow(db, 'outputs', 'output', copies, ['id', 'name', 'title_key', 'search'])
  await copyRow(db, 'channels', 'channel', copies, ['id', 'name', 'title_key', 'search'])
  await copyRow(db, 'destinations', 'destination', copies, [
    'id',
    'title',
    'title_key',
    'address_key',
    'search',
  ])
  await copyRow(db, 'users', 'editor', copies, ['id', 'email', 'search'])
}
