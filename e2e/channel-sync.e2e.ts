/** Sync: from the streams of a media server to rows of the list, by everybody who may. */
import { listChannels, saveChannels } from '@trunkline/contract/channels/channel.calls'
import { addGroup, removeGroup } from '@trunkline/contract/groups/group.calls'
import { callApi } from '@trunkline/testbed/api-client'
import type { DemoSite } from '@trunkline/testbed/demo'
import type { Locator, Page } from '@playwright/test'
import {
  changesOf,
  clientOf,
  DEMO_CHANNEL,
  openChannels,
  outcomeOf,
  ownChannel,
  ownChannelServer,
  ownStream,
  question,
  dismissNotice,
} from './channel.steps.ts'
import { bodiesOf } from './encoder.steps.ts'
import { button, dialogOf, rowOf } from './page.steps.ts'
import { ownPerson, ownTitle } from './people.steps.ts'
import { expect, signIn, test } from './site.fixture.ts'

const SAVE = 'POST /api/channel'
const REQUIRED = 'This field is required'

async function openSync(page: Page): Promise<Locator> {
  await button(page, '+ Sync').first().click()
  const dialog = dialogOf(page, 'Sync channels')
  await expect(dialog).toBeVisible()
  return dialog
}

function field(dialog: Locator, name: 'Server' | 'Group'): Locator {
  return dialog.getByRole('combobox', { name, exact: true })
}

/** Past the first step, to the streams of that server. */
async function chooseServer(dialog: Locator, title: string): Promise<void> {
  await field(dialog, 'Server').selectOption(title)
  await button(dialog, 'Continue').click()
}

/** Each stream of the second step begins with its title, then its name. */
function tickOf(within: Page | Locator, title: string): Locator {
  return within.getByRole('checkbox', { name: new RegExp(`^${title}( |$)`) })
}

function entryOf(dialog: Locator, title: string): Locator {
  return dialog.getByRole('listitem').filter({ has: tickOf(dialog.page(), title) })
}

/** The rows of that server alone: others may have channels of the same titles. */
function rowsOf(page: Page, server: { title: string }): Locator {
  return page.getByRole('row').filter({ has: page.getByText(server.title, { exact: true }) })
}

test('CHAN-34 to CHAN-38 Q125 a manager makes channels of a server’s streams', async ({
  page,
  site,
  complaints,
}) => {
  await using server = await ownChannelServer(site)
  await using first = await ownStream(site, { title: 'Evening news' })
  await using second = await ownStream(site, { disabled: true })
  await signIn(page, site, 'manager')
  await openChannels(page, site)
  // Sync shows the streams as they are when it asks: not before the demo's is known.
  await expect(rowOf(page, DEMO_CHANNEL)).toContainText('h264')
  const bodies = bodiesOf(page, SAVE)
  const dialog = await openSync(page)

  await test.step('a server is required; the group is not asked', async () => {
    await expect(field(dialog, 'Server').locator('option:checked')).toHaveText('Select a server')
    await expect(field(dialog, 'Server').getByRole('option', { name: 'Demo gateway' })).toHaveCount(
      0,
    )
    await expect(field(dialog, 'Group')).toHaveCount(0)
    await button(dialog, 'Continue').click()
    await expect(dialog.getByText(REQUIRED, { exact: true })).toBeVisible()
    await chooseServer(dialog, server.title)
  })

  const ticks = [
    tickOf(dialog, 'Demo live'),
    tickOf(dialog, 'Evening news'),
    tickOf(dialog, second.name),
  ]
  await test.step('all are selected, and new', async () => {
    for (const tick of ticks) await expect(tick).toBeChecked()
    await expect(entryOf(dialog, 'Evening news')).toContainText(first.name)
    await expect(entryOf(dialog, 'Evening news')).toContainText('New')
    await expect(entryOf(dialog, 'Evening news')).toContainText('Offline')
    await expect(entryOf(dialog, second.name)).toContainText('Disabled')
    await expect(entryOf(dialog, 'Demo live')).toContainText(/h264,? 320×180/)
  })
  await test.step('the tick for all clears all, and selects all', async () => {
    const all = dialog.getByRole('checkbox', { name: 'Select all', exact: true })
    await expect(all).toBeChecked()
    await all.click()
    for (const tick of ticks) await expect(tick).not.toBeChecked()
    await expect(button(dialog, 'Save')).toBeDisabled()
    await all.click()
    for (const tick of ticks) await expect(tick).toBeChecked()
  })
  await test.step('Save sends the selected streams', async () => {
    await tickOf(dialog, 'Demo live').click()
    await button(dialog, 'Save').click()
    await dismissNotice(page, 'Saved streams successfully!')
    await expect(dialog).toHaveCount(0)
    const groupIds = [site.ids.groupIds['North']]
    expect(bodies).toHaveLength(1)
    const sent = bodies[0] as { name: string }[]
    expect(sent.toSorted((a, b) => (a.name < b.name ? -1 : 1))).toEqual([
      { name: first.name, title: 'Evening news', serverId: server.id, groupIds },
      { name: second.name, title: second.name, serverId: server.id, groupIds },
    ])
    await expect(rowsOf(page, server)).toHaveCount(2)
    await expect(rowsOf(page, server).filter({ hasText: 'Evening news' })).toBeVisible()
  })
  expect(complaints).toEqual([])
})

/** A group and its manager, who has another one too. */
async function twoGroups(site: DemoSite, manager: string) {
  const add = async () => {
    const title = ownTitle('group')
    const body = { title, description: 'Made by a test', manager }
    const { data } = await callApi(site.client, addGroup, { body })
    return { id: data.id, title }
  }
  const groups = [await add(), await add()] as const
  return {
    groups,
    async [Symbol.asyncDispose]() {
      for (const { id } of groups) await callApi(site.client, removeGroup, { params: { id } })
    },
  }
}

test('CHAN-34 Q125 a manager of several groups chooses the group', async ({ page, site }) => {
  await using person = await ownPerson(site, 'manager', null)
  await using both = await twoGroups(site, person.id)
  const [first, second] = both.groups
  await using server = await ownChannelServer(site, { groups: [first.id, second.id] })
  await using stream = await ownStream(site)
  await signIn(page, site, person.local)
  await openChannels(page, site)
  const bodies = bodiesOf(page, SAVE)
  const dialog = await openSync(page)
  await field(dialog, 'Group').selectOption('Select a group')
  await chooseServer(dialog, server.title)
  await expect(dialog.getByText(REQUIRED, { exact: true })).toBeVisible()
  await expect(field(dialog, 'Group').getByRole('option')).toHaveText([
    'Select a group',
    first.title,
    second.title,
  ])
  await field(dialog, 'Group').selectOption(second.title)
  await button(dialog, 'Continue').click()
  await expect(tickOf(dialog, stream.name)).toBeChecked()
  await tickOf(dialog, 'Demo live').click()
  await button(dialog, 'Save').click()
  await dismissNotice(page, 'Saved streams successfully!')
  expect(bodies).toEqual([
    [{ name: stream.name, title: stream.name, serverId: server.id, groupIds: [second.id] }],
  ])
  await page.getByRole('combobox', { name: 'Group', exact: true }).selectOption(second.title)
  await expect(rowOf(page, stream.name)).toBeVisible()
  await page.getByRole('combobox', { name: 'Group', exact: true }).selectOption(first.title)
  await expect(rowOf(page, stream.name)).toHaveCount(0)
})

test('CHAN-37 Close saves nothing', async ({ page, site }) => {
  await using server = await ownChannelServer(site)
  await using stream = await ownStream(site)
  await signIn(page, site, 'admin')
  await openChannels(page, site)
  const sent = changesOf(page)
  const dialog = await openSync(page)
  await chooseServer(dialog, server.title)
  await expect(tickOf(dialog, stream.name)).toBeChecked()
  await button(dialog, 'Close').last().click()
  await expect(dialog).toHaveCount(0)
  await button(page, 'Refresh').click()
  expect(sent).toEqual([])
  const body = { serverId: server.id }
  expect((await callApi(site.client, listChannels, { body })).total).toBe(0)
})

test('CHAN-39 Q126 a second Sync adds no second row and keeps titles; removed channels are added again', async ({
  page,
  site,
}) => {
  await using server = await ownChannelServer(site)
  await using kept = await ownStream(site, { title: 'Morning show' })
  await using lost = await ownStream(site, { title: 'Night loop' })
  await signIn(page, site, 'manager')
  await openChannels(page, site)
  const bodies = bodiesOf(page, SAVE)
  const row = (title: string) => rowsOf(page, server).filter({ hasText: title })
  const sync = async (see: (dialog: Locator) => Promise<void>) => {
    const dialog = await openSync(page)
    await chooseServer(dialog, server.title)
    await tickOf(dialog, 'Demo live').click()
    await see(dialog)
    await button(dialog, 'Save').click()
    await dismissNotice(page, 'Saved streams successfully!')
    await expect(dialog).toHaveCount(0)
    await expect(rowsOf(page, server)).toHaveCount(2)
  }
  const tag = (dialog: Locator, title: string) => expect(entryOf(dialog, title))

  await sync(async (dialog) => {
    for (const title of ['Morning show', 'Night loop'])
      await tag(dialog, title).toContainText('New')
  })
  await button(row('Morning show'), 'Morning show').dblclick()
  const titleField = page.getByRole('textbox', { name: /^Title of/ })
  await titleField.fill('Breakfast')
  await titleField.press('Enter')
  await dismissNotice(page, 'Channel title updated successfully!')
  await sync(async (dialog) => {
    await tag(dialog, 'Breakfast').toContainText('In the list')
    await tag(dialog, 'Night loop').toContainText('In the list')
  })
  await expect(row('Breakfast')).toBeVisible()
  await expect(row('Morning show')).toHaveCount(0)

  await button(row('Night loop'), 'More for Night loop').click()
  await page.getByRole('menuitem', { name: /^Remove from list/ }).click()
  await expect(question(page)).toContainText('Night loop')
  await button(question(page), 'Remove').click()
  await expect(rowsOf(page, server)).toHaveCount(1)
  await sync(async (dialog) => {
    await tag(dialog, 'Breakfast').toContainText('In the list')
    await tag(dialog, 'Night loop').toContainText('New')
  })
  await expect(row('Night loop')).toBeVisible()
  await expect(row('Breakfast')).toBeVisible()
  const titles = bodies.map((body) =>
    (body as { name: string; title: string }[])
      .toSorted((a, b) => (a.title < b.title ? -1 : 1))
      .map(({ name, title }) => [name, title]),
  )
  expect(titles).toEqual([
    [
      [kept.name, 'Morning show'],
      [lost.name, 'Night loop'],
    ],
    ...[1, 2].map(() => [
      [kept.name, 'Breakfast'],
      [lost.name, 'Night loop'],
    ]),
  ])
})

test('a stream that is another group’s channel is not offered, and the API refuses it', async ({
  page,
  site,
}) => {
  await using server = await ownChannelServer(site, { groups: ['North', 'South'] })
  await using own = await ownStream(site)
  await using foreign = await ownStream(site)
  await using _row = await ownChannel(site, foreign.name, { serverId: server.id, group: 'South' })
  await signIn(page, site, 'manager')
  await openChannels(page, site)
  const dialog = await openSync(page)
  await chooseServer(dialog, server.title)
  await expect(tickOf(dialog, own.name)).toBeChecked()
  await expect(tickOf(dialog, foreign.name)).toHaveCount(0)
  const client = await clientOf(site, 'manager')
  const groupIds = [site.ids.groupIds['North'] ?? '']
  const draft = { name: foreign.name, title: 'Mine', serverId: server.id, groupIds }
  expect(await outcomeOf(callApi(client, saveChannels, { body: [draft] }))).toBe(409)
  for (const local of ['editor', 'monitor']) {
    const below = await clientOf(site, local)
    expect(await outcomeOf(callApi(below, saveChannels, { body: [draft] })), local).toBe(403)
  }
})

test('a silent server says why, and Retry reads it once it answers', async ({ page, site }) => {
  await using server = await ownChannelServer(site)
  await using stream = await ownStream(site)
  await server.shut()
  await signIn(page, site, 'superadmin')
  await openChannels(page, site)
  const dialog = await openSync(page)
  await chooseServer(dialog, server.title)
  await expect(dialog.getByText(`The streams of ${server.title} could not be read`)).toBeVisible()
  await expect(dialog.getByText(/refuses the connection|does not answer/)).toBeVisible()
  await expect(button(dialog, 'Save')).toBeDisabled()
  await server.reopen()
  await button(dialog, 'Retry').click()
  await expect(tickOf(dialog, stream.name)).toBeChecked()
})
