/**
 * What a manager is offered and shown: the tabs, people, the list of channels. Of every role the
 * console's rendered tests show what it is offered, and the API's role walk what it is answered.
 */
import type { DemoSite } from '@trunkline/testbed/demo'
import type { Page } from '@playwright/test'
import { DEMO_CHANNEL } from '../channel.steps.ts'
import { button, dialogOf, requestsOf, rowOf } from '../page.steps.ts'
import { expect, openDashboard, test } from '../site.fixture.ts'

test.use({ demoEncoder: 'stopped' })

const PEOPLE = {
  superadmin: 'First Superadmin',
  admin: 'Demo Admin',
  northManager: 'Demo Manager North',
  southManager: 'Demo Manager South',
  editor: 'Demo Editor',
  monitor: 'Demo Monitor',
}
const NORTH = [PEOPLE.northManager, PEOPLE.editor, PEOPLE.monitor]
const MEMBERS = [PEOPLE.editor, PEOPLE.monitor]

const TABS = ['Dashboard', 'Access', 'Encoders', 'Channels', 'Contributions']

async function seesTabs(page: Page): Promise<void> {
  await expect(page.getByRole('navigation').first().getByRole('link')).toHaveCount(TABS.length)
  for (const tab of TABS) {
    await expect(page.getByRole('link', { name: tab, exact: true })).toBeVisible()
  }
}

/** Each of those addresses shows the dashboard, and asks for nothing of what stands there. */
async function isLedAway(page: Page, site: DemoSite): Promise<void> {
  const asked = requestsOf(page, 'GET /api/servers')
  for (const path of ['/dashboard/server', '/dashboard/group']) {
    await page.goto(site.url + path)
    await expect(page.getByRole('heading', { name: 'Welcome to Trunkline' })).toBeVisible()
    await expect(page).toHaveURL(`${site.url}/`)
    await expect(page.getByRole('heading', { name: /^(Servers|Groups)$/, level: 1 })).toHaveCount(0)
  }
  // The key of a tab that is not offered opens nothing.
  for (const digit of ['2', '3']) await page.keyboard.press(digit)
  await expect(page).toHaveURL(`${site.url}/`)
  expect(asked).toEqual([])
}

async function seesPeople(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Access', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Access', level: 1 })).toBeVisible()
  await expect(page.getByRole('columnheader')).toHaveText(['User Name', 'Email', 'Role', 'Actions'])
  for (const name of NORTH) await expect(rowOf(page, name)).toBeVisible()
  const having = async (partOf: (name: string) => ReturnType<typeof button>) => {
    const counts = Object.values(PEOPLE).map(async (name) => ({
      name,
      count: await partOf(name).count(),
    }))
    return (await Promise.all(counts)).filter(({ count }) => count === 1).map(({ name }) => name)
  }
  expect(await having((name) => rowOf(page, name))).toEqual(NORTH)
  expect(await having((name) => button(page, `Edit ${name}`))).toEqual(NORTH)
  expect(await having((name) => button(page, `Add To Group: ${name}`))).toEqual(MEMBERS)
  expect(await having((name) => button(page, `Delete ${name}`))).toEqual(MEMBERS)
  await expect(page.getByRole('tab', { name: 'Activity', exact: true })).toHaveCount(0)
  await button(page, 'Add user').click()
  const add = dialogOf(page, 'Add user')
  const select = add.getByRole('combobox', { name: 'Role', exact: true })
  await expect(select.getByRole('option')).toHaveText(['editor', 'monitor'])
  await page.keyboard.press('Escape')
  await expect(add).toBeHidden()
  const filter = page.getByRole('combobox', { name: 'Group', exact: true })
  await expect(filter.getByRole('option', { selected: true })).toHaveText('North')
  await expect(filter.getByRole('option')).toHaveText(['North'])
}

async function seesChannels(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Channels', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Channels', level: 1 })).toBeVisible()
  await expect(page.getByRole('searchbox', { name: 'Search channels', exact: true })).toBeVisible()
  const options = (name: string) =>
    page.getByRole('combobox', { name, exact: true }).getByRole('option')
  await expect(options('Group')).toHaveText(['North'])
  const servers = options('Server')
  await expect(servers.filter({ hasText: 'Demo streams' })).toHaveCount(1)
  await expect(servers.filter({ hasText: 'Demo gateway' })).toHaveCount(0)
  await expect(rowOf(page, DEMO_CHANNEL)).toBeVisible()
  await expect(button(page, '+ Sync')).toHaveCount(1)
  const columns = ['Channel', 'Input', 'Server', 'Settings', 'Actions']
  await expect(page.getByRole('columnheader')).toHaveText(columns)
}

const IDS =
  'NAV-25 to NAV-29 ROLE-03 ROLE-04 ROLE-05 ROLE-10 USER-05 USER-06 USER-07 CHAN-01 CHAN-02 CHAN-03 CHAN-06 Q42 Q48'

test(`${IDS} the console of a manager: tabs, places, people, channels`, async ({
  page,
  site,
  complaints,
}) => {
  await openDashboard(page, site, 'manager')
  await test.step('the tabs', async () => seesTabs(page))
  await test.step('is led to the dashboard', async () => isLedAway(page, site))
  await test.step('people', async () => seesPeople(page))
  await test.step('channels', async () => seesChannels(page))
  expect(complaints).toEqual([])
})
