/** Sync: from the streams of a media server to rows of the list, by everybody who may. */
import type { Locator, Page } from '@playwright/test'
import {
  DEMO_CHANNEL,
  openChannels,
  ownChannelServer,
  ownStream,
  dismissNotice,
} from './channel.steps.ts'
import { bodiesOf } from './encoder.steps.ts'
import { button, dialogOf, rowOf } from './page.steps.ts'
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
