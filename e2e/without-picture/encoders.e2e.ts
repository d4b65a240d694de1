/** The encoder manager: records are added, changed, given to editors, switched off and removed. */
import type { Page } from '@playwright/test'
import { ownEncoder, ownLiveEncoder, ownSilentEncoder } from '../encoder.steps.ts'
import {
  answer,
  button,
  dialogOf,
  expectNotice,
  openPage,
  requestsOf,
  rowOf,
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
  const secure = dialogOf(page, 'Secure connection')
  await expect(button(secure, 'Make enrolment code')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(secure).toHaveCount(0)
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
  await expect(rowOf(page, DEMO).getByText('Stopped', { exact: true })).toBeVisible()
  await expect(rowOf(page, silent.title).getByText('Offline', { exact: true })).toBeVisible()
  await expect(rowOf(page, bare.title).getByText('Not Configured', { exact: true })).toBeVisible()
  await choose(page, off.title, 'Disable')
  await expectNotice(page, 'Success updated', `${off.title} disabled`)
  await expect(rowOf(page, off.title).getByText('Disabled', { exact: true })).toBeVisible()
  expect(checks).toEqual([])
})
