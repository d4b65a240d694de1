/** The encoder manager: records are added, changed, given to editors, switched off and removed. */
import type { Page } from '@playwright/test'
import { listEncoders } from '@trunkline/contract/encoders/encoder.calls'
import { callApi } from '@trunkline/testbed/api-client'
import { ownEncoder, ownLiveEncoder, ownSilentEncoder } from '../encoder.steps.ts'
import {
  answer,
  button,
  dialogOf,
  expectNotice,
  openPage,
  requestsOf,
  rowOf,
  withoutLive,
} from '../page.steps.ts'
import { ownTitle } from '../people.steps.ts'
import { expect, signIn, test } from '../site.fixture.ts'

test.use({ demoEncoder: 'stopped' })

const ENCODERS = '/dashboard/managerEncoder'
const DEMO = 'Demo camera'

async function choose(page: Page, title: string, item: string): Promise<void> {
  await button(page, `More for ${title}`).click()
  await page.getByRole('menuitem', { name: item, exact: true }).click()
  // It fades: the next one must not be taken for it.
  await expect(page.getByRole('menu')).toHaveCount(0)
}

test('ENC-14 ENC-16 ENC-18 ENC-21 ENC-23 an encoder is added, renamed and removed', async ({
  page,
  site,
  complaints,
}) => {
  const title = ownTitle('encoder')
  await signIn(page, site, 'superadmin')
  await openPage(page, site, ENCODERS, 'Encoders')
  await button(page, 'Add encoder').click()
  const add = dialogOf(page, 'Add encoder')
  await add.getByLabel('Title', { exact: true }).fill(title)
  await button(add, 'Add encoder').click()
  await expectNotice(page, 'Please check required fields', '')
  await expect(add.getByLabel('Title', { exact: true })).toHaveValue(title)
  await expect(add.getByLabel('Port', { exact: true })).toHaveValue('8000')
  await add.getByLabel('IP', { exact: true }).fill('127.0.0.1')
  await add.getByLabel('Port', { exact: true }).fill('1098')
  await add.getByLabel('API key', { exact: true }).fill('test-key-0123456789')
  await add.getByRole('combobox', { name: 'Group', exact: true }).selectOption('North')
  await button(add, 'Add encoder').click()
  await expectNotice(page, 'Success add new encoder', title)
  await expect(rowOf(page, title).getByText('Not Configured', { exact: true })).toBeVisible()

  await choose(page, title, 'Edit Encoder')
  const edit = dialogOf(page, 'Edit encoder')
  await edit.getByLabel('Title', { exact: true }).fill(`${title} b`)
  await button(edit, 'Save').click()
  await expectNotice(page, 'Success updated', `${title} b`)

  await choose(page, `${title} b`, 'Remove Encoder')
  await answer(page, `Remove ${title} b, with its configuration.`, 'Remove encoder')
  await expectNotice(page, 'Success deleted', `${title} b`)
  await expect(rowOf(page, `${title} b`)).toHaveCount(0)
  expect(complaints).toEqual([])
})

test('ENC-15 ENC-29 ENC-30 an assigned editor sees the encoder from then on, and no longer when unassigned', async ({
  page,
  site,
  otherOperator,
}) => {
  await using encoder = await ownEncoder(site)
  const editor = await otherOperator('editor')
  await openPage(editor, site, ENCODERS, 'Encoders')
  await expect(rowOf(editor, DEMO)).toBeVisible()
  await expect(rowOf(editor, encoder.title)).toHaveCount(0)

  await signIn(page, site, 'manager')
  await openPage(page, site, ENCODERS, 'Encoders')
  const assign = async () => {
    await choose(page, encoder.title, 'Add Users')
    const dialog = dialogOf(page, 'Select Users')
    await dialog.getByRole('checkbox', { name: /^Demo Editor/ }).click()
    await button(dialog, 'Save').click()
    await expectNotice(page, 'Success updated', encoder.title)
  }
  await assign()
  await expect(rowOf(editor, encoder.title)).toBeVisible()
  await assign()
  await expect(rowOf(editor, encoder.title)).toHaveCount(0)
})

test('ENC-11 ENC-17 STATE-09 disabled and enabled, seen by another operator; with a feeder it cannot be removed', async ({
  page,
  site,
  otherOperator,
}) => {
  await using encoder = await ownEncoder(site)
  const other = await otherOperator('admin')
  await openPage(other, site, ENCODERS, 'Encoders')
  await signIn(page, site, 'superadmin')
  await openPage(page, site, ENCODERS, 'Encoders')
  await choose(page, encoder.title, 'Disable')
  await expect(rowOf(other, encoder.title).getByText('Disabled', { exact: true })).toBeVisible()
  await choose(page, encoder.title, 'Enable')
  await expect(
    rowOf(other, encoder.title).getByText('Not Configured', { exact: true }),
  ).toBeVisible()

  await choose(page, DEMO, 'Remove Encoder')
  await expectNotice(page, 'Please remove first feeder.', DEMO)
  await expect(rowOf(page, DEMO)).toBeVisible()
})

test('ENC-26 rows I J L M N: a manager is shown no key, an editor and a monitor nothing that changes the record of an encoder', async ({
  page,
  site,
  otherOperator,
}) => {
  await signIn(page, site, 'manager')
  await openPage(page, site, ENCODERS, 'Encoders')
  await button(page, 'Add encoder').click()
  const add = dialogOf(page, 'Add encoder')
  await expect(add.getByLabel('Title', { exact: true })).toBeVisible()
  await expect(add.getByLabel('API key', { exact: true })).toHaveCount(0)
  await page.keyboard.press('Escape')
  await expect(add).toBeHidden()
  for (const [local, items] of [
    ['editor', ['Signal path', 'Put on air…', 'Schedules…']],
    ['monitor', ['Signal path']],
  ] as const) {
    const looker = await otherOperator(local)
    await openPage(looker, site, ENCODERS, 'Encoders')
    await expect(rowOf(looker, DEMO)).toBeVisible()
    await expect(button(looker, 'Add encoder')).toHaveCount(0)
    await button(looker, `More for ${DEMO}`).click()
    await expect(looker.getByRole('menuitem')).toHaveText(items)
  }
})

/** The queries of the manager's list from here on. */
function queriesOf(page: Page): Record<string, string>[] {
  const seen: Record<string, string>[] = []
  page.on('request', (request) => {
    const url = new URL(request.url())
    if (url.pathname === '/api/encoder') seen.push(Object.fromEntries(url.searchParams))
  })
  return seen
}

test('ENC-01 to ENC-05 the columns, twelve rows, the filter, and whose group it is', async ({
  page,
  site,
}) => {
  await using fleet = new AsyncDisposableStack()
  for (let at = 0; at < 12; at += 1) fleet.use(await ownEncoder(site))
  await signIn(page, site, 'superadmin')
  const queries = queriesOf(page)
  await openPage(page, site, ENCODERS, 'Encoders')
  await expect(page.getByText('1–12 of 13', { exact: true })).toBeVisible()
  expect(await page.getByRole('columnheader').allTextContents()).toEqual([
    'Name',
    'Title',
    'IP',
    'port',
    'email',
    'Group',
    'Status',
    'Actions',
  ])
  await expect(page.getByRole('combobox', { name: 'Group', exact: true })).toBeVisible()
  await expect(button(page, 'Add encoder')).toBeVisible()
  const sizes = page.getByRole('combobox', { name: 'Rows per page', exact: true })
  expect(await sizes.getByRole('option').allTextContents()).toEqual(['12'])
  await expect(rowOf(page, DEMO).getByText('North', { exact: true })).toBeVisible()
  await button(page, 'Next page').click()
  await expect(page.getByText('13–13 of 13', { exact: true })).toBeVisible()
  const first = { page: '0', rowsPerPage: '12', searchValue: '', groupId: '' }
  expect(queries[0]).toEqual(first)
  expect(queries.at(-1)).toEqual({ ...first, page: '1' })
})

test('ENC-31 ENC-32 a manager starts on the own group; a search past three characters', async ({
  page,
  site,
}) => {
  await using encoder = await ownEncoder(site)
  await signIn(page, site, 'manager')
  const queries = queriesOf(page)
  await openPage(page, site, ENCODERS, 'Encoders')
  await expect(rowOf(page, encoder.title)).toBeVisible()
  expect(queries[0]).toMatchObject({ groupId: site.ids.groupIds['North'] })
  const searches = () => queries.filter(({ searchValue }) => searchValue !== '')
  const box = page.getByRole('searchbox', { name: 'Search encoders', exact: true })
  await box.pressSequentially('Dem')
  await expect(box).toHaveValue('Dem')
  expect(searches()).toEqual([])
  await box.pressSequentially('o')
  await expect.poll(() => searches().at(-1)?.['searchValue']).toBe('Demo')
  await box.pressSequentially(' camera')
  await expect(rowOf(page, encoder.title)).toHaveCount(0)
  await expect(rowOf(page, DEMO)).toBeVisible()
  await box.fill('')
  await expect(rowOf(page, encoder.title)).toBeVisible()
})

test('ENC-11 ENC-12 enabling checks the state right after', async ({ page, site }) => {
  await using encoder = await ownLiveEncoder(site, 2)
  await signIn(page, site, 'superadmin')
  await openPage(page, site, ENCODERS, 'Encoders')
  await choose(page, encoder.title, 'Disable')
  await expect(rowOf(page, encoder.title).getByText('Disabled', { exact: true })).toBeVisible()
  const checked = page.waitForResponse(`**/api/encoder/getServiceStatus/${encoder.id}`)
  await choose(page, encoder.title, 'Enable')
  expect((await checked).status()).toBe(200)
  await expect(rowOf(page, encoder.title).getByText('Online', { exact: true })).toBeVisible()
})

test('ENC-13 NAV-08 NAV-09 Edit Config leads through edit_encoder; a monitor may look', async ({
  page,
  site,
  otherOperator,
}) => {
  const { encoderId } = site.ids
  await signIn(page, site, 'admin')
  await openPage(page, site, ENCODERS, 'Encoders')
  await page.getByRole('link', { name: `Edit Config: ${DEMO}`, exact: true }).click()
  await expect(page).toHaveURL(`${site.url}/dashboard/edit_encoder/${encoderId}`)
  for (const spelling of ['edit_encoder', 'editEncoder']) {
    await openPage(page, site, `/dashboard/${spelling}/${encoderId}`, 'Configure Encoder')
  }
  const monitor = await otherOperator('monitor')
  await openPage(monitor, site, ENCODERS, 'Encoders')
  const look = monitor.getByRole('link', { name: `View config: ${DEMO}`, exact: true })
  await expect(look).toBeVisible()
})

test('ENC-19 Q67 a configuration is deleted after a question', async ({ page, site }) => {
  await using encoder = await ownLiveEncoder(site, 1)
  const { title } = encoder
  await signIn(page, site, 'manager')
  await openPage(page, site, ENCODERS, 'Encoders')
  const row = rowOf(page, title)
  await expect(row.getByText('Online', { exact: true })).toBeVisible()
  const calls = requestsOf(page, 'DELETE /api/encoder/')
  const sentence = `Delete the configuration of ${title}.`
  await choose(page, title, 'Delete config')
  await answer(page, sentence, 'Keep config')
  expect(calls).toEqual([])
  await choose(page, title, 'Delete config')
  await answer(page, sentence, 'Delete config')
  await expect(row.getByText('Not Configured', { exact: true })).toBeVisible()
  expect(calls).toEqual([`DELETE /api/encoder/configDeleteApi/${encoder.id}`])
})

test('ENC-24 ENC-25 ENC-28 the fields of the dialog; the name is not to be changed', async ({
  page,
  site,
}) => {
  await signIn(page, site, 'superadmin')
  await openPage(page, site, ENCODERS, 'Encoders')
  await button(page, 'Add encoder').click()
  const add = dialogOf(page, 'Add encoder')
  for (const name of [
    'Title',
    'API key',
    'IP',
    'Port',
    'Group',
    'Email',
    'Location',
    'Physical address',
    'Contact number',
    'Description',
  ]) {
    await expect(add.getByLabel(name, { exact: true })).toBeVisible()
  }
  await expect(add.getByLabel('Port', { exact: true })).toHaveValue('8000')
  await page.keyboard.press('Escape')
  await expect(add).toHaveCount(0)
  await choose(page, DEMO, 'Edit Encoder')
  const name = dialogOf(page, 'Edit encoder').getByLabel('Name', { exact: true })
  await expect(name).not.toBeEditable()
})

test('ENC-22 ENC-27 a manager’s encoder goes into the own group; a failed add shows a message and keeps what was typed', async ({
  page,
  site,
}) => {
  const title = ownTitle('encoder')
  await signIn(page, site, 'manager')
  await openPage(page, site, ENCODERS, 'Encoders')
  await button(page, 'Add encoder').click()
  const add = dialogOf(page, 'Add encoder')
  await add.getByLabel('Title', { exact: true }).fill(title)
  await add.getByLabel('IP', { exact: true }).fill('127.0.0.1')
  // The demo's host has a key already, so a manager, who may set none, can add to it.
  await add.getByLabel('Port', { exact: true }).fill(String(site.plan.seats.encoder.port))
  await page.route('**/api/encoder/add', async (route) => route.fulfill({ status: 500, body: '' }))
  await button(add, 'Add encoder').click()
  await expect(add.getByRole('alert')).toHaveText('Something went wrong, Please try again')
  await expect(add.getByLabel('Title', { exact: true })).toHaveValue(title)
  await page.unroute('**/api/encoder/add')
  await button(add, 'Add encoder').click()
  await expectNotice(page, 'Success add new encoder', title)
  await expect(rowOf(page, title).getByText('North', { exact: true })).toBeVisible()
  const { encoders } = await callApi(site.client, listEncoders, { query: { searchValue: title } })
  expect(encoders.map(({ groupId }) => groupId)).toEqual([site.ids.groupIds['North']])
  await choose(page, title, 'Remove Encoder')
  await answer(page, `Remove ${title}, with its configuration.`, 'Remove encoder')
  await expect(rowOf(page, title)).toHaveCount(0)
})

test('ENC-34 Q64 without push the state is polled; leaving the page aborts the request', async ({
  page,
  site,
}) => {
  // Never answered, and no push: an older proxy on the way.
  await withoutLive(page)
  await page.route('**/api/encoder/getServiceStatus/**', () => {})
  await signIn(page, site, 'superadmin')
  const asked = page.waitForRequest('**/api/encoder/getServiceStatus/**')
  await openPage(page, site, ENCODERS, 'Encoders')
  const request = await asked
  const ended = page.waitForEvent('requestfailed', (item) => item.url() === request.url())
  await page
    .getByRole('link', { name: /Channels/ })
    .first()
    .click()
  expect((await ended).failure()?.errorText).toBe('net::ERR_ABORTED')
})

test.describe('with a camera on the air', () => {
  test.use({ demoEncoder: 'running' })

  test('ENC-06 to ENC-10 the chip: Online, Offline, Not Configured, Disabled; no check of the last two', async ({
    page,
    site,
  }) => {
    await using bare = await ownEncoder(site, 'bare')
    await using silent = await ownSilentEncoder(site)
    await using off = await ownLiveEncoder(site, 3)
    await signIn(page, site, 'superadmin')
    const checks = requestsOf(page, 'GET /api/encoder/getServiceStatus/')
    await openPage(page, site, ENCODERS, 'Encoders')
    await expect(rowOf(page, DEMO).getByText('Online', { exact: true })).toBeVisible()
    await expect(rowOf(page, DEMO).getByText('Running', { exact: true })).toBeVisible()
    await expect(rowOf(page, silent.title).getByText('Offline', { exact: true })).toBeVisible()
    await expect(rowOf(page, bare.title).getByText('Not Configured', { exact: true })).toBeVisible()
    await choose(page, off.title, 'Disable')
    await expectNotice(page, 'Success updated', `${off.title} disabled`)
    await expect(rowOf(page, off.title).getByText('Disabled', { exact: true })).toBeVisible()
    expect(checks).toEqual([])
  })
})
