/** Groups and servers: made, changed, refused and deleted; which server answers, shown by push. */
import { freeTcpPort } from '@trunkline/testbed/free-port'
import {
  answer,
  button,
  dialogOf,
  expectNotice,
  openPage,
  requestsOf,
  rowOf,
} from '../page.steps.ts'
import { ownPerson, ownTitle } from '../people.steps.ts'
import { expect, signIn, test } from '../site.fixture.ts'

test.use({ demoEncoder: 'stopped' })

const GROUPS = '/dashboard/group'
const SERVERS = '/dashboard/server'

test('GRP-05 to GRP-14 a group is created, given to its manager, changed and deleted', async ({
  page,
  site,
  otherOperator,
}) => {
  await using manager = await ownPerson(site, 'manager', null)
  await signIn(page, site, 'admin')
  await openPage(page, site, GROUPS, 'Groups')
  await expect(page.getByRole('columnheader')).toHaveText([
    'Group Name',
    'Description',
    'Group Manager',
    'Actions',
  ])
  const added = requestsOf(page, 'POST /api/group')
  await button(page, 'Add group').click()
  const dialog = dialogOf(page, 'Manage group')
  const save = button(dialog, 'Add group')
  await expect(save).toBeDisabled()
  for (const [label, sentence] of [
    ['Title', 'Title is required'],
    ['Description', 'Description is required'],
  ] as const) {
    await dialog.getByLabel(label, { exact: true }).focus()
    await dialog.getByLabel(label, { exact: true }).blur()
    await expect(dialog.getByText(sentence, { exact: true })).toBeVisible()
  }
  const title = ownTitle('group')
  await dialog.getByLabel('Title', { exact: true }).fill(title)
  await dialog.getByLabel('Description', { exact: true }).fill('Made by hand')
  await expect(save).toBeDisabled()
  expect(added).toEqual([])
  const narrow = dialog.getByRole('searchbox')
  if (await narrow.isVisible()) await narrow.fill(manager.fullName)
  await dialog.getByRole('radio', { name: new RegExp(`^${manager.fullName} `) }).check()
  await save.click()
  await expectNotice(page, 'Group added successfully', title)
  await expect(rowOf(page, title).getByText(manager.fullName, { exact: true })).toBeVisible()

  const theirs = await otherOperator(manager.local)
  await openPage(theirs, site, '/dashboard/userManager', 'Access')
  const filter = theirs.getByRole('combobox', { name: 'Group', exact: true })
  await expect(filter.getByRole('option')).toHaveText([title])

  await button(page, `Edit ${title}`).click()
  await dialog.getByLabel('Title', { exact: true }).fill(`${title} renamed`)
  await button(dialog, 'Save').click()
  await expectNotice(page, 'Group updated successfully', `${title} renamed`)

  const removed = requestsOf(page, 'DELETE /api/group/')
  const question = 'Are you sure you want to delete this Group?'
  await button(page, `Delete ${title} renamed`).click()
  await answer(page, question, 'Keep group')
  expect(removed).toEqual([])
  await button(page, `Delete ${title} renamed`).click()
  await answer(page, question, 'Delete group')
  await expectNotice(page, 'Group deleted successfully', `${title} renamed`)
  await expect(rowOf(page, `${title} renamed`)).toHaveCount(0)
})

test('SRV-04 to SRV-17 a server is made, changed and deleted', async ({ page, site }) => {
  await signIn(page, site, 'admin')
  await openPage(page, site, SERVERS, 'Servers')
  await expect(page.getByRole('columnheader')).toHaveText([
    'Title',
    'Host',
    'Port',
    'Groups',
    'Status',
    'Actions',
  ])
  const added = requestsOf(page, 'POST /api/servers')
  await button(page, 'Add server').click()
  const dialog = dialogOf(page, 'Manage Servers')
  const field = (label: string) => dialog.getByLabel(label, { exact: true })
  await button(dialog, 'Add server').click()
  for (const sentence of [
    'Input title',
    'Input host',
    'Select type',
    'Input port',
    'Select group',
    'Input api key',
    'Please input adapter ips',
  ]) {
    await expect(dialog.getByText(sentence, { exact: true })).toBeVisible()
  }
  await field('Port').fill('many')
  await expect(field('Port')).toHaveAttribute('aria-invalid', 'true')
  const title = ownTitle('server')
  await field('Title').fill(title)
  await field('Host').fill('127.0.0.1')
  await field('Port').fill(String(await freeTcpPort(0)))
  await field('Server type').selectOption('acants')
  await field('API key').fill('test-key-0123456789')
  await dialog.getByRole('checkbox', { name: 'North', exact: true }).check()
  await field('Adapter name').fill('eth0')
  await field('Adapter name').press('Enter')
  await expect(button(dialog, 'Remove eth0 192.0.2.10')).toBeHidden()
  await field('Adapter IP').fill('192.0.2.10')
  await field('Adapter IP').press('Enter')
  await expect(button(dialog, 'Remove eth0 192.0.2.10')).toBeVisible()
  expect(added).toEqual([])
  await button(dialog, 'Add server').click()
  await expectNotice(page, 'Server added successfully', title)
  const secure = dialogOf(page, 'Secure connection')
  await expect(button(secure, 'Make enrolment code')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(rowOf(page, title).getByText('North', { exact: true })).toBeVisible()

  await button(page, `Edit ${title}`).click()
  await expect(field('API key')).toHaveValue('')
  await expect(dialog.getByText('A key is stored. Leave empty to keep it.')).toBeVisible()
  await field('Location').fill('Rack 4')
  await button(dialog, 'Save').click()
  await expectNotice(page, 'Server updated successfully', title)

  await button(page, `Delete ${title}`).click()
  await answer(page, 'Are you sure you want to delete this Server?', 'Delete server')
  await expectNotice(page, 'Server deleted successfully', title)
  await expect(rowOf(page, title)).toHaveCount(0)
})

test('SRV-02 a server goes Offline and comes back by push, without polling', async ({
  page,
  site,
}) => {
  await signIn(page, site, 'superadmin')
  await openPage(page, site, SERVERS, 'Servers')
  const row = rowOf(page, 'Demo gateway')
  await expect(row.getByText('Online', { exact: true })).toBeVisible()
  const asked = requestsOf(page, 'GET /api/servers/status/')
  await site.agent.stop()
  try {
    await expect(row.getByText('Offline', { exact: true })).toBeVisible()
  } finally {
    await site.restartAgent()
  }
  await expect(row.getByText('Online', { exact: true })).toBeVisible()
  expect(asked).toEqual([])
  await button(page, 'Check Demo gateway now').click()
  await expectNotice(page, 'Demo gateway is online', 'ms')
})
