/** What each role is offered and shown: the tabs, people and places, the list of channels. */
import { isAdminLevel } from '@trunkline/contract/roles'
import type { DemoSite } from '@trunkline/testbed/demo'
import type { Page } from '@playwright/test'
import { DEMO_CHANNEL } from '../channel.steps.ts'
import { button, dialogOf, requestsOf, rowOf } from '../page.steps.ts'
import { expect, openDashboard, test } from '../site.fixture.ts'

test.use({ demoEncoder: 'stopped' })

/**
 * Who works on all groups, who works on their own, and who only looks. The role walk of the API and the
 * console's rendered lists go through every role.
 */
const SHOWN_ROLES = ['admin', 'manager', 'monitor'] as const
type ShownRole = (typeof SHOWN_ROLES)[number]

type Person = 'Superadmin' | 'Admin' | 'Manager North' | 'Manager South' | 'Editor' | 'Monitor'

const NAMES: Record<Person, string> = {
  Superadmin: 'First Superadmin',
  Admin: 'Demo Admin',
  'Manager North': 'Demo Manager North',
  'Manager South': 'Demo Manager South',
  Editor: 'Demo Editor',
  Monitor: 'Demo Monitor',
}
const PEOPLE = Object.keys(NAMES) as Person[]

const TABS: Record<ShownRole, readonly string[]> = {
  admin: ['Dashboard', 'Servers', 'Groups', 'Access', 'Encoders', 'Channels', 'Contributions'],
  manager: ['Dashboard', 'Access', 'Encoders', 'Channels', 'Contributions'],
  monitor: ['Dashboard', 'Access', 'Encoders', 'Channels'],
}

const PLACES = [
  ['Servers', '/dashboard/server', 'Add server', 'Demo gateway'],
  ['Groups', '/dashboard/group', 'Add group', 'North'],
] as const

interface VisibleParts {
  sees: readonly Person[]
  edits: readonly Person[]
  groups: readonly Person[]
  deletes: readonly Person[]
  /** Of the role selector of 'Add user'; null where there is no such button. */
  gives: readonly string[] | null
}

const MEMBERS = ['Editor', 'Monitor'] as const
const NORTH = ['Manager North', ...MEMBERS] as const
const BELOW_SUPERADMIN = ['Admin', 'Manager North', 'Manager South', ...MEMBERS] as const

/** Q29, USER-05 to USER-07, USER-21 to USER-24. */
const VISIBLE_PARTS: Record<ShownRole, VisibleParts> = {
  admin: {
    sees: BELOW_SUPERADMIN,
    edits: BELOW_SUPERADMIN,
    groups: MEMBERS,
    deletes: BELOW_SUPERADMIN.filter((person) => person !== 'Admin'),
    gives: ['Choose a role', 'admin', 'manager'],
  },
  manager: {
    sees: NORTH,
    edits: NORTH,
    groups: MEMBERS,
    deletes: MEMBERS,
    gives: ['editor', 'monitor'],
  },
  monitor: { sees: NORTH, edits: ['Monitor'], groups: [], deletes: [], gives: null },
}

async function seesTabs(page: Page, tabs: readonly string[]): Promise<void> {
  await expect(page.getByRole('navigation').first().getByRole('link')).toHaveCount(tabs.length)
  for (const tab of tabs) {
    await expect(page.getByRole('link', { name: tab, exact: true })).toBeVisible()
  }
}

async function worksOnPlaces(page: Page, site: DemoSite): Promise<void> {
  for (const [title, path, add, record] of PLACES) {
    await page.getByRole('link', { name: title, exact: true }).click()
    await expect(page).toHaveURL(site.url + path)
    await expect(page.getByRole('heading', { name: title, level: 1 })).toBeVisible()
    await expect(button(page, add)).toBeVisible()
    await expect(button(page, `Edit ${record}`)).toBeVisible()
    await expect(button(page, `Delete ${record}`)).toBeVisible()
  }
}

/** Each of those addresses shows the dashboard, and asks for nothing of what stands there. */
async function isLedAway(page: Page, site: DemoSite, paths: readonly string[]): Promise<void> {
  const asked = [requestsOf(page, 'GET /api/servers'), requestsOf(page, 'GET /api/contribution')]
  for (const path of paths) {
    await page.goto(site.url + path)
    await expect(page.getByRole('heading', { name: 'Welcome to Trunkline' })).toBeVisible()
    await expect(page).toHaveURL(`${site.url}/`)
    await expect(page.getByRole('heading', { name: /^(Servers|Groups)$/, level: 1 })).toHaveCount(0)
  }
  // The key of a tab that is not offered opens nothing.
  for (const digit of ['2', '3']) await page.keyboard.press(digit)
  await expect(page).toHaveURL(`${site.url}/`)
  // The dashboard asks for the last minutes of its own encoders.
  const [places, links] = asked
  expect(places).toEqual([])
  expect(links?.filter((line) => !line.endsWith('/history'))).toEqual([])
}

async function seesPeople(page: Page, visible: VisibleParts, isAdmin: boolean): Promise<void> {
  await page.getByRole('link', { name: 'Access', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Access', level: 1 })).toBeVisible()
  await expect(page.getByRole('columnheader')).toHaveText(['User Name', 'Email', 'Role', 'Actions'])
  for (const person of visible.sees) await expect(rowOf(page, NAMES[person])).toBeVisible()
  const shown = async (label: (name: string) => string) => {
    const there = PEOPLE.map(async (person) => ({
      person,
      isThere: (await button(page, label(NAMES[person])).count()) === 1,
    }))
    return (await Promise.all(there)).filter(({ isThere }) => isThere).map((item) => item.person)
  }
  const rows = PEOPLE.map(async (person) => ({
    person,
    isThere: (await rowOf(page, NAMES[person]).count()) === 1,
  }))
  const seen = (await Promise.all(rows)).filter(({ isThere }) => isThere)
  expect(seen.map((item) => item.person)).toEqual(visible.sees)
  expect(await shown((name) => `Edit ${name}`)).toEqual(visible.edits)
  expect(await shown((name) => `Add To Group: ${name}`)).toEqual(visible.groups)
  expect(await shown((name) => `Delete ${name}`)).toEqual(visible.deletes)
  await expect(page.getByRole('tab', { name: 'Activity', exact: true })).toHaveCount(
    isAdmin ? 1 : 0,
  )
  await expect(button(page, 'Add user')).toHaveCount(visible.gives === null ? 0 : 1)
  if (visible.gives === null) return
  await button(page, 'Add user').click()
  const add = dialogOf(page, 'Add user')
  const select = add.getByRole('combobox', { name: 'Role', exact: true })
  await expect(select.getByRole('option')).toHaveText([...visible.gives])
  await page.keyboard.press('Escape')
  await expect(add).toBeHidden()
}

interface VisibleChannelParts {
  groups: readonly string[]
  hidesGroups: readonly string[]
  mayChange: boolean
}

const ALL = 'All groups'
const EVERY_GROUP = { groups: [ALL, 'North', 'South'], hidesGroups: [] }
const NORTH_ALONE = { groups: ['North'], hidesGroups: [ALL, 'South'] }
const VISIBLE_CHANNEL_PARTS: Record<ShownRole, VisibleChannelParts> = {
  admin: { ...EVERY_GROUP, mayChange: true },
  manager: { ...NORTH_ALONE, mayChange: true },
  monitor: { ...NORTH_ALONE, mayChange: false },
}

async function seesChannels(page: Page, visible: VisibleChannelParts): Promise<void> {
  await page.getByRole('link', { name: 'Channels', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Channels', level: 1 })).toBeVisible()
  await expect(page.getByRole('searchbox', { name: 'Search channels', exact: true })).toBeVisible()
  const options = (name: string) =>
    page.getByRole('combobox', { name, exact: true }).getByRole('option')
  const groups = options('Group')
  await expect(groups.first()).toHaveText(visible.groups[0] === ALL ? ALL : /./)
  for (const name of visible.groups) await expect(groups.filter({ hasText: name })).toHaveCount(1)
  for (const name of visible.hidesGroups) await expect(groups.getByText(name)).toHaveCount(0)
  const servers = options('Server')
  await expect(servers.filter({ hasText: 'Demo streams' })).toHaveCount(1)
  await expect(servers.filter({ hasText: 'Demo gateway' })).toHaveCount(0)
  await expect(rowOf(page, DEMO_CHANNEL)).toBeVisible()
  await expect(button(page, '+ Sync')).toHaveCount(visible.mayChange ? 1 : 0)
  const columns = ['Channel', 'Input', 'Server', 'Settings', 'Actions']
  await expect(page.getByRole('columnheader')).toHaveText(columns)
}

const IDS =
  'NAV-25 to NAV-29 ROLE-03 ROLE-04 ROLE-05 USER-05 USER-06 USER-07 CHAN-01 CHAN-02 CHAN-03 CHAN-06 Q42 Q48'

for (const role of SHOWN_ROLES) {
  const visible = VISIBLE_PARTS[role]
  test(`${IDS} the console of ${role}: tabs, places, people, channels`, async ({
    page,
    site,
    complaints,
  }) => {
    const isAdmin = isAdminLevel(role)
    await openDashboard(page, site, role)
    await test.step('the tabs', async () => seesTabs(page, TABS[role]))
    if (isAdmin) await test.step('servers and groups', async () => worksOnPlaces(page, site))
    else {
      const paths: string[] = PLACES.map(([, path]) => path)
      if (role !== 'manager') paths.push('/dashboard/contribution')
      await test.step('is led to the dashboard', async () => isLedAway(page, site, paths))
    }
    await test.step('people', async () => seesPeople(page, visible, isAdmin))
    if (role === 'manager') {
      await test.step('ROLE-10 the list begins with the own first group', async () => {
        const filter = page.getByRole('combobox', { name: 'Group', exact: true })
        await expect(filter.getByRole('option', { selected: true })).toHaveText('North')
        await expect(filter.getByRole('option')).toHaveText(['North'])
      })
    }
    await test.step('channels', async () => seesChannels(page, VISIBLE_CHANNEL_PARTS[role]))
    expect(complaints).toEqual([])
  })
}
