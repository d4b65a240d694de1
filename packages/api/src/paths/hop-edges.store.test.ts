import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openDatabase, type Db } from '../db/open.ts'
import { plansOf } from '../db/query-plans.fixture.ts'
import { copySqliteTemplate } from '../testing/databases.ts'
import { makeFolder } from '../testing/folder.ts'
import * as channelEdgeStore from './channel-edges.store.ts'
import * as hopEdgeStore from './hop-edges.store.ts'

const IDS = Array.from({ length: 300 }, (_, at) => `id${at}`)
const BY_SERVERS = { of: 'servers', ids: IDS, ports: [6000, 6001] } as const
const BY_SENDERS = { of: 'senders', ids: IDS } as const

const QUERIES: Readonly<Record<string, (db: Db) => Promise<unknown>>> = {
  'inputs of feeders': async (db) => hopEdgeStore.feederToInput(db, 'feeders.id', IDS),
  'feeders of inputs': async (db) => hopEdgeStore.feederToInput(db, 'inputs.id', IDS),
  'inputs of outputs': async (db) => hopEdgeStore.outputToInput(db, 'outputs.id', IDS),
  'outputs of inputs': async (db) => hopEdgeStore.outputToInput(db, 'inputs.id', IDS),
  'callers of outputs': async (db) => hopEdgeStore.outputToCallingInput(db, 'outputs.id', IDS),
  'outputs of callers': async (db) => hopEdgeStore.outputToCallingInput(db, 'inputs.id', IDS),
  'media servers of feeders': async (db) => channelEdgeStore.feedersToStreams(db, BY_SENDERS),
  'feeders of media servers': async (db) => channelEdgeStore.feedersToStreams(db, BY_SERVERS),
  'media servers of outputs': async (db) => channelEdgeStore.outputsToStreams(db, BY_SENDERS),
  'outputs of media servers': async (db) => channelEdgeStore.outputsToStreams(db, BY_SERVERS),
  'listening outputs': async (db) =>
    channelEdgeStore.listeningOutputs(db, { of: 'outputs', ids: IDS }),
  'outputs that listen at addresses': async (db) =>
    channelEdgeStore.listeningOutputs(db, { of: 'addresses', ids: IDS, ports: [7000, 7001] }),
}

// 500 gateways number their ports alike: of 500 feeders, their inputs took 0.8 s by the port alone.
test.each(Object.entries(QUERIES))('Q102 %s are not looked for by a port alone', async (_, ask) => {
  const folder = await makeFolder()
  onTestFinished(async () => folder[Symbol.asyncDispose]())
  const file = join(folder.path, 'test.db')
  await copySqliteTemplate(file)
  const db = await openDatabase({ kind: 'sqlite', file })
  onTestFinished(async () => db.destroy())
  const plans = await plansOf(db, ask)
  expect(plans.length).toBeGreaterThan(2)
  const wide = /^SCAN|_by_(calls_)?port|\((calls_port|port|owner_kind)=\?\)/
  expect(plans.filter((step) => wide.test(step))).toEqual([])
})
