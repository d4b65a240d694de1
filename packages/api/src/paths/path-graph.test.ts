import { StreamDetail } from '@trunkline/contract/channels/stream.schema'
import type { KyselyPlugin } from 'kysely'
import { expect, test } from 'vitest'
import type { ObjectKey } from '../fleet/object-key.ts'
import type { Connection } from '../db/open.ts'
import { plansOf } from '../db/query-plans.fixture.ts'
import { StreamLinks } from '../fleet/streams/stream-links.ts'
import { describeOnBothDatabases } from '../testing/databases.ts'
import { edgesBehind, followSide, receiversOf, upstreamOf } from './path-graph.service.ts'
import { objectKeys, PathRows } from './path-rows.fixture.ts'
import type { PathSource } from './path-source.ts'

const GW1 = '198.51.100.1'
const GW2 = '198.51.100.2'
const STREAMS = '198.51.100.9'

function sourceOf(
  db: PathSource['db'],
  channels: Readonly<Record<string, string>> = {},
): PathSource {
  const links = new StreamLinks()
  for (const [id, url] of Object.entries(channels)) {
    links.put(id, 'media', StreamDetail.parse({ name: id, inputs: [{ url }] }))
  }
  return { db, board: { streams: { links } } }
}

/** Camera to gateway 1, its output to gateway 2, and that server's output to a channel. */
async function addTrunk(db: Connection): Promise<PathRows> {
  const rows = await PathRows.add(db)
  await rows.server('gw1', ['gw1.example.org', GW1])
  await rows.server('gw2', ['gw2.example.org', GW2])
  await rows.server('media', ['media1.example.org', STREAMS], 'channel')
  await rows.encoder('cam')
  await rows.feeder('fd', 'cam', 'gw1', [GW1, 6000])
  await rows.inputs(['in1'], 'gw1', 6000, { type: 'aCANFeeder' })
  await rows.outputs(['out1'], ['in1'], { calls: ['gw2.example.org', 7000] })
  await rows.inputs(['in2'], 'gw2', 7000)
  await rows.outputs(['out2'], ['in2'], { calls: [STREAMS, 7100] })
  return rows
}

async function upstreamTexts(source: PathSource, objects: readonly ObjectKey[]) {
  const found = await upstreamOf(source, objects)
  return Object.fromEntries(
    [...found].map(([key, hops]) => [key, hops.map(({ kind, id }) => `${kind} ${id}`)]),
  )
}

describeOnBothDatabases('the hops of a path', (open, _openNew, database) => {
  test('are found across servers, nearest first, by host name and by IP', async () => {
    const db = await open()
    await addTrunk(db)
    const source = sourceOf(db, { ch: 'srt://:7100?passphrase=***' })
    const all = ['output out2', 'input in2', 'output out1', 'input in1', 'feeder fd', 'encoder cam']
    const objects = [...objectKeys('channel', ['ch']), ...objectKeys('output', ['out1'])]
    expect(await upstreamTexts(source, objects)).toEqual({
      'channel ch': all,
      'output out1': all.slice(3),
    })
    const cut = await followSide(source, objectKeys('encoder', ['cam']), 'behind', 1)
    expect([...cut.unfollowed]).toEqual(['feeder fd'])
    const behind = await edgesBehind(source, objectKeys('encoder', ['cam']), 100)
    expect(behind.map(({ behind: { kind, id } }) => `${kind} ${id}`)).toEqual([
      ...all.slice(0, -1).toReversed(),
      'channel ch',
    ])
    const senders = [...objectKeys('feeder', ['fd']), ...objectKeys('output', ['out2'])]
    const receivers = await receiversOf(source, senders)
    expect([...receivers].map(([key, [first]]) => [key, first?.id])).toEqual([
      ['feeder fd', 'in1'],
      ['output out2', 'ch'],
    ])
  })

  test('are found when the receiver calls: an input, and the source of a channel', async () => {
    const db = await open()
    const rows = await addTrunk(db)
    await rows.outputs(['rist'], ['in1'], { type: 'RIST', listens: ['gw1.example.org', 7300] })
    await rows.inputs(['caller'], 'gw2', 7300, { type: 'RIST', calls: [GW1, 7300] })
    await rows.inputs(['srtCaller'], 'gw2', 7301, { calls: [GW1, 7300] })
    const source = sourceOf(db, { ch: `rist://gw1.example.org:7300`, other: `srt://${GW1}:7300` })
    const objects = [
      ...objectKeys('input', ['caller', 'srtCaller']),
      ...objectKeys('channel', ['ch', 'other']),
    ]
    const path = ['output rist', 'input in1', 'feeder fd', 'encoder cam']
    expect(await upstreamTexts(source, objects)).toEqual({
      'input caller': path,
      'input srtCaller': [],
      'channel ch': path,
      'channel other': [],
    })
    const behind = await edgesBehind(source, objectKeys('output', ['rist']), 100)
    expect(behind.map((edge) => edge.behind.id).toSorted()).toEqual(['caller', 'ch'])
  })

  test('a loopback address means the own host, and a shared address the server that is named', async () => {
    const db = await open()
    const rows = await PathRows.add(db)
    const [lo, lan] = ['127.0.0.1', '10.0.0.1']
    await rows.server('a', ['a.example.org', lo, lan])
    await rows.server('b', ['b.example.org', lo, lan])
    await rows.encoder('on a', 'a.example.org')
    await rows.feeder('local', 'on a', 'b', [lo, 6000])
    await rows.feeder('named', 'on a', 'b', [lan, 6002])
    for (const id of ['a', 'b']) {
      await rows.inputs([`${id} 6000`, `${id} 6001`, `${id} 6002`], id, 6000)
    }
    await rows.outputs(['loop'], ['b 6001'], { calls: [lo, 6001] })
    const behind = await edgesBehind(
      sourceOf(db),
      [...objectKeys('feeder', ['local', 'named']), ...objectKeys('output', ['loop'])],
      100,
    )
    const reached = behind.map((edge) => `${edge.before.id} to ${edge.behind.id}`)
    expect(reached.toSorted()).toEqual([
      'b 6001 to loop',
      'local to a 6000',
      'loop to b 6001',
      'named to b 6002',
    ])
  })

  test('end in a loop of the configuration', async () => {
    const db = await open()
    const rows = await addTrunk(db)
    await rows.outputs(['back'], ['in2'], { calls: [GW1, 6000] })
    expect(await upstreamTexts(sourceOf(db), objectKeys('input', ['in1']))).toEqual({
      'input in1': ['feeder fd', 'output back', 'encoder cam', 'input in2', 'output out1'],
    })
  })

  test('of 300 links cost a few queries, and none reads a table from end to end', async () => {
    const db = await open()
    const rows = await addTrunk(db)
    const ids = Array.from({ length: 300 }, (_, at) => `far${at}`)
    const outs = ids.map((id) => `out of ${id}`)
    await rows.inputs(ids, 'gw1', 10_000)
    await rows.outputs(outs, ids, { calls: [GW2, 9000] })
    const objects = [...objectKeys('output', outs), ...objectKeys('input', ids)]
    let queries = 0
    const counter: KyselyPlugin = {
      transformQuery: ({ node }) => {
        queries++
        return node
      },
      transformResult: async ({ result }) => Promise.resolve(result),
    }
    const found = await upstreamOf(sourceOf(db.withPlugin(counter)), objects)
    expect(found.get('output out of far299')).toEqual(objectKeys('input', ['far299']))
    expect(queries).toBeLessThan(10)
    if (database !== 'SQLite') return
    const plans = await plansOf(db, async (watched) => upstreamOf(sourceOf(watched), objects))
    expect(plans.filter((step) => step.startsWith('SCAN'))).toEqual([])
  })
})
