import { addDestination } from '@trunkline/contract/contributions/destination.calls'
import { saveChannels } from '@trunkline/contract/channels/channel.calls'
import { readInput } from '@trunkline/contract/contributions/input.calls'
import { findEncoder } from '@trunkline/contract/encoders/encoder.calls'
import { addTemplate } from '@trunkline/contract/encoders/template.calls'
import { FOUND_OF_A_KIND, searchObjects, type Found } from '@trunkline/contract/search/search.calls'
import { expect, test } from 'vitest'
import { palConfig } from '../testing/encoder.fixture.ts'
import { addTestFeeder } from '../testing/feeder.fixture.ts'
import { addTestInput, addTestOutput } from '../testing/input.fixture.ts'
import type { PersonName } from '../testing/people.ts'
import { BOTH_DATABASES, openSiteOn } from '../testing/site-on.ts'
import { addTestEncoder, type TestSite } from '../testing/test-site.ts'

async function searchAs(site: TestSite, who: PersonName, q: string, keys = '') {
  const { answer, status } = await site.call(who, searchObjects, { query: { q, keys } })
  expect(status).toBe(200)
  return { ...titlesOf(answer.data), more: answer.more, data: answer.data }
}

/** The kinds of which anything was found, each with its titles. */
function titlesOf(found: Found): { titles: Record<string, string[]> } {
  const all: Record<keyof Found, string[]> = {
    encoders: found.encoders.map(({ title }) => title),
    feeders: found.feeders.map(({ feeder }) => feeder.input.title),
    inputs: found.inputs.map(({ title }) => title),
    outputs: found.outputs.map(({ title }) => title),
    channels: found.channels.map(({ title }) => title),
    destinations: found.destinations.map(({ title }) => title),
    servers: found.servers.map(({ title }) => title),
    templates: found.templates.map(({ title }) => title),
    groups: found.groups.map(({ title }) => title),
    users: found.users.map(({ title }) => title),
  }
  return { titles: Object.fromEntries(Object.entries(all).filter(([, some]) => some.length > 0)) }
}

async function addObjects(site: TestSite) {
  const { id: encoderId } = await addTestEncoder(site, 0)
  const feederName = await addTestFeeder(site, encoderId, 5000)
  const { id: inputId } = await addTestInput(site, 6100, { title: 'Marathon km 30' })
  await addTestInput(site, 6200, { title: 'Marathon South', groupId: site.south })
  const outputId = await addTestOutput(site, inputId, { title: 'Marathon to far end' })
  const destination = await site.call('admin', addDestination, {
    body: { title: 'Marathon Paris', ip: '192.0.2.77', groupId: site.north },
  })
  await site.call('admin', saveChannels, {
    body: [
      {
        name: 'run',
        title: 'Marathon live',
        serverId: site.channelServerId,
        groupIds: [site.north],
      },
    ],
  })
  return { encoderId, feederName, inputId, outputId, destinationId: destination.answer.data.id }
}

test.each(BOTH_DATABASES)(
  'objects of every kind are found by title, address, port and id on %s',
  async (database) => {
    const site = await openSiteOn(database)
    const { encoderId, feederName, inputId, outputId } = await addObjects(site)
    const find = async (q: string) => (await searchAs(site, 'admin', q)).titles
    expect(await find('marathon')).toEqual({
      inputs: ['Marathon km 30', 'Marathon South'],
      outputs: ['Marathon to far end'],
      channels: ['Marathon live'],
      destinations: ['Marathon Paris'],
    })
    expect(await find('KM 30')).toEqual({ inputs: ['Marathon km 30'] })
    // By address, and by the port that something calls or listens on.
    expect(await find('192.0.2.77')).toEqual({ destinations: ['Marathon Paris'] })
    expect(await find('6100')).toEqual({ inputs: ['Marathon km 30'] })
    expect(await find('7000')).toEqual({ outputs: ['Marathon to far end'] })
    expect(await find('192.0.2.10:6000')).toEqual({ feeders: ['to Gateway'] })
    expect(await find('192.0.2.10:7000')).toEqual({ outputs: ['Marathon to far end'] })
    expect(await find('192.0.2.11:7000')).toEqual({})
    expect((await find(String(site.encoderHost.port)))['encoders']).toEqual(['Camera 0'])
    expect((await find(String(site.linkHost.port)))['servers']).toEqual(['Server acants'])
    // By id alone.
    expect(await find(encoderId)).toEqual({ encoders: ['Camera 0'] })
    expect(await find(feederName)).toEqual({ feeders: ['to Gateway'] })
    expect(await find(outputId)).toEqual({ outputs: ['Marathon to far end'] })
    expect(await find('to gateway')).toEqual({ feeders: ['to Gateway'] })
    expect(await find('server ch')).toEqual({ servers: ['Server channel'] })
    expect((await find('north'))['groups']).toHaveLength(1)
    expect((await find(site.people.northEditor.email))['users']).toHaveLength(1)
    expect(await find('ma')).toEqual({})
    expect(await find('')).toEqual({})
    // What is found is what reading it answers.
    const { data } = await searchAs(site, 'admin', 'km 30')
    const read = await site.call('admin', readInput, { params: { id: inputId } })
    expect(data.inputs).toEqual([read.answer.data])
    const camera = await site.call('admin', findEncoder, { params: { id: encoderId } })
    const [feeder] = (await searchAs(site, 'admin', 'to gateway')).data.feeders
    expect(feeder?.encoder).toEqual(camera.answer.data)
  },
)

test.each(BOTH_DATABASES)(
  'ROLE-11 T2 nobody finds what they may not see, by whatever they type, on %s',
  async (database) => {
    const site = await openSiteOn(database)
    const { encoderId, feederName, inputId } = await addObjects(site)
    const everything = ['marathon', 'camera', 'to gateway', 'server', '6100', inputId, encoderId]
    const found = async (who: PersonName) => {
      const kinds = new Set<string>()
      for (const q of everything) {
        const { titles } = await searchAs(site, who, q)
        for (const kind of Object.keys(titles)) kinds.add(kind)
      }
      return [...kinds].toSorted()
    }
    expect(await found('northManager')).toEqual(
      ['channels', 'destinations', 'encoders', 'feeders', 'inputs', 'outputs'].toSorted(),
    )
    expect(await found('northEditor')).toEqual(['channels', 'encoders', 'feeders'])
    expect(await found('northMonitor')).toEqual(['channels', 'encoders', 'feeders'])
    expect(await found('southManager')).toEqual(['inputs'])
    const south = await searchAs(site, 'southManager', 'marathon')
    expect(south.titles).toEqual({ inputs: ['Marathon South'] })
    const keys = `encoder:${encoderId},feeder:${feederName},input:${inputId},server:${site.acantsId},group:${site.north}`
    expect((await searchAs(site, 'southManager', '', keys)).titles).toEqual({})
  },
)

test('objects that are named by kind and id are answered, without those that are gone', async () => {
  const site = await openSiteOn('SQLite')
  const { encoderId, destinationId, inputId } = await addObjects(site)
  const keys = `input:${inputId},encoder:gone,destination:${destinationId},encoder:${encoderId}`
  expect((await searchAs(site, 'admin', 'marathon', keys)).titles).toEqual({
    encoders: ['Camera 0'],
    inputs: ['Marathon km 30'],
    destinations: ['Marathon Paris'],
  })
  const { status, answer } = await site.call('admin', searchObjects, {
    query: { keys: 'planet:earth' },
  })
  expect(status).toBe(400)
  expect(JSON.stringify(answer)).toContain('must be at most 12 objects')
})

test('of each kind a few are answered, and how many more match', async () => {
  const site = await openSiteOn('SQLite')
  for (let port = 6301; port <= 6300 + FOUND_OF_A_KIND + 2; port += 1) {
    await addTestInput(site, port, { title: `Feed ${port}` })
  }
  const { titles, more } = await searchAs(site, 'admin', 'feed')
  expect(titles['inputs']).toHaveLength(FOUND_OF_A_KIND)
  expect(more).toBe(2)
})

test.each(BOTH_DATABASES)(
  'templates are found by title by who may see them, on %s',
  async (database) => {
    const site = await openSiteOn(database)
    const { title: _1, 'card-idx': _2, output: _3, feeder: _4, ...settings } = palConfig(0)
    const added = async (title: string, groupId: string) => {
      const body = { title, groupId, settings }
      const { status, answer } = await site.call('admin', addTemplate, { body })
      expect(status).toBe(201)
      return answer.data
    }
    const shared = await added('Sports 1080p50', '')
    await added('Sports 720p50', site.north)
    const south = await added('Sports 1080i25', site.south)
    const found = async (who: PersonName) => (await searchAs(site, who, 'sports')).titles
    expect(await found('admin')).toEqual({
      templates: ['Sports 720p50', 'Sports 1080i25', 'Sports 1080p50'],
    })
    expect(await found('northManager')).toEqual({ templates: ['Sports 720p50', 'Sports 1080p50'] })
    expect(await found('southManager')).toEqual({
      templates: ['Sports 1080i25', 'Sports 1080p50'],
    })
    expect(await found('northMonitor')).toEqual({})
    const keys = `template:${shared.id},template:${south.id}`
    const { data } = await searchAs(site, 'northManager', '', keys)
    expect(data.templates).toEqual([shared])
  },
)
