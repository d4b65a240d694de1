/** The cost of a save follows what changed, never the size of the site. */
import { renameChannel, saveChannels } from '@trunkline/contract/channels/channel.calls'
import { updateInput } from '@trunkline/contract/contributions/input.calls'
import { updateOutput } from '@trunkline/contract/contributions/output.calls'
import { addEncoder, updateEncoder } from '@trunkline/contract/encoders/encoder.calls'
import { updateGroup } from '@trunkline/contract/groups/group.calls'
import { updateServer } from '@trunkline/contract/servers/server.calls'
import { updateUser } from '@trunkline/contract/users/user.calls'
import type { KyselyPlugin } from 'kysely'
import { setImmediate as turnOfEventLoop } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import type { Context } from '../context.ts'
import { copyRow } from '../testing/copied-rows.ts'
import { palConfig } from '../testing/encoder.fixture.ts'
import { addTestFeeder } from '../testing/feeder.fixture.ts'
import { addTestInput, addTestOutput, testInput } from '../testing/input.fixture.ts'
import { addTestEncoder, openTestSite, type TestSite } from '../testing/test-site.ts'

interface Cost {
  queries: number
  rows: number
  unsealed: number
}

/** Counts what the product asks of its database and its keys. */
function counted(cost: Cost): (opened: Context) => Partial<Context> {
  const counter: KyselyPlugin = {
    transformQuery: ({ node }) => {
      cost.queries += 1
      return node
    },
    transformResult: async ({ result }) => {
      cost.rows += result.rows.length
      return Promise.resolve(result)
    },
  }
  return ({ db, keys }) => ({
    db: db.withPlugin(counter),
    keys: {
      ...keys,
      open: (sealed) => {
        cost.unsealed += 1
        return keys.open(sealed)
      },
    },
  })
}

interface Things {
  encoderId: string
  inputId: string
  outputId: string
  channelId: string
}

/** One of each kind with all that belongs to it, and `copies` of every row beside them. */
async function fill(site: TestSite, copies: number): Promise<Things> {
  const { id: encoderId } = await addTestEncoder(site, 0)
  const feederId = await addTestFeeder(site, encoderId, 5000)
  const { id: inputId } = await addTestInput(site, 6000)
  const outputId = await addTestOutput(site, inputId)
  site.media.streams.set('demo', { name: 'demo', stats: { alive: true } })
  const channel = await site.call('admin', saveChannels, {
    body: [{ name: 'demo', title: 'Demo', serverId: site.channelServerId, groupIds: [site.north] }],
  })
  const channelId = channel.answer.data[0]?.id ?? ''
  const { db } = site.ctx
  await copyRow(db, 'users', site.people.southEditor.id, copies, ['id', 'email'])
  await copyRow(db, 'groups', site.south, copies, ['id', 'title_key'])
  await copyRow(db, 'servers', site.acantsId, copies, ['id', 'host', 'host_key'])
  await copyRow(db, 'servers', site.channelServerId, copies, ['id', 'host', 'host_key'])
  await copyRow(db, 'encoders', encoderId, copies, ['id', 'name', 'ip'])
  await copyRow(db, 'feeders', feederId, copies, ['id', 'encoder_id'])
  await copyRow(db, 'inputs', inputId, copies, ['id', 'name', 'server_id'])
  await copyRow(db, 'outputs', outputId, copies, ['id', 'name', 'input_id'])
  await copyRow(db, 'channels', channelId, copies, ['id', 'name', 'server_id'])
  return { encoderId, inputId, outputId, channelId }
}

/** Every kind of save, by name. */
function saves(site: TestSite, { encoderId, inputId, outputId, channelId }: Things) {
  const title = 'New title'
  const port = site.encoderHost.port
  const editor = site.people.northEditor.id
  return {
    'title of an encoder': async () =>
      site.call('admin', updateEncoder, { body: { _id: encoderId, title } }),
    'configuration of an encoder': async () =>
      site.call('admin', updateEncoder, { body: { _id: encoderId, config: palConfig(1) } }),
    'editors of an encoder': async () =>
      site.call('admin', updateEncoder, { body: { _id: encoderId, users: [] } }),
    'a new encoder': async () =>
      site.call('admin', addEncoder, {
        body: { title: 'Other', ip: '127.0.0.1', port, groupId: site.north },
      }),
    'port of an input': async () => {
      const body = testInput(site, 6001)
      return site.call('admin', updateInput, { params: { id: inputId }, body })
    },
    'port of an output': async () => {
      const config = { mode: 'Push', host: '192.0.2.10', port: 7001 } as const
      const body = { title, inputType: 'SRT', contributionId: inputId, config } as const
      return site.call('admin', updateOutput, { params: { id: outputId }, body })
    },
    'title of a server': async () =>
      site.call('admin', updateServer, { params: { id: site.acantsId }, body: { title } }),
    'title of a channel': async () =>
      site.call('admin', renameChannel, { params: { channelId }, body: { title } }),
    'title of a group': async () =>
      site.call('admin', updateGroup, { params: { id: site.north }, body: { title } }),
    'name of a person': async () =>
      site.call('admin', updateUser, { body: { _id: editor, firstName: title } }),
  }
}

async function costOfSaves(copies: number): Promise<Record<string, Cost>> {
  const cost: Cost = { queries: 0, rows: 0, unsealed: 0 }
  const site = await openTestSite({}, counted(cost))
  onTestFinished(async () => site[Symbol.asyncDispose]())
  const things = await fill(site, copies)
  const found: Record<string, Cost> = {}
  for (const [name, save] of Object.entries(saves(site, things))) {
    const before = { ...cost }
    const { status, text } = await save()
    if (status >= 300) throw new Error(`${name}: ${text}`)
    // SQLite answers at once: what the save has set off without waiting for it is done by then.
    await turnOfEventLoop()
    found[name] = {
      queries: cost.queries - before.queries,
      rows: cost.rows - before.rows,
      unsealed: cost.unsealed - before.unsealed,
    }
  }
  return found
}

/** Who calls is read again once a second, whatever is saved; a table that is read whole is more. */
const SLACK = 100

test('API-24 a save with 300 objects of each kind reads no more rows and keys than with 3', async () => {
  const [few, many] = [await costOfSaves(3), await costOfSaves(300)]
  const grown = Object.entries(many).filter(([name, { queries, rows, unsealed }]) => {
    const before = few[name] ?? { queries: 0, rows: 0, unsealed: 0 }
    const growth = [queries - before.queries, rows - before.rows, unsealed - before.unsealed]
    return growth.some((count) => count > SLACK)
  })
  expect(grown).toEqual([])
})

test('W3 a save of an encoder that is nothing to its host reads it once, and nothing else', async () => {
  const found = await costOfSaves(0)
  // Encoder, editors and feeders; the change and its line.
  expect(found['title of an encoder']?.queries).toBe(3 + 2)
})
