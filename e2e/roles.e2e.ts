/** What each role is shown, told or spared on the screens of people and places. */
import type { Role } from '@trunkline/contract/roles'
import { button, dialogOf, openPage, requestsOf, rowOf } from './page.steps.ts'
import { expect, signIn, test } from './site.fixture.ts'

const ACCESS = '/dashboard/userManager'

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

interface Sight {
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
const SIGHTS: Record<Role, Sight> = {
  superadmin: {
    sees: PEOPLE,
    edits: PEOPLE,
    groups: MEMBERS,
    deletes: BELOW_SUPERADMIN,
    gives: ['Choose a role', 'superadmin', 'admin', 'manager'],
  },
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
  editor: { sees: NORTH, edits: ['Editor'], groups: [], deletes: [], gives: null },
  monitor: { sees: NORTH, edits: ['Monitor'], groups: [], deletes: [], gives: null },
}

for (const [role, sight] of Object.entries(SIGHTS)) {
  test(`NAV-26 ROLE-04 USER-05 USER-06 USER-07 Access as ${role} sees it`, async ({
    page,
    site,
  }) => {
    await signIn(page, site, role)
    await page.getByRole('link', { name: 'Access', exact: true }).click()
    await expect(page.getByRole('heading', { name: 'Access', level: 1 })).toBeVisible()
    await expect(page.getByRole('columnheader')).toHaveText([
      'User Name',
      'Email',
      'Role',
      'Actions',
    ])
    for (const person of sight.sees) await expect(rowOf(page, NAMES[person])).toBeVisible()
    const shown = async (label: (name: string) => string) => {
      const there = PEOPLE.map(async (person) => ({
        person,
        isThere: (await button(page, label(NAMES[person])).count()) === 1,
      }))
      return (await Promise.all(there)).filter(({ isThere }) => isThere).map((one) => one.person)
    }
    const rows = PEOPLE.map(async (person) => ({
      person,
      isThere: (await rowOf(page, NAMES[person]).count()) === 1,
    }))
    const seen = (await Promise.all(rows)).filter(({ isThere }) => isThere)
    expect(seen.map((one) => one.person)).toEqual(sight.sees)
    expect(await shown((name) => `Edit ${name}`)).toEqual(sight.edits)
    expect(await shown((name) => `Add To Group: ${name}`)).toEqual(sight.groups)
    expect(await shown((name) => `Delete ${name}`)).toEqual(sight.deletes)

    const isAdminLevel = role === 'superadmin' || role === 'admin'
    await expect(page.getByRole('tab', { name: 'Activity', exact: true })).toHaveCount(
      isAdminLevel ? 1 : 0,
    )
    await expect(button(page, 'Add user')).toHaveCount(sight.gives === null ? 0 : 1)
    if (sight.gives === null) return
    await button(page, 'Add user').click()
    const select = dialogOf(page, 'Add user').getByRole('combobox', { name: 'Role', exact: true })
    await expect(select.getByRole('option')).toHaveText([...sight.gives])
  })
}

test('USER-19 USER-20 Q23 the own role is not to be chosen, an editor’s is kept as it is', async ({
  page,
  site,
}) => {
  await signIn(page, site, 'superadmin')
  await openPage(page, site, ACCESS, 'Access')
  await button(page, 'Edit First Superadmin').click()
  const account = dialogOf(page, 'Your account')
  await expect(account.getByText('superadmin', { exact: true })).toBeVisible()
  await expect(account.getByRole('combobox')).toHaveCount(0)
  await page.keyboard.press('Escape')
  await button(page, 'Edit Demo Editor').click()
  const select = dialogOf(page, 'Edit user').getByRole('combobox', { name: 'Role', exact: true })
  await expect(select).toHaveValue('editor')
  await expect(select.getByRole('option')).toHaveText([
    'editor (as it is now)',
    'superadmin',
    'admin',
    'manager',
  ])
})

test('ROLE-10 a manager’s list begins with the own first group', async ({ page, site }) => {
  await signIn(page, site, 'manager')
  await openPage(page, site, ACCESS, 'Access')
  const filter = page.getByRole('combobox', { name: 'Group', exact: true })
  await expect(filter.getByRole('option', { selected: true })).toHaveText('North')
  await expect(filter.getByRole('option')).toHaveText(['North'])
})

const PLACES = [
  ['Servers', '/dashboard/server', 'Add server', 'Demo gateway'],
  ['Groups', '/dashboard/group', 'Add group', 'North'],
] as const

for (const role of ['superadmin', 'admin'] as const) {
  test(`NAV-25 ROLE-03 ${role} works on Servers and Groups`, async ({ page, site }) => {
    await signIn(page, site, role)
    for (const [title, path, add, record] of PLACES) {
      await page.getByRole('link', { name: title, exact: true }).click()
      await expect(page).toHaveURL(site.url + path)
      await expect(page.getByRole('heading', { name: title, level: 1 })).toBeVisible()
      await expect(button(page, add)).toBeVisible()
      await expect(button(page, `Edit ${record}`)).toBeVisible()
      await expect(button(page, `Delete ${record}`)).toBeVisible()
    }
  })
}

for (const role of ['manager', 'editor', 'monitor'] as const) {
  test(`NAV-29 ROLE-03 ${role} is led from Servers and Groups to the dashboard`, async ({
    page,
    site,
  }) => {
    await signIn(page, site, role)
    const asked = requestsOf(page, 'GET /api/servers')
    for (const [title, path] of PLACES) {
      await expect(page.getByRole('link', { name: title, exact: true })).toHaveCount(0)
      await page.goto(site.url + path)
      await expect(page.getByRole('heading', { name: 'Welcome to Trunkline' })).toBeVisible()
      await expect(page).toHaveURL(`${site.url}/`)
      await expect(page.getByRole('heading', { name: title, level: 1 })).toHaveCount(0)
    }
    // The key of a tab that is not offered opens nothing.
    for (const digit of ['2', '3']) await page.keyboard.press(digit)
    await expect(page).toHaveURL(`${site.url}/`)
    expect(asked).toEqual([])
  })
}

for (const role of ['editor', 'monitor'] as const) {
  test(`NAV-27 ROLE-05 ${role} is led from Contributions to the dashboard`, async ({
    page,
    site,
  }) => {
    await signIn(page, site, role)
    const asked = requestsOf(page, 'GET /api/contribution')
    await page.goto(`${site.url}/dashboard/contribution`)
    await expect(page.getByRole('heading', { name: 'Welcome to Trunkline' })).toBeVisible()
    await expect(page).toHaveURL(`${site.url}/`)
    expect(asked).toEqual([])
  })
}
